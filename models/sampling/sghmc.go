package sampling

import (
	"context"
	"math"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// SGHMCOptions say how SGHMC moves.
type SGHMCOptions struct {
	// StepSize is epsilon and Friction beta.
	StepSize, Friction float64
	// Points is N, that of the data set.
	Points int
	// BurnIn is the number of steps that step sizes adapt in.
	BurnIn int
}

// SGHMC is stochastic-gradient Hamiltonian Monte Carlo with a step size for each
// parameter, which adapts in burn-in (Springenberg, Klein, Falkner, Hutter, "Bayesian
// Optimization with Robust Bayesian Neural Networks", NeurIPS 2016, section 4, in the
// form of the code of Havasi, Hernández-Lobato, Murillo-Fuentes, "Inference in Deep
// Gaussian Processes using Stochastic Gradient Hamiltonian Monte Carlo", NeurIPS 2018,
// arXiv:1806.05490). With d minus the gradient of the log joint over N, h = 1/sqrt(g2)
// and standard normal draws z,
//
//	p += -epsilon^2 h d - beta p + sqrt(2 (epsilon^2/N) beta h) z,   x += p,
//
// and in burn-in, with r = 1/(tau + 1),
//
//	g += r (d - g),   g2 += r (d^2 - g2),   tau = 1 + tau (1 - g^2/g2),
//
// all of the values before the step, but x of the new p. On a Gaussian of precision A it
// samples from one whose variance is too large by (2-beta)/(2-beta-a/2), with a the
// eigenvalues of (epsilon^2/N) h^1/2 A h^1/2.
type SGHMC struct {
	options SGHMCOptions
	draws   Draws
	// momentum is p; horizon, mean and square are tau, g and g2. All are [n].
	momentum, horizon, mean, square []float64

	gradient, noise []float64
	gauges          []float64
}

// sghmcFloor keeps quotients finite: it is added to g2 and to its root, and is the least
// variance of the noise.
const sghmcFloor = 1e-16

// Temperature is the mean of the squares of the momenta over the variance that they have
// where gradients are exact and step sizes small: gradients of minibatches heat.
var Temperature = infer.Reading{Key: "temperature", Name: "temperature"}

// NewSGHMC returns a sampler of n parameters, at rest.
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

// Step implements infer.Method. The objective is that of the minibatch before the step.
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

// move moves x by one step for the gradient and the noise at hand.
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
