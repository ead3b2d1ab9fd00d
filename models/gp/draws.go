package gp

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// DrawFunctions implements family.FunctionSampler. The covariance of f at the points is k(X, X) -
// A^T A + C^T C, where the columns of A and C are the vectors a and c of predict.
func (m *Model) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	g := m.graph
	n, d := X.Dims()
	x, p := rows(X), g.y.Rows
	mean := make([]float64, n*p)
	variance := make([]float64, n)
	g.predict(mean, variance, x)
	columns := make([]float64, d*n)
	k := make([]float64, n*n)
	linalg.Transpose(columns, x, n, d)
	g.kernel.Kff(k, 0, columns)
	solved := make([]float64, g.z.Rows*n)
	g.kernel.Kuf(solved, 0, g.z.Value, columns)
	linalg.SolveLower(g.root, solved, g.z.Rows, n, n)
	linalg.Gemm(true, false, n, n, g.z.Rows, -1, solved, solved, 1, k)
	if g.inner != nil {
		linalg.SolveLower(g.inner, solved, g.z.Rows, n, n)
		linalg.Gemm(true, false, n, n, g.z.Rows, 1, solved, solved, 1, k)
	}
	f := make([]float64, count*p*n)
	eps := make([]float64, len(f))
	for c := range count {
		own := f[c*p*n : (c+1)*p*n]
		linalg.Transpose(own, mean, n, p)
		stats.Normals(eps[c*p*n:(c+1)*p*n], stats.Stream(seed, "functions", uint64(c)))
	}
	if err := kernel.AddGPs(f, k, g.kernel.Scale(0, columns), eps, n); err != nil {
		return nil, m.WithStep(err)
	}
	var list [][][]float64
	for draw := range slices.Chunk(f, p*n) {
		list = append(list, slices.Collect(slices.Chunk(draw, n)))
	}
	return list, nil
}
