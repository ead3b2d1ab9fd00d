package predictive

// Levels are the probabilities of the central intervals that coverage is scored for.
var Levels = [...]float64{0.5, 0.9, 0.95}

// Scores holds averages over the test points that have a target. All except the log-likelihood are
// also averaged over the targets. Scores are in original units unless their name starts with Std.
// Scores that do not apply to the task are NaN, and all are NaN if there are no points.
type Scores struct {
	// N is the number of points.
	N int
	// LogLik is the mean over points of the joint log predictive density of the observed targets.
	// NLL is its negative.
	LogLik, NLL float64

	// RMSE is the root mean squared error of the predictive mean. MAE is the mean absolute error of
	// the predictive median. Each uses the point prediction that minimises it.
	RMSE, MAE float64
	// SMSE is the mean squared error divided by the variance of the test targets (Rasmussen,
	// Williams, "Gaussian Processes for Machine Learning", 2006, section 2.5), averaged over the
	// targets. It is NaN if that variance is 0.
	SMSE float64
	// CRPS is the mean continuous ranked probability score.
	CRPS float64
	// StdLogLik, StdNLL, StdRMSE and StdCRPS are the corresponding scores of real targets in
	// standardised units, which do not depend on the scale of the data.
	StdLogLik, StdNLL, StdRMSE, StdCRPS float64
	// Coverage holds, for each of Levels, the share of targets inside the central interval of that
	// probability.
	Coverage [len(Levels)]float64
	// Outputs holds the scores of each output, [P], if there are several real outputs. There N
	// counts the observed targets of the output, and densities are marginal.
	Outputs []Scores

	// ErrorRate is the share of points whose most probable class is wrong; if several classes are
	// equally probable, the last one counts. Accuracy is 1 - ErrorRate. LogLoss is the mean of -log
	// p(class).
	ErrorRate, Accuracy, LogLoss float64
	// Brier is the mean over points of the sum over classes of (probability - outcome)^2 (Brier,
	// "Verification of Forecasts Expressed in Terms of Probability", 1950), from 0 to 2. ECE is the
	// expected calibration error, the mean over points of the difference between the confidence in
	// the most probable class and the share of points for which it is right, in CalibrationBins
	// bins of confidence.
	Brier, ECE float64
}
