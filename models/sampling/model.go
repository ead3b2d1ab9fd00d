// Package sampling makes a model of Markov chains whose stationary distribution is a
// posterior, as package train does of what climbs: chains side by side, burn-in and
// sampling, the samples that are kept, the state of a checkpoint. It knows no
// mathematics of a family. The methods HMC and SGLD are here too.
package sampling

import (
	"context"
	"errors"
	"fmt"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg"
	"dgplab/models/random"
	"dgplab/models/train"
)

// The phases of a run, as family.Report has them.
const (
	BurnIn   = "burn-in, predictions are of the present state"
	Sampling = "sampling"
)

// LogJoint is the objective of samplers: the log joint density of the present state, the
// mean over the chains, with what else the method reports.
func LogJoint(noisy bool, gauges ...infer.Reading) family.Objective {
	return family.Objective{
		Name: "log joint", Kind: family.LogJoint, Noisy: noisy, Gauges: gauges,
		Terms: []family.Reading{{Key: "log_lik", Name: "log-likelihood"}, {Key: "log_prior",
			Name: "log prior"}},
	}
}

// Chain is one Markov chain: a log joint and what moves its parameters, which are the
// chain's position. A method that fails leaves the chain where it was.
type Chain struct {
	Problem train.Problem
	Method  infer.Method
}

// Model steps chains, all by one step at a time, side by side on the processors. It is
// the part of a family.Model that knows no mathematics; a family's model embeds it.
type Model struct {
	objective  family.Objective
	phases     Phases
	chains     []*train.Model
	problems   []train.Problem
	reservoirs []*Reservoir

	// Of one step: its context, what each chain said, and the states before it, which
	// chains that succeeded go back to when another failed.
	ctx     context.Context
	loop    linalg.Loop // a part is a chain
	reports []family.Report
	errs    []error
	states  [][]family.Array
	before  [][]float64

	terms, gauges []float64
}

// New returns a model of chains that have taken no step. The number of parameters of
// all chains, and their order, is the same.
func New(objective family.Objective, phases Phases, chains []Chain) (*Model, error) {
	m := &Model{
		objective: objective, phases: phases,
		reports: make([]family.Report, len(chains)), errs: make([]error, len(chains)),
		terms: make([]float64, len(objective.Terms)), gauges: make([]float64, len(objective.Gauges)),
	}
	for _, c := range chains {
		trained, err := train.New(objective, c.Problem, c.Method)
		if err != nil {
			return nil, err
		}
		m.chains = append(m.chains, trained)
		m.problems = append(m.problems, c.Problem)
		m.reservoirs = append(m.reservoirs,
			NewReservoir(phases.Kept, phases.Thinning, trained.NumParameters()))
		m.states = append(m.states, trained.State())
	}
	if len(chains) > 1 {
		for _, list := range m.states {
			for _, a := range list {
				m.before = append(m.before, make([]float64, len(a.Data)))
			}
		}
	}
	m.loop.Body = m.stepOne
	return m, nil
}

// Seeds returns a seed for each chain. The first chains of many are those of few.
func Seeds(seed uint64, chains int) []uint64 {
	streams := random.NewStreams(seed, "chains")
	list := make([]uint64, chains)
	for c := range list {
		list[c] = streams.At(uint64(c)).Uint64()
	}
	return list
}

// Step implements family.Model: all chains take a step, or none. Objective, terms and
// gauges are means over the chains, but for counts, which are sums.
func (m *Model) Step(ctx context.Context) (family.Report, error) {
	if err := ctx.Err(); err != nil {
		return family.Report{}, err
	}
	m.remember()
	m.ctx = ctx
	m.loop.Run(len(m.chains))
	m.ctx = nil
	for c, err := range m.errs {
		if err == nil {
			continue
		}
		m.goBack()
		if len(m.chains) > 1 && !errors.Is(err, ctx.Err()) {
			err = fmt.Errorf("chain %d: %w", c+1, err)
		}
		return family.Report{}, err
	}
	if sampled := m.StepsDone() - m.phases.BurnIn; sampled > 0 {
		for c, r := range m.reservoirs {
			r.Add(sampled, m.position(c))
		}
	}
	return m.report(), nil
}

// stepOne takes a step of one chain.
func (m *Model) stepOne(c int) { m.reports[c], m.errs[c] = m.chains[c].Step(m.ctx) }

// remember copies the states of several chains.
func (m *Model) remember() { m.each(func(copied, state []float64) { copy(copied, state) }) }

// goBack brings several chains to the states that were copied.
func (m *Model) goBack() {
	m.each(func(copied, state []float64) { copy(state, copied) })
	for _, p := range m.problems {
		p.Parameters().Forward()
	}
}

// each calls do for every array of the states of several chains and its copy.
func (m *Model) each(do func(copied, state []float64)) {
	k := 0
	for _, list := range m.states {
		for _, a := range list {
			if k < len(m.before) {
				do(m.before[k], a.Data)
			}
			k++
		}
	}
}

// report joins what the chains said.
func (m *Model) report() family.Report {
	r := family.Report{Terms: m.terms, Gauges: m.gauges, Phase: m.phase()}
	clear(m.terms)
	clear(m.gauges)
	share := 1 / float64(len(m.chains))
	for _, of := range m.reports {
		r.Objective += share * of.Objective
		r.Rescues += of.Rescues
		for k, v := range of.Terms {
			m.terms[k] += share * v
		}
		for k, v := range of.Gauges {
			if m.objective.Gauges[k] == Divergences {
				m.gauges[k] += v
			} else {
				m.gauges[k] += share * v
			}
		}
	}
	return r
}

// phase returns that of the last step.
func (m *Model) phase() string {
	if m.StepsDone() <= m.phases.BurnIn {
		return BurnIn
	}
	return Sampling
}

// Chains returns the number of chains.
func (m *Model) Chains() int { return len(m.chains) }

// Draws returns the kept samples of a chain, the oldest first: free parameters in the
// order of the problem's set, [kept][parameters], evenly spaced in time. They alias the
// model and are valid until its next step.
func (m *Model) Draws(chain int) [][]float64 { return m.reservoirs[chain].Samples() }

// Averaged returns what predictions average over: the kept samples of all chains, chain
// by chain, at most so many, evenly spaced; while there is none, the present positions
// of the chains. They alias the model as Draws do.
func (m *Model) Averaged(most int) [][]float64 {
	var list [][]float64
	for c := range m.chains {
		list = append(list, m.Draws(c)...)
	}
	if len(list) == 0 {
		for c := range m.chains {
			list = append(list, m.position(c))
		}
	}
	if len(list) <= most {
		return list
	}
	some := make([][]float64, most)
	for k := range some {
		some[k] = list[((2*k+1)*len(list))/(2*most)]
	}
	return some
}

// position returns the present position of a chain.
func (m *Model) position(c int) []float64 { return m.problems[c].Parameters().Free }

// At enters the step, and the name of what is not finite, into an error.
func (m *Model) At(err error) error { return m.chains[0].At(err) }

// StepsDone implements family.Model.
func (m *Model) StepsDone() int { return m.chains[0].StepsDone() }

// NumParameters implements family.Model: those of one chain.
func (m *Model) NumParameters() int { return m.chains[0].NumParameters() }

// State implements family.Model: that of every chain, with the samples that it kept.
func (m *Model) State() (list []family.Array) {
	for c, state := range m.states {
		for _, a := range append(state[:len(state):len(state)], m.reservoirs[c].State()...) {
			list = append(list, family.Array{Name: fmt.Sprintf("chain.%d.%s", c, a.Name), Data: a.Data})
		}
	}
	return list
}

// Restored implements family.Model.
func (m *Model) Restored() error {
	for c, chain := range m.chains {
		if err := chain.Restored(); err != nil {
			return err
		}
		if err := m.reservoirs[c].Restored(); err != nil {
			return fmt.Errorf("the checkpoint is damaged: chain %d: %w", c+1, err)
		}
	}
	return nil
}
