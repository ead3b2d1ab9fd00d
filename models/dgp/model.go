// Package dgp is deep Gaussian processes with a joint Gaussian posterior over
// the inducing outputs of all layers, and the sparse GP as their one-layer case.
//
// One engine serves all families: what sets them apart is the Pattern of blocks
// of L_S, the Cholesky factor of the posterior covariance, that may be non-zero.
// Blocks outside the pattern are never stored, multiplied or optimised.
//
//	Pattern, structure    which blocks there are, and which of S_M follow
//	posterior             parameters and what follows from them alone
//	graph                 what the posterior says at B points with R samples
//	bound                 the ELBO of a minibatch
//	problem               the bound of the minibatches of a data set
//	Model                 a problem and what moves its parameters: a family.Model
//	chain, Chains         the same without a q(f_M): chains sample the inducing outputs
//	deepGP                what both predict and show
//
// Formulas and letters are those of Lindinger, Reeb, Lippert, Rakitsch, "Beyond
// the Mean-Field: Structured Deep Gaussian Processes Improve the Predictive
// Uncertainties", 2020, arXiv:2005.11110.
package dgp

import (
	"context"

	"dgplab/models/family"
	"dgplab/models/train"
)

// Model trains a deep GP. It implements family.Model, family.Viewer, family.StepTimer
// and family.Annotator.
type Model struct {
	*train.Model
	*deepGP
	problem *problem
	notes   []string
	times   stepTimes
	// contracted says that hidden layers start narrower than their prior.
	contracted bool
}

// Step implements family.Model.
func (m *Model) Step(ctx context.Context) (family.Report, error) {
	tape := m.problem.tape
	m.times.begin(tape)
	defer m.times.end(tape)
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
