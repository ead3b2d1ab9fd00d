package sampling

import (
	"errors"
	"math"
)

// mostShrinks limits the number of proposals of an elliptical slice. Each rejected proposal shrinks
// the bracket to about half its length on average, so only a discontinuous log-likelihood exceeds
// the limit.
const mostShrinks = 200

// errNoSlice is returned if no proposal of an elliptical slice is accepted.
var errNoSlice = errors.New("elliptical slice sampling found no point on the slice: " +
	"the log-likelihood is not continuous")

// EllipticalSlice is elliptical slice sampling of a vector f with a Gaussian prior N(mean, C):
// Murray, Adams, MacKay, "Elliptical slice sampling", AISTATS 2010, figure 2. It proposes points on
// an ellipse through f and a draw from the prior, until one is accepted; it has no step size. With
// a mean other than zero, the ellipse is centred at the mean.
type EllipticalSlice struct {
	// LogLik returns the log-likelihood at f. It may be -Inf, but not at the starting point.
	LogLik func(f []float64) (float64, error)
	// Uniform returns uniform draws from [0, 1).
	Uniform func() float64
	// Proposed, unless nil, is called with the angle and the log-likelihood of each proposal.
	Proposed func(angle, logLik float64)
}

// Step replaces f by the next state and returns its log-likelihood and the number of proposals.
// logLik is the log-likelihood of f, mean is the prior mean (nil means 0) and draw is a draw from
// N(0, C). All vectors have the length of scratch, which is overwritten. If Step fails, f is
// unchanged.
func (e *EllipticalSlice) Step(f, mean, draw, scratch []float64, logLik float64) (float64, int, error) {
	threshold := logLik + math.Log(e.Uniform())
	angle := 2 * math.Pi * e.Uniform()
	low := angle - 2*math.Pi
	high := angle
	for n := 1; n <= mostShrinks; n++ {
		cos := math.Cos(angle)
		sin := math.Sin(angle)
		for i, v := range f {
			var m float64
			if mean != nil {
				m = mean[i]
			}
			scratch[i] = m + (v-m)*cos + draw[i]*sin
		}
		value, err := e.LogLik(scratch)
		if err != nil {
			return logLik, n, err
		}
		if e.Proposed != nil {
			e.Proposed(angle, value)
		}
		if value > threshold {
			copy(f, scratch)
			return value, n, nil
		}
		if angle < 0 {
			low = angle
		} else {
			high = angle
		}
		angle = low + e.Uniform()*(high-low)
	}
	return logLik, mostShrinks, errNoSlice
}
