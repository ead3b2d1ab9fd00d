package likelihood

import (
	"math"

	"dgplab/datasets/task"
	"dgplab/models/predictive"
)

var logit = Declaration{
	Name: "logit", Formula: "1/(1 + exp(-y f)), y = -1 or 1",
	Use:   "two classes, with heavier tails than probit",
	Tasks: []task.Task{task.Binary},
	New:   func(Setup) Likelihood { return Logit{scalar{logitDensity{}}} },
}

// Logit is the Bernoulli distribution with p(y | f) = 1/(1 + exp(-y f)) for y in {-1, +1}.
type Logit struct{ scalar }

// logitDensity is the density of Logit.
type logitDensity struct {
	parameterless
	constantless
}

// LogDensity implements density.
func (logitDensity) LogDensity(
	_ []float64, y, f float64, _ []float64, _ *constants,
) (value, first, second float64) {
	z := y * f
	tail := math.Exp(-math.Abs(z))
	other := tail / (1 + tail) // the smaller probability
	if z < 0 {
		return z - math.Log1p(tail), y * (1 - other), -other * (1 - other)
	}
	return -math.Log1p(tail), y * other, -other * (1 - other)
}

// Peak implements density. The density is a step around 0.
func (logitDensity) Peak(float64, []float64) float64 { return 0 }

// Observe implements Likelihood.
func (l Logit) Observe(latent *predictive.Gaussians, _ []float64) predictive.Predictive {
	return predictive.NewClasses(latent, l)
}

// LogProbabilities implements predictive.Link.
func (l Logit) LogProbabilities(dst, mean, vr []float64) {
	dst[0] = logDensityOf(l, -1, mean, vr, nil)
	dst[1] = logDensityOf(l, 1, mean, vr, nil)
	for k, other := range [2]float64{dst[1], dst[0]} {
		if other < -1 { // the larger probability follows from the smaller one
			dst[k] = math.Log1p(-math.Exp(other))
		}
	}
}
