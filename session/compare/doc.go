// Package compare compares methods by the results in the run directories of package session.
//
// The statistics (StandardError, PairedT, ResampledT, Wilcoxon, Holm, Ranks, FriedmanTest,
// CriticalDifference) are pure functions of numbers. Group arranges runs by method, data set and split. The
// resulting Set provides a Table for any metric, which marks the best method and the methods statistically
// tied with it. It also provides a Ranking over data sets and the Direct comparison of two methods point by
// point. The functions in calibration.go prepare the predictions of a run for the calibration panel.
//
// Runs are compared only on the same test points. Runs without a counterpart for every method are left out
// and listed. Splits of a data set share rows and are not independent, so t-tests over splits are corrected
// (ResampledT), and methods are ranked over data sets unless ranks over splits are requested. Tests that are
// reported together are Holm-corrected. Methods that are worse than the baseline family are listed (Below).
package compare
