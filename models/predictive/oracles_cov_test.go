package predictive

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/oracletest"
)

// known holds numbers that may be missing: null in the file, NaN in slices.
type known [][]*float64

// values returns the numbers as one slice.
func (k known) values() (out []float64) {
	for _, x := range slices.Concat(k...) {
		if x == nil {
			out = append(out, math.NaN())
			continue
		}
		out = append(out, *x)
	}
	return out
}

// closeToKnown is like oracletest.Close, but entries may be missing, and must then be missing in
// both lists.
func closeToKnown(t *testing.T, what string, got []float64, want known, tolerance float64) {
	t.Helper()
	var left, right []float64
	for i, w := range want.values() {
		if math.IsNaN(w) != math.IsNaN(got[i]) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], w)
		}
		if !math.IsNaN(w) {
			left = append(left, got[i])
			right = append(right, w)
		}
	}
	oracletest.Close(t, what, left, right, tolerance)
}

// predictiveCase scores a mixture with correlated outputs within a component and missing targets.
func predictiveCase(t *testing.T, raw []byte) {
	type scores struct {
		LogDensity []float64 `json:"log_density"`
		ByOutput   known     `json:"log_density_by_output"`
		CRPS       known
		Mean       [][]float64
		Var        [][]float64
		Cov        [][][]float64
		PIT        known
		MeanLog    float64 `json:"mean_log_density"`
		Observed   []int   `json:"observed_outputs"`
	}
	var c struct {
		Config struct{ S, N, P int }
		Data   struct {
			Weights []float64
			Mean    [][][]float64   `json:"component_mean"`
			Cov     [][][][]float64 `json:"component_cov"`
			Noise   [][]float64     `json:"noise_var"`
			Y       known
			YMean   []float64 `json:"y_mean"`
			YStd    []float64 `json:"y_std"`
		}
		Expect struct {
			scores
			Original scores
		}
	}
	oracletest.Decode(t, raw, &c)
	n, p, y := c.Config.N, c.Config.P, c.Data.Y.values()
	m := &Gaussians{S: c.Config.S, N: n, P: p, Weights: c.Data.Weights,
		Mean:       slices.Concat(slices.Concat(c.Data.Mean...)...),
		Covariance: slices.Concat(slices.Concat(slices.Concat(c.Data.Cov...)...)...),
		Noise:      slices.Concat(c.Data.Noise...)}
	for k := range m.Mean {
		m.Var = append(m.Var, m.Covariance[k*p+k%p])
	}
	logDensity := make([]float64, n)
	got := make([]float64, n*p)
	m.LogDensity(logDensity, y)
	oracletest.Close(t, "log_density", logDensity, c.Expect.LogDensity, oracletest.ValueTolerance)
	m.LogDensityByOutput(got, y)
	closeToKnown(t, "log_density_by_output", got, c.Expect.ByOutput, oracletest.ValueTolerance)
	m.PIT(got, y)
	closeToKnown(t, "pit", got, c.Expect.PIT, 1e-12)
	m.CRPS(got, y)
	closeToKnown(t, "crps", got, c.Expect.CRPS, oracletest.ValueTolerance)
	mean := make([]float64, n*p)
	m.Moments(mean, got)
	oracletest.Close(t, "mean", mean, slices.Concat(c.Expect.Mean...), oracletest.ValueTolerance)
	oracletest.Close(t, "var", got, slices.Concat(c.Expect.Var...), oracletest.ValueTolerance)

	standard := Score(m, y, nil)
	original := Score(m, y, c.Data.YStd)
	oracletest.Close(t, "mean_log_density", []float64{standard.LogLik}, []float64{c.Expect.MeanLog},
		oracletest.ValueTolerance)
	var sum float64
	points := 0
	for i, l := range c.Expect.Original.LogDensity {
		if c.Expect.Observed[i] > 0 {
			sum += l
			points++
		}
	}
	oracletest.Close(t, "original log_density", []float64{original.LogLik}, []float64{sum / float64(points)},
		oracletest.ValueTolerance)
	var crps, targets float64
	for _, x := range c.Expect.Original.CRPS.values() {
		if !math.IsNaN(x) {
			crps += x
			targets++
		}
	}
	oracletest.Close(t, "original crps", []float64{original.CRPS}, []float64{crps / targets},
		oracletest.ValueTolerance)
}
