package dgp

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// Theorem 1 conditions f_n^l on the samples of the layers below. Let S~_n be the T x T covariance
// of the function values at point n, and C_n its lower Cholesky factor. Block row l of C_n is
// [S~^{l,<l} C^{<l,-T}, chol of Sigma^^l], so samples drawn layer by layer satisfy f_n - mu~_n =
// C_n eps_n. The conditional mean is therefore mu~^l + C^{l,<l} eps^{<l}, and no linear system has
// to be solved. C_n grows by one block row per layer. Each entry that the pattern can fill is
// stored as a vector over points, one row of a matrix.

// entries locates the stored entries of the Cholesky rows of one layer.
type entries struct {
	node *autodiff.Node // [1][filled entries of the layer][P]
	// at[t][k] is the row of node with C_{i, fill[i][k]}, where t is the position of GP i in its
	// layer.
	at [][]int
}

// vector is a row of a node: one entry for all points.
type vector struct {
	node *autodiff.Node
	row  int
}

func (v vector) value() []float64 { return v.node.Row(v.row) }
func (v vector) grad() []float64 {
	return v.node.Grad()[v.row*v.node.Cols : (v.row+1)*v.node.Cols]
}

// values and grads return the entries for the points [start, end) of a layer.
func (v vector) values(start, end int) []float64 { return cut(v.value(), start, end) }
func (v vector) grads(start, end int) []float64  { return cut(v.grad(), start, end) }

// cholEntry returns the vector of C_ik. ok is false if the pattern makes the entry zero.
func (g *graph) cholEntry(i, k int) (vector, bool) {
	p := g.post
	e := g.chol[p.layer[i]]
	for n, col := range p.fill[i] {
		if col == k {
			return vector{e.node, e.at[p.position(i)][n]}, true
		}
	}
	return vector{}, false
}

// update is one product C_ik C_jk in the recursion for C_ij.
type update struct{ ik, jk vector }

// step computes one entry C_ij = (S~_ij - sum of updates) / C_jj, or its square root C_ii if j = i.
type step struct {
	out      vector
	source   *vector // the form of S_ij, or nil if zero by structure
	pivot    vector  // C_jj
	diagonal bool
	updates  []update
	matrix   string
}

// cholesky records the Cholesky rows of layer l from its forms. The forms are the S~_ij; for i = j
// residual, the prior variance k_nn - |a_n|^2, is added.
func (g *graph) cholesky(l int, residual *autodiff.Node) {
	p := g.post
	e := &entries{}
	count := 0
	for _, i := range p.members(l) {
		rows := make([]int, len(p.fill[i]))
		for k := range rows {
			rows[k] = count
			count++
		}
		e.at = append(e.at, rows)
	}
	e.node = g.tape.Output(1, count, residual.Cols, residual, p.factor)
	g.chol = append(g.chol, e)
	steps := g.choleskySteps(l)
	nodes := []*autodiff.Node{e.node, residual}
	period := residual.Cols
	for _, s := range steps {
		nodes = append(nodes, s.pivot.node)
		if s.source != nil {
			nodes = append(nodes, s.source.node)
		}
		period = min(period, s.pivot.node.Cols)
	}
	forward := g.newPointwise(residual.Cols, period, func(start, end int) error {
		for k := range steps {
			if err := g.choleskyForward(&steps[k], residual, start, end); err != nil {
				return err
			}
		}
		return nil
	})
	backward := g.newPointwise(residual.Cols, period, func(start, end int) error {
		for k := len(steps) - 1; k >= 0; k-- {
			choleskyBackward(&steps[k], residual, start, end)
		}
		return nil
	})
	g.tape.Record(e.node, forward.run, func() {
		claim(nodes)
		backward.run()
	})
}

func (g *graph) choleskySteps(l int) []step {
	p := g.post
	var steps []step
	for _, i := range p.members(l) {
		for _, j := range p.fill[i] {
			s := step{diagonal: i == j, matrix: g.matrixOf(i)}
			if form, ok := g.forms[l][pair{i, j}]; ok {
				s.source = &form
			}
			s.out, _ = g.cholEntry(i, j)
			s.pivot, _ = g.cholEntry(j, j)
			for _, k := range p.fill[i] {
				if jk, ok := g.cholEntry(j, k); ok && k < j {
					ik, _ := g.cholEntry(i, k)
					s.updates = append(s.updates, update{ik, jk})
				}
			}
			steps = append(steps, s)
		}
	}
	return steps
}

// choleskyForward computes one entry for the points [start, end).
func (g *graph) choleskyForward(s *step, residual *autodiff.Node, start, end int) error {
	out := s.out.values(start, end)
	if s.source != nil {
		copy(out, s.source.values(start, end))
	} else {
		clear(out)
	}
	if s.diagonal {
		addTo(out, residual.Value[start:end])
	}
	for _, u := range s.updates {
		vec.SubMul(out, u.ik.values(start, end), u.jk.values(start, end))
	}
	if !s.diagonal {
		vec.Div(out, out, s.pivot.values(start, end))
		return nil
	}
	return g.root(out, s, residual.Value, start)
}

// root replaces the pivots of the points from start on by their square roots. Pivots that are not positive
// are first raised by the jitter ladder, relative to the marginal variance of the point.
func (g *graph) root(pivots []float64, s *step, residual []float64, start int) error {
	for n, v := range pivots {
		if !(v > 0) {
			lifted, err := g.lift(v, s.source.value()[start+n]+residual[start+n], s.matrix)
			if err != nil {
				return err
			}
			pivots[n] = lifted
		}
	}
	vec.Roots(pivots, pivots)
	return nil
}

// choleskyBackward propagates the gradient of one entry for the points [start, end) to its source, its
// pivot and the entries of its updates. It overwrites the gradient of the entry.
func choleskyBackward(s *step, residual *autodiff.Node, start, end int) {
	d := s.out.grads(start, end)
	out := s.out.values(start, end)
	if s.diagonal {
		vec.Div(d, d, out)
		vec.Scaled(d, d, 0.5)
		addTo(residual.Grad()[start:end], d)
	} else {
		vec.Div(d, d, s.pivot.values(start, end))
		vec.SubMul(s.pivot.grads(start, end), d, out)
	}
	if s.source != nil {
		addTo(s.source.grads(start, end), d)
	}
	for _, u := range s.updates {
		vec.SubMul(u.ik.grads(start, end), d, u.jk.values(start, end))
		vec.SubMul(u.jk.grads(start, end), d, u.ik.values(start, end))
	}
}

// lift raises a pivot by the jitter ladder until it is positive. marginal is the marginal variance
// of the point. It may be called by parallel loops.
func (g *graph) lift(pivot, marginal float64, matrix string) (float64, error) {
	var ladder linalg.Jitter
	for lifted := pivot; ; lifted = pivot + ladder.Amount() {
		if lifted > 0 {
			g.rescues.add(matrix, ladder.Rescues)
			return lifted, nil
		}
		// A NaN pivot results from a NaN input even if the marginal is finite.
		if math.IsNaN(pivot) {
			marginal = pivot
		}
		if err := ladder.Increase([]float64{marginal}, 1, matrix); err != nil {
			return 0, err
		}
	}
}
