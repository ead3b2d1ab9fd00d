package infer

import "math"

// Shape is the shape of a learning-rate schedule.
type Shape string

const (
	// Stairs multiplies the rate by a factor at regular intervals of steps, whatever the length of
	// the run.
	Stairs Shape = "stairs"
	// Line and Cosine decrease the rate to zero at the end of the run: linearly, or as half a
	// period of a cosine (Loshchilov, Hutter, "SGDR: Stochastic Gradient Descent with Warm
	// Restarts", 2017, eq. 5, without restarts, arXiv:1608.03983).
	Line   Shape = "linear"
	Cosine Shape = "cosine"
)

// Schedule is the learning rate over the steps of a run. An empty Fall means Stairs.
type Schedule struct {
	// Rate is the rate of the first step, or of the last step of WarmUp.
	Rate  float64
	Shape Shape
	// Decay is the factor of Stairs, at most 1. Every is the number of steps per stair; below 1 the
	// rate is constant.
	Decay float64
	Every int
	// WarmUp is the number of steps over which the rate rises linearly to Rate.
	WarmUp int
	// Length is the number of steps of the run, over which Line and Cosine fall. If it is 0, the
	// length is unknown and both are constant.
	Length int
}

// At returns the rate at step t, counted from 1.
func (s Schedule) At(t int) float64 {
	rate := s.Rate * s.remaining(t)
	if t < s.WarmUp {
		rate *= float64(t) / float64(s.WarmUp)
	}
	return rate
}

// remaining returns the remaining share of the rate at step t. For Stairs it is
// Decay^floor((t-1)/Every). For Line and Cosine it is 1 at the first step, falls to 1/Length or the
// corresponding value of the cosine at the last step, and then stays constant.
func (s Schedule) remaining(t int) float64 {
	switch {
	case s.Shape == "" || s.Shape == Stairs:
		if s.Every < 1 {
			return 1
		}
		return math.Pow(s.Decay, float64((t-1)/s.Every))
	case s.Length < 1:
		return 1
	}
	done := float64(min(t, s.Length)-1) / float64(s.Length)
	if s.Shape == Line {
		return 1 - done
	}
	return (1 + math.Cos(math.Pi*done)) / 2
}
