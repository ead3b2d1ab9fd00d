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

// cholEntry returns the vector of C_ik. ok is false if the pattern makes the entry zero.
func (g *graph) cholEntry(i, k int) (vector, bool) {
	p := g.post
	e := g.chol[p.layer[i]]
	for place, col := range p.fill[i] {
		if col == k {
			return vector{e.node, e.at[p.position(i)][place]}, true
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
	place    string
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
	g.tape.Record(e.node, func() error {
		for k := range steps {
			if err := g.choleskyForward(&steps[k], residual); err != nil {
				return err
			}
		}
		return nil
	}, func() {
		for k := len(steps) - 1; k >= 0; k-- {
			g.choleskyBackward(&steps[k], residual)
		}
	})
}

func (g *graph) choleskySteps(l int) []step {
	p := g.post
	var steps []step
	for _, i := range p.members(l) {
		for _, j := range p.fill[i] {
			s := step{diagonal: i == j, place: g.placeOf(i)}
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

// choleskyForward computes one entry for all points.
func (g *graph) choleskyForward(s *step, residual *autodiff.Node) error {
	out := s.out.value()
	if s.source != nil {
		copy(out, s.source.value())
	} else {
		clear(out)
	}
	if s.diagonal {
		addTo(out, residual.Value)
	}
	for _, u := range s.updates {
		subtractProduct(out, u.ik.value(), u.jk.value())
	}
	if !s.diagonal {
		divide(out, s.pivot.value())
		return nil
	}
	return g.root(out, s, residual.Value)
}

// root replaces the pivots by their square roots. Pivots that are not positive are first raised by
// the jitter ladder, relative to the marginal variance of the point.
func (g *graph) root(pivots []float64, s *step, residual []float64) error {
	for n, v := range pivots {
		if !(v > 0) {
			lifted, err := g.lift(v, s.source.value()[n]+residual[n], s.place)
			if err != nil {
				return err
			}
			pivots[n] = lifted
		}
	}
	vec.Roots(pivots, pivots)
	return nil
}

// choleskyBackward propagates the gradient of one entry to its source, its pivot and the entries of
// its updates. It overwrites the gradient of the entry.
func (g *graph) choleskyBackward(s *step, residual *autodiff.Node) {
	d := s.out.grad()
	out := s.out.value()
	if s.diagonal {
		vec.Div(d, d, out)
		vec.Scaled(d, d, 0.5)
		addTo(residual.Grad(), d)
	} else {
		divide(d, s.pivot.value())
		subtractProduct(s.pivot.grad(), d, out)
	}
	if s.source != nil {
		addTo(s.source.grad(), d)
	}
	for _, u := range s.updates {
		subtractProduct(u.ik.grad(), d, u.jk.value())
		subtractProduct(u.jk.grad(), d, u.ik.value())
	}
}

// lift raises a pivot by the jitter ladder until it is positive. marginal is the marginal variance
// of the point.
func (g *graph) lift(pivot, marginal float64, place string) (float64, error) {
	var ladder linalg.Jitter
	for lifted := pivot; ; lifted = pivot + ladder.Amount() {
		if lifted > 0 {
			g.tape.CountRescues(place, ladder.Rescues)
			return lifted, nil
		}
		// A NaN pivot results from a NaN input even if the marginal is finite.
		if math.IsNaN(pivot) {
			marginal = pivot
		}
		if err := ladder.Increase([]float64{marginal}, 1, place); err != nil {
			return 0, err
		}
	}
}

// divide divides dst by src elementwise; a shorter src repeats.
func divide(dst, src []float64) {
	for start := 0; start < len(dst); start += len(src) {
		d := dst[start : start+len(src)]
		vec.Div(d, d, src)
	}
}

// subtractProduct subtracts a b from dst. The vectors have B or R B entries. Shorter operands
// repeat, and a shorter dst receives the sum over repeats.
func subtractProduct(dst, a, b []float64) { eachWindow(dst, a, b, vec.SubMul) }

// addProduct adds a b to dst, with the repetition rules of subtractProduct.
func addProduct(dst, a, b []float64) { eachWindow(dst, a, b, vec.AddMul) }

// eachWindow calls do on windows of the length of the shortest vector.
func eachWindow(dst, a, b []float64, do func(dst, a, b []float64)) {
	length := min(len(dst), len(a), len(b))
	for start := 0; start < max(len(dst), len(a), len(b)); start += length {
		do(window(dst, start, length), window(a, start, length), window(b, start, length))
	}
}

// window returns the given number of entries of v from start on, or all of v if it is no longer
// than that.
func window(v []float64, start, length int) []float64 {
	if len(v) == length {
		return v
	}
	return v[start : start+length]
}
