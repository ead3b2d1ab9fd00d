package predictive

import "math"

// Levels are the central intervals whose coverage is scored.
var Levels = [...]float64{0.5, 0.9, 0.95}

// Scores are averages over test points (and, but for the log-likelihood, over
// outputs), in original units. What does not apply to the task, and everything
// where there are no points, is NaN.
type Scores struct {
	// N is the number of points.
	N int
	// LogLik is the mean log predictive density; NLL is minus that.
	LogLik, NLL float64

	// RMSE is the root mean square of the error of the mixture's mean.
	RMSE float64
	// CRPS is the mean continuous ranked probability score.
	CRPS float64
	// Coverage holds, for each of Levels, the share of targets inside the central
	// interval of that probability.
	Coverage [len(Levels)]float64

	// ErrorRate is the share of points whose more probable class (+1 when equal)
	// is wrong; Accuracy is the rest. LogLoss is the mean of -log p(class).
	ErrorRate, Accuracy, LogLoss float64
}

// Score returns the scores of the targets y [N][P], which are in standardised
// units like the mixture (-1 and +1 for classes). targetSD [P] takes the scores
// to original units; nil stands for ones, and it has no effect on classes.
func (m *Mixture) Score(y, targetSD []float64) Scores {
	var t Tally
	t.Add(m, y, targetSD)
	return t.Scores()
}

// Tally adds up the scores of test points that are predicted in several
// mixtures. Its zero value is ready for use.
type Tally struct {
	points, targets int
	classes         bool
	logLik          float64
	squares, crps   float64
	inside          [len(Levels)]int
	wrong           int
}

// Add adds the points of a mixture; see Mixture.Score.
func (t *Tally) Add(m *Mixture, y, targetSD []float64) {
	t.points += m.N
	t.targets += m.check("targets", len(y))
	density := make([]float64, m.N)
	m.LogDensity(density, y)
	for _, l := range density {
		t.logLik += l
	}
	if m.ProbPlus != nil {
		t.addClasses(m, y)
		return
	}
	for _, sd := range targetSD {
		t.logLik -= float64(m.N) * math.Log(sd)
	}
	t.addReal(m, y, targetSD)
}

// addClasses adds what only classifiers have.
func (t *Tally) addClasses(m *Mixture, y []float64) {
	t.classes = true
	for n, q := range m.ProbPlus {
		if (q >= 0.5) != (y[n] > 0) {
			t.wrong++
		}
	}
}

// addReal adds what only regression has.
func (t *Tally) addReal(m *Mixture, y, targetSD []float64) {
	mean, other := make([]float64, len(y)), make([]float64, len(y))
	m.Moments(mean, other)
	for k, v := range mean {
		d := scale(targetSD, k) * (y[k] - v)
		t.squares += d * d
	}
	m.CRPS(other, y)
	for k, v := range other {
		t.crps += scale(targetSD, k) * v
	}
	m.PIT(other, y)
	for _, u := range other {
		for i, level := range Levels {
			if edge := (1 - level) / 2; u >= edge && u <= 1-edge {
				t.inside[i]++
			}
		}
	}
}

// scale returns the standard deviation of the output of entry k of [N][P].
func scale(targetSD []float64, k int) float64 {
	if targetSD == nil {
		return 1
	}
	return targetSD[k%len(targetSD)]
}

// Scores returns the averages.
func (t *Tally) Scores() Scores {
	nan := math.NaN()
	s := Scores{N: t.points, LogLik: t.logLik / float64(t.points),
		RMSE: nan, CRPS: nan, Coverage: [len(Levels)]float64{nan, nan, nan},
		ErrorRate: nan, Accuracy: nan, LogLoss: nan}
	s.NLL = -s.LogLik
	if t.classes {
		s.ErrorRate = float64(t.wrong) / float64(t.points)
		s.Accuracy = 1 - s.ErrorRate
		s.LogLoss = s.NLL
		return s
	}
	n := float64(t.targets)
	s.RMSE, s.CRPS = math.Sqrt(t.squares/n), t.crps/n
	for i, c := range t.inside {
		s.Coverage[i] = float64(c) / n
	}
	return s
}
