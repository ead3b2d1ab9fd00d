package likelihood

import (
	"math"

	"dgplab/models/predictive"
)

// Classes is the distribution of one of K classes given K latent functions. It is a Likelihood of
// class numbers y, 0 to K-1, with means, variances and derivatives [n][K]. It has no parameters.
type Classes interface {
	Likelihood
	predictive.Link
}

var (
	_ Classes = Argmax{}
	_ Classes = RobustMax{}
	_ Classes = Softmax{}
)

// latents is the number K of classes and of latent functions.
type latents int

// Parameters implements Likelihood.
func (latents) Parameters() []Parameter { return nil }

// Latents implements Likelihood.
func (k latents) Latents() int { return int(k) }

// row returns row i of v [n][K].
func (k latents) row(v []float64, i int) []float64 { return v[i*int(k) : (i+1)*int(k)] }

// rows computes the terms of all rows with targets. It clears the derivatives of each row and calls
// `of`, which returns the term and adds its derivatives.
func (k latents) rows(
	terms, dMean, dVar, dParams, y []float64, of func(i, class int, dMean, dVar []float64) float64,
) {
	clear(dParams)
	for i := range terms {
		m := k.row(dMean, i)
		v := k.row(dVar, i)
		clear(m)
		clear(v)
		terms[i] = 0
		if !math.IsNaN(y[i]) {
			terms[i] = of(i, int(y[i]), m, v)
		}
	}
}

// winning computes the terms of all rows by calling `of`. The arguments of `of` are the logarithm
// of the probability that the class of the row wins, and the derivatives of this logarithm. A class
// wins if its latent function plus noise of the given variance is the largest.
func (k latents) winning(
	noise float64,
	terms, dMean, dVar, dParams, y, mean, vr []float64,
	of func(log float64, dMean, dVar []float64) float64,
) {
	c := newContest(int(k))
	defer contests.Put(c)
	k.rows(terms, dMean, dVar, dParams, y, func(i, class int, m, v []float64) float64 {
		c.set(class, k.row(mean, i), k.row(vr, i), noise)
		return of(c.value(m, v), m, v)
	})
}

// logWinning sets dst to the logarithm of the probability that each class wins.
func (k latents) logWinning(noise float64, dst, mean, vr []float64) {
	c := newContest(int(k))
	defer contests.Put(c)
	unused := make([]float64, 2*int(k))
	for class := range dst {
		clear(unused)
		c.set(class, mean, vr, noise)
		dst[class] = c.value(k.row(unused, 0), k.row(unused, 1))
	}
}

// scaleBy multiplies both slices by factor.
func scaleBy(factor float64, dMean, dVar []float64) {
	for k := range dMean {
		dMean[k] *= factor
		dVar[k] *= factor
	}
}
