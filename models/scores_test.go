package models_test

import (
	"math"
	"reflect"
	"testing"

	"dgplab/models"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
	"dgplab/viz/golden"
)

// weighted returns the sum of values with weights that depend on their order. It skips values that are not
// finite.
func weighted(values []float64) (sum float64) {
	for i, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			sum += v * (1 + math.Cos(float64(i)))
		}
	}
	return sum
}

// scoresOf returns sums over all scores of predictions at targets y.
func scoresOf(p predictive.Predictive, y []float64) (sums []float64) {
	n, outputs := p.Dims()
	size := n * outputs
	values := func(length int, set func(dst []float64)) {
		dst := make([]float64, length)
		set(dst)
		sums = append(sums, weighted(dst))
	}
	values(n, func(dst []float64) { p.LogDensity(dst, y) })
	units := []predictive.Units{{Mean: []float64{1}, SD: []float64{2}}}
	switch p := p.(type) {
	case predictive.Classification:
		values(n*p.Classes(), p.Probabilities)
	case predictive.Regression:
		variance := make([]float64, size)
		values(size, func(dst []float64) { p.Moments(dst, variance) })
		sums = append(sums, weighted(variance))
		values(size, func(dst []float64) { p.PIT(dst, y) })
		values(size, func(dst []float64) { p.CRPS(dst, y) })
		values(size, func(dst []float64) { p.LogDensityByOutput(dst, y) })
		values(4*size, func(dst []float64) { p.Quantiles(dst, []float64{0.01, 0.3, 0.5, 0.95}) })
		if _, ok := p.(predictive.Exponential); ok {
			units = append(units, predictive.Units{Mean: []float64{0.1}, SD: []float64{0.5}, Log: true})
		}
	}
	for _, u := range units {
		var tally predictive.Tally
		tally.Add(p, y, u)
		s := tally.Scores()
		fields := reflect.ValueOf(s)
		for i := range fields.NumField() {
			if fields.Field(i).CanFloat() {
				sums = append(sums, weighted([]float64{fields.Field(i).Float()}))
			}
		}
		sums = append(sums, weighted(s.Coverage[:]))
	}
	if m, ok := p.(predictive.Mixture); ok {
		values(n*components, func(dst []float64) { m.ComponentLogDensity(dst, y) })
		weights := make([]float64, components)
		for s := range weights {
			weights[s] = 2 * float64(s+1) / (components * (components + 1))
		}
		values(1, func(dst []float64) { m.Reweighted(2, weights).LogDensity(dst, y[2*outputs:3*outputs]) })
	}
	return sums
}

// components is the number of components of predictions.
const components = 4

// TestRecordedScores compares sums over the scores of mixtures under all likelihoods with recorded ones.
func TestRecordedScores(t *testing.T) {
	var recorded golden.Digest
	recorded.Begin("scores of mixtures")
	spec := familytest.Find(models.Families(), "star")
	add := func(name, likelihood string, data models.Data) {
		m, err := spec.New(familytest.Values(t, spec, map[string]string{"layers": "2", "width": "2",
			"inducing": "6", "likelihood": likelihood, "inner_scale": "0.3"}), data, 1)
		if err != nil {
			t.Fatal(err)
		}
		familytest.Steps(t, m, 3)
		x, y := data.Rows([]int{0, 5, 10, 15})
		p, err := m.Predict(x, components, 1)
		if err != nil {
			t.Fatal(err)
		}
		recorded.Add(t, name, scoresOf(p, y), nil)
	}
	for _, d := range declared(t) {
		add(d.Name, d.Name, targets(familytest.Wave(30, 1), d))
	}
	add("several", "gaussian", familytest.Wave(30, 3))
	recorded.Check(t, "scores")
}
