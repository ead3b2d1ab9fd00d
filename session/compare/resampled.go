package compare

import (
	"cmp"
	"math"
	"slices"

	"dgplab/session/rundir"
)

// ResampledT is the corrected resampled t-test of paired differences on n splits of one
// data set, whose training parts share rows, so that the differences are not
// independent: Student's t with n-1 degrees of freedom of
//
//	mean / sqrt((1/n + ratio) s^2)
//
// with the sample variance s^2 and ratio the number of test points for each training
// point (Nadeau and Bengio, "Inference for the Generalization Error", Machine Learning 52,
// 2003, section 4.3, https://doi.org/10.1023/A:1024068626366; Bouckaert and Frank,
// "Evaluating the Replicability of Significance Tests for Comparing Learning Algorithms",
// 2004, eq. 2, https://doi.org/10.1007/978-3-540-24775-3_3). With ratio 0 it is PairedT,
// of which it has the special cases.
func ResampledT(differences []float64, ratio float64) Test {
	t := PairedT(differences)
	if n := float64(t.N); finite(t.Statistic) && t.Statistic != 0 {
		t.Statistic /= math.Sqrt(1 + n*ratio)
		t.P = studentTails(t.Statistic, n-1)
	}
	return t
}

// Holm returns the probabilities of several tests so adjusted that the chance of any
// false rejection among them is that of a single test: the least of m times m, the next
// times m-1 and so on, never below one before it and at most 1 (Holm, "A Simple
// Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
// 1979, https://www.jstor.org/stable/4615733). NaN is no test and stays.
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

// Ratio is the number of test points of a split for each of its other points, which
// are for training and validation; NaN where that is not known.
func Ratio(data *rundir.DataFacts) float64 {
	if data == nil || data.N+data.Validation == 0 || data.Test == 0 {
		return math.NaN()
	}
	return float64(data.Test) / float64(data.N+data.Validation)
}

// meanRatio returns the mean of those ratios that are known, and 0, which corrects
// nothing, where none is.
func meanRatio(ratios []float64) float64 {
	mean, _ := StandardError(slices.DeleteFunc(slices.Clone(ratios), math.IsNaN))
	if math.IsNaN(mean) {
		return 0
	}
	return mean
}
