package gp

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// DrawFunctions implements family.FunctionSampler.
func (m *Model) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	mean, k, err := m.JointMoments(X)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	p := m.graph.y.Rows
	f := make([]float64, count*p*n)
	eps := make([]float64, len(f))
	for c := range count {
		copy(f[c*p*n:], slices.Concat(mean...))
		stats.Normals(eps[c*p*n:(c+1)*p*n], stats.Stream(seed, "functions", uint64(c)))
	}
	columns := make([]float64, d*n)
	linalg.Transpose(columns, rows(X), n, d)
	if err := kernel.AddGPs(f, k[0], m.graph.kernel.Scale(0, columns), eps, n); err != nil {
		return nil, m.WithStep(err)
	}
	var list [][][]float64
	for draw := range slices.Chunk(f, p*n) {
		list = append(list, slices.Collect(slices.Chunk(draw, n)))
	}
	return list, nil
}

// JointMoments implements family.JointPredictor. The covariance is k(X, X) - A^T A + C^T C, where the
// columns of A and C are the vectors a and c of predict. The targets share it.
func (m *Model) JointMoments(X *mat.Dense) (mean, covariance [][]float64, err error) {
	if err := m.refresh(); err != nil {
		return nil, nil, err
	}
	g := m.graph
	n, d := X.Dims()
	x, p := rows(X), g.y.Rows
	moments := make([]float64, n*p)
	g.predict(moments, make([]float64, n), x)
	byTarget := make([]float64, n*p)
	linalg.Transpose(byTarget, moments, n, p)
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
	return slices.Collect(slices.Chunk(byTarget, n)), slices.Repeat([][]float64{k}, p), nil
}
