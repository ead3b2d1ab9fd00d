package layer

import (
	"math"

	"dgplab/models/autodiff"
)

// recordKL records the KL of T whitened Gaussians over n inducing outputs from the standard normal,
// [1][T][1]:
//
//	1/2 (|mean|² + |C|² - n) - log det C
//
// The means are [1][T][n] and the covariances C C^T, with C diagonal, [1][T][n], or lower
// triangular with a positive diagonal, [T][n][n].
func recordKL(t *autodiff.Tape, mean, c *autodiff.Node) *autodiff.Node {
	outputs, n := mean.Rows, mean.Cols
	size := c.Len() / outputs
	step := 1 // between diagonal entries
	if size > n {
		step = n + 1
	}
	out := t.Output(1, outputs, 1, mean, c)
	return t.Record(out, func() error {
		for k := range outputs {
			factor := c.Value[k*size : (k+1)*size]
			var logs float64
			for i := 0; i < size; i += step {
				logs += math.Log(factor[i])
			}
			out.Value[k] = 0.5*(sumSquares(mean.Row(k))+sumSquares(factor)-float64(n)) - logs
		}
		return nil
	}, func() {
		dMean := mean.Grad()
		dC := c.Grad()
		for k, g := range out.Grad() {
			addScaled(dMean[k*n:(k+1)*n], mean.Row(k), g)
			factor, d := c.Value[k*size:(k+1)*size], dC[k*size:(k+1)*size]
			addScaled(d, factor, g)
			for i := 0; i < size; i += step {
				d[i] -= g / factor[i]
			}
		}
	})
}

func sumSquares(v []float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// addScaled adds c src to dst.
func addScaled(dst, src []float64, c float64) {
	for i, v := range src {
		dst[i] += c * v
	}
}
