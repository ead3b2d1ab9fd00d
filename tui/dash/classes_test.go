package dash

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/task"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// threeClassRuns returns a run with three classes. Of each class, two out of three points are classified
// correctly and one as the next class.
func threeClassRuns() []comparedRun {
	p := &rundir.Predictions{P: 1, Near: 10, Training: 10, Names: []string{"pet"},
		Classes: []string{"cat", "dog", "bird"}}
	for i := range 9 {
		row := []float64{0.1, 0.1, 0.1}
		row[(i%3+i/6)%3] = 0.8
		p.Rows = append(p.Rows, i)
		p.Distance = append(p.Distance, 1)
		p.LogLik = append(p.LogLik, math.Log(row[i%3]))
		p.Target = append(p.Target, float64(i%3))
		p.Probability = append(p.Probability, row...)
	}
	p.N, p.Of = 9, 9
	runs := two()[:1]
	runs[0].Snapshot = evaluatedAs(runs[0].Snapshot, p)
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
