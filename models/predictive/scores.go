package predictive

import (
	"fmt"
	"math"
)

// Levels are the central intervals whose coverage is scored.
var Levels = [...]float64{0.5, 0.9, 0.95}

// Scores are averages over the test points that have a target (and, but for the
// log-likelihood, over the targets), in original units but for those of standardised
// targets. What does not apply to the
// task, and everything where there are no points, is NaN.
type Scores struct {
	// N is the number of points.
	N int
	// LogLik is the mean log predictive density; NLL is minus that.
	LogLik, NLL float64

	// RMSE is the root mean square of the error of the predictive mean.
	RMSE float64
	// CRPS is the mean continuous ranked probability score.
	CRPS float64
	// StdLogLik, StdNLL, StdRMSE and StdCRPS are these of real targets in their
	// standardised units, which do not depend on the scale of the data.
	StdLogLik, StdNLL, StdRMSE, StdCRPS float64
	// Coverage holds, for each of Levels, the share of targets inside the central
	// interval of that probability.
	Coverage [len(Levels)]float64

	// ErrorRate is the share of points whose most probable class (of two equal ones
	// +1) is wrong; Accuracy is the rest. LogLoss is the mean of -log p(class).
	ErrorRate, Accuracy, LogLoss float64
}

// Tally adds up the scores of test points that are predicted in several
// parts. Its zero value is ready for use.
type Tally struct {
	points, targets int
	classes         bool
	logLik          float64
	squares, crps   float64
	// The same in standardised units.
	stdLogLik, stdSquares, stdCRPS float64
	inside                         [len(Levels)]int
	wrong                          int
}

// Add adds the points of a prediction; see Score.
func (t *Tally) Add(m Predictive, y, targetSD []float64) {
	check(m, y)
	n, p := m.Dims()
	density := make([]float64, n)
	m.LogDensity(density, y)
	for i, l := range density {
		if observed(y[i*p : (i+1)*p]) {
			t.points++
			t.logLik += l
			t.stdLogLik += l
		}
	}
	switch m := m.(type) {
	case Classification:
		t.addClasses(m, y)
	case Regression:
		t.addReal(m, y, targetSD)
	default:
		panic(fmt.Sprintf("predictive: no scores of a %T", m))
	}
}

// addClasses adds what only classifiers have. Of classes that are equally probable
// the last one counts.
func (t *Tally) addClasses(m Classification, y []float64) {
	t.classes = true
	classes := m.Classes()
	prob := make([]float64, len(y)*classes)
	m.Probabilities(prob)
	for n, target := range y {
		if math.IsNaN(target) {
			continue
		}
		best, row := 0, prob[n*classes:(n+1)*classes]
		for k, q := range row {
			if q >= row[best] {
				best = k
			}
		}
		if best != classOf(target, classes) {
			t.wrong++
		}
	}
}

// addReal adds what only regression has.
func (t *Tally) addReal(m Regression, y, targetSD []float64) {
	for p, sd := range targetSD {
		t.logLik -= float64(count(y, p, len(targetSD))) * math.Log(sd)
	}
	t.targets += count(y, 0, 1)
	mean, other := make([]float64, len(y)), make([]float64, len(y))
	m.Moments(mean, other)
	for k, v := range mean {
		if d := y[k] - v; !math.IsNaN(y[k]) {
			t.stdSquares += d * d
			d *= scale(targetSD, k)
			t.squares += d * d
		}
	}
	m.CRPS(other, y)
	for k, v := range other {
		if !math.IsNaN(y[k]) {
			t.stdCRPS += v
			t.crps += scale(targetSD, k) * v
		}
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

// count returns how many of every step-th target from the first on were observed.
func count(targets []float64, first, step int) (n int) {
	for k := first; k < len(targets); k += step {
		if !math.IsNaN(targets[k]) {
			n++
		}
	}
	return n
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
		RMSE: nan, CRPS: nan, StdLogLik: nan, StdNLL: nan, StdRMSE: nan, StdCRPS: nan, Coverage: [len(Levels)]float64{nan, nan, nan},
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
	s.StdLogLik = t.stdLogLik / float64(t.points)
	s.StdNLL, s.StdRMSE, s.StdCRPS = -s.StdLogLik, math.Sqrt(t.stdSquares/n), t.stdCRPS/n
	for i, c := range t.inside {
		s.Coverage[i] = float64(c) / n
	}
	return s
}
