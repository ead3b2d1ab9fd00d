package dgp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/view"
)

// The draws of inducing outputs and functions come from the kept samples. With one layer, the
// functions are linear in the inducing outputs, so their means equal the predictive means.
func TestChainDraws(t *testing.T) {
	data := familytest.Wave(40, 1)
	set := smallChains.With("layers", "1", "chains", "2", "kept", "10")
	m := newChains(t, data, set)
	v, err := m.Views(1)
	if err != nil || v.Check() != nil || v.Chains.Draws != 0 {
		t.Fatalf("in burn-in: %v, %v, %+v", err, v.Check(), v.Chains)
	}
	familytest.Steps(t, m, 9+2*10)
	v, err = m.Views(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Check(); err != nil {
		t.Fatal(err)
	}
	c := v.Chains
	if c.Chains != 2 || c.Draws != 10 || len(c.Quantities) != 8+8 {
		t.Fatalf("%d chains of %d draws of %d quantities", c.Chains, c.Draws, len(c.Quantities))
	}
	p, err := m.Predict(data.X, 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := means(p)
	for k, q := range c.Quantities[8:] {
		if q.Kind != view.FunctionValue || math.Abs(float64(q.Mean)-want[k*40/8]) > 1e-12 {
			t.Errorf("%s: mean %v, predicted %v", q.Name, q.Mean, want[k*40/8])
		}
	}
	// f_M equals the function at the inducing inputs, up to jitter.
	nodes := m.post.layers[0]
	p, err = m.Predict(mat.NewDense(8, 2, nodes.z.Value), 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	for k, f := range means(p) {
		if q := c.Quantities[k]; q.Kind != view.InducingOutput || math.Abs(float64(q.Mean)-f) > 1e-4 {
			t.Errorf("%s: mean %v, want the function value %v", q.Name, q.Mean, f)
		}
	}
}

// Every inducing output and function of several layers and outputs has draws.
func TestChainDrawsWithSeveralLayers(t *testing.T) {
	m := newChains(t, familytest.Wave(30, 2), smallChains.With("inducing", "8,5"))
	familytest.Steps(t, m, 9+2*4)
	v, err := m.Views(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Check(); err != nil {
		t.Fatal(err)
	}
	if got, want := len(v.Chains.Quantities), 2*8+2*5+2*8; got != want {
		t.Errorf("%d quantities, want %d", got, want)
	}
	for _, q := range v.Chains.Quantities {
		if !(q.SD > 0) {
			t.Errorf("%s: standard deviation %v", q.Name, q.SD)
		}
	}
}

// Views contain no covariance until two samples have been kept after burn-in. They contain the
// conditioning of the matrices from the start.
func TestChainViewsInBurnIn(t *testing.T) {
	m := newChains(t, familytest.Wave(40, 1), smallChains.With("chains", "2"))
	for _, want := range []struct{ steps, draws int }{{9, 0}, {1, 0}, {1, 2}, {2, 4}} {
		familytest.Steps(t, m, want.steps)
		v, err := m.Views(1)
		if err != nil {
			t.Fatal(err)
		}
		draws := 0
		if v.Blocks != nil {
			draws = v.Blocks.Draws
		}
		if draws != want.draws {
			t.Errorf("after %d steps the covariance uses %d samples, want %d",
				m.StepsDone(), draws, want.draws)
		}
		for _, name := range []string{"K_MM of layer 1", "S~ of layer 1, GP 1", "K_MM of layer 2"} {
			if e := matrixNamed(t, v.Matrices, name); !(e.Condition >= 1) {
				t.Errorf("after %d steps: %+v", m.StepsDone(), e)
			}
		}
	}
}
