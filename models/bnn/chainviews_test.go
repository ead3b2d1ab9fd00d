package bnn

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/view"
)

// During burn-in, the views of chains contain only names. After burn-in, they describe the kept
// networks.
func TestChainsAreShown(t *testing.T) {
	data := familytest.Wave(40, 2)
	spec := Families()[slices.IndexFunc(Families(), func(spec family.Spec) bool {
		return spec.Name == "bnn-hmc"
	})]
	m := familytest.New(t, spec, data, map[string]string{
		"hidden_width": "5", "burn_in": "20", "kept": "10", "thinning": "2",
		"leapfrog_steps": "5", "chains": "2",
	}, 1).(*Chains)
	familytest.Steps(t, m, 20)
	v, err := m.Views(1)
	if err != nil {
		t.Fatal(err)
	}
	// Two variances, two layers, and two outputs at eight points.
	if err := v.Check(); err != nil || len(v.Chains.Quantities) != 2+2+16 || v.Chains.Draws != 0 ||
		v.Chains.Complete || v.Chains.WithDraws() != nil {
		t.Fatalf("in burn-in %d quantities with %d draws, %v", len(v.Chains.Quantities), v.Chains.Draws, err)
	}
	familytest.Steps(t, m, 20)
	v, err = m.Views(1)
	if err != nil {
		t.Fatal(err)
	}
	c := v.Chains
	if c.Chains != 2 || c.Draws != 10 || c.Distance != 2 || !c.Complete || len(c.WithDraws()) != 20 {
		t.Fatalf("%d chains keep %d draws, %d steps apart, of %d quantities",
			c.Chains, c.Draws, c.Distance, len(c.WithDraws()))
	}
	last := m.Draws(1)[9]
	p := m.predictors.at(1)
	prior, noise := m.joint.set(p, last)
	out, _, err := m.functions(mat.NewDense(1, 2, data.X.RawRowView(35)), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"likelihood.variance": noise, "prior.variance": prior,
		"rms of weights, layer 2": rootMeanSquares("", p.net).Value[1],
		"f 2 at row 35":           out.Mean[19*2+1],
	} {
		i := slices.IndexFunc(c.Quantities, func(q view.ChainQuantity) bool { return q.Name == name })
		if i < 0 {
			t.Fatalf("there is no %q", name)
		}
		if got := c.Quantities[i].Kept.Draws[1][9]; math.Abs(got-want) > 1e-12*math.Max(1, math.Abs(want)) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
