// Package compare says which of several methods predicts better, from the run
// directories that session writes.
//
// The statistics (StandardError, PairedT, ResampledT, Wilcoxon, Holm, Ranks,
// FriedmanTest, CriticalDifference) are pure functions of numbers. Group arranges runs
// by method, data set and split; a Set then gives a Table of any Metric with the best
// method and those that are statistically tied with it, a Ranking over data sets, and
// the Direct comparison of two methods point by point. The
// functions of calibration.go turn the predictions of one run into what a
// calibration panel shows.
//
// Runs are only ever compared on the same test points: those that the other
// methods have no run for are left out, and said to be. Splits of one data set
// share rows, so they are not independent: t-tests over them are corrected
// (ResampledT), ranks are by data set unless asked for by split, and tests that are
// made together are held to the level together (Holm). What does worse than the
// baseline family is listed (Below).
package compare
