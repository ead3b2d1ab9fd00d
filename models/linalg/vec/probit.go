package vec

import "dgplab/models/stats"

// Normal sets cdf[i] to Phi(z[i]), the normal distribution function, and pdf[i] to its derivative, the
// normal density. Relative errors are below 1e-14 (2e-13 for plain Go), even in the lower tail, or
// absolute errors below 2e-306. cdf or pdf may be z. It panics if the lengths differ.
func Normal(cdf, pdf, z []float64) {
	sameLength(len(cdf), len(pdf), len(z))
	if active != nil && len(z) > 0 {
		active.normal(len(z), &cdf[0], &pdf[0], &z[0])
		return
	}
	for i, x := range z {
		cdf[i] = stats.CDF(x)
		pdf[i] = stats.PDF(x)
	}
}

// ProbitSums sums log Phi, the logarithm of the normal distribution function, over the points x [K]
// and -x, with weights w for both: it sets value[i] to the sum of w[k]*log Phi(mean[i] ±
// scale[i]*x[k]), and first[i] and second[i] to its derivatives with respect to mean[i] and
// scale[i]. Each log Phi and each of its derivatives has a relative error below 1e-14 (2e-13 for
// plain Go), even in the far tails, or an absolute error below 2e-306. Sums follow the order of the
// points. It panics if the rows, or x and w, differ in length.
func ProbitSums(value, first, second, mean, scale, x, w []float64) {
	sameLength(len(value), len(first), len(second), len(mean), len(scale))
	sameLength(len(x), len(w))
	if active != nil && len(value) > 0 && len(x) > 0 {
		active.probitSums(len(value), len(x), &value[0], &first[0], &second[0],
			&mean[0], &scale[0], &x[0], &w[0])
		return
	}
	for i, m := range mean {
		s := scale[i]
		var sums [3]float64
		for k, node := range x {
			up, upSlope := stats.LogCDFGrad(m + s*node)
			down, downSlope := stats.LogCDFGrad(m - s*node)
			sums[0] += w[k] * (up + down)
			sums[1] += w[k] * (upSlope + downSlope)
			sums[2] += w[k] * node * (upSlope - downSlope)
		}
		value[i], first[i], second[i] = sums[0], sums[1], sums[2]
	}
}
