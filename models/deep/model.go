// Package deep is the engine of deep GPs whose posterior factorises over layers: a
// stack of layers (models/layer), through which samples of the points of a minibatch
// are propagated.
//
//	stack        the layers, and how samples go through them
//	objective    what a minibatch is worth
//	problem      the objective of the minibatches of a data set
//	Model        a problem and what moves its parameters: a family.Model
//
// Families differ by their layers, by whether samples are drawn or learned, by what
// inference functions see and by the form of the expected log-likelihood.
package deep

import (
	"fmt"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
	"dgplab/models/random"
	"dgplab/models/train"
)

// Config says what is done with a stack of layers.
type Config struct {
	Objective family.Objective
	// Samples is S of a training step; Batch is B, at most N.
	Samples, Batch int
	// Rule says what the inference functions of layers above the first see.
	Rule Rule
	// Quadrature says that samples are learned points with learned weights; Form what
	// becomes of them.
	Quadrature bool
	Form       likelihood.Form
	// Beta is the factor of the KL.
	Beta float64
	// Trend reports whether the outputs have a linear trend, which is fitted before
	// training and stays as it is.
	Trend bool
	// Noise is the variance of Gaussian noise at the start.
	Noise float64
	// Likelihood is what the targets are observed through.
	Likelihood likelihood.Likelihood
	// Rates are those of Adam; New gives them the length of the run.
	Rates train.Rates
	// Notes are to be shown as warnings.
	Notes []string

	trend *trend // nil without Trend
}

// Model trains a stack. It implements family.Model and family.Annotator.
type Model struct {
	*train.Model
	config  Config
	problem *problem
	// parametersOnly marks the part of the stack's tape that needs no data.
	parametersOnly int
	predictors     map[[2]int]*pass
}

// New returns a model of layers that were made on tape, at their start, for data.
// All random numbers derive from seed: learned points start as standard normal
// draws.
func New(tape *autodiff.Tape, layers []layer.Layer, c Config, data family.Data, seed uint64) (*Model, error) {
	n, d := data.X.Dims()
	st := &stack{tape: tape, layers: layers, inputs: d, rule: c.Rule, trend: c.trend}
	if _, gaussian := c.Likelihood.(likelihood.Gaussian); gaussian {
		st.noise = tape.Variable(1, 1, 1)
		st.noise.Value[0] = c.Noise
	}
	if c.Quadrature && len(layers) > 1 {
		st.quadrature = newQuadrature(tape, layers, c.Samples)
		for l, points := range st.quadrature.points {
			random.Normals(points.Value, random.Stream(seed, "quadrature", uint64(l)))
		}
	}
	m := &Model{config: c, parametersOnly: tape.Mark(), predictors: map[[2]int]*pass{}}
	var err error
	m.problem, err = newProblem(st, c, data, min(c.Batch, n), seed)
	if err != nil {
		return nil, err
	}
	c.Rates.Length = data.Steps
	adam := c.Rates.Adam(m.problem.Set.Size())
	m.Model, err = train.New(c.Objective, m.problem, adam)
	return m, err
}

// stack returns the layers.
func (m *Model) stack() *stack { return m.problem.stack }

// Notes implements family.Annotator.
func (m *Model) Notes() []string { return m.config.Notes }

// Hyper implements family.Model: the noise and what the layers call their kernel's.
func (m *Model) Hyper() []family.Quantity {
	var list []family.Quantity
	add := func(name string, n *autodiff.Node) {
		list = append(list, family.Quantity{Name: name, Value: append([]float64(nil), n.Value...)})
	}
	if noise := m.stack().noise; noise != nil {
		add("likelihood.variance", noise)
	}
	for l, of := range m.stack().layers {
		for _, p := range of.Parameters() {
			if layer.IsKernel(p.Name) {
				add(fmt.Sprintf("layer.%d.%s", l, p.Name), p.Node)
			}
		}
	}
	return list
}
