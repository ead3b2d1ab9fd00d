package stats

// SampleQuantile returns the quantile of sorted values at p, in [0, 1], by linear interpolation
// (type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996). The result is
// exact between equal neighbours. It panics if sorted is empty.
func SampleQuantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	below := int(at)
	a := sorted[below]
	if below+1 == len(sorted) {
		return a
	}
	return a + (sorted[below+1]-a)*(at-float64(below))
}
