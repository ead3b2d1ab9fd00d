package predictive

// Levels are the probabilities of the central intervals whose coverage is scored.
var Levels = [...]float64{0.5, 0.9, 0.95}

// Scores holds averages over the test points with observed targets. All scores except the
// log-likelihood are also averaged over the targets. Scores are in original units unless their name
// starts with Std. Scores that do not apply to the task are NaN. All scores are NaN if there are no
// points.
type Scores struct {
	// N is the number of points.
	N int
	// LogLik is the mean over points of the joint log predictive density of the observed targets.
	// NLL is its negative.
	LogLik, NLL float64

	// RMSE is the root mean squared error of the predictive mean. MAE is the mean absolute error of
	// the predictive median. Each score uses the point prediction that minimises its expectation.
	RMSE, MAE float64
	// SMSE is the mean squared error divided by the variance of the test targets (Rasmussen,
	// Williams, "Gaussian Processes for Machine Learning", 2006, section 2.5), averaged over the
	// targets. It is NaN if the variance is 0.
	SMSE float64
	// CRPS is the mean continuous ranked probability score.
	CRPS float64
	// StdLogLik, StdNLL, StdRMSE and StdCRPS are the corresponding scores of real targets in
	// standardised units, which do not depend on the scale of the data.
	StdLogLik, StdNLL, StdRMSE, StdCRPS float64
	// Coverage holds, for each of Levels, the share of targets inside the central interval of that
	// probability.
	Coverage [len(Levels)]float64
	// Outputs holds the scores of each output, [P], if there are several real outputs. In these
	// scores, N counts the observed targets of the output, and densities are marginal.
	Outputs []Scores

	// ErrorRate is the share of points whose most probable class is wrong. If several classes are
	// equally probable, the last one counts. Accuracy is 1 - ErrorRate. LogLoss is the mean of -log
	// p(class).
	ErrorRate, Accuracy, LogLoss float64
	// Brier is the mean over points of the sum over classes of (probability - outcome)^2 (Brier,
	// "Verification of Forecasts Expressed in Terms of Probability", 1950), from 0 to 2. ECE is the
	// expected calibration error: the mean absolute difference between confidence and accuracy over
	// CalibrationBins bins of confidence, weighted by the number of points. Confidence is the
	// probability of the most probable class.
	Brier, ECE float64
}
