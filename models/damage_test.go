package models

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
)

// trainedModel returns a small model of a family after some steps.
func trainedModel(t *testing.T, spec Spec, data Data) Model {
	t.Helper()
	set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "5",
		"orthogonal": "3", "samples": "3", "batch": "10", "burn_in": "3", "kept": "2", "thinning": "1"})
	m, err := spec.New(familytest.Values(t, spec, set), data, 7)
	if err != nil {
		t.Fatal(err)
	}
	familytest.Steps(t, m, 3)
	return m
}

// All families reject checkpoints that contain a non-finite number. The error names the array.
func TestDamagedCheckpoints(t *testing.T) {
	for _, spec := range Families() {
		m := trainedModel(t, spec, familytest.Wave(24, 1))
		for _, a := range m.State() {
			if len(a.Data) == 0 {
				continue
			}
			last := len(a.Data) - 1
			for _, bad := range []float64{math.NaN(), math.Inf(1)} {
				kept := a.Data[last]
				a.Data[last] = bad
				want := fmt.Sprintf("the checkpoint is damaged: entry %d of %s is %v", last, a.Name, bad)
				if err := m.Restored(); err == nil || err.Error() != want {
					t.Errorf("%s: %v, want %s", spec.Name, err, want)
				}
				a.Data[last] = kept
			}
		}
		if err := m.Restored(); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
	}
}

// At a non-finite input, functions and predictions are NaN or return an error.
func TestInputsThatAreNotFinite(t *testing.T) {
	for _, spec := range Families() {
		m := trainedModel(t, spec, familytest.Wave(24, 1))
		x := familytest.Wave(5, 1).X
		x.Set(2, 0, math.NaN())
		draws, err := m.(family.FunctionSampler).DrawFunctions(x, 2, 1)
		if err == nil && len(draws) == 0 {
			t.Errorf("%s: neither draws nor an error", spec.Name)
		}
		for _, d := range draws {
			if err == nil && !math.IsNaN(d[0][2]) {
				t.Errorf("%s: a function is %v", spec.Name, d[0][2])
			}
		}
		p, err := m.Predict(x, 2, 1)
		if err != nil {
			continue
		}
		density := make([]float64, 5)
		p.LogDensity(density, make([]float64, 5))
		for i, v := range density {
			if math.IsNaN(v) != (i == 2) {
				t.Errorf("%s: the log density of point %d is %v", spec.Name, i, v)
			}
		}
	}
}

// Predictions depend neither on the memory layout of the inputs nor on earlier predictions of other sizes, of
// which models keep some graphs.
func TestPredictionsOfManySizes(t *testing.T) {
	wide := mat.NewDense(10, 3, nil)
	wide.Slice(0, 10, 0, 2).(*mat.Dense).Copy(familytest.Wave(10, 1).X)
	for _, spec := range Families() {
		m := trainedModel(t, spec, familytest.Wave(24, 1))
		densities := func(x *mat.Dense) []float64 {
			n, _ := x.Dims()
			p, err := m.Predict(x, 2, 1)
			if err != nil {
				t.Fatal(err)
			}
			density := make([]float64, n)
			p.LogDensity(density, make([]float64, n))
			return density
		}
		var before [10][]float64
		for n := range 10 {
			before[n] = densities(mat.DenseCopyOf(wide.Slice(0, n+1, 0, 2)))
		}
		for n, want := range before {
			if got := densities(wide.Slice(0, n+1, 0, 2).(*mat.Dense)); !slices.Equal(got, want) {
				t.Errorf("%s: log densities of %d points: %v, before %v", spec.Name, n+1, got, want)
			}
		}
	}
}
