package infer

import (
	"context"
	"fmt"
	"math"

	"dgplab/models/param"
)

// GaussianProblem is a Problem that depends on Gaussians in addition to its Parameters.
type GaussianProblem interface {
	Problem
	// Gaussians returns the dimension n of each Gaussian.
	Gaussians() []int
	// ReadGaussians sets m [n] and the lower Cholesky factors l [n][n] to their current values, one
	// Gaussian after another, and gradM and gradL to the gradients of the last Evaluate.
	ReadGaussians(m, l, gradM, gradL []float64)
	// WriteGaussians sets the Gaussians. halvings is the number of times that the step was halved.
	WriteGaussians(m, l []float64, halvings int)
}

// NaturalAndAdam moves the Gaussians of a GaussianProblem by natural gradients and all of its
// Parameters by Adam.
type NaturalAndAdam struct {
	Adam *Adam
	// Gamma is the step size of the natural gradients, before the decay of a StableDecay schedule.
	Gamma float64

	stepper      *NaturalGradient
	m, l         []float64 // [n] and [n][n] of each Gaussian
	gradM, gradL []float64
}

// NewNaturalAndAdam returns a method for Gaussians with the given dimensions that uses adam for the
// parameters.
func NewNaturalAndAdam(dims []int, gamma float64, adam *Adam) *NaturalAndAdam {
	stepper := NewNaturalGradient(dims)
	means := len(stepper.newM)
	factors := len(stepper.newL)
	return &NaturalAndAdam{
		Adam: adam, Gamma: gamma, stepper: stepper,
		m: make([]float64, means), gradM: make([]float64, means),
		l: make([]float64, factors), gradL: make([]float64, factors),
	}
}

// Gauges implements Method.
func (s *NaturalAndAdam) Gauges() []Reading { return s.Adam.Gauges() }

// RateSchedule implements Scheduled.
func (s *NaturalAndAdam) RateSchedule() *Schedule { return s.Adam.RateSchedule() }

// State implements Method.
func (s *NaturalAndAdam) State() []param.Array { return s.Adam.State() }

// Step implements Method. It panics unless p is a GaussianProblem.
func (s *NaturalAndAdam) Step(_ context.Context, p Problem, step uint64) (Move, error) {
	g := p.(GaussianProblem)
	s.Adam.prepare()
	p.Draw(step)
	value, err := evaluateLast(p, s.Adam.free, step)
	if err != nil {
		return Move{}, err
	}
	g.ReadGaussians(s.m, s.l, s.gradM, s.gradL)
	t := int(step) + 1
	gamma := s.Gamma
	if s.Adam.Schedule.Shape == StableDecay {
		gamma *= 1 - math.Sqrt(s.Adam.Schedule.decayed(t))
	}
	report, err := s.stepper.Maximise(s.m, s.l, s.gradM, s.gradL, gamma)
	if err != nil {
		return Move{}, fmt.Errorf("step %d: %w; lower natgrad_step", step, err)
	}
	g.WriteGaussians(s.m, s.l, report.Halvings)
	return s.Adam.follow(p, value, t), nil
}
