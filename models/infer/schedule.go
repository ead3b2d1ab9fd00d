package infer

import "math"

// Shape is the shape of a learning-rate schedule.
type Shape string

const (
	// StableDecay has a stable phase, whose steps do not depend on the length of the run: the rate is
	// constant for constantSteps steps, and then falls with the root of the step (Zhai et al., "Scaling
	// Vision Transformers", 2022, arXiv:2106.04560). In the decay, over the last steps of the run, it falls
	// to nearly zero, as one minus a square root (Haegele et al., "Scaling Laws and Compute-Optimal Training
	// Beyond Fixed Training Durations", 2024, arXiv:2405.18392).
	StableDecay Shape = "stable-decay"
	// Stairs multiplies the rate by a factor at regular intervals of steps, whatever the length of
	// the run.
	Stairs Shape = "stairs"
	// Line and Cosine decrease the rate to zero at the end of the run: linearly, or as half a
	// period of a cosine (Loshchilov, Hutter, "SGDR: Stochastic Gradient Descent with Warm
	// Restarts", 2017, eq. 5, without restarts, arXiv:1608.03983).
	Line   Shape = "linear"
	Cosine Shape = "cosine"
)

// constantSteps is the number of steps over which the rate of StableDecay is constant.
const constantSteps = 1000

// Schedule is the learning rate over the steps of a run. An empty Shape means Stairs.
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
	// Length is the number of steps of the run, at the end of which the rate of all shapes but Stairs is
	// nearly zero. If it is 0, the length is unknown, Line and Cosine are constant and StableDecay stays
	// stable.
	Length int
	// DecayShare is the share of Length over which StableDecay falls, below 1.
	DecayShare float64
}

// At returns the rate at step t, counted from 1.
func (s Schedule) At(t int) float64 {
	rate := s.Rate * s.remaining(t)
	if t < s.WarmUp {
		rate *= float64(t) / float64(s.WarmUp)
	}
	return rate
}

// Names of the phases of StableDecay.
const (
	StablePhase = "stable"
	DecayPhase  = "decay"
)

// Decays reports whether the run has a stable phase and a decay. Only StableDecay has them, and only if the
// length is known.
func (s Schedule) Decays() bool {
	return s.Shape == StableDecay && s.Length > 0 && s.DecayStart() < s.Length
}

// Phase returns the phase to which step t belongs, or "" unless the schedule Decays.
func (s Schedule) Phase(t int) string {
	switch {
	case !s.Decays():
		return ""
	case t <= s.DecayStart():
		return StablePhase
	}
	return DecayPhase
}

// DecayStart returns the last step of StableDecay before the rate falls, or Length if it never does.
func (s Schedule) DecayStart() int { return s.Length - int(s.DecayShare*float64(s.Length)) }

// LengthWithDecayAfter returns the length of the longest run of StableDecay whose rate falls after step t.
func (s Schedule) LengthWithDecayAfter(t int) int {
	s.Length = int(float64(t)/(1-s.DecayShare)) + 2
	for s.DecayStart() > t {
		s.Length--
	}
	return s.Length
}

// decayed returns the share of the decay of StableDecay that is done at step t.
func (s Schedule) decayed(t int) float64 {
	if s.Length < 1 {
		return 0
	}
	start := s.DecayStart()
	return float64(max(min(t, s.Length)-start, 0)) / float64(s.Length-start+1)
}

// remaining returns the remaining share of the rate at step t. For StableDecay it is 1, from constantSteps
// on the root of constantSteps/t, times one minus the root of the share of the decay that is done. For
// Stairs it is Decay^floor((t-1)/Every). For Line and Cosine it is 1 at the first step, falls to 1/Length or
// the corresponding value of the cosine at the last step, and then stays constant.
func (s Schedule) remaining(t int) float64 {
	switch {
	case s.Shape == "" || s.Shape == Stairs:
		if s.Every < 1 {
			return 1
		}
		return math.Pow(s.Decay, float64((t-1)/s.Every))
	case s.Shape == StableDecay:
		stable := math.Sqrt(constantSteps / float64(max(t, constantSteps)))
		return stable * (1 - math.Sqrt(s.decayed(t)))
	case s.Length < 1:
		return 1
	}
	done := float64(min(t, s.Length)-1) / float64(s.Length)
	if s.Shape == Line {
		return 1 - done
	}
	return (1 + math.Cos(math.Pi*done)) / 2
}
