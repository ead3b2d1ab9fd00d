package board

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// healthText returns the drawing of the health of a board.
func healthText(b *Board, w, h int) string { return strings.Join(b.health.draw(b, w, h), "\n") }

// The arrows select the lights one after the other and then scroll to every line of the report.
func TestHealthScrolls(t *testing.T) {
	set := four()
	seen := map[string]bool{}
	see := func() {
		for _, line := range set.health.draw(set, 76, 12) {
			seen[strings.TrimLeft(line, "▸ ")] = true
		}
	}
	see()
	for range 100 {
		set.health.Move(nil, 0, 1)
		see()
	}
	if text := healthText(set, 76, 12); strings.Contains(text, "below") {
		t.Errorf("lines are below the end of the report:\n%s", text)
	}
	for _, line := range four().health.draw(set, 76, 70) {
		if line = strings.TrimLeft(line, "▸ "); line != "" && !seen[line] {
			t.Errorf("%q cannot be reached", line)
		}
	}
	for range 200 {
		set.health.Move(nil, 0, -1)
		see()
	}
	if text := healthText(set, 76, 12); !strings.HasPrefix(text, "✗ ▲ mean-field 128 needs attention") {
		t.Errorf("the arrows do not return to the verdict:\n%s", text)
	}
}

func TestHealthTexts(t *testing.T) {
	text := healthText(four(), 120, 45)
	if !strings.HasPrefix(text, "✗ ▲ mean-field 128 needs attention: 1 alarm; condition (1 of 6 lights)") {
		t.Errorf("the verdict is not at the top:\n%s", text)
	}
	for _, want := range []string{
		"! alarm since step 1,000: layer 2 has collapsed",
		"at most 1e+12", "at most 1 in 50", "in 1,240 steps",
		"~1e+13", "S_M of layer 2, 2 GPs", "effective of 64", "measured on 3 steps", "log, 10.03 to 520",
		"! ● stripes-and-arrow needs attention: condition (1 of 5 lights)", "waiting for the run to start",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, calm := range []string{"! K_MM of layer 1", "! S_M", "! S~", "every matrix"} {
		if strings.Contains(text, calm) {
			t.Errorf("%q is shown without need", calm)
		}
	}
	if strings.Count(text, "effective of 64") != 1 {
		t.Errorf("the other run has details in spite of little room:\n%s", text)
	}
	if text := healthText(four(), 120, 60); strings.Count(text, "effective of 64") != 2 {
		t.Errorf("the health of the other run has no details in spite of the room:\n%s", text)
	}
}

// The table of every matrix replaces the table of the worst ones on demand.
func TestEveryMatrixOnDemand(t *testing.T) {
	set := four()
	each := set.named("Health").Choices[0]
	if text := healthText(set, 120, 60); strings.Contains(text, "S~ of layer 3, GP 2") {
		t.Errorf("every matrix is shown at first:\n%s", text)
	}
	set.set(each, 1)
	text := healthText(set, 120, 60)
	if !strings.Contains(text, "S~ of layer 3, GP 2") || !strings.Contains(text, "every matrix") {
		t.Errorf("not every matrix is shown:\n%s", text)
	}
}

// The guide of the panel is that of the selected light.
func TestGuideOfLight(t *testing.T) {
	set := four()
	set.health.draw(set, 120, 45)
	set.health.Move(nil, 0, 1)
	title, text := set.named("Health").Explanation(set)
	if title != "Health: least pivot" || text != pivotGuide {
		t.Errorf("the second light is explained as %q: %s", title, text)
	}
	if _, text := set.named("PIT").Explanation(set); text != pitGuide {
		t.Errorf("a panel without lights is explained by %q", text)
	}
}

// The worst light comes first, and each has its limit.
func TestLights(t *testing.T) {
	s := &session.Snapshot{Summary: rundir.Summary{
		Step: 100, Rescues: 30,
		ObjectiveIs: family.Objective{Gauges: []family.Reading{{Key: "temperature", Name: "temperature"}}},
		Chains:      &rundir.Chains{Gauges: map[string]rundir.Number{"temperature": 1.5}},
	}}
	s.Diagnostics = &rundir.Diagnostics{Views: view.Views{
		Matrices: &view.Matrices{Matrices: []view.Matrix{
			{Name: "K", Kind: view.PriorMatrix, Condition: 1e6, SmallestPivot: 0, Jitter: 1e-3},
		}},
		Chains: &view.Chains{Chains: 2, Draws: 300, Quantities: []view.ChainQuantity{
			{Name: "q", Rhat: 1.05, ESSBulk: 500, ESSTail: 50}}},
	}}
	want := []string{"✗ least pivot 0 above 0 K", "✗ rescues 30 at most 1 in 50 in 100 steps",
		"✗ in the tails 50 at least 400 of 600 draws", "! jitter 0.001 at most 1e-04 K",
		"! R-hat 1.050 at most 1.01 q", "! temperature 1.5 0.8 to 1.25",
		"✓ condition ~1e+06 at most 1e+12 K", "✓ effective draws 500 at least 400 of 600 draws"}
	var got []string
	for _, l := range lightsOf(&Run{Snapshot: s}) {
		words := []string{lightSign(kittest.PlainTheme(), l.tone), l.name, l.value, l.limit, l.at}
		got = append(got, strings.TrimSpace(strings.Join(words, " ")))
		if len(l.guide) < 100 || !strings.Contains(l.guide, "Remedy: ") {
			t.Errorf("the guide of %s names no remedy: %s", l.name, l.guide)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the lights are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The verdict counts alarms and values beyond their limits.
func TestHealthVerdict(t *testing.T) {
	good := light{name: "jitter", tone: kit.Good}
	warn := light{name: "rescues", tone: kit.Warn}
	bad := light{name: "condition", tone: kit.Bad}
	for _, c := range []struct {
		lights []light
		alarms int
		tone   kit.Tone
		want   string
	}{
		{[]light{good}, 0, kit.Good, "is healthy: 1 light within the limits"},
		{[]light{warn, good}, 0, kit.Warn, "needs attention: rescues (1 of 2 lights)"},
		{[]light{bad, warn}, 0, kit.Bad, "needs attention: condition, rescues (2 of 2 lights)"},
		{[]light{good}, 2, kit.Bad, "needs attention: 2 alarms"},
	} {
		if text, tone := healthVerdict(c.lights, c.alarms); text != c.want || tone != c.tone {
			t.Errorf("%v with %d alarms: %q with tone %d, want %q with tone %d",
				c.lights, c.alarms, text, tone, c.want, c.tone)
		}
	}
}

// Layers may have different numbers of inducing points, which are known from the covariance or from the
// configuration.
func TestEffectiveByLayer(t *testing.T) {
	run := four().Runs[1]
	run.Snapshot.Diagnostics.Blocks.Parts = []view.Part{{Size: 64, Cells: 1},
		{Group: 1, Size: 32, Cells: 1},
		{Group: 2, Size: 24, Cells: 1}}
	check := func(want ...string) {
		t.Helper()
		text := healthText(boardOf(0, run), 120, 60)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("no %q in\n%s", w, text)
			}
		}
	}
	check("effective points", "60.1 of 64", "-2.5 of 32", "23.75 of 24")
	run.Snapshot.Diagnostics.Blocks = nil
	check("effective of 128")
	run.Snapshot.Values = models.Values{"inducing": "128,64,32"}
	check("effective points", "60.1 of 128", "-2.5 of 64", "23.75 of 32")
	run.Snapshot.Values = models.Values{"inducing": "128,64"}
	check("effective points", "60.1")
}

// Parts of a model may have names instead of layers.
func TestNamedParts(t *testing.T) {
	run := four().Runs[1]
	h := run.Snapshot.Diagnostics.Matrices
	h.Parts = []string{"f_1", "w_11"}
	h.KLByLayer = []rundir.Number{3, 9}
	h.Effective = nil
	h.ShareByLayer = nil
	text := healthText(boardOf(0, run), 120, 60)
	for _, want := range []string{"part", "f_1", "w_11", "75%"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if rows := layerTable(kittest.PlainTheme(), run.Snapshot, h, 80); len(rows) != 3 {
		t.Errorf("two parts have the rows %q, want a title and a row each", rows)
	}
	for _, not := range []string{"shared", "given layers below"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in\n%s", not, text)
		}
	}
}

func TestNoHealth(t *testing.T) {
	for want, s := range map[string]*session.Snapshot{
		"waiting for the run to start":      nil,
		"waiting for the first diagnostics": {State: rundir.Running},
		"no health data were saved":         {State: rundir.Ended},
		"this family does not report its health": {State: rundir.Running,
			Diagnostics: new(rundir.Diagnostics)},
	} {
		if text := healthText(boardOf(0, &Run{Snapshot: s}), 60, 5); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Quantities that a family does not report are omitted.
func TestHealthOmitsMissingParts(t *testing.T) {
	health := &view.Matrices{Effective: []rundir.Number{3}, Matrices: []view.Matrix{{Name: "K", GP: -1}}}
	s := &session.Snapshot{
		State:       rundir.Running,
		Diagnostics: &rundir.Diagnostics{Views: view.Views{Matrices: health}},
	}
	for _, w := range []int{76, 120} {
		text := healthText(boardOf(0, &Run{Snapshot: s}), w, 40)
		if !strings.Contains(text, "matrix (worst GP)") || !strings.Contains(text, "effective") {
			t.Errorf("quantities are missing:\n%s", text)
		}
		for _, absent := range []string{"time", "gradient", "KL"} {
			if strings.Contains(text, absent) {
				t.Errorf("%q is shown for a family that does not report it:\n%s", absent, text)
			}
		}
	}
}

// For a family without matrices, mixing is reported.
func TestHealthOfChains(t *testing.T) {
	c := &view.Chains{
		Chains: 4,
		Draws:  50,
		Quantities: []view.ChainQuantity{{Name: "f at row 3", Kind: view.FunctionValue, Rhat: 1.123,
			ESSBulk: 31, ESSTail: 44, Normal: 0.001}},
	}
	s := &session.Snapshot{State: rundir.Running,
		Diagnostics: &rundir.Diagnostics{Step: 500, Views: view.Views{Chains: c}},
		Summary: rundir.Summary{
			ObjectiveIs: family.Objective{Gauges: []family.Reading{
				{Key: "acceptance", Name: "acceptance"}, {Key: "step_size", Name: "step size"},
			}},
			Chains: &rundir.Chains{Gauges: map[string]rundir.Number{"acceptance": 0.81, "step_size": 0.01}},
		}}
	text := healthText(boardOf(0, &Run{Snapshot: s}), 100, 12)
	for _, word := range []string{"R-hat 1.123 at most 1.01 f at row 3", "effective draws 31 at least 400",
		"in the tails 44 at least 400", "acceptance 0.81 0.15 to 0.7",
		"4 chains with 50 draws each; 1 of 1 quantities beyond a limit",
		"normality: 1 of 1 function rejected; step size 0.01"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), word) {
			t.Errorf("no %q in\n%s", word, text)
		}
	}
}

// worstOfLayers keeps the worst numbers and all rescues.
func TestWorstOfLayers(t *testing.T) {
	nan := rundir.Number(math.NaN())
	list := []view.Matrix{
		{Name: "S~ of layer 1, GP 1", Kind: view.PointMatrix, GP: 0, Condition: nan, SmallestPivot: 3,
			Jitter: nan, Rescues: 1},
		{Name: "S~ of layer 1, GP 2", Kind: view.PointMatrix, GP: 1, Condition: 7, SmallestPivot: nan,
			Jitter: 2, Rescues: 2},
		{Name: "S~ of layer 1, GP 3", Kind: view.PointMatrix, GP: 2, Condition: 5, SmallestPivot: 1,
			Jitter: 1},
		{Name: "S~ of layer 2, GP 1", Kind: view.PointMatrix, Layer: 1, GP: 0, Condition: 4},
		{Name: "one", Layer: -1, GP: -1}, {Name: "two", Layer: -1, GP: -1, Rescues: 4},
	}
	got := worstOfLayers(list)
	want := []view.Matrix{
		{Name: "S~ of layer 1, 3 GPs", Kind: view.PointMatrix, Condition: 7, SmallestPivot: 1, Jitter: 2,
			Rescues: 3},
		list[3], list[4], list[5],
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}

// The number of inducing points of each layer comes from the covariance, or from the configuration, bounded
// by the number of data points.
func TestInducingByLayer(t *testing.T) {
	blocks := &rundir.Diagnostics{Views: view.Views{Blocks: &view.Blocks{
		Parts: []view.Part{{Size: 9}, {Group: 1, Size: 4}, {Group: 2, Size: 3}}}}}
	for _, c := range []struct {
		views *rundir.Diagnostics
		given string
		n     int
		want  []int
	}{
		{nil, "50", 0, []int{50, 50}}, {nil, "50", 30, []int{30, 30}}, {nil, "50, 20", 30, []int{30, 20}},
		{nil, "50", 1, []int{1, 1}}, {nil, "50,20,10", 30, nil}, {nil, "all", 30, nil},
		{nil, "50,0", 30, nil},
		{&rundir.Diagnostics{}, "5", 30, []int{5, 5}}, {blocks, "50", 1, []int{9, 4}},
	} {
		s := &session.Snapshot{Summary: rundir.Summary{Data: rundir.DataFacts{N: c.n},
			Values: models.Values{"inducing": c.given}}, Diagnostics: c.views}
		if got := inducingByLayer(s, 2); !slices.Equal(got, c.want) {
			t.Errorf("inducing=%s, N %d: %v, want %v", c.given, c.n, got, c.want)
		}
	}
}

// Matrices with a large condition, without a positive pivot or with rescues are suspicious. The condition of
// a posterior covariance does not matter.
func TestSuspiciousMatrices(t *testing.T) {
	for _, c := range []struct {
		kind      view.MatrixKind
		condition rundir.Number
		pivot     rundir.Number
		rescues   int
		want      bool
	}{
		{view.PriorMatrix, 1e12, 1, 0, false}, {view.PriorMatrix, 1.1e12, 1, 0, true},
		{view.PointMatrix, 1e13, 1, 0, true}, {view.PosteriorMatrix, 1e13, 0, 0, false},
		{view.PriorMatrix, 1, 0, 0, true}, {view.PriorMatrix, 1, 1e-9, 0, false},
		{view.PosteriorMatrix, 1, 1, 1, true},
	} {
		m := view.Matrix{Kind: c.kind, Condition: c.condition, SmallestPivot: c.pivot, Rescues: c.rescues}
		if got := suspicious(m); got != c.want {
			t.Errorf("%+v is suspicious: %v", c, got)
		}
	}
	nan := rundir.Number(math.NaN())
	for got, want := range map[string]string{conditionText(nan): "-", knownText(nan): "-",
		conditionText(123456): "~1.2e+05", knownText(0.5): "0.5", rhatText(nan): "-",
		rhatText(1.0126): "1.013", sizeText(nan): "-", sizeText(1234.9): "1,234"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// rescuesOf adds up the rescues of the matrices of one layer. Layer -1 holds the matrices that layers share.
func TestRescuesByLayer(t *testing.T) {
	h := &view.Matrices{Matrices: []view.Matrix{{Layer: -1, Rescues: 5}, {Rescues: 1}, {Layer: 1, Rescues: 7},
		{Rescues: 2}}}
	for layer, want := range map[int]int{-1: 5, 0: 3, 1: 7, 2: 0} {
		if got := rescuesOf(h, layer); got != want {
			t.Errorf("layer %d has %d rescues, want %d", layer, got, want)
		}
	}
}

// The line of gradient norms has their range. Points without a measurement are left out.
func TestGradientLine(t *testing.T) {
	r := &Run{Snapshot: &session.Snapshot{}}
	if got := gradientLine(kittest.PlainTheme(), r, 80); got != nil {
		t.Errorf("a family without gradients: %q", got)
	}
	r.Snapshot.ObjectiveIs.Gauges = []family.Reading{family.GradientNorm}
	if got := gradientLine(kittest.PlainTheme(), r, 80); got != nil {
		t.Errorf("no points: %q", got)
	}
	for _, g := range []float64{4, 0, 200, math.NaN(), 50} {
		p := rundir.Point{Readings: []rundir.Reading{{Key: family.GradientNorm.Key, Value: g}}}
		r.Snapshot.Curve = append(r.Snapshot.Curve, p)
	}
	for w, want := range map[int]string{80: "gradient norm ▁▇▅ log, 4 to 200",
		36: "gradient norm ▁▇▅"} {
		if got := gradientLine(kittest.PlainTheme(), r, w); len(got) != 1 || got[0] != want {
			t.Errorf("%d cells: %q, want %q", w, got, want)
		}
	}
}
