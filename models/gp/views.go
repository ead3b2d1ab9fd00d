package gp

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/view"
)

// Views implements family.Viewer. It returns f of each output with the terms of a sum of kernels, and
// the conditioning of the factorised matrices.
func (m *Model) Views(uint64) (view.Views, error) {
	if err := m.refresh(); err != nil {
		return view.Views{}, err
	}
	g := m.graph
	functions := m.data.Parts(g.kernel, g.x.Value, g.functionsOf)
	return view.Views{Functions: functions, Matrices: g.matrices()}, nil
}

// functionsOf returns the part of f with covariance k along a line.
func (g *graph) functionsOf(k *kernel.Covariance, line view.Line) *view.Functions {
	n := len(line.Grid)
	p := g.y.Rows
	mean := make([]float64, n*p)
	variance := make([]float64, n)
	g.predictTerm(k, mean, variance, line.Points)
	shared := make([]float64, 0, n*p)
	for _, v := range variance {
		shared = append(shared, slices.Repeat([]float64{v}, p)...)
	}
	return line.Functions(mean, shared)
}

// matrices returns the conditioning of the factors. B is the inverse of the whitened posterior
// covariance of the inducing outputs, so both have the same condition number.
func (g *graph) matrices() *view.Matrices {
	m, rescues := g.z.Rows, g.tape.RescuesByMatrix()
	add := func(out *view.Matrices, name string, kind view.MatrixKind, factor []float64, jitter float64) {
		out.Matrices = append(out.Matrices, view.Matrix{
			Name: name, Kind: kind, GP: -1, Rescues: rescues[name], Jitter: view.Float(jitter),
			Condition:     view.Float(linalg.CholeskyCondition(factor, m)),
			SmallestPivot: view.Float(linalg.SmallestPivot(factor, m)),
		})
	}
	out := &view.Matrices{}
	if g.inner == nil {
		add(out, placeC, view.PriorMatrix, g.root, 0)
		return out
	}
	add(out, placeKuu, view.PriorMatrix, g.root, g.jitter)
	add(out, placeB, view.PosteriorMatrix, g.inner, 0)
	out.Effective = []view.Float{view.Float(g.effective())}
	return out
}

// effective returns the number of well-determined parameters, M - tr(B^-1), where B^-1 is the
// whitened posterior covariance of the inducing outputs.
func (g *graph) effective() float64 {
	m := g.z.Rows
	inverse := make([]float64, m*m)
	for i := range m {
		inverse[i*m+i] = 1
	}
	linalg.SolveLower(g.inner, inverse, m, m, m)
	return float64(m) - sumSquares(inverse)
}

// InducingInputs implements family.InducingModel. It returns nil for the exact GP.
func (m *Model) InducingInputs() *mat.Dense {
	if m.graph.inner == nil {
		return nil
	}
	z := m.graph.z
	return mat.NewDense(z.Rows, z.Cols, slices.Clone(z.Value))
}
