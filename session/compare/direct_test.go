package compare

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/models/stats"
	"dgplab/session/rundir"
)

func unmarshal(text string, value any) error { return json.Unmarshal([]byte(text), value) }

// points returns predictions with the given log-likelihoods and the targets 0, 1, 2, ...
func points(logLik ...float64) *rundir.Predictions {
	p := &rundir.Predictions{N: len(logLik), Of: len(logLik), P: 1, LogLik: logLik, Names: []string{"y"}}
	for i := range logLik {
		p.Rows = append(p.Rows, i)
		p.Target = append(p.Target, float64(i))
	}
	return p
}

func TestAgainst(t *testing.T) {
	inf := math.Inf(-1)
	a := points(-1, -2, -3, inf)
	b := points(-2, -2, -2.5, inf)
	d, err := Against(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if d.Share != 0.5 || d.Points != 4 || d.Difference != 0.125 {
		t.Errorf("%+v", d)
	}
	back, err := Against(b, a)
	if err != nil || back.Share != 1-d.Share || back.Difference != -d.Difference || back.TP != d.TP ||
		back.WilcoxonP != d.WilcoxonP {
		t.Errorf("the reverse: %+v, %v", back, err)
	}
	if d, err := Against(points(0, inf), points(0, 1)); err != nil ||
		!math.IsInf(float64(d.Difference), -1) || d.Share != 0.25 || !math.IsNaN(float64(d.TP)) {
		t.Errorf("a point of probability zero: %+v, %v", d, err)
	}
}

// A log-likelihood of NaN makes the share NaN.
func TestAgainstNaN(t *testing.T) {
	for _, pair := range [][2][]float64{{{math.NaN(), 1}, {0, 0}}, {{0, 0}, {1, math.NaN()}}} {
		d, err := Against(points(pair[0]...), points(pair[1]...))
		if err != nil || !math.IsNaN(float64(d.Share)) || !math.IsNaN(float64(d.Difference)) ||
			!math.IsNaN(float64(d.TP)) || !math.IsNaN(float64(d.WilcoxonP)) {
			t.Errorf("%v: %+v, %v", pair, d, err)
		}
	}
}

func TestAgainstOtherPoints(t *testing.T) {
	rows := points(1, 2)
	targets := points(1, 2)
	classes := points(1, 2)
	rows.Rows[1], targets.Target[1] = 7, 1.001
	classes.Probability = []float64{0, 1}
	for name, other := range map[string]*rundir.Predictions{
		"fewer": points(1), "rows": rows, "targets": targets, "classes": classes, "none": points(),
	} {
		if _, err := Against(points(1, 2), other); err == nil ||
			!strings.Contains(err.Error(), "test points") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A target may be missing in both.
	a := points(1, 2, 3)
	b := points(1, 2, 3)
	a.Target[1], b.Target[1] = math.NaN(), math.NaN()
	if _, err := Against(a, b); err != nil {
		t.Errorf("a missing target: %v", err)
	}
	b.Target[1] = 2
	if _, err := Against(a, b); err == nil || !strings.Contains(err.Error(), "row 1 are NaN and 2") {
		t.Errorf("a target that is missing in one: %v", err)
	}
	close := points(1, 2)
	close.Target[1] += 1e-12
	if _, err := Against(points(1, 2), close); err != nil {
		t.Errorf("rounding: %v", err)
	}
	// The rounding tolerance is relative to the targets.
	for _, size := range []float64{1e-12, 1e12} {
		for factor, same := range map[float64]bool{1 + 1e-11: true, 1 + 1e-6: false} {
			a := points(1, 2)
			b := points(1, 2)
			a.Target[1], b.Target[1] = size, size*factor
			if _, err := Against(a, b); same != (err == nil) {
				t.Errorf("targets of %v that differ by the factor %v: %v", size, factor, err)
			}
		}
	}
}

// A model of several targets with a single tested target has the same test points as a model of that target
// alone.
func TestAgainstOtherTargets(t *testing.T) {
	nan := math.NaN()
	alone := points(-1, -3)
	several := points(-2, -2)
	alone.Names = []string{"Cd"}
	several.P = 3
	several.Names = []string{"Ni", "Cd", "Zn"}
	several.Target = []float64{nan, 0, nan, nan, 1, nan}
	if d, err := Against(alone, several); err != nil || d.Share != 0.5 || d.Difference != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	alone.Names = []string{"Zn"}
	if _, err := Against(several, alone); err == nil || err.Error() != "different targets: Cd and Zn" {
		t.Errorf("another target: %v", err)
	}
	several.Target[2] = 0
	if _, err := Against(several, alone); err == nil ||
		err.Error() != "different test points: 2 with 2 targets and 2 with 1" {
		t.Errorf("two targets and one target: %v", err)
	}
}

func TestDirectOverSplits(t *testing.T) {
	pair := func(split int, share, difference rundir.Number) Pair {
		return Pair{Split: fmt.Sprint(split), Points: 10, Share: share, Difference: difference}
	}
	c := Direct([]Pair{pair(0, 0.5, 0.1), pair(0, 0.7, 0.3), pair(1, 0.8, 0.3), pair(2, 0.4, 0.2)})
	if c.Over != OverSplits || c.N != 3 || c.Single {
		t.Fatalf("%+v", c)
	}
	near(t, "share", c.Share, 0.6, 1e-15) // the mean of 0.6, 0.8 and 0.4
	near(t, "its error", c.ShareSE, 0.2/math.Sqrt(3), 1e-14)
	near(t, "difference", c.Difference, 0.7/3, 1e-15) // the mean of 0.2, 0.3 and 0.2
	near(t, "its error", c.DifferenceSE, 0.1/3, 1e-13)
	near(t, "t", c.T, 7, 1e-12)
	if c.Verdict != "A" || c.WilcoxonP != 0.25 {
		t.Errorf("verdict %s, Wilcoxon %+v", c.Verdict, c.WilcoxonP)
	}
	if c := Direct([]Pair{pair(0, 0.4, -0.2), pair(1, 0.4, -0.2), pair(2, 0.4, -0.3)}); c.Verdict != "B" {
		t.Errorf("verdict %s", c.Verdict)
	}
	if c := Direct([]Pair{pair(0, 0.4, -0.2), pair(1, 0.4, 0.2)}); c.Verdict != "~" {
		t.Errorf("verdict %s", c.Verdict)
	}
	if c := Direct([]Pair{pair(0, 0.4, 1), pair(0, 0.4, 1.01), pair(0, 0.4, 0.99)}); c.Verdict != "A" ||
		c.Over != OverSeeds || c.N != 3 {
		t.Errorf("three seeds: %+v", c)
	}
	if c := Direct(nil); c.Verdict != "~" || !math.IsNaN(float64(c.Share)) || !math.IsNaN(float64(c.TP)) {
		t.Errorf("nothing: %+v", c)
	}
}

// A single run gets no verdict, however clear its difference over points.
func TestDirectOfASingleRun(t *testing.T) {
	d, err := Against(points(5, 6, 7, 8, 9), points(1, 2.1, 3, 4, 5))
	if err != nil {
		t.Fatal(err)
	}
	c := Direct([]Pair{d})
	if !c.Single || c.Over != OverPoints || c.N != 5 || c.Verdict != "~" || c.TP >= Alpha || c.Share != 1 ||
		!math.IsNaN(float64(c.ShareSE)) {
		t.Errorf("%+v", c)
	}
	_, se := StandardError([]float64{4, 3.9, 4, 4, 4})
	near(t, "standard error over points", c.DifferenceSE, se, 1e-12)

	// Differences with a mean of zero still have a standard error.
	d, err = Against(points(1, -1, 2, -2), points(0, 0, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	_, se = StandardError([]float64{1, -1, 2, -2})
	c = Direct([]Pair{d})
	if c.Difference != 0 || c.TP != 1 {
		t.Errorf("%+v", c)
	}
	near(t, "standard error about zero", c.DifferenceSE, se, 1e-15)
}

// save writes predictions to a run directory.
func save(t *testing.T, r *rundir.Info, logLik ...float64) {
	t.Helper()
	r.Dir = filepath.Join(t.TempDir(), r.ID)
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`# {"format":1,"points":%d,"targets":1,"names":["y"]}`+
		"\nrow,log_lik,distance,target,mean,variance,pit\n", len(logLik))
	for i, l := range logLik {
		text += fmt.Sprintf("%d,%v,1,%d,0,1,0.5\n", i, l, i)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "test_points.csv"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The distances equal integrals over the densities and the quantiles of the Gaussians.
func TestDistances(t *testing.T) {
	at := func(mean, variance float64) *rundir.Predictions {
		return &rundir.Predictions{N: 1, P: 1, Names: []string{"y"}, Rows: []int{0}, Target: []float64{0},
			LogLik: []float64{0}, Mean: []float64{mean}, Variance: []float64{variance}}
	}
	for _, c := range [][4]float64{{0, 1, 0, 1}, {1, 0.5, -0.3, 2}, {3, 4, 3, 0.2}} {
		d, err := Against(at(c[0], c[1]), at(c[2], c[3]))
		if err != nil {
			t.Fatal(err)
		}
		var kl, wasserstein float64
		const step = 1e-3
		for z := -9.0; z < 9; z += step {
			x := c[0] + math.Sqrt(c[1])*z
			y := c[2] + math.Sqrt(c[3])*z
			kl += step * stats.PDF(z) * (stats.LogPDF(x, c[0], c[1]) - stats.LogPDF(x, c[2], c[3]))
			wasserstein += step * stats.PDF(z) * math.Abs(x-y)
		}
		if math.Abs(float64(d.KL)-kl) > 1e-6 || math.Abs(float64(d.Wasserstein)-wasserstein) > 1e-6 {
			t.Errorf("%v: %+v, integrals %v and %v", c, d.Distances, kl, wasserstein)
		}
		both := Direct([]Pair{d, {Split: "other", Distances: Distances{1, 2}}})
		if math.Abs(float64(both.KL)-(kl+1)/2) > 1e-6 ||
			math.Abs(float64(both.Wasserstein)-(wasserstein+2)/2) > 1e-6 {
			t.Errorf("means over splits %+v", both.Distances)
		}
	}
}

// Distances are means over points and over the tested targets, which the two models may list in different
// orders.
func TestDistancesOfSeveralTargets(t *testing.T) {
	nan := math.NaN()
	a := &rundir.Predictions{N: 2, P: 2, Names: []string{"u", "v"}, Rows: []int{0, 1},
		Target: []float64{1, 2, 3, 4}, LogLik: []float64{0, 0},
		Mean: []float64{1, 2, 3, 4}, Variance: []float64{1, 1, 1, 1}}
	b := &rundir.Predictions{N: 2, P: 3, Names: []string{"u", "w", "v"}, Rows: []int{0, 1},
		Target: []float64{1, nan, 2, 3, nan, 4}, LogLik: []float64{0, 0},
		Mean: []float64{1, 50, 4, 6, 70, 8}, Variance: []float64{1, 9, 1, 1, 9, 1}}
	// The means differ by 0 and 2 at the first point, and by 3 and 4 at the second.
	want := []Distances{{KL: (4.0 / 2) / 2, Wasserstein: 1}, {KL: (9.0/2 + 16.0/2) / 2, Wasserstein: 3.5}}
	got := PointDistances(a, b)
	for i, d := range got {
		near(t, "KL", d.KL, float64(want[i].KL), 1e-12)
		near(t, "Wasserstein", d.Wasserstein, float64(want[i].Wasserstein), 1e-12)
	}
	d, err := Against(a, b)
	if err != nil || len(got) != 2 {
		t.Fatal(err, got)
	}
	near(t, "mean KL", d.KL, 3.625, 1e-12)
	near(t, "mean Wasserstein", d.Wasserstein, 2.25, 1e-12)
}

// The share and its standard error are percentages.
func TestShareInPercent(t *testing.T) {
	row := Comparison{Share: 0.25, ShareSE: 0.99}.row()
	if got := row[2]; got.Text != "25" || got.SE != "99" {
		t.Errorf("the share is %s (%s)", got.Text, got.SE)
	}
}
