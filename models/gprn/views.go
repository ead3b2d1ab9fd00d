package gprn

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
	"dgplab/models/view"
)

// Views implements family.Viewer. It returns the covariances of all functions, the functions along
// each input, the network, and the matrices.
func (m *Model) Views(uint64) (view.Views, error) {
	n := m.network
	lines := n.lines()
	blocks, blocksErr := n.blocks(lines[0])
	moments, functionsErr := n.predict(pointsAlong(lines))
	matrices, matricesErr := n.matrices()
	out := view.Views{
		Blocks:   blocks,
		Matrices: matrices,
		Network:  n.atData().network(n.data, n.latentScales(), n.order(lines[0])),
	}
	if functionsErr == nil {
		out.Functions = functionsAlong(moments, lines, n.p, n.q)
	}
	return out, m.WithStep(errors.Join(blocksErr, functionsErr, matricesErr))
}

// lines returns points along each column, starting with the column of the shortest lengthscale of a latent
// function.
func (m *network) lines() []view.Line {
	shortest := m.latents[0].kernel.Lengths(0)
	for _, p := range m.latents[1:] {
		for d, l := range p.kernel.Lengths(0) {
			shortest[d] = math.Min(shortest[d], l)
		}
	}
	return m.inputs.Lines(shortest)
}

// lines returns points along each column, starting with the column of the shortest lengthscale.
func (p *prior) lines() []view.Line { return p.data.inputs.Lines(p.kernel.Lengths(0)) }

// pointsAlong returns the points of all lines, [n][D].
func pointsAlong(lines []view.Line) (points []float64) {
	for _, l := range lines {
		points = append(points, l.Points...)
	}
	return points
}

// functionsOf returns all functions at the points [from, to).
func functionsOf(a *moments, from, to, p, q int) (list []view.Function) {
	for k, name := range functionNames(p, q) {
		f := view.Function{Name: name}
		mean, variance := a.of(k)
		for i := from; i < to; i++ {
			f.Mean = append(f.Mean, mean[i])
			f.SD = append(f.SD, math.Sqrt(variance[i]))
		}
		list = append(list, f)
	}
	return list
}

// functionsAlong returns all functions along lines, given their moments at the points of all lines.
func functionsAlong(a *moments, lines []view.Line, p, q int) *view.Functions {
	var list []view.Functions
	from := 0
	for _, l := range lines {
		to := from + len(l.Grid)
		list = append(list, l.Along(functionsOf(a, from, to, p, q)))
		from = to
	}
	list[0].Others = list[1:]
	return &list[0]
}

// Functions implements family.FunctionPredictor.
func (m *Model) Functions(X *mat.Dense) ([]view.Function, error) {
	n := m.network
	a, err := n.predict(rows(X))
	if err != nil {
		return nil, m.WithStep(err)
	}
	return functionsOf(a, 0, a.n, n.p, n.q), nil
}

// functionName returns the name of function k of moments, in the notation of formulas.
func functionName(k, q int) string {
	if k < q {
		return fmt.Sprintf("f_%d", k+1)
	}
	if i, j := k/q, k%q+1; i > 9 || j > 9 {
		return fmt.Sprintf("w_%d,%d", i, j)
	}
	return fmt.Sprintf("w_%d%d", k/q, k%q+1)
}

// functionNames returns the names of all functions, in the order of moments.
func functionNames(p, q int) (list []string) {
	for k := range q * (p + 1) {
		list = append(list, functionName(k, q))
	}
	return list
}

// parts returns the functions as parts of a covariance map, with the latent functions as group 0
// and the weight functions as group 1.
func parts(n, p, q int) []view.Part {
	list := make([]view.Part, q*(p+1))
	for k, name := range functionNames(p, q) {
		list[k] = view.Part{Index: k, Size: n, Name: name}
		if k >= q {
			list[k].Group, list[k].Index = 1, k-q
		}
	}
	return list
}

// blocks returns the posterior covariances at the training points, ordered along a line to place
// nearby points together. Functions are independent.
func (m *network) blocks(line view.Line) (*view.Blocks, error) {
	pool := view.NewPool(parts(m.n, m.p, m.q), view.MaxCells)
	order := m.order(line)
	sigmas := make([][]float64, len(m.groups))
	err := m.runQuietly(func(_ *network, g *group, w *work) {
		w.err = g.factorise(w, m.noise[0])
		if w.err == nil {
			sigmas[slices.Index(m.groups, g)] = g.sigma(w, order)
		}
	})
	if err != nil {
		return nil, err
	}
	for k, g := range m.groups {
		for _, f := range g.members {
			pool.Enter(m.number(f), m.number(f), square(sigmas[k], m.n))
		}
	}
	return pool.Blocks(), nil
}

// order returns the indices of the training points, ascending along a line or grouped by its levels.
func (d *data) order(line view.Line) []int {
	order := make([]int, d.n)
	for k := range order {
		order[k] = k
	}
	values := func(point int) []float64 {
		first := point*d.d + line.Input
		return d.x[first : first+line.Width]
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(values(a), values(b)) })
	return order
}

// sigma returns Sigma with rows and columns in the given order, computed from the factor of B as K
// - U^T U with U = factor^-1 root K.
func (g *group) sigma(w *work, order []int) []float64 {
	n := len(order)
	u := square(w.a, n)
	for i, r := range w.root {
		row := u.Data[i*n : (i+1)*n]
		copy(row, g.prior.k[i*n:(i+1)*n])
		scale(row, r)
	}
	linalg.SolveLower(w.b, u.Data, n, n, n)
	linalg.Gemm(true, false, n, n, n, 1, u.Data, u.Data, 0, w.c)
	out := make([]float64, n*n)
	for i, row := range order {
		for j, column := range order {
			out[i*n+j] = g.prior.k[row*n+column] - w.c[row*n+column]
		}
	}
	return out
}

// matrices returns the conditioning of the priors and of the matrices B, which have the condition
// numbers of the whitened posterior covariances.
func (m *network) matrices() (*view.Matrices, error) {
	out := &view.Matrices{Parts: functionNames(m.p, m.q), KLByLayer: make([]view.Float, m.q*(m.p+1))}
	for _, p := range m.latents {
		out.Matrices = append(out.Matrices, p.matrix(0))
	}
	out.Matrices = append(out.Matrices, m.weight.matrix(1))
	list := make([]view.Matrix, len(m.groups))
	rescues := make([]int, len(m.groups))
	for k, g := range m.groups {
		rescues[k] = g.rescues
	}
	err := m.runQuietly(func(_ *network, g *group, w *work) {
		w.err = g.factorise(w, m.noise[0])
		if w.err != nil {
			return
		}
		k := slices.Index(m.groups, g)
		list[k] = view.Matrix{Name: g.matrix, Kind: view.PosteriorMatrix, GP: k, Rescues: rescues[k],
			Condition:     view.Float(linalg.CholeskyCondition(w.b, m.n)),
			SmallestPivot: view.Float(linalg.SmallestPivot(w.b, m.n))}
		if k >= m.q {
			list[k].Layer, list[k].GP = 1, k-m.q
		}
		for _, f := range g.members {
			out.KLByLayer[m.number(f)] = view.Float(g.divergence(f))
		}
	})
	if err != nil {
		return out, err
	}
	out.Matrices = append(out.Matrices, list...)
	return out, nil
}

// matrix returns the conditioning of K. The condition number is infinite if K has no Cholesky
// factor.
func (p *prior) matrix(layer int) view.Matrix {
	n := p.data.n
	out := view.Matrix{Name: p.of, Kind: view.PriorMatrix, Layer: layer, GP: -1,
		Jitter:    view.Float(p.jitter),
		Condition: view.Float(math.Inf(1))}
	l, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: slices.Clone(p.k)})
	if ok {
		out.Condition = view.Float(linalg.CholeskyCondition(l.Data, n))
		out.SmallestPivot = view.Float(linalg.SmallestPivot(l.Data, n))
	}
	return out
}
