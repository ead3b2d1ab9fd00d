package compare

import (
	"cmp"
	"math"
	"slices"

	"dgplab/session/rundir"
)

// ResampledT is the corrected resampled t-test of paired differences on n splits of one data set.
// The training sets of the splits share rows, so the differences are not independent. The statistic
//
//	mean / sqrt((1/n + ratio) s^2)
//
// has Student's t-distribution with n-1 degrees of freedom, where s^2 is the sample variance and
// ratio is the number of test points per training point (Nadeau and Bengio, "Inference for the
// Generalization Error", Machine Learning 52, 2003, section 4.3,
// https://doi.org/10.1023/A:1024068626366; Bouckaert and Frank, "Evaluating the Replicability of
// Significance Tests for Comparing Learning Algorithms", 2004, eq. 2,
// https://doi.org/10.1007/978-3-540-24775-3_3). With ratio 0 it equals PairedT. Special cases are
// handled as in PairedT.
func ResampledT(differences []float64, ratio float64) Test {
	t := PairedT(differences)
	n := float64(t.N)
	if finite(t.Statistic) && t.Statistic != 0 {
		t.Statistic /= math.Sqrt(1 + n*ratio)
		t.P = studentTails(t.Statistic, n-1)
	}
	return t
}

// Holm returns p-values adjusted to control the family-wise error rate: the smallest of m p-values
// is multiplied by m, the next by m-1, and so on. Adjusted values never decrease and are at most 1
// (Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of
// Statistics 6, 1979, https://www.jstor.org/stable/4615733). NaN values are kept and not counted as
// tests.
func Holm(p []float64) []float64 {
	out := slices.Clone(p)
	var tests []int
	for i, v := range p {
		if !math.IsNaN(v) {
			tests = append(tests, i)
		}
	}
	slices.SortStableFunc(tests, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 0.0
	for k, i := range tests {
		least = math.Max(least, math.Min(1, float64(len(tests)-k)*p[i]))
		out[i] = least
	}
	return out
}

// Ratio returns the number of test points per training or validation point, or NaN if it is unknown.
func Ratio(data rundir.DataFacts) float64 {
	if data.N+data.Validation == 0 || data.Test == 0 {
		return math.NaN()
	}
	return float64(data.Test) / float64(data.N+data.Validation)
}

// meanRatio returns the mean of the known ratios. It returns 0, which means no correction, if none
// is known.
func meanRatio(ratios []float64) float64 {
	mean, _ := StandardError(slices.DeleteFunc(slices.Clone(ratios), math.IsNaN))
	if math.IsNaN(mean) {
		return 0
	}
	return mean
}
