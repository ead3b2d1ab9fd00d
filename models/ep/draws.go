package ep

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// DrawFunctions implements family.FunctionSampler. It draws functions of each GP under its
// posterior q(u) (Bui et al. 2016, section 7), jointly over the outputs of the layer below. Given
// u, the draws follow the GP itself, whereas the values of the model at different points are
// independent (section 3); single values have the same distribution. Draws differ from predictions
// in two ways: they do not match moments, so with several layers their moments differ slightly, and
// they exclude the noise of hidden layers, which is independent for each point.
func (m *Model) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	var list [][][]float64
	for c := range count {
		stream := stats.Stream(seed, "functions", uint64(c))
		in := make([][]float64, d)
		for k := range in {
			in[k] = mat.Col(nil, k, X)
		}
		for _, current := range m.problem.layers {
			out := make([][]float64, len(current.gps))
			for k, g := range current.gps {
				eps := make([]float64, n)
				stats.Normals(eps, stream)
				var err error
				out[k], err = g.draw(in, eps)
				if err != nil {
					return nil, m.WithStep(err)
				}
			}
			in = out
		}
		list = append(list, in)
	}
	return list, nil
}

// draw returns a posterior function at the points in, [D][n], given standard normal numbers eps,
// [n]. With c as in project, its mean is a^T c and its covariance is k(X, X) - c^T c + c^T C c.
func (g *gp) draw(in [][]float64, eps []float64) ([]float64, error) {
	n := len(eps)
	d := len(in)
	size := g.inducing
	t := autodiff.NewTape()
	x := t.Constant(1, d, n)
	rows := make([]float64, n*d)
	for k, column := range in {
		copy(x.Row(k), column)
		for i, v := range column {
			rows[i*d+k] = v
		}
	}
	projected := g.project(t, x)
	if err := t.Forward(); err != nil {
		return nil, err
	}
	c := blas64.General{Rows: size, Cols: n, Stride: n, Data: projected.Value}
	f := make([]float64, n)
	blas64.Gemv(blas.Trans, 1, c, blas64.Vector{N: size, Inc: 1, Data: g.posterior.a.Value}, 0, blas64.Vector{
		N:    n,
		Inc:  1,
		Data: f,
	})
	k := make([]float64, n*n)
	kernel.RBF.Kuf(k, rows, x.Value, g.Lengthscales.Value, g.Variance.Value[0],
		make([]float64, d), n, d, n)
	linalg.Gemm(true, false, n, n, size, -1, c.Data, c.Data, 1, k)
	linalg.SolveLower(g.posterior.root.Value, c.Data, size, n, n)
	linalg.Gemm(true, false, n, n, size, 1, c.Data, c.Data, 1, k)
	return f, kernel.AddGPs(f, k, g.Variance.Value[0], eps, n)
}
