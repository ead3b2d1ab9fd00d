package likelihood

import (
	"math"

	"dgplab/datasets/task"
	"dgplab/models/predictive"
)

var robustMax = Declaration{
	Name: "robustmax", Formula: "1 - epsilon if f_y is the largest, else epsilon/(K-1)",
	Use:   "more than two classes with wrong labels",
	Tasks: []task.Task{task.Multiclass},
	New:   func(s Setup) Likelihood { return RobustMax{latents(s.Classes), s.Epsilon} },
}

// RobustMax selects the class with the largest latent function with probability 1 - Epsilon, and
// each other class with probability Epsilon/(K-1) (Hernández-Lobato, Hernández-Lobato, Dupont,
// "Robust Multi-Class Gaussian Process Classification", NIPS 2011, eq. 3). The loss of a label that
// contradicts the latent functions is at most -log(Epsilon/(K-1)), so the influence of wrong labels
// is bounded.
type RobustMax struct {
	latents
	Epsilon float64
}

// VariationalExpectations implements Likelihood. With P the probability that the class y has the
// largest latent function (see contest),
//
//	E log p = P log(1-eps) + (1-P) log(eps/(K-1))
func (l RobustMax) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, _ []float64) {
	right := math.Log1p(-l.Epsilon)
	wrong := math.Log(l.Epsilon / float64(l.latents-1))
	l.winning(0, terms, dMean, dVar, dParams, y, mean, vr, func(log float64, dMean, dVar []float64) float64 {
		p := math.Exp(log)
		scaleBy(p*(right-wrong), dMean, dVar)
		return p*right + (1-p)*wrong
	})
}

// LogExpectation implements Likelihood: log(P (1-eps) + (1-P) eps/(K-1)).
func (l RobustMax) LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, _ []float64) {
	l.winning(0, terms, dMean, dVar, dParams, y, mean, vr, func(log float64, dMean, dVar []float64) float64 {
		p, slope := l.probability(log)
		scaleBy(slope*math.Exp(log)/p, dMean, dVar)
		return math.Log(p)
	})
}

// probability returns the probability of a class, given log, the logarithm of the probability that
// its latent function is the largest. slope is the derivative with respect to the latter
// probability.
func (l RobustMax) probability(log float64) (p, slope float64) {
	wrong := l.Epsilon / float64(l.latents-1)
	slope = 1 - l.Epsilon - wrong
	return wrong + slope*math.Exp(log), slope
}

// LogProbabilities implements Classes.
func (l RobustMax) LogProbabilities(dst, mean, vr []float64) {
	l.logWinning(0, dst, mean, vr)
	for k, log := range dst {
		p, _ := l.probability(log)
		dst[k] = math.Log(p)
	}
}

// Observe implements Likelihood.
func (l RobustMax) Observe(latent *predictive.Gaussians, _ []float64) predictive.Predictive {
	return predictive.NewClasses(latent, l)
}
