// Package quantile is quantiles of sorted values.
package quantile

// Of returns the quantile p, 0 to 1, of sorted values, of which there is at least
// one, by linear interpolation, which of equal neighbours is exact (type 7 of Hyndman and
// Fan, "Sample Quantiles in Statistical Packages", 1996).
func Of(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	below := int(at)
	a := sorted[below]
	if below+1 == len(sorted) {
		return a
	}
	return a + (sorted[below+1]-a)*(at-float64(below))
}
