package board

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

func TestFitPanels(t *testing.T) {
	if err := kittest.Fit(3, 0).Check(); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]string{
		"fit": "Fit", "fit_predicted": "Predicted", "fit_dependence": "Dependence",
		"fit_relevance": "Relevance",
	} {
		checkPanel(t, name, p, kittest.FitRun(3, 0))
	}
	one := newStage(kittest.FitRun(1, 0)).see("Fit").frame()
	kittest.CheckShows(t, "a fit along one input", one, "Fit of value along position", "target 1 of 2",
		"─ mean  ▒ 50 %", "∙ training  × test  + inducing")
	if strings.Contains(one, "input 1 of") {
		t.Errorf("one input is numbered:\n%s", one)
	}
	if err := kittest.DensityRun(2, 0).Diagnostics.Views.Fit.Check(); err != nil {
		t.Fatal(err)
	}
	checkPanel(t, "density", "Density", kittest.DensityRun(2, 0))
}

// Densities of several runs have one scale, and a picture for each run and input. A run whose
// predictions are Gaussian has none.
func TestDensities(t *testing.T) {
	d := newStage(kittest.DensityRun(2, 0))
	d.start(kittest.DensityRun(2, 1))
	var names []string
	for _, f := range report.Files(d.Figures(), "csv") {
		if strings.HasPrefix(f.Name, "density") {
			names = append(names, f.Name)
		}
	}
	want := []string{"density-input-1.csv", "density-input-1-run-2.csv", "density-input-2.csv",
		"density-input-2-run-2.csv"}
	if !slices.Equal(names, want) {
		t.Errorf("figures %q", names)
	}
	d = newStage(kittest.FitRun(1, 0))
	d.start(kittest.DensityRun(1, 0))
	d.see("Density")
	if view := d.frame(); !strings.Contains(view, "Density of value along position") {
		t.Errorf("no density:\n%s", view)
	}
	d.Chosen--
	if view := d.frame(); !strings.Contains(view, "Density of value along position") {
		t.Errorf("no density beside a Gaussian run:\n%s", view)
	}
}

func TestFitKeys(t *testing.T) {
	d := newStage(kittest.FitRun(3, 0)).see("Fit")
	has := func(when string, words ...string) {
		t.Helper()
		kittest.CheckShows(t, when, d.frame(), words...)
	}
	d.w, d.h = 200, 55
	has("at first", "Fit of value along position", "input 1 of 3", "others at their medians", "target 1 of 2",
		"1 draws of f", "15 nearest of 60 of 300 training points", "∙")
	d.see("Predicted")
	has("against the observations", "Predicted against observed", "20 of 100 test points")
	d.see("Relevance")
	has("the relevance", "Relevance of the inputs")
	d.see("Fit").do(kit.ActRight, kit.ActUp)
	has("to the right and up", "Fit of value along velocity", "input 2 of 3",
		"others at their 90 % quantiles")
	if strings.Contains(d.frame(), "draws of f") {
		t.Error("there are draws at another level than the median")
	}
	if title, notes := d.named("Fit").border(d.Board); !slices.Equal(notes[1:3],
		[]string{"others at their 90 % quantiles", "input 2 of 3"}) {
		t.Errorf("the chosen level is not the first note after %q: %q", title, notes)
	}
	d.do(kit.ActDown, kit.ActDown, kit.ActDown, ActFitTarget)
	has("down, and the next target",
		"others at their 10 % quantiles", "Fit of cost along", "target 2 of 2")
	d.see("Dependence")
	has("the dependence", "Partial dependence on velocity")
	d.see("Predicted")
	has("the same target", "observed cost")
	d.see("Objective").do(ActFitTarget)
	if d.said != "Fit: value (target 1 of 2)" {
		t.Errorf("from another panel it says %q", d.said)
	}
	d = newStage(kittest.FitRun(1, 0)).see("Fit")
	d.do(kit.ActDown)
	has("of one input", "Fit of cost along")
	if d.named("Dependence").appliesTo(d.Board) {
		t.Error("one input has a partial dependence")
	}
}

// Fits of several runs on the same data are drawn side by side on one scale.
func TestFitOfSeveralRuns(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		d := newStage(kittest.FitRun(3, 0), kittest.FitRun(3, 2))
		d.w, d.h = size[0], size[1]
		other := kittest.FitRun(2, 0)
		other.Diagnostics.Fit.Lines[0].Name, other.Diagnostics.Fit.Lines[1].Name = "x", "y"
		d.start(other)
		d.Chosen = 0
		for _, panel := range []string{"Fit", "Predicted", "Dependence"} {
			d.see(panel)
			frame := d.frame()
			kittest.CheckFrame(t, "fits", frame, size[0], size[1])
			if !strings.Contains(frame, "one scale") {
				t.Errorf("%s: %s", panel, frame)
			}
		}
		if _, notes := d.named("Fit").border(d.Board); !slices.Contains(notes,
			"2 of 3 runs have this fit") {
			t.Errorf("notes %q", notes)
		}
	}
}

// An export has a picture along every input.
func TestFitExport(t *testing.T) {
	d := newStage(kittest.FitRun(3, 0))
	var names []string
	for _, f := range report.Files(d.Figures(), report.CSV, figure.PNG, figure.SVG) {
		names = append(names, f.Name)
		if strings.HasSuffix(f.Name, ".png") {
			continue // It is drawn like the SVG, which takes a tenth of the time.
		}
		var b strings.Builder
		if err := f.Write(&b); err != nil && !errors.Is(err, figure.ErrNothing) ||
			b.Len() == 0 && err == nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	for _, name := range []string{"fit-input-1", "fit-input-3", "dependence-input-2",
		"predicted", "relevance"} {
		for _, ending := range []string{".csv", ".png", ".svg"} {
			if !slices.Contains(names, name+ending) {
				t.Errorf("there is no %s%s in %v", name, ending, names)
			}
		}
	}
	if d.chosen("Fit", 1) != 0 {
		t.Error("an export changes the chosen input")
	}
}

// Titles in exports contain the target, the input, the level of the other inputs, the data set and the step.
func TestFitExportTitles(t *testing.T) {
	d := newStage(kittest.FitRun(3, 0))
	title := func(name string) string {
		t.Helper()
		for _, f := range report.Files(d.Figures(), report.CSV, figure.PNG, figure.SVG) {
			if f.Name == name {
				var b strings.Builder
				if err := f.Write(&b); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}
		}
		t.Fatalf("no %s", name)
		return ""
	}
	has := func(name string, words ...string) {
		t.Helper()
		text := regexp.MustCompile(`<[^>]*>\s*`).ReplaceAllString(title(name), " ")
		text = strings.Join(strings.Fields(text), " ") // Join the lines of a title.
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("%s does not contain %q: %.300s", name, w, text)
			}
		}
	}
	has("fit-input-2.svg", "Fit of value along velocity, others at their medians, ", "star, step 1,100")
	has("dependence-input-2.svg", "Partial dependence of value on velocity, mountaincar, star, step 1,100")
	d.start(kittest.FitRun(3, 1))
	has("predicted.svg", "Predicted against observed value, mountaincar, interpolation:0, step 1,100")
}

func TestLengthscalesOf(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want string
	}{
		{"layer.0.kernel.lengthscales", 3, "[{ [1 2 3]}]"}, {"layer.1.kernel.lengthscales", 3, "[]"},
		{"kernel.lengthscales", 3, "[{ [1 2 3]}]"},
		{"f_1.kernel.lengthscales", 3, "[{f_1 [1 2 3]}]"},
		{"layer.0.gp.2.lengthscales", 3, "[{gp 2 [1 2 3]}]"},
		{"layer.0.kernel.lengthscale", 6, "[{GP 1 [1 2 3]} {GP 2 [4 5 6]}]"},
		{"layer.0.kernel.lengthscales", 1, "[]"}, {"weights", 3, "[]"},
	} {
		s := new(session.Snapshot)
		s.Data.D = 3
		s.Hyper = rundir.Quantities{{Name: c.name, Value: []float64{1, 2, 3, 4, 5, 6}[:c.n]}}
		if got := fmt.Sprint(lengthscalesOf(s)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A category has a row for each level on the screen and in files. Fits along other inputs hold it at a level.
func TestFitByLevels(t *testing.T) {
	s := kittest.FitRun(3, 0)
	kittest.WithLevels(s.Diagnostics.Fit)
	if err := s.Diagnostics.Fit.Check(); err != nil {
		t.Fatal(err)
	}
	d := newStage(s).see("Fit")
	d.do(kit.ActRight)
	kittest.CheckShows(t, "a category", d.frame(), "Fit of value by velocity", "input 2 of 3", "high  n=3",
		"low  n=20", "none  n=7", "● mean  ▒ 50 %  ░ 95 %")
	notes := func(title string, want ...string) {
		t.Helper()
		got, notes := d.named("Fit").border(d.Board)
		if !strings.Contains(got, title) {
			t.Errorf("the title is %q, want %q", got, title)
		}
		for _, note := range want {
			if !slices.Contains(notes, note) {
				t.Errorf("no %q next to %q: %q", note, title, notes)
			}
		}
	}
	notes("Fit of value by velocity", "others at their medians")
	d.do(kit.ActLeft, kit.ActUp)
	notes("Fit of value along position", "others at their 90 % quantiles and most frequent levels")
	d.do(kit.ActDown)
	notes("Fit of value along position", "others at their medians and most frequent levels")
	for name, want := range map[string]string{
		"fit-input-2.csv": "1,,predictive mean,none,", "dependence-input-2.csv": "1,,9 in 10 rows to,high,",
	} {
		found := false
		for _, f := range report.Files(d.Figures(), report.CSV, figure.PNG, figure.SVG) {
			if f.Name != name {
				continue
			}
			found = true
			var b strings.Builder
			if err := f.Write(&b); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %q in %s:\n%s", want, name, b.String())
			}
			for _, line := range strings.Split(b.String(), "\n")[1:] {
				if cells := strings.Split(line, ","); line != "" &&
					!slices.Contains([]string{"high", "low", "none"}, cells[3]) {
					t.Errorf("%s has a row without a level: %s", name, line)
				}
			}
		}
		if !found {
			t.Errorf("no %s", name)
		}
	}
}

// The points shown with a slice have the level at which the slice holds a category.
func TestNearestLevels(t *testing.T) {
	f := kittest.WithLevels(kittest.Fit(2, 0))
	nearest := nearestPoints(f, &f.Train, 0, 1, 0)
	if len(nearest.X) != 15 {
		t.Fatalf("%d points", len(nearest.X))
	}
	for _, x := range nearest.X {
		k := slices.Index(f.Train.X[0], x)
		if f.Train.X[1][k] != 1 {
			t.Errorf("the point at %g has level %g", x, f.Train.X[1][k])
		}
	}
}

// With other inputs, the points nearest to a slice in them are shown.
func TestNearestPoints(t *testing.T) {
	for _, c := range []struct {
		inputs, n, total, want int
		name                   string
	}{
		{1, 60, 300, 60, "60 of 300 training points"}, {2, 12, 12, 12, "training points"},
		{2, 13, 13, 12, "12 nearest of 13 training points"},
		{2, 60, 60, 15, "15 nearest of 60 training points"},
		{2, 60, 61, 15, "15 nearest of 60 of 61 training points"},
	} {
		f := kittest.Fit(c.inputs, 0)
		p := &f.Train
		p.Total = c.total
		for i := range p.X {
			p.X[i] = p.X[i][:c.n]
		}
		for level := range f.Levels {
			f.At[level][c.inputs-1] = float64(level)
			got := nearestPoints(f, p, 0, level, 1)
			if len(got.X) != c.want || got.Name != c.name || got.Short != "training" {
				t.Errorf("%d points of %d inputs: %d, %q", c.n, c.inputs, len(got.X), got.Name)
			}
			farthest, nearest := 0.0, math.Inf(1) // of the points inside and outside
			for k, x := range p.X[0] {
				d := math.Abs(p.X[c.inputs-1][k] - float64(level))
				at := slices.Index(got.X, x)
				if at < 0 {
					nearest = min(nearest, d)
					continue
				}
				farthest = max(farthest, d)
				if got.Y[at] != p.Y[1][k] {
					t.Errorf("the point at %g has the value %g, want %g", x, got.Y[at], p.Y[1][k])
				}
			}
			if c.inputs > 1 && farthest > nearest {
				t.Errorf("%d points: one is %g away, one outside %g", c.n, farthest, nearest)
			}
		}
	}
}

// A category has a single bar, computed from all of its varying indicators.
func TestRelevanceByColumn(t *testing.T) {
	columns := []datasets.InputColumn{{Name: "fuel", First: 0, Width: 3, Levels: []string{"a", "b", "c"}},
		{Name: "mass", First: 3, Width: 1},
		{Name: "stock", First: 4, Width: 1, Levels: []string{"no", "yes"}}}
	l := lengthscales{values: []float64{3, 4, 1, 0.7, 5}}
	for _, tt := range []struct {
		constant []int
		want     string
	}{
		{[]int{2}, "[2.4 0.7 5]"}, // 1/9 + 1/16 = 1/5.76
		{[]int{0, 1, 4}, "[1 0.7 NaN]"},
	} {
		if got := fmt.Sprintf("%.4g", l.byColumn(columns, tt.constant)); got != tt.want {
			t.Errorf("lengthscales %s, want %s", got, tt.want)
		}
	}
	s := kittest.FitRun(3, 0)
	s.Data.D, s.Data.Columns, s.Data.Constant = 5, columns, []int{2}
	s.Hyper = []models.Quantity{{Name: "layer.0.kernel.lengthscales", Value: l.values}}
	d := newStage(s)
	other := kittest.FitRun(3, 1)
	other.Data.D = 5
	other.Hyper = []models.Quantity{{Name: "layer.0.kernel.lengthscales", Value: []float64{1, 1, 1, 1, 1}}}
	d.start(other) // without columns
	third := kittest.FitRun(3, 1)
	third.Data.D, third.Data.Columns = 5, columns[:2]
	third.Hyper = other.Hyper
	d.start(third)
	d.Chosen = 0
	p := relevancePicture(d.Board, 0)
	if fmt.Sprint(p.Inputs) != "[fuel mass stock]" || len(p.List) != 2 || len(p.List[1].Values) != 3 {
		t.Errorf("inputs %q, %+v", p.Inputs, p.List)
	}
	other.Data.Columns = columns
	for chosen := range 2 {
		d.Chosen = chosen
		p := relevancePicture(d.Board, 0)
		if p.Lead != chosen || len(p.List) != 2 || p.List[0].Run != 0 {
			t.Errorf("with run %d selected the leading run is %d of %+v", chosen, p.Lead, p.List)
		}
	}
}

// The fit first shows the most relevant input. A chosen input stays when the relevance changes.
func TestFitStartsWithTheMostRelevantInput(t *testing.T) {
	s := kittest.FitRun(3, 0)
	s.Hyper[1].Value = []float64{2, 9, 0.5}
	d := newStage(s)
	shows := func(when, input string) {
		t.Helper()
		if title, _ := d.named("Fit").border(d.Board); !strings.HasSuffix(title, " along "+input) {
			t.Errorf("%s: %q, want input %s", when, title, input)
		}
	}
	shows("at first", "mass")
	d.see("Fit").do(kit.ActRight)
	shows("after a step to the right", "position")
	s.Hyper[1].Value = []float64{2, 0.1, 0.5}
	shows("after a choice", "position")
	plain := kittest.FitRun(3, 0)
	plain.Hyper = nil
	mean := plain.Diagnostics.Fit.Lines[1].Dependence[0].Mean
	mean[3] = 100
	d = newStage(plain)
	shows("without lengthscales", "velocity")
}

// The fit can show all inputs of a table even if two columns have the same name.
func TestInputsOfOneName(t *testing.T) {
	s := kittest.FitRun(3, 0)
	s.Hyper = nil
	fit := s.Diagnostics.Fit
	fit.Lines[1].Name = fit.Lines[0].Name
	d := newStage(s).see("Fit")
	panel := d.named("Fit")
	seen := map[int]bool{}
	for range 3 {
		list, _ := (&fitPanels{panel.Choices[1], panel.Choices[0], panel.Choices[2]}).fitted(d.Board)
		seen[list[0].line] = true
		d.do(kit.ActRight)
	}
	if len(seen) != 3 {
		t.Errorf("the fit shows the lines %v", seen)
	}
}

// Suggested inputs are marked at their predicted means.
func TestSuggestedPoints(t *testing.T) {
	suggestions := &probe.Suggestions{Step: 1500, List: []probe.Suggestion{
		{At: []float64{0.5, math.NaN()}, Mean: []float64{-0.5}},
		{At: []float64{0.1, 0.2}, Mean: []float64{0.3}},
	}}
	marks := suggestedPoints(suggestions, &kittest.Fit(2, 0).Lines[0], 0)
	if !slices.Equal(marks.X, []float64{0.5, 0.1}) || !slices.Equal(marks.Y, []float64{-0.5, 0.3}) {
		t.Errorf("marks are %+v", marks)
	}
}
