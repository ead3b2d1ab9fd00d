package board

import (
	"math"
	"strings"
	"testing"

	"dgplab/datasets/task"
	"dgplab/tui/kit/kittest"
)

// threeClassRuns returns a run with three classes.
func threeClassRuns() *Board {
	set := two().only(0)
	set.Runs[0].Snapshot = kittest.Evaluated(set.Runs[0].Snapshot, kittest.ThreeClasses())
	set.Runs[0].Snapshot.Data.Task = task.Multiclass
	return set
}

func TestConfusion(t *testing.T) {
	set := threeClassRuns()
	g := confusion(set)
	for i, row := range g.Bands[0].Matrices[0].Values {
		for j, n := range row {
			want := map[int]float64{0: 2, 1: 1, 2: 0}[(j-i+3)%3]
			if n != want {
				t.Errorf("%v points of class %d are classified as %d, want %v", n, i, j, want)
			}
		}
	}
	text := strings.Join(drawPanel("Confusion", 0)(set)(60, 12), "\n")
	for _, want := range []string{"A cat", "C bird", "2", "true", "predicted"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var runs []*Run
	for i := range 4 {
		runs = append(runs, labelled(set.Runs[0].Snapshot, i, "run "+string(rune('a'+i))))
	}
	text = strings.Join(drawConfusion(set.Theme, confusion(boardOf(0, runs...)), 60, 12), "\n")
	for _, r := range runs {
		if strings.Count(text, r.Brief) != 1 {
			t.Errorf("%s does not occur exactly once in\n%s", r.Brief, text)
		}
	}
	if text := strings.Join(drawPanel("Confusion", 0)(two())(80, 12),
		"\n"); !strings.Contains(text, "no classification run") {
		t.Errorf("of real targets:\n%s", text)
	}
}

func TestReliabilityOfClasses(t *testing.T) {
	set := threeClassRuns()
	r := reliability(set, set.Runs)
	b := r.Lines[0].Bins[11]
	if b.N != 9 || math.Abs(b.Confidence-0.8) > 1e-15 || math.Abs(b.Right-2.0/3) > 1e-15 {
		t.Errorf("%+v", r.Lines[0])
	}
}
