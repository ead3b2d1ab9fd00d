package board

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/task"
	"dgplab/tui/kit/kittest"
)

// threeClassRuns returns a run with three classes.
func threeClassRuns() []comparedRun {
	runs := two()[:1]
	runs[0].Snapshot = kittest.Evaluated(runs[0].Snapshot, kittest.ThreeClasses())
	runs[0].Snapshot.Data.Task = task.Multiclass
	return runs
}

func TestConfusion(t *testing.T) {
	th := kittest.PlainTheme()
	runs := threeClassRuns()
	g := confusion(th, runs)
	for i, row := range g.Bands[0].Matrices[0].Values {
		for j, n := range row {
			want := map[int]float64{0: 2, 1: 1, 2: 0}[(j-i+3)%3]
			if n != want {
				t.Errorf("%v points of class %d are classified as %d, want %v", n, i, j, want)
			}
		}
	}
	text := strings.Join(drawPanel("Confusion", 0)(th, runs)(60, 12), "\n")
	for _, want := range []string{"A cat", "C bird", "2", "true", "predicted"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	four := slices.Repeat(runs, 4)
	for i := range four {
		four[i].Label = "run " + string(rune('a'+i))
	}
	text = strings.Join(drawConfusion(th, confusion(th, four), 60, 12), "\n")
	for _, r := range four {
		if strings.Count(text, r.Label) != 1 {
			t.Errorf("%s does not occur exactly once in\n%s", r.Label, text)
		}
	}
	if text := strings.Join(drawPanel("Confusion", 0)(th, two())(80, 12),
		"\n"); !strings.Contains(text, "no classification run") {
		t.Errorf("of real targets:\n%s", text)
	}
}

func TestReliabilityOfClasses(t *testing.T) {
	r := reliability(kittest.PlainTheme(), threeClassRuns())
	b := r.Lines[0].Bins[11]
	if b.N != 9 || math.Abs(b.Confidence-0.8) > 1e-15 || math.Abs(b.Right-2.0/3) > 1e-15 {
		t.Errorf("%+v", r.Lines[0])
	}
}
