package watch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/view"
	"dgplab/session/rundir"
)

// noisy is the objective of a variational family trained on minibatches.
var noisy = family.Objective{
	Name:   "fake objective",
	Kind:   family.Surrogate,
	Noisy:  true,
	Terms:  []family.Reading{family.ExpectedLogLik, family.KL},
	Gauges: []family.Reading{infer.LearningRate},
}

// synthetic describes the report lines of a synthetic run on 1,000 training points, with a line every 10
// steps.
type synthetic struct {
	lines int
	// Each function returns the value of a line given a standard normal draw. By default the run is calm.
	objective, validation func(line int, noise float64) float64
	rescues               func(line int) int // rescues since the previous line
}

func (s synthetic) points() []rundir.Point {
	r := rand.New(rand.NewPCG(11, 12))
	list := make([]rundir.Point, s.lines)
	for i := range list {
		a := r.NormFloat64()
		b := r.NormFloat64()
		p := rundir.Point{Step: 10 * (i + 1), Objective: calmObjective(i, a), ValLogLik: calmValidation(i, b)}
		if s.objective != nil {
			p.Objective = s.objective(i, a)
		}
		if s.validation != nil {
			p.ValLogLik = s.validation(i, b)
		}
		if i > 0 {
			p.Rescues = list[i-1].Rescues
		}
		if s.rescues != nil {
			p.Rescues += s.rescues(i)
		}
		list[i] = p
	}
	return list
}

// calmObjective rises steeply at first and then stays level, with minibatch noise.
func calmObjective(i int, noise float64) float64 {
	return -1000 - 1e5*math.Exp(-float64(i)/20) + 80*noise
}

func calmValidation(i int, noise float64) float64 {
	return -1 - 3*math.Exp(-float64(i)/30) + 0.05*noise
}

// changesOf adds report lines and returns, for each kind, the steps at which its alarm was raised
// (positive) and cleared (negative).
func changesOf(points []rundir.Point) (w *Watcher, changes map[rundir.AlarmKind][]int) {
	w, changes = New(noisy, 1000), map[rundir.AlarmKind][]int{}
	on := map[rundir.AlarmKind]bool{}
	for _, p := range points {
		w.Add(p)
		now := map[rundir.AlarmKind]bool{}
		for _, a := range w.Alarms() {
			now[a.Kind] = true
		}
		for _, kind := range []rundir.AlarmKind{rundir.AlarmNonFinite, rundir.AlarmObjective,
			rundir.AlarmValidation, rundir.AlarmRescues} {
			if now[kind] && !on[kind] {
				changes[kind] = append(changes[kind], p.Step)
			} else if !now[kind] && on[kind] {
				changes[kind] = append(changes[kind], -p.Step)
			}
		}
		on = now
	}
	return w, changes
}

func TestAlarmsOfReportLines(t *testing.T) {
	for _, c := range []struct {
		name string
		synthetic
		// kind is the kind of the only alarm, or "" for none. It is raised between the steps from and to, and
		// is cleared by the step end unless end is 0.
		kind          rundir.AlarmKind
		from, to, end int
		text          string
	}{
		{name: "a calm run", synthetic: synthetic{lines: 5000}},
		{name: "a noisy plateau from the start", synthetic: synthetic{lines: 5000,
			objective: func(_ int, e float64) float64 { return 500 * e }}},
		{name: "outliers", synthetic: synthetic{lines: 3000,
			objective: func(i int, e float64) float64 {
				if i%7 == 3 {
					return -1e9
				}
				return calmObjective(i, e)
			}}},
		{name: "a deterministic objective that fluctuates near its best", synthetic: synthetic{lines: 3000,
			objective: func(i int, _ float64) float64 { return -1000 + 1e-3*math.Sin(float64(i)/40) }}},
		{name: "a divergence from the start", kind: rundir.AlarmObjective, from: 200, to: 700,
			text: "objective fell from", synthetic: synthetic{lines: 200,
				objective: func(i int, e float64) float64 { return -1000 - 100*float64(i) + 20*e }}},
		{name: "an exponential divergence", kind: rundir.AlarmObjective, from: 5000, to: 6000,
			synthetic: synthetic{lines: 700,
				objective: func(i int, e float64) float64 {
					return calmObjective(i, e) - math.Expm1(0.1*math.Max(0, float64(i-500)))
				}}},
		{name: "a fall that recovers", kind: rundir.AlarmObjective, from: 5000, to: 6000, end: 9000,
			synthetic: synthetic{lines: 1500,
				objective: func(i int, e float64) float64 {
					down := math.Max(0, math.Min(float64(i-500), float64(800-i)))
					return calmObjective(i, e) - 20*down
				}}},
		{name: "a lower plateau after a fall keeps the alarm", kind: rundir.AlarmObjective,
			from: 5000, to: 5600,
			synthetic: synthetic{lines: 3000,
				objective: func(i int, e float64) float64 {
					return calmObjective(i, e) - 60*math.Max(0, math.Min(float64(i-500), 80))
				}}},
		{name: "a validation curve that turns down", kind: rundir.AlarmValidation, from: 8000, to: 16000,
			text: "validation log-likelihood fell from", synthetic: synthetic{lines: 3000,
				validation: func(i int, e float64) float64 {
					return calmValidation(i, e) - 5e-4*math.Max(0, float64(i-800))
				}}},
		{name: "a short dip of the validation curve", synthetic: synthetic{lines: 3000,
			validation: func(i int, e float64) float64 {
				if i >= 1000 && i < 1035 {
					return -3
				}
				return calmValidation(i, e)
			}}},
		{name: "no validation", synthetic: synthetic{lines: 2000,
			validation: func(int, float64) float64 { return math.NaN() }}},
		{name: "an objective that is NaN once", kind: rundir.AlarmNonFinite, from: 1010, to: 1010, end: 1310,
			text: "objective was not finite", synthetic: synthetic{lines: 400,
				objective: func(i int, e float64) float64 {
					if i == 100 {
						return math.NaN()
					}
					return calmObjective(i, e)
				}}},
		{name: "a validation likelihood of -Inf", kind: rundir.AlarmNonFinite,
			from: 1010, to: 1010, end: 1310,
			synthetic: synthetic{lines: 400,
				validation: func(i int, e float64) float64 {
					if i == 100 {
						return math.Inf(-1)
					}
					return calmValidation(i, e)
				}}},
		{name: "occasional rescues", synthetic: synthetic{lines: 2000,
			rescues: func(i int) int { return max(0, 1-i%20) }}},
		{name: "a burst of rescues", synthetic: synthetic{lines: 2000,
			rescues: func(i int) int {
				return max(0, 40*(1-max(0, i-1000)*max(0, i-1000))-40*max(0, 1000-i))
			}}},
		{name: "many rescues for a while", kind: rundir.AlarmRescues, from: 3100, to: 3300, end: 6300,
			text: "0.5 times per step", synthetic: synthetic{lines: 2000,
				rescues: func(i int) int {
					if i >= 300 && i < 600 {
						return 5
					}
					return 0
				}}},
	} {
		w, changes := changesOf(c.points())
		for kind, steps := range changes {
			if kind != c.kind {
				t.Errorf("%s: alarm %q at %v", c.name, kind, steps)
			}
		}
		if c.kind == "" {
			continue
		}
		steps := changes[c.kind]
		want := 1
		if c.end > 0 {
			want = 2
		}
		if len(steps) != want || steps[0] < c.from || steps[0] > c.to || (c.end > 0 && -steps[1] > c.end) {
			t.Errorf("%s: %q changed at %v, want from %d to %d, end by %d",
				c.name, c.kind, steps, c.from, c.to, c.end)
		}
		if c.end == 0 {
			a := w.Alarms()[0]
			if a.Since > steps[0] || a.Since < steps[0]-800 || !strings.Contains(a.Text, c.text) {
				t.Errorf("%s: %+v, raised at step %d", c.name, a, steps[0])
			}
		}
	}
}

func TestTextsOfClearedAlarms(t *testing.T) {
	p := synthetic{lines: 100, objective: func(i int, e float64) float64 { return math.Inf(i%2*2 - 1) },
		rescues: func(int) int { return 5 }}.points()
	w, _ := changesOf(p)
	got := fmt.Sprint(w.Alarms())
	if want := "[{rescues 0 jitter was needed 0.5 times per step; check the health of the matrices} " +
		"{non-finite 10 the objective was not finite}]"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// The same report lines raise the same alarms.
func TestAlarmsDependOnReportLinesOnly(t *testing.T) {
	points := synthetic{
		lines:     900,
		objective: func(i int, e float64) float64 { return -50*math.Max(0, float64(i-300)) + 30*e },
	}.points()
	a, _ := changesOf(points)
	b := New(noisy, 0)
	b.SetData(1000)
	for _, p := range points {
		b.Add(p)
	}
	if len(a.Alarms()) == 0 || !slices.Equal(a.Alarms(), b.Alarms()) {
		t.Errorf("%v and %v", a.Alarms(), b.Alarms())
	}
}

// diagnosticsOf returns diagnostics in which the given GPs of each layer have collapsed.
func diagnosticsOf(step int, collapsed ...[]bool) *rundir.Diagnostics {
	d := &rundir.Diagnostics{Step: step}
	for _, layer := range collapsed {
		var l view.Units
		for _, c := range layer {
			l.Units = append(l.Units, view.Unit{Collapsed: c})
		}
		d.Units = append(d.Units, l)
	}
	return d
}

func TestAlarmOfCollapsedLayer(t *testing.T) {
	all, some := []bool{true, true}, []bool{true, false}
	for _, c := range []struct {
		name   string
		steps  []int
		first  [][]bool // collapsed GPs of layer 1; layer 2 has not collapsed
		since  int      // 0 for no alarm
		layers int
	}{
		{name: "hidden layers at the start", steps: []int{100, 200, 300, 400, 999},
			first: [][]bool{all, all, all, all, all}},
		{name: "one GP is left", steps: []int{1000, 2000, 3000, 4000},
			first: [][]bool{some, some, some, some}},
		{name: "twice only", steps: []int{1000, 2000, 3000}, first: [][]bool{all, all, some}},
		{name: "the same step again", steps: []int{1000, 2000, 2000, 2000},
			first: [][]bool{all, all, all, all}},
		{name: "for long", steps: []int{500, 1000, 2000, 3000}, first: [][]bool{all, all, all, all},
			since: 1000},
		{name: "one better result does not clear it", steps: []int{1000, 2000, 3000, 4000},
			first: [][]bool{all, all, all, some}, since: 1000},
		{name: "two do", steps: []int{1000, 2000, 3000, 4000, 5000},
			first: [][]bool{all, all, all, some, some}},
	} {
		w := New(noisy, 10)
		for i, step := range c.steps {
			w.AddDiagnostics(diagnosticsOf(step, c.first[i], some))
		}
		alarms := w.Alarms()
		if c.since == 0 {
			if len(alarms) > 0 {
				t.Errorf("%s: %v", c.name, alarms)
			}
			continue
		}
		if len(alarms) != 1 || alarms[0].Kind != rundir.AlarmCollapse || alarms[0].Since != c.since ||
			!strings.HasPrefix(alarms[0].Text, "layer 1 has collapsed") {
			t.Errorf("%s: %v", c.name, alarms)
		}
	}
}

// Chains that have not mixed raise an alarm: during sampling after several diagnostics with enough draws, and
// immediately when they are complete.
func TestAlarmOfChains(t *testing.T) {
	quantity := func(rhat, ess rundir.Number) []view.ChainQuantity {
		return []view.ChainQuantity{{Name: "noise", Rhat: 1.001, ESSBulk: 500, ESSTail: 500},
			{Name: "f", Rhat: rhat, ESSBulk: ess, ESSTail: 900}}
	}
	for name, c := range map[string]struct {
		looks []view.Chains
		since int
	}{
		"mixed": {[]view.Chains{{Chains: 4, Draws: 200, Complete: true,
			Quantities: quantity(1.005, 400)}}, 0},
		"few draws": {slices.Repeat([]view.Chains{{Chains: 4, Draws: 99, Quantities: quantity(1.3, 20)}},
			5), 0},
		"burning in": {slices.Repeat([]view.Chains{{Chains: 4, Quantities: quantity(1.3, 20)}}, 5), 0},
		"two diagnostics": {slices.Repeat([]view.Chains{{Chains: 4, Draws: 100,
			Quantities: quantity(1.3, 20)}},
			2), 0},
		"three diagnostics": {slices.Repeat([]view.Chains{{Chains: 4, Draws: 100,
			Quantities: quantity(1.3, 20)}},
			3), 100},
		"low effective size": {slices.Repeat([]view.Chains{{Chains: 4, Draws: 500,
			Quantities: quantity(1.001, 399)}}, 3), 100},
		"at the end": {[]view.Chains{{Chains: 1, Draws: 50, Complete: true, Quantities: quantity(1.3, 20)}},
			100},
		"mixed since": {append(slices.Repeat([]view.Chains{{Chains: 4, Draws: 500,
			Quantities: quantity(1.3, 20)}}, 3),
			view.Chains{Chains: 4, Draws: 900, Complete: true, Quantities: quantity(1.002, 2000)}), 0},
	} {
		w := New(noisy, 10)
		for i := range c.looks {
			w.AddDiagnostics(&rundir.Diagnostics{Step: 100 * (i + 1), Views: view.Views{Chains: &c.looks[i]}})
		}
		alarms := w.Alarms()
		switch {
		case c.since == 0 && len(alarms) > 0:
			t.Errorf("%s: %v", name, alarms)
		case c.since > 0 &&
			(len(alarms) != 1 || alarms[0].Kind != rundir.AlarmMixing || alarms[0].Since != c.since ||
				!strings.HasPrefix(alarms[0].Text, "1 of 2 quantities have R-hat above ")):
			t.Errorf("%s: %v", name, alarms)
		}
	}
}

func TestAlarmOfInducingPointsInASubspace(t *testing.T) {
	w := New(noisy, 10)
	look := func(step int, collapsed ...bool) []rundir.Alarm {
		d := &rundir.Diagnostics{Step: step}
		d.Amortization = &view.Amortization{}
		for _, c := range collapsed {
			d.Amortization.Layers = append(d.Amortization.Layers, view.AmortizedLayer{Collapsed: c})
		}
		w.AddDiagnostics(d)
		return w.Alarms()
	}
	for _, step := range []int{900, 1000, 2000} {
		if got := look(step, false, true); len(got) != 0 {
			t.Errorf("at step %d: %v", step, got)
		}
	}
	want := rundir.Alarm{
		Kind:  rundir.AlarmInducing,
		Since: 1000,
		Text:  "the inducing points of layer 2 have degenerated to a subspace of its inputs",
	}
	if got := look(3000, false, true); len(got) != 1 || got[0] != want {
		t.Errorf("%v, want %v", got, want)
	}
	look(4000, false, false)
	if got := look(5000, false, false); len(got) != 0 {
		t.Errorf("alarms are not cleared: %v", got)
	}
}

func TestAlarmOfFailedRun(t *testing.T) {
	for err, want := range map[error]string{
		fmt.Errorf("step: %w", &models.NonFiniteError{Where: "the ELBO"}): "the ELBO is not finite",
		fmt.Errorf("step: %w", &models.NaNError{
			Matrix: "K_MM of layer 2",
		}): "K_MM of layer 2 contains NaN or Inf",
		fmt.Errorf("a full disk"): "",
	} {
		w := New(noisy, 10)
		w.Fail(7, err)
		var alarms []rundir.Alarm
		if want != "" {
			alarms = []rundir.Alarm{{Kind: rundir.AlarmNonFinite, Since: 7, Text: want}}
		}
		if got := w.Alarms(); !slices.Equal(got, alarms) {
			t.Errorf("%v: %v", err, got)
		}
	}
}

// The first value of a report line that is not finite is named.
func TestNonFiniteValues(t *testing.T) {
	f := &finiteness{terms: noisy.Terms}
	term := func(key string, x float64) []rundir.Reading { return []rundir.Reading{{Key: key, Value: x}} }
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		p    rundir.Point
		want string
	}{
		{rundir.Point{Objective: nan, ValLogLik: inf}, "the objective"},
		{rundir.Point{Objective: -inf, Readings: term("kl", nan)}, "the objective"},
		{rundir.Point{ValLogLik: inf, Readings: term("kl", nan)}, "the " + family.KL.Name},
		{rundir.Point{ValLogLik: nan, Readings: term("kl", -inf)}, "the " + family.KL.Name},
		{rundir.Point{ValLogLik: -inf, Readings: term("kl", 1)}, "the validation log-likelihood"},
		{rundir.Point{ValLogLik: nan, Readings: term("kl", 1)}, ""},
		{rundir.Point{ValLogLik: 1, Readings: term("gradient_norm", nan)}, ""},
	} {
		if got := f.where(c.p); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}

// The alarm about NaN clears after 30 finite lines in a row.
func TestFinitenessPatience(t *testing.T) {
	f := &finiteness{}
	step := 0
	add := func(objective float64, lines int) {
		for range lines {
			step++
			f.add(rundir.Point{Step: step, Objective: objective})
		}
	}
	add(math.NaN(), 1)
	add(1, 29)
	add(math.Inf(1), 1)
	add(1, 29)
	if !f.on || f.since != 1 {
		t.Errorf("after 29 finite lines: %+v", f)
	}
	add(1, 1)
	if f.on {
		t.Errorf("after 30 finite lines: %+v", f)
	}
}

// The alarm about jitter is raised by two strips in a row with at least 0.1 rescues per step, and cleared by
// two with less than 0.02.
func TestRescueRates(t *testing.T) {
	for _, c := range []struct {
		rescues []int // per strip of 100 steps
		since   int   // -1 for no alarm
	}{
		{[]int{0, 10}, -1}, {[]int{0, 10, 9, 10}, -1}, {[]int{0, 10, 10}, 100}, {[]int{9, 9, 9}, -1},
		{[]int{10, 10, 1}, 0}, {[]int{10, 10, 1, 2, 1}, 0}, {[]int{10, 10, 1, 1}, -1},
		{[]int{10, 10, 2, 2, 2}, 0}, {[]int{10, 10, 1, 1, 10, 10}, 400}, {[]int{10, 10, 10, 10}, 0},
	} {
		var r rescueRate
		p := rundir.Point{}
		for _, n := range c.rescues {
			for line := range alarmStrip {
				p.Step += 10
				if line == 0 {
					p.Rescues += n
				}
				r.add(p)
			}
		}
		if r.on != (c.since >= 0) || r.on && r.since != c.since {
			t.Errorf("%v: on %v since %d, want %d", c.rescues, r.on, r.since, c.since)
		}
	}
}

// The alarm about the objective is raised by three low strips in a row while the objective falls, and cleared
// by a strip within half of the limit.
func TestDeclineOfStrips(t *testing.T) {
	for _, c := range []struct {
		strips []float64
		since  int // 0 for no alarm
	}{
		{[]float64{0, -11, -12}, 0},
		{[]float64{0, -11, -12, -13}, 11},
		{[]float64{0, -10, -10, -10, -10}, 0},      // at the limit
		{[]float64{0, -11, -12, -10, -13, -14}, 0}, // interrupted
		{[]float64{0, -11, -12, -10, -13, -14, -15}, 41},
		{[]float64{0, -13, -12, -11}, 11}, // lower than the best strip
		{[]float64{0, -1, -13, -12, -11, -11}, 21},
		{[]float64{0, -11, -12, -13, -6}, 11}, // above the limit, but not by half
		{[]float64{0, -11, -12, -13, -5}, 0},
		{[]float64{0, -11, -12, -13, 1}, 0},
	} {
		d := decline{floor: 10}
		for i, value := range c.strips {
			for line := range alarmStrip {
				d.add(alarmStrip*i+line+1, value)
				d.add(alarmStrip*i+line+1, math.NaN()) // ignored
			}
		}
		if d.on != (c.since > 0) || d.on && d.since != c.since {
			t.Errorf("%v: on %v since %d, want %d", c.strips, d.on, d.since, c.since)
		}
	}
	// After a fall of the limit, low strips must still fall.
	level := decline{floor: 10, noise: []float64{2, 2}}
	for i, c := range []struct {
		value float64
		on    bool
	}{{0, false}, {-11, false}, {-10.5, false}, {-10.5, false}, {-10.5, false}, {-10.6, true}} {
		for line := range alarmStrip {
			level.add(alarmStrip*i+line+1, c.value)
		}
		if level.on != c.on {
			t.Errorf("strip %d: on %v", i, level.on)
		}
	}
	// The limit is six times the usual spread of lines.
	d := decline{floor: 10, noise: []float64{1, 2, 4}}
	if got := d.limit(); got != 12 {
		t.Errorf("limit %v, want 12", got)
	}
	if got := spread([]float64{1, 2, 4, 9}, 3); math.Abs(got-1.4826*1.5) > 1e-12 {
		t.Errorf("spread %v, want 1.5 standard deviations of a normal distribution", got)
	}
}
