package sampling

import (
	"context"
	"math"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// SGHMCOptions configures SGHMC.
type SGHMCOptions struct {
	// StepSize is epsilon, Friction is beta.
	StepSize, Friction float64
	// Points is N, the size of the data set.
	Points int
	// BurnIn is the number of adaptation steps.
	BurnIn int
}

// SGHMC is stochastic-gradient Hamiltonian Monte Carlo with one step size per parameter, adapted
// during burn-in (Springenberg, Klein, Falkner, Hutter, "Bayesian Optimization with Robust Bayesian
// Neural Networks", NeurIPS 2016, section 4, in the form implemented by Havasi, Hernández-Lobato,
// Murillo-Fuentes, "Inference in Deep Gaussian Processes using Stochastic Gradient Hamiltonian
// Monte Carlo", NeurIPS 2018, arXiv:1806.05490). With d the negative gradient of the log joint
// divided by N, h = 1/sqrt(g2) and standard normal draws z,
//
//	p += -epsilon^2 h d - beta p + sqrt(2 (epsilon^2/N) beta h) z,   x += p,
//
// and during burn-in, with r = 1/(tau + 1),
//
//	g += r (d - g),   g2 += r (d^2 - g2),   tau = 1 + tau (1 - g^2/g2).
//
// All updates use the values before the step, except that x uses the new p. For a Gaussian with
// precision A, the variance of the samples is too large by the factor (2-beta)/(2-beta-a/2) along
// each eigenvector of (epsilon^2/N) h^1/2 A h^1/2 with eigenvalue a.
type SGHMC struct {
	options SGHMCOptions
	draws   Draws
	// momentum is p; horizon, mean and square are tau, g and g2. All have n entries.
	momentum, horizon, mean, square []float64

	gradient, noise []float64
	gauges          []float64
}

// sghmcFloor keeps quotients finite: it is added to g2 and to its square root, and is the minimum
// variance of the noise.
const sghmcFloor = 1e-16

// Temperature is the mean ratio of the squared momenta to their variance for exact gradients and
// small step sizes. The noise of minibatch gradients raises it above 1.
var Temperature = infer.Reading{Key: "temperature", Name: "temperature"}

// NewSGHMC returns a sampler for n parameters with zero momentum.
func NewSGHMC(n int, options SGHMCOptions, draws Draws) *SGHMC {
	s := &SGHMC{options: options, draws: draws, gauges: make([]float64, 2)}
	for _, v := range []*[]float64{&s.momentum, &s.horizon, &s.mean, &s.square, &s.gradient, &s.noise} {
		*v = make([]float64, n)
	}
	for i := range n {
		s.horizon[i], s.mean[i], s.square[i] = 1, 1, 1
	}
	return s
}

// Gauges implements infer.Method.
func (*SGHMC) Gauges() []infer.Reading { return []infer.Reading{infer.GradientNorm, Temperature} }

// State implements infer.Method.
func (s *SGHMC) State() []param.Array {
	return []param.Array{
		{Name: "sghmc.momentum", Data: s.momentum},
		{Name: "sghmc.horizon", Data: s.horizon},
		{Name: "sghmc.mean", Data: s.mean},
		{Name: "sghmc.square", Data: s.square},
	}
}

// Step implements infer.Method. It returns the objective of the minibatch before the step.
func (s *SGHMC) Step(_ context.Context, p infer.Problem, step uint64) (infer.Move, error) {
	p.Draw(step)
	value, err := infer.Evaluate(p, s.gradient)
	if err != nil {
		return infer.Move{}, err
	}
	s.draws(s.noise, nil, step)
	set := p.Parameters()
	s.move(set.Free, step < uint64(s.options.BurnIn))
	set.Forward()
	return infer.Move{Objective: value, Gauges: s.gauges}, nil
}

// move updates x by one step with the current gradient and noise.
func (s *SGHMC) move(x []float64, burning bool) {
	n, beta := float64(s.options.Points), s.options.Friction
	size := s.options.StepSize * s.options.StepSize
	var squares, heat float64
	for i, ascent := range s.gradient {
		d := -ascent / n
		tau := s.horizon[i]
		g := s.mean[i]
		g2 := s.square[i]
		h := 1 / (math.Sqrt(g2+sghmcFloor) + sghmcFloor)
		if burning {
			r := 1 / (tau + 1)
			s.horizon[i] = 1 + tau*(1-g*g/(g2+sghmcFloor))
			s.mean[i] = (1-r)*g + r*d
			s.square[i] = (1-r)*g2 + r*d*d
		}
		variance := max(2*size/n*beta*h, sghmcFloor)
		p := s.momentum[i] - size*h*d - beta*s.momentum[i] + math.Sqrt(variance)*s.noise[i]
		s.momentum[i] = p
		x[i] += p
		squares += ascent * ascent
		heat += p * p * beta / variance
	}
	s.gauges[0] = math.Sqrt(squares)
	s.gauges[1] = heat * (2 - beta) / float64(len(x))
}
