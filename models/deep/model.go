// Package deep implements deep GPs whose posterior factorises over layers: a stack of layers
// (models/layer) propagates samples of the points of a minibatch.
//
//	stack        the layers, and the propagation of samples through them
//	objective    the objective on a minibatch
//	problem      the objective on the minibatches of a data set
//	Model        a problem with its optimiser: a family.Model
//
// Families differ by their layers, by random or learned samples, by the inputs of their inference
// functions and by the form of the expected log-likelihood.
package deep

import (
	"fmt"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
	"dgplab/models/stats"
	"dgplab/models/train"
)

// Config configures the training of a stack of layers.
type Config struct {
	Objective family.Objective
	// Samples is S, the number of samples in a training step. Batch is the size of a minibatch; B
	// is at most N.
	Samples, Batch int
	// Rule selects the inputs of the inference functions of layers above the first.
	Rule Rule
	// Quadrature replaces random samples by learned points with learned weights. Form selects how
	// their log-likelihoods are combined.
	Quadrature bool
	Form       likelihood.Form
	// Latents is the number of latent variables of each point.
	Latents int
	// Jitter is added to the variances of joint samples.
	Jitter float64
	// Beta is the factor of the KL.
	Beta float64
	// Trend adds a linear trend to the outputs, fitted before training and then fixed.
	Trend bool
	// Noise is the initial variance of noise.
	Noise float64
	// Likelihood is the observation model.
	Likelihood likelihood.Likelihood
	// Rates configures Adam. New sets the length of the run.
	Rates train.Rates
	// Notes are displayed as warnings.
	Notes []string

	trend *trend // nil without Trend
	// known and weights hold the known noise variances and the weights of the training points, as in
	// family.Data.
	known, weights []float64
}

// Model trains a stack. It implements family.Model and family.Annotator.
type Model struct {
	*train.Model
	config  Config
	problem *problem
	// parametersOnly is the length of the part of the stack's tape that needs no data.
	parametersOnly int
	predictors     map[[2]int]*pass
}

// New returns an untrained model for data. The layers are already recorded on tape, with their
// initial parameters. All random numbers derive from seed. Learned points start as standard normal
// draws.
func New(tape *autodiff.Tape, layers []layer.Layer, c Config, data family.Data, seed uint64) (*Model, error) {
	n, d := data.X.Dims()
	st := &stack{tape: tape, layers: layers, inputs: d, rule: c.Rule, trend: c.trend}
	st.observation = likelihood.NewParameters(tape, c.Likelihood)
	if c.Quadrature && len(layers) > 1 {
		st.quadrature = newQuadrature(tape, layers, c.Samples)
		for l, points := range st.quadrature.points {
			stats.Normals(points.Value, stats.Stream(seed, "quadrature", uint64(l)))
		}
	}
	if c.Latents > 0 {
		_, targets := data.Y.Dims()
		sizes := encoderSizes(d, targets, c.Latents)
		st.encoder = newEncoder(tape, sizes, stats.Stream(seed, "encoder", 0))
		st.latents = &latents{c.Latents, st.encoder.record}
		st.jitter = c.Jitter
	}
	c.known, c.weights = data.Noise, data.Weights
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

// stack returns the stack of the model.
func (m *Model) stack() *stack { return m.problem.stack }

// Notes implements family.Annotator.
func (m *Model) Notes() []string { return m.config.Notes }

// Hyper implements family.Model. It returns the parameters of the likelihood and of the kernels of
// the layers. Parameters of latent inputs have separate names.
func (m *Model) Hyper() []family.Quantity {
	list := family.LikelihoodQuantities(m.config.Likelihood, likelihood.Values(m.stack().observation))
	add := func(name string, n *autodiff.Node) {
		list = append(list, family.Quantity{Name: name, Value: append([]float64(nil), n.Value...)})
	}
	for l, current := range m.stack().layers {
		for _, p := range current.Parameters() {
			if !layer.IsKernel(p.Name) {
				continue
			}
			name := fmt.Sprintf("layer.%d.%s", l, p.Name)
			if own := m.config.Latents; own > 0 && l == 0 && p.Node.Cols == m.stack().inputs+own {
				list = append(list, splitColumns(name, p.Node, own)...)
				continue
			}
			add(name, p.Node)
		}
	}
	return list
}

// splitColumns splits a parameter with a value for each input of the first layer into two
// quantities: one for the inputs of the data and one for the given number of latent variables.
func splitColumns(name string, n *autodiff.Node, latents int) []family.Quantity {
	list := []family.Quantity{{Name: name}, {Name: name + ".latent"}}
	for r := range n.Rows {
		row := n.Row(r)
		list[0].Value = append(list[0].Value, row[:n.Cols-latents]...)
		list[1].Value = append(list[1].Value, row[n.Cols-latents:]...)
	}
	return list
}
