package curves

import (
	"math"
)

// average is the state of an exponential moving average with bias correction (as in Kingma and Ba,
// "Adam", 2015, section 3, arXiv:1412.6980): the mean of the values so far with weights
// strength^age. Values that are not finite are ignored.
type average struct {
	strength, mean float64
	// weight is the sum of all weights so far. rate is its inverse, the share of the next value in the mean.
	// Both are constant once settled is true.
	weight, rate float64
	settled      bool
}

func newAverage(strength float64) average {
	s := clampStrength(strength)
	return average{strength: s, settled: s == 0, rate: 1}
}

// next adds a value and returns the mean, or NaN for a value that is not finite.
func (a *average) next(v float64) float64 {
	if v-v != 0 {
		return math.NaN()
	}
	if !a.settled {
		weight := a.strength*a.weight + 1
		a.settled = weight == a.weight
		a.weight, a.rate = weight, 1/weight
	}
	if d := v - a.mean; d-d == 0 && a.rate < 1 {
		a.mean += a.rate * d
	} else {
		a.slowly(v)
	}
	return a.mean
}

// slowly handles the first value, which is the mean itself, and values whose difference overflows.
func (a *average) slowly(v float64) {
	if a.rate == 1 {
		a.mean = v
		return
	}
	half := a.rate * (v/2 - a.mean/2)
	a.mean += half
	a.mean += half
}

func clampStrength(s float64) float64 {
	if math.IsNaN(s) || s < 0 {
		return 0
	}
	return math.Min(s, 0.9999)
}
