package layer

import (
	"dgplab/models/oracletest"
	"slices"
	"testing"
)

// covarianceOfDraws returns the mean, [n], and the covariance, [n][n], of the draws of each output.
// Draws are linear in eps, so it computes both from draws for unit vectors.
func covarianceOfDraws(t *testing.T, g *Global, in []float64) (means, covariances [][]float64) {
	t.Helper()
	outputs := g.Config.Outputs
	n := len(in) / g.Config.Inputs
	draw := func(eps []float64) []float64 {
		f, err := g.Draw(slices.Clone(in), eps)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	mean := draw(make([]float64, outputs*n))
	for k := range outputs {
		covariance := make([]float64, n*n)
		for at := range n {
			eps := make([]float64, outputs*n)
			eps[k*n+at] = 1
			f := draw(eps)
			for i := range n {
				for j := range n {
					covariance[i*n+j] += (f[k*n+i] - mean[k*n+i]) * (f[k*n+j] - mean[k*n+j])
				}
			}
		}
		means = append(means, mean[k*n:(k+1)*n])
		covariances = append(covariances, covariance)
	}
	return means, covariances
}

// Draws must have the moments that the layer records, up to jitter, and equal values at repeated
// points.
func TestMomentsOfDraws(t *testing.T) {
	forms(t, func(t *testing.T, c GlobalConfig) {
		r := newTrial(c, 7, false)
		for d := range c.Inputs {
			r.in.Row(d)[6] = r.in.Row(d)[2]
		}
		r.forward(t)
		means, covariances := covarianceOfDraws(t, r.layer, r.in.Value)
		for k, covariance := range covariances {
			var variance []float64
			for i := range 7 {
				variance = append(variance, covariance[i*7+i])
			}
			oracletest.Close(t, "mean", means[k], r.moments.Mean.Row(k), 1e-10)
			oracletest.Close(t, "variance", variance, r.moments.Var.Row(k), 1e-5)
			oracletest.Close(t, "covariance of a point with itself", covariance[6*7+2:6*7+3],
				variance[2:3], 1e-5)
		}
	})
}

// At the inducing inputs the draws must equal the inducing outputs.
func TestDrawsAtTheInducingInputs(t *testing.T) {
	forms(t, func(t *testing.T, c GlobalConfig) {
		if c.Orthogonal > 0 {
			return
		}
		r := newTrial(c, 3, false)
		r.forward(t)
		g := r.layer
		var in []float64
		for d := range c.Inputs {
			for m := range c.Inducing {
				in = append(in, g.Z.Value[m*c.Inputs+d])
			}
		}
		_, covariances := covarianceOfDraws(t, g, in)
		for k, covariance := range covariances {
			oracletest.Close(t, "covariance", covariance, g.Covariance(k), 1e-4)
		}
	})
}
