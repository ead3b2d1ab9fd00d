package dash

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// randomViews returns views of a few kinds with varied numbers, sometimes with few parts.
func randomViews(r *rand.Rand) (v view.Views) {
	all := kittest.AllViews()
	all.Functions = kittest.Functions(1 + r.IntN(6))
	all.Fit = kittest.Fit(1+r.IntN(3), r.Float64())
	all.Matrices = kittest.Health(1200).Matrices
	if r.IntN(2) == 0 {
		all.Fit = kittest.DensityRun(1+r.IntN(3), r.Float64()).Diagnostics.Fit
	}
	if len(all.Fit.Lines) > 1 && r.IntN(3) == 0 {
		all.Fit = kittest.WithLevels(kittest.Fit(2+r.IntN(2), 0))
	}
	line := &all.Fit.Lines[0]
	if r.IntN(4) == 0 {
		line.Slices = line.Slices[:1]
	}
	switch r.IntN(9) {
	case 0:
		all.Amortization.Layers = all.Amortization.Layers[:1]
	case 1:
		all.Amortization.Layers = nil
	case 2:
		all.Amortization.Layers[0].Inputs = nil
	case 3:
		all.Maps.GPs = all.Maps.GPs[:r.IntN(3)]
		all.MomentMatching.Points = all.MomentMatching.Points[:1]
		all.Network.Points = all.Network.Points[:1]
	}
	from, to := reflect.ValueOf(&all).Elem(), reflect.ValueOf(&v).Elem()
	share := 1 + r.IntN(4)
	for i := range from.NumField() {
		if r.IntN(4) < share {
			to.Field(i).Set(from.Field(i))
		}
	}
	v.Chains = nil
	vary(r, reflect.ValueOf(&v))
	if r.IntN(4) < share {
		v.Chains = kittest.SomeChains()[r.IntN(3)]
	}
	return v
}

// vary multiplies some of the numbers in a value by random factors.
func vary(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			vary(r, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				vary(r, v.Field(i))
			}
		}
	case reflect.Slice:
		factor := 1 + 0.5*r.NormFloat64()
		for i := range v.Len() {
			e := v.Index(i)
			if e.Kind() == reflect.Float64 {
				e.SetFloat(e.Float() * factor)
			} else {
				vary(r, e)
			}
		}
	case reflect.Float64:
		if r.IntN(2) == 0 {
			v.SetFloat(v.Float() * math.Exp(r.NormFloat64()))
		}
	}
}

// Words of random runs.
var (
	someFamilies = []string{"star", "mean-field", "fully-coupled", models.BaselineFamily, "hmc"}
	someDatasets = []string{"mountaincar", "boston", "/home/me/work/prices.csv"}
	someStops    = []rundir.Stop{rundir.StopSteps, rundir.StopEarly, rundir.StopSettled, rundir.StopConverged,
		rundir.StopAsked, rundir.StopRung, rundir.StopFailed, ""}
	someObjectives = []family.Objective{models.Families()[0].Objective, kittest.Evidence,
		{Name: "amortized objective", Kind: family.Surrogate, Noisy: true}}
	oddNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e308, 5e-324, 0.95}
)

// pick returns a random element of a list.
func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// randomRun returns a snapshot of a random run.
func randomRun(r *rand.Rand, odd bool) *session.Snapshot {
	c := rundir.Config{Dataset: someDatasets[r.IntN(6)%3], Family: pick(r, someFamilies),
		Split: fmt.Sprintf("standard:%d", r.IntN(6)/4), Seed: uint64(r.IntN(3)),
		Set: models.Values{"layers": fmt.Sprint(2 + r.IntN(2))}}
	s := kittest.Training(c, []int{1, 7, 300, 1240, 2480}[r.IntN(5)])
	if r.IntN(2) == 0 {
		s = kittest.Ended(c, pick(r, someStops))
	}
	s.ObjectiveIs = someObjectives[r.IntN(5)%3]
	s.Values = models.Values{"batch": "512", "layers": c.Set["layers"], "epochs": fmt.Sprint(3 * r.IntN(9)),
		"inducing": fmt.Sprint(64 * (1 + r.IntN(2)))}
	kittest.Scored(s, r.IntN(4))
	switch r.IntN(8) {
	case 0:
		kittest.Evaluated(s, kittest.Classes(60+r.IntN(200), r.Uint64()))
	case 1:
		kittest.Evaluated(s, kittest.ThreeClasses())
	case 2, 3, 4:
		p := kittest.Predictions(r.IntN(2), 51, 1+r.IntN(6)/4, 0.6+r.Float64(), r.Uint64N(3))
		if p.P > 1 {
			for range p.LogLik {
				p.LogLikByTarget = append(p.LogLikByTarget, r.NormFloat64(), r.NormFloat64()-1)
			}
		}
		kittest.Evaluated(s, p)
		s.Data.P = p.P
	}
	n := r.IntN(6)
	switch {
	case n == 0:
		s.Test, s.Predictions, s.LeftOut = nil, nil, nil
	case n == 1 && s.Test != nil:
		limit := rundir.Number(0.7)
		s.LeaveOneOut = &rundir.LeaveOneOut{Metrics: *s.Test, Of: 900, Reliable: &limit,
			Unreliable: r.IntN(4), Exact: r.IntN(2) == 0}
		s.LeftOut = s.Predictions
	}
	if r.IntN(4) > 0 {
		s.Diagnostics = &rundir.Diagnostics{Step: s.Step - s.Step%100, Views: randomViews(r)}
		if s.Diagnostics.Fit != nil {
			s.Data.D = len(s.Diagnostics.Fit.Inputs)
		}
	} else if r.IntN(4) == 0 {
		s.Diagnostics = nil
	}
	s.Hyper = []models.Quantity{{Name: "likelihood.variance", Value: []float64{r.ExpFloat64()}}}
	for l := range r.IntN(3) {
		values := make([]float64, s.Data.D)
		for i := range values {
			values[i] = r.ExpFloat64()
		}
		name := pick(r, []string{"layer.%d.kernel.lengthscales", "layer.%d.kernel.1.lengthscales",
			"layer.0.kernel.lengthscales", "kernel.lengthscales", "layer.0.kernel.variances",
			"encoder.layer.0.kernel.lengthscale", "task.0.kernel.lengthscale"})
		values = slices.Repeat(values, []int{1, 1, 2, 0}[r.IntN(4)])
		s.Hyper = append(s.Hyper, models.Quantity{Name: strings.ReplaceAll(name, "%d", fmt.Sprint(l)),
			Value: values})
	}
	if s.Data.D == 3 && r.IntN(2) == 0 {
		s.Data.Columns = []datasets.InputColumn{{Name: "fuel", Width: 2, Levels: []string{"a", "b"}},
			{Name: "mass", First: 2, Width: 1}}
	}
	setBack(r, s)
	if odd {
		for _, x := range []*rundir.Number{&s.BestVal, &s.StepsPerSecond, &s.Objective} {
			if r.IntN(3) == 0 {
				*x = rundir.Number(pick(r, oddNumbers))
			}
		}
		if s.Test != nil && r.IntN(2) == 0 {
			s.Test.LogLik = rundir.Number(pick(r, oddNumbers))
		}
		for i := range s.Curve {
			if r.IntN(20) == 0 {
				s.Curve[i].Objective = pick(r, oddNumbers)
			}
			if r.IntN(20) == 0 {
				s.Curve[i].ValLogLik = pick(r, oddNumbers)
			}
		}
		if p := s.Predictions; p != nil {
			for i := range p.LogLik {
				if r.IntN(9) == 0 {
					p.LogLik[i], p.Distance[i] = pick(r, oddNumbers), pick(r, oddNumbers)
				}
			}
		}
	}
	return s
}

// setBack sets fields that describe the state of a run.
func setBack(r *rand.Rand, s *session.Snapshot) {
	if s.State.Going() {
		s.State = []rundir.State{rundir.Preparing, rundir.Paused, rundir.Finishing, rundir.Running,
			rundir.Running}[r.IntN(5)]
		s.Remaining = time.Duration(r.ExpFloat64() * float64(time.Hour))
	}
	s.Rescues = max(0, r.IntN(40)-20)
	s.CheckpointStep = []int{-1, 0, s.Step / 2, s.Step}[r.IntN(4)]
	s.KeptStep = []int{0, s.Step, s.BestStep}[r.IntN(3)]
	s.TestStep = []int{s.Step, s.KeptStep, s.BestStep}[r.IntN(3)]
	s.Seconds *= math.Exp(2 * r.NormFloat64())
	s.StepsPerSecond *= rundir.Number(math.Exp(2 * r.NormFloat64()))
	s.Steps = []int{s.Step, 2 * s.Step, 20000}[r.IntN(3)]
	for range max(0, r.IntN(6)-3) {
		s.Alarms = append(s.Alarms, rundir.Alarm{Since: r.IntN(s.Step + 1), Text: "layer 2 has collapsed",
			Kind: pick(r, []rundir.AlarmKind{rundir.AlarmCollapse, rundir.AlarmValidation,
				rundir.AlarmRescues, rundir.AlarmNonFinite})})
	}
	for range max(0, r.IntN(6)-4) {
		s.Warnings = append(s.Warnings, "column 3 is constant")
	}
	if r.IntN(3) == 0 {
		e := &rundir.Estimate{Slope: rundir.Number(r.NormFloat64()), SE: 0.1, Low: -1, High: 1,
			Values: r.IntN(20), Trend: pick(r, []rundir.Trend{rundir.Rising, rundir.Falling, rundir.Level})}
		s.Drift = &rundir.Drift{From: s.Step / 2, To: s.Step, Validation: e, Objective: e,
			Verdict: pick(r, []rundir.Verdict{rundir.Improving, rundir.Overfitting, rundir.Settled})}
	}
	if r.IntN(4) == 0 {
		s.Evaluation = &rundir.Evaluation{Step: s.Step, Objective: s.Objective, SE: 3, Passes: 1 + r.IntN(3),
			Points: s.Data.N, Exact: r.IntN(2) == 0}
	}
}

// randomWalk returns a walk over a dashboard. Its events start, continue, end and rename runs.
func randomWalk(seed uint64, odd bool) (*kittest.Walk, *desk) {
	d := emptyDesk(120, 40)
	w := kittest.NewWalk(d.Host, seed)
	w.Omits = []string{"(*Dash).export", "(*exporting).next"}
	runs := 0
	start := func() {
		runs++
		s := randomRun(w.Rand, odd)
		s.ID = fmt.Sprintf("fake-%d", runs)
		r := kittest.NewRun(s.ID, s)
		r.StopEnds = w.IntN(2) == 0
		if !s.State.Going() {
			r.Close()
		}
		d.Started = append(d.Started, r)
		w.Deliver(kit.RunStartedMsg{Run: r})
	}
	own := func() *kittest.Run { return pick(w.Rand, d.Started).(*kittest.Run) }
	record := func() {
		runs++
		s := randomRun(w.Rand, odd)
		s.ID = fmt.Sprintf("20261121-1015%02d-%s-k3x9", runs%60, s.Family)
		f := d.folder(s.ID, s)
		if w.IntN(2) == 0 {
			f.name = fmt.Sprintf("name %d", runs)
			f.inside = &rundir.Diagnostics{Step: s.Step, Views: randomViews(w.Rand)}
			f.suggestions = &probe.Suggestions{Step: s.Step, Criterion: probe.ALM, List: []probe.Suggestion{
				{At: []float64{0.5, 0.1, 0.2}, Mean: []float64{-0.5}},
				{At: []float64{0.1, 0.2, 0.3}, Mean: []float64{0.3}}}}
		}
	}
	start()
	record()
	start()
	w.Events = []func(){
		start, record,
		func() {
			for range max(0, w.IntN(9)-4) {
				record()
			}
			ids := slices.Sorted(maps.Keys(d.folders))
			for _, r := range d.Started {
				ids = append(ids, r.ID())
			}
			w.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			w.Run(d.dash.Open(kit.Watch{Runs: ids[:min(1+w.IntN(5)+w.IntN(2)*w.IntN(9), len(ids))]}))
		},
		func() {
			run := own()
			s := *run.Latest()
			if kit.Going(run) {
				more := kittest.Training(s.Config, s.Step+1+w.IntN(900))
				s.Curve, s.Step, s.Last, s.BestVal = more.Curve, more.Step, more.Last, more.BestVal
				if s.Diagnostics != nil {
					fresh := *s.Diagnostics
					fresh.Step = s.Step
					s.Diagnostics = &fresh
				}
				setBack(w.Rand, &s)
				run.Show(&s)
			}
			w.Deliver(frameDueMsg{})
		},
		func() { w.Deliver(frameDueMsg{}) },
		func() {
			run := own()
			if kit.Going(run) {
				run.StopEnds = true
				run.Stop()
				w.Deliver(kit.RunEndedMsg{Run: run})
			}
		},
		func() {
			for _, r := range d.dash.watched {
				if f, ok := r.record.(*folder); ok && w.IntN(2) == 0 {
					if w.IntN(3) == 0 {
						f.err = errors.New("summary.json: unexpected end of JSON input")
					} else {
						f.err, f.snap = nil, randomRun(w.Rand, odd)
						f.snap.ID = f.id
					}
					d.Send(read(f, r.gen))
				}
			}
		},
		func() { d.Theme().Braille = !d.Theme().Braille },
		func() {
			d.dash.Restore(fmt.Appendf(nil, `{"page":%d,"x_axis":%d,"y_axis":%d,"y_range":%d,"smoothing":%d}`,
				w.IntN(7)-1, w.IntN(6)-1, w.IntN(5)-1, w.IntN(8)-1, w.IntN(9)-1))
		},
		func() {
			tabs := d.dash.arrange().tabs
			w.Run(w.Click(tabs.X+w.IntN(tabs.W+1), tabs.Y))
		},
		func() { d.dash.page = w.IntN(len(d.dash.Pages)) },
		func() {
			panels := d.dash.Panels(w.IntN(len(d.dash.Pages)))
			if len(panels) > 0 {
				d.dash.FocusOn(pick(w.Rand, panels))
				d.dash.zoomed = w.IntN(2) == 0
			}
		},
	}
	return w, d
}

// Random keys over random runs never panic, and every frame fills the screen exactly. After each walk the
// tables of all pictures are written; those of odd runs can be empty.
func TestRandomWalks(t *testing.T) {
	for seed := range uint64(8) {
		w, d := randomWalk(seed, seed%4 == 3)
		what := fmt.Sprint("walk ", seed)
		w.Take(t, what, 44)
		for _, f := range d.dash.Figures() {
			if f.CSV != nil {
				_ = f.CSV(io.Discard)
			}
		}
	}
}

// Every panel of random runs fills the screen exactly at random sizes, with random choices.
func TestPanelsOfRandomRuns(t *testing.T) {
	for seed := range uint64(6) {
		w, d := randomWalk(1000+seed, seed%4 == 3)
		for range w.IntN(6) {
			w.Events[w.IntN(7)]()
		}
		*d.Theme() = *pick(w.Rand, []*kit.Theme{kittest.PlainTheme(), kittest.ASCIITheme(),
			kit.NewTheme(termenv.TrueColor, true, kit.Unicode)})
		for page := range d.dash.Pages {
			for _, p := range d.dash.Panels(page) {
				d.dash.page, d.dash.zoomed, d.dash.Chosen = page, w.IntN(3) == 0, w.IntN(len(d.dash.Runs))
				d.dash.FocusOn(p)
				for _, c := range p.Choices {
					d.dash.turn(p, c, w.IntN(5)-2)
				}
				size := pick(w.Rand, [][2]int{{80, 24}, {120, 40}, {60, 20},
					{20 + w.IntN(140), 5 + w.IntN(45)}})
				frame := d.ViewAt(size[0], size[1])
				kittest.CheckFrame(t, p.Name, frame, size[0], size[1])
			}
		}
	}
}
