package linear

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/param"
	"dgplab/models/predictive"
	"dgplab/models/train"
	"dgplab/models/view"
)

// problem is regression or classification, with what follows from their parameters.
type problem interface {
	train.Problem
	// latent returns means and variances of the latent functions at points, without
	// noise, [n][L] each.
	latent(x *points) (mean, vr []float64, err error)
	// predict returns what family.Model's Predict does.
	predict(x *points, samples int, seed uint64) (predictive.Predictive, error)
	// weights returns the means, or the mode, of the weights, [L][D].
	weights() ([]float64, error)
	// drawWeights returns a draw of the weights from their posterior, [L][D].
	drawWeights(stream *rand.Rand) ([]float64, error)
	// precisions returns alpha of every latent function, [L].
	precisions() []float64
	// hyper names what is learned beside the weights.
	hyper() []family.Quantity
}

// positiveFloor is the lower bound of noise and precisions.
const positiveFloor = 1e-6

// precisions is the parameter alpha, which may be anywhere over decades.
func precisions(value []float64) *param.Parameter {
	return &param.Parameter{
		Name:      "weights.precision",
		Shape:     []int{len(value)},
		Value:     value,
		Transform: param.Exponential{Lower: positiveFloor},
	}
}

// Model maximises the evidence by L-BFGS. It implements family.Model, family.Viewer
// and family.FunctionSampler.
type Model struct {
	*train.Model
	problem problem
	inputs  *mat.Dense // of the training points, [N][D]
	x       *points    // the training points of the first target, as the problem sees them
	space   *rowSpace  // what the inputs of x are coordinates of; nil if they are inputs
	weights int        // of a latent function, with the intercept
}

// memory is how many steps L-BFGS learns the curvature from: there are two parameters.
const memory = 10

func build(v family.Values, data family.Data) (*Model, error) {
	intercept := v.Bool("intercept")
	m := &Model{inputs: data.X}
	_, m.weights = data.X.Dims()
	if intercept {
		m.weights++
	}
	var err error
	m.space, err = newRowSpace(data.X, intercept)
	if err != nil {
		return nil, err
	}
	if m.space != nil {
		data.X = m.space.coordinates(data.X, true)
		intercept = false // It is among the coordinates.
	}
	m.x = newPoints(data.X, observed(data.Y, 0), intercept)
	if m.x.n() == 0 {
		return nil, errors.New("a target without any value cannot be fitted")
	}
	m.problem, err = newProblem(v, data, m.x, intercept)
	if err != nil {
		return nil, err
	}
	method := infer.NewLBFGS(m.problem.Parameters().Size(), memory, infer.Tolerances{
		Gradient: v.Float("tolerance"),
		Change:   v.Float("ftol"),
	})
	m.Model, err = train.New(objective(), m.problem, method)
	return m, err
}

// newProblem returns what the task of the data asks for; x are the points of the first
// target.
func newProblem(v family.Values, data family.Data, x *points, intercept bool) (problem, error) {
	precision := v.Float("precision")
	switch data.Task {
	case task.Binary:
		return newClassification(x, newProbit(x.column(data.Y, 0)), precision)
	case task.Multiclass:
		return newClassification(x, newSoftmax(x.column(data.Y, 0), data.Classes), precision)
	}
	return newRegression(data, intercept, precision, v.Float("noise_variance"))
}

// at returns new inputs as the problem sees them.
func (m *Model) at(X *mat.Dense) *points {
	if m.space != nil {
		X = m.space.coordinates(X, false)
	}
	return m.x.all(X)
}

// meanWeights returns the means, or the mode, of the weights of the inputs, and last of the
// intercept, for each latent function, [L][D].
func (m *Model) meanWeights() ([]float64, error) {
	w, err := m.problem.weights()
	if err == nil && m.space != nil {
		w = m.space.weights(w)
	}
	return w, err
}

// Predict implements family.Model.
func (m *Model) Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	out, err := m.problem.predict(m.at(X), samples, seed)
	if err != nil {
		return nil, m.At(err)
	}
	return out, nil
}

// Hyper implements family.Model. The weights of a latent function are those of the
// inputs, and last its intercept.
func (m *Model) Hyper() (list []family.Quantity) {
	for _, q := range m.problem.hyper() {
		list = append(list, family.Quantity{Name: q.Name, Value: slices.Clone(q.Value)})
	}
	w, err := m.meanWeights()
	if err != nil {
		return list
	}
	for k := range len(w) / m.weights {
		name := "weights"
		if len(w) > m.weights {
			name = fmt.Sprintf("weights.%d", k)
		}
		own := w[k*m.weights : (k+1)*m.weights]
		list = append(list, family.Quantity{Name: name, Value: slices.Clone(own)})
	}
	return list
}

// Views implements family.Viewer: the functions along the input with the largest
// weights.
func (m *Model) Views(uint64) (view.Views, error) {
	w, err := m.meanWeights()
	if err != nil {
		return view.Views{}, m.At(err)
	}
	n, d := m.inputs.Dims()
	size := make([]float64, d) // the less, the more an input matters
	for i := range w {
		if k := i % m.weights; k < d {
			size[k] -= math.Abs(w[i])
		}
	}
	columns := make([]float64, d*n)
	train.Window(columns, m.inputs, 0)
	line := view.NewLine(columns, size)
	mean, vr, err := m.problem.latent(m.at(mat.NewDense(view.GridPoints, d, line.Points)))
	if err != nil {
		return view.Views{}, m.At(err)
	}
	return view.Views{Functions: line.Functions(mean, vr)}, nil
}
