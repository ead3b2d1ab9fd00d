package vec

// AddMoments adds m*a[p] to mean[p] and e*a[p]² to variance[p]. It panics if the
// lengths differ.
func AddMoments(mean, variance, a []float64, m, e float64) {
	sameLength(len(a), len(mean), len(variance))
	if active != nil && len(a) > 0 {
		active.addMoments(len(a), &mean[0], &variance[0], &a[0], m, e)
		return
	}
	for p, v := range a {
		mean[p] += m * v
		variance[p] += e * v * v
	}
}

// PullMoments is the backward pass of AddMoments for a: it sets da[p] to m*dMean[p] +
// e*a[p]*dVariance[p] and returns the sums of a[p]*dMean[p] and of a[p]²*dVariance[p], in an order
// that depends on the length only. It panics if the lengths differ.
func PullMoments(da, a, dMean, dVariance []float64, m, e float64) (first, second float64) {
	sameLength(len(a), len(da), len(dMean), len(dVariance))
	if active != nil && len(a) > 0 {
		return active.pullMoments(len(a), &da[0], &a[0], &dMean[0], &dVariance[0], m, e)
	}
	for p, v := range a {
		x, y := dMean[p], v*dVariance[p]
		first += v * x
		second += v * y
		da[p] = m*x + e*y
	}
	return first, second
}
