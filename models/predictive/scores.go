package predictive

// Levels are the central intervals whose coverage is scored.
var Levels = [...]float64{0.5, 0.9, 0.95}

// Scores are averages over the test points that have a target (and, but for the
// log-likelihood, over the targets), in original units but for those of standardised
// targets. What does not apply to the
// task, and everything where there are no points, is NaN.
type Scores struct {
	// N is the number of points.
	N int
	// LogLik is the mean log predictive density, of all observed targets of a point
	// together; NLL is minus that.
	LogLik, NLL float64

	// RMSE is the root mean square of the error of the predictive mean, and MAE the mean
	// absolute error of the predictive median: each of what is best for it.
	RMSE, MAE float64
	// SMSE is the mean squared error as a share of the variance of the test targets
	// (Rasmussen, Williams, "Gaussian Processes for Machine Learning", 2006, section
	// 2.5), averaged over the targets; NaN where that variance is 0.
	SMSE float64
	// CRPS is the mean continuous ranked probability score.
	CRPS float64
	// StdLogLik, StdNLL, StdRMSE and StdCRPS are these of real targets in their
	// standardised units, which do not depend on the scale of the data.
	StdLogLik, StdNLL, StdRMSE, StdCRPS float64
	// Coverage holds, for each of Levels, the share of targets inside the central
	// interval of that probability.
	Coverage [len(Levels)]float64
	// Outputs are the scores of each output by itself, [P], where there are several real
	// ones: N counts its observed targets, and densities are marginal.
	Outputs []Scores

	// ErrorRate is the share of points whose most probable class (of two equal ones
	// +1) is wrong; Accuracy is the rest. LogLoss is the mean of -log p(class).
	ErrorRate, Accuracy, LogLoss float64
	// Brier is the mean over points of the sum over classes of (probability - outcome)^2
	// (Brier, "Verification of Forecasts Expressed in Terms of Probability", 1950): from 0
	// to 2. ECE is the expected calibration error, the mean over points of the difference
	// between the confidence in the most probable class and the share of points where it
	// is right, in CalibrationBins bins of confidence.
	Brier, ECE float64
}
