package vec

// ProductMoments returns the sums of the means and variances of products of independent variables: the sum
// of mean[i]*a[i] and the sum of mean[i]²*aVariance[i] + variance[i]*aSquare[i], where aSquare[i] is
// a[i]² + aVariance[i]. Their order depends on the length only. It panics if the lengths differ.
func ProductMoments(mean, variance, a, aVariance, aSquare []float64) (sum, sumOfVariances float64) {
	sameLength(len(mean), len(variance), len(a), len(aVariance), len(aSquare))
	if active != nil && len(mean) > 0 {
		return active.productMoments(len(mean), &mean[0], &variance[0], &a[0], &aVariance[0], &aSquare[0])
	}
	for i, m := range mean {
		sum += m * a[i]
		sumOfVariances += m*m*aVariance[i] + variance[i]*aSquare[i]
	}
	return sum, sumOfVariances
}

// UpdateMoments is the backward pass of ProductMoments, followed by a step of assumed density filtering. g
// and h are the derivatives of the logarithm of a normaliser Z with respect to the two sums. UpdateMoments
// adds the derivatives with respect to a[i] and aVariance[i] to da[i] and daVariance[i]. With g_i and h_i
// the derivatives with respect to mean[i] and variance[i], it then adds variance[i]*g_i to mean[i] and
// subtracts variance[i]²*(g_i²-2*h_i) from variance[i], unless the new variance would not be positive. It
// returns the number of variables left unchanged, and panics if the lengths differ.
func UpdateMoments(
	mean, variance, a, aVariance, aSquare, da, daVariance []float64, g, h float64,
) (stayed int) {
	sameLength(len(mean), len(variance), len(a), len(aVariance), len(aSquare), len(da), len(daVariance))
	if active != nil && len(mean) > 0 {
		return len(mean) - int(active.updateMoments(len(mean), &mean[0], &variance[0], &a[0], &aVariance[0],
			&aSquare[0], &da[0], &daVariance[0], g, h))
	}
	for i, m := range mean {
		v := variance[i]
		da[i] += g*m + 2*h*v*a[i]
		daVariance[i] += h * (m*m + v)
		first := g*a[i] + 2*h*m*aVariance[i]
		second := h * aSquare[i]
		next := v - v*v*(first*first-2*second)
		if !(next > 0) {
			stayed++
			continue
		}
		mean[i] = m + v*first
		variance[i] = next
	}
	return stayed
}
