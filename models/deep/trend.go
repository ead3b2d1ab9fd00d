package deep

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// trend is a linear function of the model inputs that is added to the outputs of the last layer, so
// the stack models the residuals (a GP with an explicit mean function: Rasmussen, Williams,
// "Gaussian Processes for Machine Learning", 2006, section 2.7).
type trend struct {
	outputs, inputs int
	weights         []float64 // [P][D+1], the intercept last
}

// newTrend returns a trend with weights w [P, D+1], the intercept last, for the given number of
// outputs. If a target has several latent functions, the trend belongs to the first.
func newTrend(w *mat.Dense, outputs int) *trend {
	p, d := w.Dims()
	all := mat.NewDense(outputs, d, nil)
	for k := range p {
		all.SetRow(k*outputs/p, w.RawRowView(k))
	}
	return &trend{outputs: outputs, inputs: d - 1, weights: all.RawMatrix().Data}
}

// add adds the values at x [D][B] to dst [P][S*B], once per sample.
func (r *trend) add(dst, x []float64) {
	b := len(x) / r.inputs
	cols := len(dst) / r.outputs
	values := make([]float64, b)
	for k := range r.outputs {
		w := r.weights[k*(r.inputs+1) : (k+1)*(r.inputs+1)]
		for i := range values {
			values[i] = w[r.inputs]
		}
		linalg.Gemm(false, false, 1, b, r.inputs, 1, w[:r.inputs], x, 1, values)
		for first := k * cols; first < (k+1)*cols; first += b {
			floats.Add(dst[first:first+b], values)
		}
	}
}

// record records the values at x, [1][D][B], for each sample, [1][P][cols].
func (r *trend) record(t *autodiff.Tape, x *autodiff.Node, cols int) *autodiff.Node {
	out := t.Output(1, r.outputs, cols, x)
	return t.Record(out, func() error {
		clear(out.Value)
		r.add(out.Value, x.Value)
		return nil
	}, func() {})
}

// minStart is the lower bound of initial variances. It applies to data that the trend fits exactly.
const minStart = 1e-5

// InUnits converts an initial variance, given in multiples of unit, and returns at least 1e-5.
func InUnits(variance, unit float64) float64 { return max(variance*unit, minStart) }
