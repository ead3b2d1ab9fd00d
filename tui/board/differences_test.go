package board

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/session/metric"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/plots"
)

// TestDifferences compares the histogram and the scatter plot with the predictions of two runs.
func TestDifferences(t *testing.T) {
	set := two()
	d := showing(set)
	m := d.comparison().matches[0]
	a, b := set.Runs[0].Snapshot.Predictions, set.Runs[1].Snapshot.Predictions
	h := differenceHistogram(m)
	width := (h.Hi - h.Lo) / float64(len(h.Values))
	want := make([]float64, len(h.Values))
	better := 0.0
	for i, l := range a.LogLik {
		want[min(int((l-b.LogLik[i]-h.Lo)/width), len(want)-1)]++
		if l > b.LogLik[i] {
			better++
		}
	}
	if !slices.Equal(h.Values, want) {
		t.Errorf("bins %v, want %v", h.Values, want)
	}
	zero := int(math.Round(-h.Lo / width))
	above := 0.0
	for _, n := range h.Values[zero:] {
		above += n
	}
	if math.Abs(h.Lo+float64(zero)*width) > 1e-9 || above != better {
		t.Errorf("%g points above the edge %g, A is better on %g", above, h.Lo+float64(zero)*width, better)
	}
	s := pointScatter(d.Theme, m, provisional(m.a), provisional(m.b))
	if len(s.Clouds[0].X) != a.N || s.Clouds[0].X[3] != b.LogLik[3] || s.Clouds[0].Y[3] != a.LogLik[3] {
		t.Errorf("the points are %v", s.Clouds)
	}
	least := math.Abs(s.Names[len(s.Names)-1].X - s.Names[len(s.Names)-1].Y)
	larger := 0
	for i, l := range a.LogLik {
		if math.Abs(l-b.LogLik[i]) > least {
			larger++
			if !slices.ContainsFunc(s.Names, func(n plots.PointName) bool {
				return n.Text == fmt.Sprintf("row %d", a.Rows[i]) && n.X == b.LogLik[i] && n.Y == l
			}) {
				t.Errorf("row %d has no name", a.Rows[i])
			}
		}
	}
	if larger != namedPoints-1 {
		t.Errorf("%d points differ more than the last named point", larger)
	}
	if !strings.HasPrefix(s.YName, "A: ~") && !strings.HasPrefix(s.XName, "B: ~") {
		t.Errorf("the run in training is not marked: %q, %q", s.XName, s.YName)
	}
	rows := slices.Clone(a.Rows)
	clear(a.Rows)
	if names := pointScatter(d.Theme, m, provisional(m.a), provisional(m.b)).Names; len(names) != 1 {
		t.Errorf("one row is named %d times", len(names))
	}
	copy(a.Rows, rows)
	b.LogLik = append([]float64{math.Inf(-1)}, b.LogLik[1:]...)
	if points, left := m.comparedPoints(); left != 1 || len(points) != a.N-1 {
		t.Errorf("%d points, %d left out", len(points), left)
	}
}

// Runs on different test points share no panels.
func TestNothingToCompare(t *testing.T) {
	set := two()
	set.Runs[1].Snapshot.Split, set.Runs[1].Snapshot.Config.Split = "standard:1", "standard:1"
	set.Runs[1].Snapshot.Predictions = kittest.Predictions(1, 51, 1, 1.4, 2)
	d := showing(set)
	for _, name := range []string{"Differences", "Points", "Curves"} {
		if d.named(name).Shows(d.Board) {
			t.Errorf("%s for runs on other splits", name)
		}
	}
	dots := intervalDots(d.Board, d.onRealTargets(newCalibrationPanels()))
	if len(dots.Rows) != len(intervalLevels) {
		t.Errorf("%d rows of intervals, want those of the selected run alone", len(dots.Rows))
	}
}

// TestWorstPoints checks the order and the contents of the worst points.
func TestWorstPoints(t *testing.T) {
	set := splits()
	d := showing(set)
	d.Chosen = 1 // on split 1
	s := d.Board
	c := newCalibrationPanels()
	r, _ := s.selectedRun(c)
	p, other := set.Runs[1].Snapshot.Predictions, set.Runs[3].Snapshot.Predictions
	if s.otherPredictions(r) != other {
		t.Error("the selected run is not compared on its own split")
	}
	order := r.worst()
	if len(order) != min(p.N, mostWorst) || r.fewWorst() != p.N/worstShare ||
		p.LogLik[order[0]] != slices.Min(p.LogLik) ||
		!slices.IsSortedFunc(order, func(i, j int) int {
			return int(math.Copysign(1, p.LogLik[i]-p.LogLik[j]))
		}) {
		t.Errorf("the order is %v", order)
	}
	row := worstDots(r, other).Rows[0]
	sd := math.Sqrt(p.Variance[order[0]])
	e := p.Mean[order[0]] - p.Target[order[0]]
	if row.Label != fmt.Sprint(p.Rows[order[0]]) || row.Values[0] != e || row.Lo != e-2*sd ||
		row.Hi != e+2*sd {
		t.Errorf("the worst point is %+v", row)
	}
	var b strings.Builder
	if err := worstCSV(&b, r); err != nil || strings.Count(b.String(), "\n") != p.N/worstShare+1 {
		t.Errorf("the table of the worst points: %v\n%s", err, b.String())
	}
}

// A third of the points with an observation count as the worst, within bounds.
func TestNumberOfWorstPoints(t *testing.T) {
	for n, want := range map[int]int{4: 4, 12: 5, 17: 5, 18: 6, 117: 39, 120: 40, 300: 40} {
		p := kittest.Predictions(0, n+1, 2, 1, 1)
		p.Target[2*3+1] = math.NaN()
		r := evaluatedRun{Predictions: p, target: 1}
		list := r.worst()
		if r.fewWorst() != want || len(list) != min(n, 40) || slices.Contains(list, 3) {
			t.Errorf("of %d points %d are the worst, want %d; all are %v", n, r.fewWorst(), want, list)
		}
	}
}

// Methods on two splits have a dot for each split and the mean over both.
func TestScores(t *testing.T) {
	set := splits()
	b := showing(set).Board
	found := b.comparison().scores
	if !slices.Equal(found.keys, []string{"log_lik", "rmse", "crps"}) || len(found.methods) != 2 {
		t.Fatalf("%d methods with %v", len(found.methods), found.keys)
	}
	dots := scoreDots(b, found.methods, "rmse")
	x, _ := metric.Get("rmse").Of(metric.OfSnapshot(set.Runs[0].Snapshot))
	y, _ := metric.Get("rmse").Of(metric.OfSnapshot(set.Runs[1].Snapshot))
	row := dots.Rows[0]
	if !slices.Equal(row.Values, []float64{x, y}) || math.Abs(row.Lo+row.Hi-x-y) > 1e-12*x ||
		math.Abs(row.Hi-row.Lo-math.Abs(x-y)) > 1e-12*x { // two standard errors of two values
		t.Errorf("the scores are %+v, want %g and %g", row, x, y)
	}
	if got := showing(two()).comparison().scores; len(got.keys) > 0 {
		t.Errorf("single runs have scores by split %v", got.keys)
	}
}

// TestBaselinePanel checks the differences from the baseline, and the key if there is none.
func TestBaselinePanel(t *testing.T) {
	set := two()
	d := showing(set.only(0)).see("Baseline")
	d.Key = func(kit.Action) string { return "B" }
	if frame := d.frame(); !strings.Contains(frame, "B trains linear") {
		t.Errorf("the key is not offered:\n%s", frame)
	}
	set.Runs[1].Snapshot.Family, set.Runs[1].Snapshot.Config.Family = "linear", "linear"
	set.Runs[0].Snapshot.Test.LogLik, set.Runs[1].Snapshot.Test.LogLik = -3, -2.5
	rows := baselineTable(showing(set).Board).Rows
	if len(rows) != 3 || rows[0][3] != "-0.5" || rows[0][4] != "worse" || rows[1][4] != "better" {
		t.Errorf("against the baseline: %q", rows)
	}
}

// Runs are compared again only after new predictions.
func TestComparisonIsKept(t *testing.T) {
	b := showing(two()).Board
	first := b.comparison()
	s := *b.Runs[1].Snapshot
	b.Runs[1].Snapshot = &s
	s.Step++
	if b.comparison() != first {
		t.Error("a step without new predictions compares again")
	}
	predictions := *s.Predictions
	s.Predictions = &predictions
	if b.comparison() == first {
		t.Error("new predictions are not compared")
	}
}

// The distances of the points must have the mean distance of the comparison, and classes have none.
func TestDistances(t *testing.T) {
	d := showing(two())
	m := d.comparison().matches[0]
	for quantity, want := range []float64{float64(m.KL), float64(m.Wasserstein)} {
		s := divergenceScatter(m, quantity)
		var sum float64
		most := 0.0
		for _, y := range s.Clouds[0].Y {
			sum += y
			most = max(most, y)
		}
		n := float64(len(s.Clouds[0].Y))
		if n != float64(m.Pairs[0].Points) || !(math.Abs(sum/n-want) < 1e-12*want) || s.Names[0].Y != most {
			t.Errorf("%s: mean %v of %v points, want %v; largest %v", s.YName, sum/n, n, want, s.Names[0])
		}
	}
}
