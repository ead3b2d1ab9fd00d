// Package sampling implements the family-independent part of models that sample a posterior by
// Markov chains: parallel chains, burn-in and sampling phases, kept samples and checkpoint state.
// It also provides the samplers HMC, SGHMC, SGLD and EllipticalSlice.
//
// Diagnose and related functions compute convergence diagnostics and effective sample sizes of
// chains. Definitions and notation follow Vehtari, Gelman, Simpson, Carpenter, Bürkner,
// "Rank-Normalization, Folding, and Localization: An Improved R-hat for Assessing Convergence of
// MCMC", Bayesian Analysis 16(2), 2021, arXiv:1903.08008, as implemented in the authors' R package
// posterior. Their cost is O(S log S) for S draws.
package sampling

import (
	"context"
	"errors"
	"fmt"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg"
	"dgplab/models/stats"
	"dgplab/models/train"
)

// Phases of a run, as reported in family.Report.
const (
	BurnIn   = "burn-in (predictions use the current state)"
	Sampling = "sampling"
)

// LogJoint returns the objective of samplers: the log joint density of the current state, averaged
// over chains, with the gauges of the method.
func LogJoint(noisy bool, gauges ...infer.Reading) family.Objective {
	return family.Objective{
		Name: "log joint", Kind: family.LogJoint, Noisy: noisy, Gauges: gauges,
		Terms: []family.Reading{{Key: "log_lik", Name: "log-likelihood"},
			{Key: "log_prior", Name: "log prior"}},
	}
}

// Chain is one Markov chain: a log joint and the method that updates its parameters. The parameters
// are the position of the chain. A method that fails must leave the chain unchanged.
type Chain struct {
	Problem train.Problem
	Method  infer.Method
}

// Model advances all chains by one step at a time, in parallel. It implements the parts of a
// family.Model that do not depend on the family. Models of families embed it.
type Model struct {
	objective  family.Objective
	phases     Phases
	chains     []*train.Model
	problems   []train.Problem
	reservoirs []*Reservoir

	// State of the current step: its context, the report and error of each chain, and the states
	// before the step, to which all chains are rolled back if one of them fails.
	ctx     context.Context
	loop    linalg.Loop // one part per chain
	reports []family.Report
	errs    []error
	states  [][]family.Array
	before  [][]float64

	terms, gauges []float64
}

// New returns a model of the given chains before their first step. All chains must have the same
// parameters in the same order.
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
	m.loop.Body = m.stepChain
	return m, nil
}

// Seeds returns a seed for each chain. The seed of a chain does not depend on the number of chains.
func Seeds(seed uint64, chains int) []uint64 {
	streams := stats.NewStreams(seed, "chains")
	list := make([]uint64, chains)
	for c := range list {
		list[c] = streams.At(uint64(c)).Uint64()
	}
	return list
}

// Step implements family.Model: either all chains take a step or none does. Objective, terms and
// gauges are means over the chains; counts are sums.
func (m *Model) Step(ctx context.Context) (family.Report, error) {
	if err := ctx.Err(); err != nil {
		return family.Report{}, err
	}
	m.snapshot()
	m.ctx = ctx
	m.loop.Run(len(m.chains))
	m.ctx = nil
	for c, err := range m.errs {
		if err == nil {
			continue
		}
		m.rollBack()
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

// stepChain takes a step of one chain.
func (m *Model) stepChain(c int) { m.reports[c], m.errs[c] = m.chains[c].Step(m.ctx) }

// snapshot copies the states of the chains. It does nothing for a single chain.
func (m *Model) snapshot() { m.each(func(copied, state []float64) { copy(copied, state) }) }

// rollBack restores the states copied by snapshot.
func (m *Model) rollBack() {
	m.each(func(copied, state []float64) { copy(state, copied) })
	for _, p := range m.problems {
		p.Parameters().Forward()
	}
}

// each calls do for every state array of all chains and its copy. It does nothing for a single
// chain.
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

// report combines the reports of the chains.
func (m *Model) report() family.Report {
	if n := len(m.reports[0].Terms); n > len(m.terms) { // Priors have added a term.
		m.terms = make([]float64, n)
	}
	r := family.Report{Terms: m.terms, Gauges: m.gauges, Phase: Sampling}
	if m.StepsDone() <= m.phases.BurnIn {
		r.Phase = BurnIn
	}
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

// Chains returns the number of chains.
func (m *Model) Chains() int { return len(m.chains) }

// Draws returns the kept samples of a chain, oldest first: free parameters in the order of the
// problem's set, [kept][parameters], evenly spaced in time. They alias the model and are valid
// until its next step.
func (m *Model) Draws(chain int) [][]float64 { return m.reservoirs[chain].Samples() }

// AllDraws returns the draws of all chains in order.
func (m *Model) AllDraws() (draws [][]float64) {
	for c := range m.chains {
		draws = append(draws, m.Draws(c)...)
	}
	return draws
}

// ExportChains adds the chain numbers of AllDraws to exported arrays.
func (m *Model) ExportChains(out *family.Arrays) {
	var chain []float64
	for c := range m.chains {
		for range m.Draws(c) {
			chain = append(chain, float64(c))
		}
	}
	out.Add("draws_chain", "chain of each draw, from 0", chain, len(chain))
	if len(chain) == 0 {
		out.Missing = append(out.Missing, "draws: the chains have not kept any yet")
	}
}

// PredictionSamples returns at most the given number of samples for predictions to average over.
// They are evenly spaced among the kept samples of all chains, chain by chain. Before any sample is
// kept, it returns the current positions of the chains. The samples alias the model, as in Draws.
func (m *Model) PredictionSamples(most int) [][]float64 {
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

// position returns the current position of a chain.
func (m *Model) position(c int) []float64 { return m.problems[c].Parameters().Free }

// WithStep adds the step, and the name of the non-finite quantity, to an error.
func (m *Model) WithStep(err error) error { return m.chains[0].WithStep(err) }

// StepsDone implements family.Model.
func (m *Model) StepsDone() int { return m.chains[0].StepsDone() }

// NumParameters implements family.Model. It returns the number of parameters of one chain.
func (m *Model) NumParameters() int { return m.chains[0].NumParameters() }

// State implements family.Model. It includes the kept samples of every chain.
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
	if err := train.CheckState(m.State()); err != nil {
		return err
	}
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
