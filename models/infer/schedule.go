package infer

import "math"

// Fall is how a learning rate falls over the steps of a run.
type Fall string

const (
	// Stairs multiply it by a factor once every so many steps, however long the run is.
	Stairs Fall = "stairs"
	// Line and Cosine lead it down to nothing at the end of the run: evenly, or as half a
	// period of a cosine (Loshchilov, Hutter, "SGDR: Stochastic Gradient Descent with Warm
	// Restarts", 2017, eq. 5, without restarts, arXiv:1608.03983).
	Line   Fall = "linear"
	Cosine Fall = "cosine"
)

// Schedule is the learning rate over the steps of a run. Without a Fall it has Stairs.
type Schedule struct {
	// Rate is that of the first step, or of the last step of WarmUp.
	Rate float64
	Fall Fall
	// Decay is the factor of Stairs, at most 1, and Every the steps of one; below 1 there
	// are none.
	Decay float64
	Every int
	// WarmUp is the number of steps over which the rate rises to Rate, evenly.
	WarmUp int
	// Length is the number of steps of the run, over which Line and Cosine fall; 0 if it is
	// not known: then they do not.
	Length int
}

// At returns the rate of step t, counted from 1.
func (s Schedule) At(t int) float64 {
	rate := s.Rate * s.left(t)
	if t < s.WarmUp {
		rate *= float64(t) / float64(s.WarmUp)
	}
	return rate
}

// left returns the share of the rate that is left at step t: of Stairs
// Decay^floor((t-1)/Every); else 1 at the first step and 1/Length, or what a cosine has
// there, at the last one, after which it stays.
func (s Schedule) left(t int) float64 {
	switch {
	case s.Fall == "" || s.Fall == Stairs:
		if s.Every < 1 {
			return 1
		}
		return math.Pow(s.Decay, float64((t-1)/s.Every))
	case s.Length < 1:
		return 1
	}
	done := float64(min(t, s.Length)-1) / float64(s.Length)
	if s.Fall == Line {
		return 1 - done
	}
	return (1 + math.Cos(math.Pi*done)) / 2
}
