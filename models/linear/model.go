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

// problem is implemented by regression and classification.
type problem interface {
	train.Problem
	// latent returns the means and variances of the noiseless latent functions at points, [n][L]
	// each.
	latent(x *points) (mean, vr []float64, err error)
	// predict implements Predict of family.Model.
	predict(x *points, samples int, seed uint64) (predictive.Predictive, error)
	// weights returns the means, or the mode, of the weights, [L][D].
	weights() ([]float64, error)
	// covariances returns the covariances of the weights: one matrix [D][D] per latent function if
	// these are independent, otherwise one joint matrix [LD][LD]. weights must have been called since the
	// parameters changed.
	covariances() [][]float64
	// drawWeights returns a draw of the weights from their posterior, [L][D].
	drawWeights(stream *rand.Rand) ([]float64, error)
	// precisions returns alpha of every latent function, [L].
	precisions() []float64
	// hyper returns the learned quantities other than the weights.
	hyper() []family.Quantity
}

// positiveFloor is the lower bound of noise variances and precisions.
const positiveFloor = 1e-6

// precisions returns the parameter alpha. Its transform is exponential because alpha can vary over
// many orders of magnitude.
func precisions(value []float64) *param.Parameter {
	return &param.Parameter{
		Name:      "weights.precision",
		Shape:     []int{len(value)},
		Value:     value,
		Transform: param.Exponential{Lower: positiveFloor},
	}
}

// Model maximises the evidence by L-BFGS. It implements family.Model, family.Viewer and
// family.FunctionSampler.
type Model struct {
	*train.Model
	problem problem
	data    family.Data
	x       *points   // training points of the first target, in the coordinates of the problem
	space   *rowSpace // maps inputs to the coordinates of x; nil if they are the inputs
	weights int       // number of weights per latent function, with the intercept
}

// memory is the number of steps in the curvature estimate of L-BFGS. The problem has only two
// parameters per target.
const memory = 10

func build(v family.Values, data family.Data) (*Model, error) {
	intercept := v.Bool("intercept")
	m := &Model{data: data}
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
		intercept = false // the coordinates include the intercept
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

// newProblem returns the problem for the task of the data. x holds the points of the first target.
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

// at returns the points of new inputs in the coordinates of the problem.
func (m *Model) at(X *mat.Dense) *points {
	if m.space != nil {
		X = m.space.coordinates(X, false)
	}
	return m.x.all(X)
}

// meanWeights returns the means, or the mode, of the weights of the inputs followed by the
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
		return nil, m.WithStep(err)
	}
	return out, nil
}

// Hyper implements family.Model. The intercept of a latent function follows its weights.
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

// Views implements family.Viewer. It shows the functions along the column with the largest weight.
func (m *Model) Views(uint64) (view.Views, error) {
	w, err := m.meanWeights()
	if err != nil {
		return view.Views{}, m.WithStep(err)
	}
	_, d := m.data.X.Dims()
	size := make([]float64, d) // negative total weight of each input
	for i := range w {
		if k := i % m.weights; k < d {
			size[k] -= math.Abs(w[i])
		}
	}
	line := m.data.Line(size)
	mean, vr, err := m.problem.latent(m.at(mat.NewDense(len(line.Grid), d, line.Points)))
	if err != nil {
		return view.Views{}, m.WithStep(err)
	}
	return view.Views{Functions: line.Functions(mean, vr)}, nil
}
