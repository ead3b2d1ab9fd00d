package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/oracletest"
)

// example returns n points with one relevant and one irrelevant input, with real targets or
// classes.
func example(of task.Task, n, targets int) family.Data {
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	data := family.Data{X: mat.NewDense(n, 2, nil), Y: mat.NewDense(n, targets, nil), Task: of, Classes: 3}
	for i := range n {
		data.X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		for k := range targets {
			y := 0.3 + float64(k+1)*data.X.At(i, 0) + 0.3*rng.NormFloat64()
			switch {
			case of == task.Binary:
				y = math.Copysign(1, y)
			case of == task.Multiclass:
				y = math.Max(0, math.Min(2, math.Round(y+1)))
			}
			data.Y.Set(i, k, y)
		}
	}
	return data
}

// problems runs a test with the problem of each task.
func problems(t *testing.T, run func(t *testing.T, p problem)) {
	for _, data := range []family.Data{example(task.Regression, 30, 1), example(task.Regression, 30, 2),
		example(task.Binary, 40, 1), example(task.Multiclass, 50, 1)} {
		v, err := family.Resolve(hyperparameters(), map[string]string{"precision": "0.7"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := newProblem(v, data, newPoints(data.X, observed(data.Y, 0), true), true)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(data.Task.String(), func(t *testing.T) { run(t, p) })
	}
}

func TestGradientsByCentralDifferences(t *testing.T) {
	problems(t, func(t *testing.T, p problem) {
		set := p.Parameters()
		gradient := make([]float64, set.Size())
		differences := make([]float64, set.Size())
		if _, err := p.Evaluate(gradient); err != nil {
			t.Fatal(err)
		}
		at := func(i int, shift float64) float64 {
			before := set.Free[i]
			set.Free[i] += shift
			set.Forward()
			value, err := p.Evaluate(nil)
			if err != nil {
				t.Fatal(err)
			}
			set.Free[i] = before
			return value
		}
		for i := range differences {
			const h = 1e-3
			differences[i] = (8*(at(i, h)-at(i, -h)) - (at(i, 2*h) - at(i, -2*h))) / (12 * h)
		}
		oracletest.Close(t, "gradient", gradient, differences, 1e-8)
	})
}

func TestEvaluatingDoesNotAllocate(t *testing.T) {
	problems(t, func(t *testing.T, p problem) {
		gradient := make([]float64, p.Parameters().Size())
		if got := testing.AllocsPerRun(20, func() { _, _ = p.Evaluate(gradient) }); got != 0 {
			t.Errorf("%v allocations", got)
		}
	})
}

// The evidence equals the density of the targets under their joint Gaussian, even if inputs are
// linearly dependent or all targets are zero.
func TestEvidenceIsTheJointDensity(t *testing.T) {
	data := example(task.Regression, 12, 2)
	for i := range 12 {
		data.X.Set(i, 1, 2*data.X.At(i, 0))
		data.Y.Set(i, 1, 0)
	}
	const alpha, noise = 2.5, 0.3
	r, err := newRegression(data, true, alpha, noise)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Evaluate(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := mat.NewSymDense(12, nil)
	for i := range 12 {
		for j := range i + 1 {
			v := (1 + mat.Dot(data.X.RowView(i), data.X.RowView(j))) / alpha
			if i == j {
				v += noise
			}
			c.SetSym(i, j, v)
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(c) {
		t.Fatal("no factor")
	}
	want := 0.0
	for k := range 2 {
		var solved mat.VecDense
		if err := factor.SolveVecTo(&solved, data.Y.ColView(k)); err != nil {
			t.Fatal(err)
		}
		want -= 0.5 * (mat.Dot(&solved, data.Y.ColView(k)) + factor.LogDet() + 12*math.Log(2*math.Pi))
	}
	oracletest.Close(t, "evidence", []float64{got}, []float64{want}, 1e-12)
}

// With one weight, the evidence for classification is a one-dimensional integral that the Laplace
// approximation matches closely for many points.
func TestEvidenceOfClassesIsNearTheIntegral(t *testing.T) {
	const n, alpha = 400, 0.5
	data := example(task.Binary, n, 1)
	x := mat.NewDense(n, 1, mat.Col(nil, 0, data.X))
	p := newPoints(x, observed(data.Y, 0), false)
	c, err := newClassification(p, newProbit(p.column(data.Y, 0)), alpha)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Evaluate(nil)
	if err != nil {
		t.Fatal(err)
	}
	top, sum := math.Inf(-1), 0.0
	const step = 0.02
	for w := -5.0; w < 20; w += step {
		_, joint := c.logJoint([]float64{w})
		joint += 0.5 * math.Log(alpha/(2*math.Pi))
		if joint > top {
			sum, top = sum*math.Exp(top-joint), joint
		}
		sum += step * math.Exp(joint-top)
	}
	if want := top + math.Log(sum); math.Abs(got-want) > 0.01 {
		t.Errorf("log evidence %v, by quadrature %v", got, want)
	}
}

// The gradient of the log joint vanishes at the mode.
func TestModeOfClasses(t *testing.T) {
	problems(t, func(t *testing.T, p problem) {
		c, ok := p.(*classification)
		if !ok {
			t.Skip("regression has no mode")
		}
		if _, err := c.mode(); err != nil {
			t.Fatal(err)
		}
		if err := c.differentiate(); err != nil {
			t.Fatal(err)
		}
		oracletest.Close(t, "slope", c.slope, make([]float64, len(c.slope)), 1e-9)
	})
}

// The evidence for classification is NaN if the mode is not found.
func TestEvidenceWithoutAMode(t *testing.T) {
	data := example(task.Binary, 20, 1)
	p := newPoints(data.X, observed(data.Y, 0), false)
	c, err := newClassification(p, newProbit(p.column(data.Y, 0)), 1)
	if err != nil {
		t.Fatal(err)
	}
	c.alpha[0] = math.NaN()
	if got, err := c.Evaluate(nil); err == nil || !math.IsNaN(got) {
		t.Errorf("the evidence is %v, %v", got, err)
	}
}
