package sampling

import (
	"math"
	"slices"
)

// Shape holds the skewness and kurtosis of draws and the p-value of a test of normality.
type Shape struct {
	Skewness float64
	Kurtosis float64 // 3 for a Gaussian
	// P is the p-value of the hypothesis that the draws are Gaussian.
	P float64
}

// leastEffective is the minimum effective sample size of a test. With fewer than 20 draws, the
// transformation does not fit the distribution of the kurtosis (D'Agostino, Belanger, D'Agostino
// 1990, section 3.2).
const leastEffective = 20

// ShapeOf returns the skewness and kurtosis of draws, [chains][n], and the p-value of the omnibus
// test K^2 of D'Agostino and Pearson. The statistic is the sum of the squared skewness and kurtosis
// scores, each transformed to a standard normal variable, and has a chi-squared distribution with
// two degrees of freedom (D'Agostino, Belanger, D'Agostino, "A Suggestion for Using Powerful and
// Informative Tests of Normality", The American Statistician 44(4), 1990).
//
// The transformations assume independent draws. Draws of a chain are dependent, which multiplies
// the variances of their skewness and kurtosis by the sums over all lags of the third and fourth
// powers of the autocorrelations (Lobato, Velasco, "A Simple Test of Normality for Time Series",
// Econometric Theory 20(4), 2004, eq. 2). ShapeOf therefore divides the number of draws by these
// sums, which are 1 for independent draws, so draws need no thinning. All chains are tested
// together, so chains that have not mixed are also rejected. For strongly dependent draws
// (autocorrelation 0.9 at lag 1, 1000 draws), a test at level 0.005 rejects a Gaussian about twice
// as often as it should.
//
// All fields are NaN if the statistics of Diagnose are undefined or the draws are constant. Only P
// is NaN if an effective number of draws is below 20.
func ShapeOf(draws [][]float64) Shape {
	nan := math.NaN()
	all := slices.Concat(draws...)
	if len(draws[0]) < 4 || !finite(all) || slices.Min(all) == slices.Max(all) {
		return Shape{nan, nan, nan}
	}
	mean, _ := moments(all)
	var second, third, fourth float64
	for _, x := range all {
		square := (x - mean) * (x - mean)
		second += square
		third += square * (x - mean)
		fourth += square * square
	}
	n := float64(len(all))
	s := Shape{
		Skewness: third / n / math.Pow(second/n, 1.5),
		Kurtosis: fourth * n / (second * second),
		P:        nan,
	}
	acov := autocovariances(draws)
	skewed := n / inflation(acov, 3)
	peaked := n / inflation(acov, 4)
	if min(skewed, peaked) >= leastEffective {
		a := skewnessScore(s.Skewness, skewed)
		b := kurtosisScore(s.Kurtosis, peaked)
		s.P = math.Exp(-(a*a + b*b) / 2)
	}
	return s
}

// inflation returns the sum over all lags of a power of the autocorrelations, at least 1. It uses
// the estimate of Lobato and Velasco, which needs no truncation: the sum of rho_t (rho_t +
// rho_(n-|t|))^(power-1).
func inflation(acov []float64, power int) float64 {
	n := len(acov)
	sum := 1.0
	for t := 1; t < n; t++ {
		rho, far := acov[t]/acov[0], acov[n-t]/acov[0]
		term := 2 * rho
		for range power - 1 {
			term *= rho + far
		}
		sum += term
	}
	return max(sum, 1)
}

// skewnessScore transforms the skewness of n independent Gaussian draws to a standard normal
// variable (D'Agostino, "Transformation to Normality of the Null Distribution of g1", Biometrika
// 57(3), 1970).
func skewnessScore(skewness, n float64) float64 {
	y := skewness * math.Sqrt((n+1)*(n+3)/(6*(n-2)))
	beta := 3 * (n*n + 27*n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
	w2 := math.Sqrt(2*(beta-1)) - 1
	return math.Asinh(y/math.Sqrt(2/(w2-1))) / math.Sqrt(0.5*math.Log(w2))
}

// kurtosisScore transforms the kurtosis of n independent Gaussian draws to a standard normal
// variable (Anscombe, Glynn, "Distribution of the Kurtosis Statistic b2 for Normal Samples",
// Biometrika 70(1), 1983).
func kurtosisScore(kurtosis, n float64) float64 {
	mean, variance := 3*(n-1)/(n+1), 24*n*(n-2)*(n-3)/((n+1)*(n+1)*(n+3)*(n+5))
	skew := 6 * (n*n - 5*n + 2) / ((n + 7) * (n + 9)) * math.Sqrt(6*(n+3)*(n+5)/(n*(n-2)*(n-3)))
	a := 6 + 8/skew*(2/skew+math.Sqrt(1+4/(skew*skew)))
	x := (kurtosis - mean) / math.Sqrt(variance)
	cube := math.Cbrt((1 - 2/a) / (1 + x*math.Sqrt(2/(a-4))))
	return (1 - 2/(9*a) - cube) / math.Sqrt(2/(9*a))
}
