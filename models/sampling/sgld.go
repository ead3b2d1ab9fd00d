package sampling

import (
	"context"
	"math"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// SGLD is stochastic gradient Langevin dynamics (Welling, Teh, "Bayesian Learning via Stochastic
// Gradient Langevin Dynamics", ICML 2011, eq. 4). With e the step size of a parameter and the
// gradient of the minibatch log joint, it moves by
//
//	x += e/2 gradient + sqrt(e) noise.
type SGLD struct {
	schedule Decay
	sizes    []float64 // of each parameter, multiplied by the schedule
	draws    Draws

	gradient, noise []float64
	gauges          []float64
}

// NewSGLD returns a sampler for parameters with the given step sizes, [n], which are multiplied by
// the schedule.
func NewSGLD(sizes []float64, schedule Decay, draws Draws) *SGLD {
	return &SGLD{schedule: schedule, sizes: sizes, draws: draws,
		gradient: make([]float64, len(sizes)), noise: make([]float64, len(sizes)), gauges: make([]float64, 2)}
}

// Gauges implements infer.Method. It reports the step size of the first parameter.
func (*SGLD) Gauges() []infer.Reading { return []infer.Reading{StepSize, infer.GradientNorm} }

// State implements infer.Method. It returns nil: the method depends only on the step number.
func (*SGLD) State() []param.Array { return nil }

// Step implements infer.Method. It returns the objective of the minibatch before the step.
func (s *SGLD) Step(_ context.Context, p infer.Problem, step uint64) (infer.Move, error) {
	p.Draw(step)
	value, err := infer.Evaluate(p, s.gradient)
	if err != nil {
		return infer.Move{}, err
	}
	s.draws(s.noise, nil, step)
	set := p.Parameters()
	scale := s.schedule.At(step)
	var squares float64
	for i, g := range s.gradient {
		size := scale * s.sizes[i]
		set.Free[i] += size/2*g + math.Sqrt(size)*s.noise[i]
		squares += g * g
	}
	set.Forward()
	s.gauges[0], s.gauges[1] = scale*s.sizes[0], math.Sqrt(squares)
	return infer.Move{Objective: value, Gauges: s.gauges}, nil
}

// decayPower is gamma of Welling, Teh 2011, section 5.1.
const decayPower = 0.55

// Decay is the schedule a (b + t)^-0.55 (Welling, Teh 2011, section 4), which falls from Start to 1
// over Steps steps. Afterwards it is 1, so all samples have equal weight (Vollmer, Zygalakis, Teh,
// "Exploration of the (Non-)Asymptotic Bias and Variance of Stochastic Gradient Langevin Dynamics",
// JMLR 2016, arXiv:1501.00438).
type Decay struct {
	Start float64
	Steps int
}

// At returns the factor at a step, counted from 0.
func (d Decay) At(step uint64) float64 {
	if step >= uint64(d.Steps) || d.Start == 1 {
		return 1
	}
	// Start^(1/decayPower) equals (b + Steps)/b.
	b := float64(d.Steps) / (math.Pow(d.Start, 1/decayPower) - 1)
	return d.Start * math.Pow(1+float64(step)/b, -decayPower)
}
