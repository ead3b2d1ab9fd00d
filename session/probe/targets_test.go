package probe

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/view"
	"dgplab/session/rundir"
)

// twoTargets returns a probe without a model for the targets u = 10 + 2 f and v = 100 + 3 g, and predictions
// of f and g at two points.
func twoTargets() (*Probe, *predictive.Gaussians) {
	p := &Probe{columns: columnNames{targets: []string{"u", "v"}}, Data: &datasets.Prepared{
		Train:   datasets.Part{X: mat.NewDense(2, 1, nil), Y: mat.NewDense(2, 2, nil)},
		Scaling: datasets.Scaling{TargetMean: []float64{10, 100}, TargetSD: []float64{2, 3}},
	}}
	return p, &predictive.Gaussians{S: 1, N: 2, P: 2, Weights: []float64{1}, Mean: []float64{1, 2, 3, 4},
		Var: []float64{1, 4, 9, 16}, Noise: []float64{0, 0}}
}

// The predictions of a fit are distributed to their targets, after the earlier points.
func TestFittingOfSeveralTargets(t *testing.T) {
	p, predicted := twoTargets()
	p.plan = &fitPlan{outline: view.Fit{Targets: []string{"u", "v"}}}
	all := p.newFitting(4)
	all.add(predicted, true)
	all.add(predicted, false)
	if u, v := all.targets[0], all.targets[1]; !slices.Equal(u.Mean, []float64{12, 16, 12, 16}) ||
		!slices.Equal(v.Mean, []float64{106, 112, 106, 112}) || all.filled != 4 {
		t.Errorf("means %v and %v of %d points", u.Mean, v.Mean, all.filled)
	}
	for q, level := range view.FitLevels {
		list := all.targets[1].Quantiles[q]
		first := 2 + 2*stats.Quantile(level)
		if math.Abs(list[0]-(100+3*first)) > 1e-4 || list[2] != 0 {
			t.Errorf("quantile %v is %v, want %v", level, list, 100+3*first)
		}
	}
	if got := all.cut(1, 2); len(got) != 2 || !slices.Equal(got[1].Mean, []float64{112}) {
		t.Errorf("cut %+v", got)
	}
}

// Every target has two fields, and every class of several has one.
func TestFieldsOfSeveralTargets(t *testing.T) {
	p, predicted := twoTargets()
	fields := p.planeFields(3)
	if end := addFields(fields, 1, predicted, unitsOf(p.Data.Scaling)); end != 3 || len(fields) != 4 {
		t.Fatalf("%d fields, filled up to %d", len(fields), end)
	}
	for k, want := range []view.Rounded{{0, 12, 16}, {0, 2, 6}, {0, 106, 112}, {0, 6, 12}} {
		if !slices.Equal(fields[k].Values, want) {
			t.Errorf("%s: %v, want %v", fields[k].Name, fields[k].Values, want)
		}
	}
	p.Data.Task, p.Data.Classes = task.Multiclass, []string{"a", "b", "c"}
	p.Data.Train.Y = mat.NewDense(2, 1, nil)
	fields = p.planeFields(3)
	if end := addFields(fields, 1, classes{}, predictive.Units{}); end != 3 || len(fields) != 5 {
		t.Fatalf("%d fields of classes, filled up to %d", len(fields), end)
	}
	for k, want := range []view.Rounded{{0, 0, 0}, {0, 1, 0.5}, {0, 1, 0.5}, {0, 0, 0.25}, {0, 0, 0.25}} {
		if !slices.Equal(fields[k].Values, want) {
			t.Errorf("%s: %v, want %v", fields[k].Name, fields[k].Values, want)
		}
	}
}

// Of the functions of a target only the first is in its units.
func TestFunctionsOfSeveralTargets(t *testing.T) {
	p, _ := twoTargets()
	if got := p.functionNames(4); !slices.Equal(got, []string{"u", "u_function2", "v", "v_function2"}) {
		t.Errorf("functions %q", got)
	}
	draws := [][][]float64{{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}}
	p.unscale(draws)
	if got := fmt.Sprint(draws); got != "[[[12 14] [3 4] [115 118] [7 8]] [[10 10] [0 0] [100 100] [0 0]]]" {
		t.Errorf("functions in original units: %s", got)
	}
	p.Data.Task, p.Data.Classes = task.Multiclass, []string{"a", "b", "c"}
	if got := p.functionNames(3); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("functions of classes %q", got)
	}
	if got := p.functionNames(1); !slices.Equal(got, []string{"c"}) {
		t.Errorf("the latent function of two classes has the name %q", got)
	}
}

// A row of a table has the columns of all targets. Its log-likelihood is empty if it has no target.
func TestRowsOfSeveralTargets(t *testing.T) {
	nan := math.NaN()
	var b strings.Builder
	w := &rowWriter{out: newRowFormat(&b, CSV, 0), targets: []string{"u", "v"}, has: []bool{false, true},
		any: true, levels: []float64{0.1, 0.9}, at: []float64{1, 2, 3, 4, 5, 6, 7, 8}}
	points := &rundir.Predictions{N: 2, P: 2, LogLik: []float64{-1, -2}, Target: []float64{nan, nan, nan, 30},
		Mean: []float64{10, 20, 30, 40}, Variance: []float64{1, 4, 9, 16}}
	batch := new(datasets.Batch)
	batch.Rows = []int{6, 8}
	batch.Outside = [][]string{nil, {"a", "b"}}
	err := w.head()
	if err == nil {
		err = w.write(points, batch, nil, predictive.Units{})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.out.end(); err != nil {
		t.Fatal(err)
	}
	const want = "row,u_mean,u_sd,u_q10,u_q90,v,v_mean,v_sd,v_q10,v_q90,log_lik,outside\n" +
		"7,10,1,1,5,,20,2,2,6,,\n9,30,3,3,7,30,40,4,4,8,-2,a; b\n"
	if b.String() != want {
		t.Errorf("%swant\n%s", b.String(), want)
	}
}
