// Package dgp implements deep Gaussian processes with a joint Gaussian posterior over the inducing
// outputs of all layers, and the sparse GP as the one-layer case.
//
// All families share one engine. They differ in their Pattern: the set of potentially non-zero
// blocks of L_S, the Cholesky factor of the posterior covariance. Other blocks are never stored,
// multiplied or optimised.
//
//	Pattern, structure    the blocks of L_S, and the blocks of S_M that follow
//	posterior, operands   parameters and values that depend only on them
//	graph                 propagation of B points with R samples
//	bound, shards         the ELBO of a minibatch, whose points are divided among processors
//	problem               the bound on the minibatches of a data set
//	Model                 a problem with its optimiser: a family.Model
//	chain, Chains         the model without a q(f_M): chains sample the inducing outputs
//	deepGP                predictions and views of Model and Chains
//
// Formulas and letters follow Lindinger, Reeb, Lippert, Rakitsch, "Beyond the Mean-Field:
// Structured Deep Gaussian Processes Improve the Predictive Uncertainties", 2020, arXiv:2005.11110.
package dgp

import (
	"context"

	"dgplab/models/family"
	"dgplab/models/train"
)

// Model trains a deep GP. It implements family.Model, family.Viewer, family.StepTimer and
// family.Annotator.
type Model struct {
	*train.Model
	*deepGP
	problem *problem
	notes   []string
	times   stepTimes
	// contracted is set if hidden layers start narrower than their prior.
	contracted bool
}

// Step implements family.Model.
func (m *Model) Step(ctx context.Context) (family.Report, error) {
	tape := m.problem.tape
	m.times.start(tape)
	defer m.times.stop(tape)
	report, err := m.Model.Step(ctx)
	tape.Lap(partOptimiser.section(allLayers))
	return report, err
}

// NumParameters implements family.Model.
func (m *Model) NumParameters() int {
	n := m.Model.NumParameters()
	if m.problem.natural != nil {
		n += m.problem.natural.size()
	}
	return n
}

// Notes implements family.Annotator.
func (m *Model) Notes() []string { return m.notes }
