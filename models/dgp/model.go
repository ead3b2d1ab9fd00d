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
//	Evaluation            the bound with parameters and draws of the caller's
//	Model                 a bound, data and an optimiser: a family.Model
//
// Formulas and letters are those of Lindinger, Reeb, Lippert, Rakitsch, "Beyond
// the Mean-Field: Structured Deep Gaussian Processes Improve the Predictive
// Uncertainties", 2020, arXiv:2005.11110.
package dgp

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/linalg"
	"dgplab/models/random"
)

// Model trains a deep GP. It implements family.Model, family.JointCovariance,
// family.LayerSampler, family.Health and family.Noter.
type Model struct {
	arch  *Architecture
	data  family.Data
	seed  uint64
	bound *bound
	// parametersOnly marks the part of the bound's tape that needs no data.
	parametersOnly int
	predictors     map[[2]int]*graph
	probe          *mat.Dense // inputs of the sample diagnostics
	batches        *batches
	rows           []int // of the minibatch
	optimiser      *optimiser
	step           []float64 // steps done, [1], a float64 so that it is part of State
	notes          []string
	rescued        int // rescues counted so far
	times          stepTimes
}

// Step implements family.Model.
func (m *Model) Step() (family.Report, error) {
	m.times.begin(m.bound.tape)
	defer m.times.end(m.bound.tape)
	return m.take()
}

// take takes a step: one minibatch, its bound and gradient, and one move of the
// optimiser.
func (m *Model) take() (family.Report, error) {
	k := m.StepsDone()
	b := m.bound
	m.draw(k)
	b.tape.Lap(partMinibatch.section(allLayers))
	if err := b.tape.Forward(); err != nil {
		return family.Report{}, m.at(err)
	}
	if v := b.elbo.Value[0]; math.IsNaN(v) || math.IsInf(v, 0) {
		return family.Report{}, &family.NonFiniteError{Where: "the ELBO", Step: k}
	}
	b.tape.Backward(b.elbo)
	norm, rate, err := m.optimiser.move(k)
	b.tape.Lap(partOptimiser.section(allLayers))
	if err != nil {
		return family.Report{}, m.at(err)
	}
	m.step[0]++
	report := family.Report{
		Objective: b.elbo.Value[0], ExpectedLogLik: b.expectedLogLik.Value[0], KL: b.kl.Value[0],
		LearningRate: rate, GradientNorm: norm,
	}
	report.Rescues, m.rescued = b.tape.Rescues()-m.rescued, b.tape.Rescues()
	return report, nil
}

// draw loads the minibatch and the standard normal draws of step k.
func (m *Model) draw(k int) {
	b := m.bound
	m.batches.rows(m.rows, k)
	columns(b.x.Value, m.data.X, m.rows)
	columns(b.y.Value, m.data.Y, m.rows)
	stream := random.Stream(m.seed, "noise", uint64(k))
	for _, eps := range b.eps {
		random.Normals(eps.Value, stream)
	}
	if b.epsInducing != nil {
		random.Normals(b.epsInducing.Value, stream)
	}
}

// at enters the step into an error of the linear algebra.
func (m *Model) at(err error) error {
	var indefinite *linalg.NotPositiveDefiniteError
	var nan *linalg.NaNError
	switch {
	case errors.As(err, &indefinite):
		indefinite.Step = m.StepsDone()
	case errors.As(err, &nan):
		nan.Step = m.StepsDone()
	}
	return err
}

// StepsDone implements family.Model.
func (m *Model) StepsDone() int { return int(m.step[0]) }

// State implements family.Model.
func (m *Model) State() []family.Array {
	return append([]family.Array{{Name: "step", Data: m.step}}, m.optimiser.state()...)
}

// Restored implements family.Model.
func (m *Model) Restored() error { return m.optimiser.restored() }

// NumParameters implements family.Model.
func (m *Model) NumParameters() int { return m.optimiser.size() }

// Notes implements family.Noter.
func (m *Model) Notes() []string { return m.notes }

// Hyper implements family.Model.
func (m *Model) Hyper() []family.Quantity {
	var list []family.Quantity
	add := func(name string, value []float64) {
		list = append(list, family.Quantity{Name: name, Value: append([]float64(nil), value...)})
	}
	if m.arch.Likelihood == Gaussian {
		add("likelihood.variance", m.bound.post.noise.Value)
	}
	for l, n := range m.bound.post.layers {
		add(fmt.Sprintf("layer.%d.kernel.variance", l), n.variance.Value)
		add(fmt.Sprintf("layer.%d.kernel.lengthscales", l), n.lengthscales.Value)
	}
	return list
}
