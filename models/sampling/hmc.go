package sampling

import (
	"context"
	"math"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// maxEnergyChange is the energy change above which a trajectory counts as divergent: Delta_max of
// Hoffman, Gelman, "The No-U-Turn Sampler: Adaptively Setting Path Lengths in Hamiltonian Monte
// Carlo", JMLR 2014, section 3.1.1, arXiv:1111.4246.
const maxEnergyChange = 1000

// HMC is Hamiltonian Monte Carlo with unit masses. A step draws a momentum and follows a trajectory
// of leapfrog steps. It accepts the end of the trajectory with probability min(1, exp(-energy
// change)), where the energy is the negative log joint plus half the squared momentum (Neal, "MCMC
// using Hamiltonian dynamics", 2011, arXiv:1206.1901, section 3). HMC samples the density of the
// free parameters returned by Evaluate, which must include the log-Jacobians of transforms.
//
// During burn-in, the step size adapts to a target mean acceptance probability. After burn-in, it
// is fixed.
type HMC struct {
	options  HMCOptions
	draws    Draws
	adapting dualAveraging

	numbers  []float64 // indexed by the constants below
	gradient []float64 // of the log joint at the current position

	momentum, uniforms []float64
	origin, start      []float64 // position and gradient before a trajectory
	gauges             []float64
}

// HMCOptions configures HMC.
type HMCOptions struct {
	// StepSize is the leapfrog step size. With burn-in, it is the initial guess.
	StepSize float64
	// Leapfrogs is the number of leapfrog steps of a trajectory.
	Leapfrogs int
	// Jitter is the relative half-width of the uniform distribution of the step size of each
	// trajectory, which avoids periodic trajectories (Neal 2011, section 3.2).
	Jitter float64
	// BurnIn is the number of adaptation steps. Target is the target mean acceptance probability.
	BurnIn int
	Target float64
}

// Indices of HMC.numbers.
const (
	hmcEvaluated   = iota // 1 if value and gradient are up to date
	hmcValue              // log joint
	hmcStepSize           // leapfrog step size
	hmcAccepted           // sum of acceptance probabilities since the phase began
	hmcCount              // trajectories since the phase began
	hmcDivergences        // divergent trajectories since the phase began
	hmcNumbers
)

// NewHMC returns a sampler for n parameters.
func NewHMC(n int, options HMCOptions, draws Draws) *HMC {
	h := &HMC{
		options: options, draws: draws, adapting: dualAveraging{target: options.Target},
		numbers: make([]float64, hmcNumbers), gradient: make([]float64, n),
		momentum: make([]float64, n), uniforms: make([]float64, 2),
		origin: make([]float64, n), start: make([]float64, n), gauges: make([]float64, 4),
	}
	h.numbers[hmcStepSize] = options.StepSize
	return h
}

// Gauges implements infer.Method.
func (*HMC) Gauges() []infer.Reading {
	return []infer.Reading{Acceptance, Divergences, StepSize, EnergyChange}
}

// State implements infer.Method.
func (h *HMC) State() []param.Array {
	return []param.Array{
		{Name: "hmc.numbers", Data: h.numbers},
		{Name: "hmc.gradient", Data: h.gradient},
		{Name: "hmc.adapting", Data: h.adapting.numbers[:]},
	}
}

// Step implements infer.Method: one trajectory. The objective is the log joint at the resulting
// position.
func (h *HMC) Step(ctx context.Context, p infer.Problem, step uint64) (infer.Move, error) {
	p.Draw(step)
	evaluated := h.numbers[hmcEvaluated]
	if err := h.ensureEvaluated(p); err != nil {
		return infer.Move{}, err
	}
	h.draws(h.momentum, h.uniforms, step)
	set := p.Parameters()
	burning := step < uint64(h.options.BurnIn)
	copy(h.origin, set.Free)
	copy(h.start, h.gradient)
	if burning && step == 0 {
		h.findStepSize(p)
	}
	size := h.numbers[hmcStepSize] * (1 + h.options.Jitter*(2*h.uniforms[1]-1))
	value, change, err := h.trajectory(ctx, p, size)
	if err != nil {
		h.numbers[hmcEvaluated] = evaluated // A repeated step counts the rescues of its first evaluation.
		h.reject(set)
		return infer.Move{}, err
	}
	probability := math.Min(1, math.Exp(-change)) // 0 if the energy change is not finite
	if h.uniforms[0] < probability {
		h.numbers[hmcValue] = value
	} else {
		h.reject(set)
		if _, err := p.Evaluate(nil); err != nil { // refresh the problem's terms at the position
			return infer.Move{}, err
		}
	}
	h.count(step, probability, change)
	if burning {
		h.numbers[hmcStepSize] = h.adapting.next(probability, step+1 == uint64(h.options.BurnIn))
	}
	h.gauges[2] = h.numbers[hmcStepSize]
	return infer.Move{Objective: h.numbers[hmcValue], Gauges: h.gauges}, nil
}

// ensureEvaluated evaluates the log joint at the current position unless the previous step did.
func (h *HMC) ensureEvaluated(p infer.Problem) error {
	if h.numbers[hmcEvaluated] == 1 {
		return nil
	}
	value, err := infer.Evaluate(p, h.gradient)
	if err != nil {
		return err
	}
	h.numbers[hmcEvaluated], h.numbers[hmcValue] = 1, value
	return nil
}

// reject restores the position and gradient from before the trajectory.
func (h *HMC) reject(set *param.Set) {
	copy(set.Free, h.origin)
	copy(h.gradient, h.start)
	set.Forward()
}

// trajectory takes leapfrog steps of the given size. It returns the log joint at the end and the
// change in energy. A trajectory diverges if the log joint cannot be evaluated or the energy change
// exceeds maxEnergyChange; it then ends early, with an infinite change. trajectory returns the
// error of ctx if ctx is cancelled.
func (h *HMC) trajectory(
	ctx context.Context, p infer.Problem, size float64,
) (value, change float64, err error) {
	before := kinetic(h.momentum) - h.numbers[hmcValue]
	for range h.options.Leapfrogs {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		value, err = h.leapfrog(p, size)
		if err != nil {
			return value, math.Inf(1), nil
		}
		change = kinetic(h.momentum) - value - before
		if !(change <= maxEnergyChange) {
			return value, math.Inf(1), nil
		}
	}
	return value, change, nil
}

// leapfrog updates the momentum by half a step, the position by a full step and the momentum by
// another half step.
func (h *HMC) leapfrog(p infer.Problem, size float64) (float64, error) {
	set := p.Parameters()
	for i, g := range h.gradient {
		h.momentum[i] += size / 2 * g
		set.Free[i] += size * h.momentum[i]
	}
	set.Forward()
	value, err := infer.Evaluate(p, h.gradient)
	if err != nil {
		return value, err
	}
	for i, g := range h.gradient {
		h.momentum[i] += size / 2 * g
	}
	return value, nil
}

// kinetic returns half the squared norm of a momentum.
func kinetic(momentum []float64) (sum float64) {
	for _, v := range momentum {
		sum += v * v
	}
	return sum / 2
}

// count adds a trajectory to the gauges. The counts are reset when sampling begins.
func (h *HMC) count(step uint64, probability, change float64) {
	if step == uint64(h.options.BurnIn) {
		clear(h.numbers[hmcAccepted : hmcDivergences+1])
	}
	h.numbers[hmcAccepted] += probability
	h.numbers[hmcCount]++
	if math.IsInf(change, 1) {
		h.numbers[hmcDivergences]++
		change = maxEnergyChange // keep the reading finite
	}
	h.gauges[0] = h.numbers[hmcAccepted] / h.numbers[hmcCount]
	h.gauges[1], h.gauges[3] = h.numbers[hmcDivergences], change
}

// findStepSize finds an initial step size by doubling or halving the guess until the acceptance
// probability of a single leapfrog step crosses 1/2 (Hoffman, Gelman 2014, algorithm 4). It uses
// the momentum of the first trajectory and leaves it unchanged.
func (h *HMC) findStepSize(p infer.Problem) {
	size, factor := h.options.StepSize, 0.0 // not the step size of a cancelled attempt
	for range 100 {
		before := kinetic(h.momentum) - h.numbers[hmcValue]
		value, err := h.leapfrog(p, size)
		change := kinetic(h.momentum) - value - before
		h.reject(p.Parameters())
		h.draws(h.momentum, h.uniforms, 0)
		likely := err == nil && change < math.Ln2
		if factor == 0 {
			factor = 0.5
			if likely {
				factor = 2
			}
		}
		if likely != (factor == 2) {
			break
		}
		size *= factor
	}
	h.numbers[hmcStepSize] = size
	h.adapting.begin(size)
}
