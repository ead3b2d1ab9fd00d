// Package compare says which of several methods predicts better, from the run
// directories that session writes.
//
// The statistics (StandardError, PairedT, Wilcoxon, Ranks, FriedmanTest,
// CriticalDifference) are pure functions of numbers. Group arranges runs by
// method, data set and split; a Set then gives a Table of any Metric with the best
// method and those that are statistically tied with it, a Ranking over data sets
// and splits, and the Direct comparison of two methods point by point. The
// functions of calibration.go turn the predictions of one run into what a
// calibration panel shows.
//
// Runs are only ever compared on the same test points: those that the other
// methods have no run for are left out, and said to be. Splits of one data set
// share rows, so they are not independent, and tests over them are optimistic
// (Nadeau and Bengio, "Inference for the Generalization Error", 2003,
// https://doi.org/10.1023/A:1024068626366); nothing is corrected for the number of
// comparisons, but by the critical difference.
package compare
