package layer

import (
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/kernel"
)

// smallLocal returns a local layer with two outputs and three inputs.
func smallLocal(t *testing.T, linear bool) *Local {
	t.Helper()
	tape := autodiff.NewTape()
	l := NewLocal(tape, LocalConfig{
		Inputs:     3,
		Outputs:    2,
		Inducing:   4,
		Kernel:     familytest.Kernel(t, "matern52", 3),
		Hidden:     2,
		LinearMean: linear,
		Jitter:     1e-6,
	},
		Start{Variance: 2.5, Lengthscale: 1.2, Spread: 0.1, Noise: 0.7, Seed: 3})
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestVarianceOfAmortizedPrior sums the squared contributions of the independent standard normals
// to each value. The sum must be the prior variance, wherever the inducing points are.
func TestVarianceOfAmortizedPrior(t *testing.T) {
	p := smallLocal(t, false).AmortizedPrior(false)
	const n = 7
	r := rand.New(rand.NewPCG(1, 2))
	in := make([]float64, 3*n)
	for i := range in {
		in[i] = 2 * r.NormFloat64()
	}
	sum := make([]float64, 2*n)
	for k := range p.NumNormals(n) {
		eps := make([]float64, p.NumNormals(n))
		eps[k] = 1
		f, err := p.Draw(in, eps)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range f {
			sum[i] += v * v
		}
	}
	for i, v := range sum {
		if math.Abs(v-2.5) > 1e-9 {
			t.Errorf("value %d has variance %g", i, v)
		}
	}
}

// TestAmortizedPriorAtItsInducingPoints moves an inducing point to the input, where the value must
// equal the inducing output.
func TestAmortizedPriorAtItsInducingPoints(t *testing.T) {
	l := smallLocal(t, false)
	clear(l.inference.(*maps).b.Value[:3]) // The first inducing point is the input itself.
	eps := []float64{2, 0, 0, 0, 5, -1, 0, 0, 0, 5}
	p := l.AmortizedPrior(false)
	f, err := p.Draw([]float64{0.1, -0.4, 0.7}, eps)
	if err != nil {
		t.Fatal(err)
	}
	for o, want := range []float64{2 * math.Sqrt(2.5), -math.Sqrt(2.5)} {
		// The jitter of K_uu leaves a small variance, so a difference of five standard deviations
		// is allowed.
		if math.Abs(f[o]-want) > 5*math.Sqrt(2e-6)+1e-4 {
			t.Errorf("output %d is %g, want %g", o, f[o], want)
		}
	}
}

// TestPriorOfFarPoints draws at points that are too far apart to be correlated.
func TestPriorOfFarPoints(t *testing.T) {
	tape := autodiff.NewTape()
	global := NewGlobal(tape, GlobalConfig{
		Kernel:   familytest.Kernel(t, "rbf", 3),
		Inputs:   3,
		Outputs:  2,
		Inducing: 4,
		ARD:      true,
		Diagonal: true,
		Jitter:   1e-6,
		Layer:    "layer 1",
	})
	_, variance := familytest.KernelNodes(t, global.Kernels)
	variance.Value[1] = 9
	for name, c := range map[string]struct {
		layer Layer
		sd    [2]float64
	}{
		"local":  {smallLocal(t, false), [2]float64{math.Sqrt(2.5), math.Sqrt(2.5)}},
		"global": {global, [2]float64{1, 3}},
	} {
		p := c.layer.Prior().Draws()
		eps := []float64{1, 2, 3, 4}
		if got := p.NumNormals(2); got != len(eps) {
			t.Fatalf("%s: a draw takes %d numbers", name, got)
		}
		f, err := p.Draw([]float64{0, 200, 0, 200, 0, 200}, eps)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range eps {
			if want := c.sd[i/2] * e; math.Abs(f[i]-want) > 1e-5*want {
				t.Errorf("%s: value %d is %g, want %g", name, i, f[i], want)
			}
		}
	}
	if _, ok := any(global).(interface{ AmortizedPrior(bool) kernel.PriorLayer }); ok {
		t.Error("a global layer has an amortized prior")
	}
}

// TestMeanOfPrior checks that draws with zero eps are the mean function.
func TestMeanOfPrior(t *testing.T) {
	l := smallLocal(t, true)
	in := []float64{1, 0, 0, 2, 0, 0} // (1, 0, 0) and (0, 2, 0)
	amortized := l.AmortizedPrior(false)
	for name, draw := range map[string]func() ([]float64, error){
		"conventional": func() ([]float64, error) { return l.Prior().draw(in, make([]float64, 4)) },
		"amortized":    func() ([]float64, error) { return amortized.Draw(in, make([]float64, 10)) },
	} {
		f, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		w := l.meanW
		for i, want := range []float64{w.Row(0)[0], 2 * w.Row(1)[0], w.Row(0)[1], 2 * w.Row(1)[1]} {
			if math.Abs(f[i]-want) > 1e-12 {
				t.Errorf("%s: value %d is %g, want %g", name, i, f[i], want)
			}
		}
	}
}

// TestPriorAtTheMeans compares draws with zero eps and the means of the layer at several points.
// The spread of q does not affect them.
func TestPriorAtTheMeans(t *testing.T) {
	for _, linear := range []bool{false, true} {
		l := smallLocal(t, linear)
		for k := range l.inference.(*maps).mean.B {
			for i := range l.inference.(*maps).mean.B[k].Value {
				l.inference.(*maps).mean.B[k].Value[i] += 0.3 * float64(i)
			}
		}
		in := []float64{1, 0.2, -0.7, 2, 0, 0.4, 0, -1, 0.5} // three points
		tape := autodiff.NewTape()
		x := tape.Constant(1, 3, 3)
		copy(x.Value, in)
		want := l.Record(tape, x, x).Mean
		if err := tape.Forward(); err != nil {
			t.Fatal(err)
		}
		p := l.AmortizedPrior(true)
		f, err := p.Draw(in, make([]float64, p.NumNormals(3)))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want.Value {
			if math.Abs(f[i]-v) > 1e-9 {
				t.Errorf("linear %v: value %d is %g, want the mean %g", linear, i, f[i], v)
			}
		}
	}
}
