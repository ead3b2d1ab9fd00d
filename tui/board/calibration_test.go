package board

import (
	"math"
	"strings"
	"testing"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// TestCalibrationTexts checks the texts in the panels of calibration.
func TestCalibrationTexts(t *testing.T) {
	thinned := two()
	for _, r := range thinned.Runs {
		p := *r.Snapshot.Predictions
		p.Of, p.Near, p.Training = 30000, 5000, 60000
		r.Snapshot.Predictions = &p
	}
	several := two().only(0)
	several.Runs[0].Snapshot.Predictions = kittest.Predictions(0, 60, 3, 1, 1)
	for _, c := range []struct {
		name, panel string
		set         *Board
		want        []string
	}{
		{"axes", "error", two(), []string{"squared error", "predicted variance", "running mean", "y = x",
			"mean-field 128 at step 1,240"}},
		{"picked", "error", thinned, []string{"51 of 30000 test points"}},
		{"upper bound", "distance", thinned,
			[]string{"5,000 of 60,000 training inputs (upper bound)", "running median"}},
		{"picked", "pit", thinned, []string{"51 of 30,000 test points"}},
		{"picked", "coverage", thinned, []string{"51 of 30,000 test points"}},
		{"target", "error", several, []string{"squared error of target 1"}},
		{"band", "pit", two(), []string{"95% band", "bins outside"}},
		{"left out", "pit", four(), []string{"fully coupled not evaluated; to come not evaluated"}},
		{"other data", "coverage", splits(), []string{"different data or splits"}},
		{"classes", "coverage", classifiers(),
			[]string{"accuracy", "probability of the most probable class",
				"400 test points", "calibration error"}},
		{"classes", "pit", classifiers(), []string{"classes have no probability integral transform"}},
		{"classes", "distance", classifiers(), []string{"classes have no predicted variance"}},
		{"mixed", "error", sets()["mixed"], []string{"classification runs are left out", "mean-field 128"}},
		{"none", "coverage", four().only(2, 3), []string{"no run has been evaluated"}},
	} {
		text := strings.Join(drawings[c.panel](c.set)(150, 24), "\n")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s of %s: no %q in\n%s", c.panel, c.name, want, text)
			}
		}
	}
}

// TestNotEvaluatedNamesTheKey checks that the panel names the key that evaluates a run in training.
func TestNotEvaluatedNamesTheKey(t *testing.T) {
	d := newStage(kittest.Training(someConfig, 100))
	const text = "no run has been evaluated on its test set yet"
	if got := d.notEvaluated(); got != text {
		t.Errorf("without a key: %q, want %q", got, text)
	}
	d.Key = func(act kit.Action) string { return "the key of " + string(act) }
	want := text + ": the key of evaluate evaluates the selected run now"
	if got := d.notEvaluated(); got != want {
		t.Errorf("in training: %q, want %q", got, want)
	}
}

// The choice of a target wraps around.
func TestTargetsWrapAround(t *testing.T) {
	set := two().only(0)
	set.Runs[0].Snapshot.Predictions = kittest.Predictions(0, 60, 3, 1, 1)
	for _, target := range []int{-1, 5} {
		got := strings.Join(drawPanel("PIT", target)(set)(80, 20), "\n")
		want := strings.Join(drawPanel("PIT", 2)(set)(80, 20), "\n")
		if got != want {
			t.Errorf("target %d is not the third of three:\n%s", target, got)
		}
	}
	a := strings.Join(drawPanel("PIT", 0)(set)(80, 20), "")
	b := strings.Join(drawPanel("PIT", 2)(set)(80, 20), "")
	if a == b {
		t.Error("all targets have the same picture")
	}
}

func TestHistogramColumns(t *testing.T) {
	for _, c := range []struct{ n, w, h, want int }{
		{1, 10, 3, 1}, {2, 100, 12, 2}, {2, 40, 30, 1}, {4, 120, 30, 2}, {4, 200, 6, 4},
		{4, 60, 6, 0}, {3, 20, 40, 0},
	} {
		if got := histogramColumns(c.n, c.w, c.h); got != c.want {
			t.Errorf("%d in %d x %d: %d side by side, want %d", c.n, c.w, c.h, got, c.want)
		}
	}
}

// Targets without test observations cannot be chosen, and the others are found by name.
func TestUntestedTargets(t *testing.T) {
	set := two().only(0)
	p := kittest.Predictions(0, 60, 3, 1, 1)
	p.Names = []string{"Cd", "Ni", "Zn"}
	for i := range p.N {
		p.Target[3*i] = math.NaN()
		p.PIT[3*i] = math.NaN()
		p.Target[3*i+1] = math.NaN()
		p.PIT[3*i+1] = math.NaN()
	}
	set.Runs[0].Snapshot.Predictions = p
	for target := range 3 {
		if text := strings.Join(drawPanel("Errors", target)(set)(100, 20),
			"\n"); !strings.Contains(text, "squared error of Zn") {
			t.Errorf("target %d:\n%s", target, text)
		}
	}
	p.Target[3], p.PIT[3] = 1, 0.5 // a value of Cd
	if text := strings.Join(drawPanel("Errors", 0)(set)(100, 20),
		"\n"); !strings.Contains(text, "squared error of Cd") {
		t.Errorf("of one point:\n%s", text)
	}
	if pit := (evaluatedRun{set.Runs[0], p, 0}).pit(); len(pit) != 1 || pit[0] != 0.5 {
		t.Errorf("PIT %v", pit)
	}
}
