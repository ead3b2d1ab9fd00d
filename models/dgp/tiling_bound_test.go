package dgp

import (
	"math/rand/v2"
	"testing"
)

// The bound of a large minibatch, computed in several tiles and chains, must equal the mean of the
// bounds of its single-tile pieces, and likewise for the gradients.
func TestBoundIndependentOfTiles(t *testing.T) {
	const pieces, size = 14, 50
	widths := []int{2, 2, 1}
	for name, pattern := range patterns(widths) {
		r := rand.New(rand.NewPCG(9, 9))
		arch, seed := randomModel(r, widths, uneven(widths), 3, pattern, "rbf")
		whole := NewEvaluation(arch, pieces*size, 2)
		piece := NewEvaluation(arch, size, 2)
		for _, e := range []*Evaluation{whole, piece} {
			copyParameters(e, seed)
		}
		n := pieces * size
		x := normals(r, n*3)
		y := normals(r, n)
		eps := [][]float64{normals(r, 2*2*n), normals(r, 2*2*n)}
		run := func(e *Evaluation, start, b int) Terms {
			e.SetData(x[start*3:(start+b)*3], y[start:start+b], 1000)
			for l := range eps {
				for row := range 4 { // GP and sample
					copy(e.Eps(l)[row*b:(row+1)*b], eps[l][row*n+start:row*n+start+b])
				}
			}
			terms, err := e.Run()
			if err != nil {
				t.Fatal(err)
			}
			e.Differentiate()
			return terms
		}
		var elbo float64
		mean := make([]float64, len(piece.bound.post.qSqrt.Value)+len(piece.Layer(0).Z))
		for k := range pieces {
			elbo += run(piece, k*size, size).ELBO / pieces
			addScaled(mean, gradientsOf(piece), 1.0/pieces)
		}
		checkWithin(t, name+" ELBO", run(whole, 0, n).ELBO, elbo, 1e-8)
		for k, g := range gradientsOf(whole) {
			checkWithin(t, name+" gradient", g, mean[k], 1e-8)
		}
	}
}

// gradientsOf returns the gradients of L_S, free entries only, and of Z of layer 1.
func gradientsOf(e *Evaluation) []float64 {
	out := append([]float64(nil), e.bound.post.qSqrt.Grad()...)
	for i := range e.arch.Pattern.rows {
		b := e.bound.post.factorSpan(i, i).view(out)
		for r := range b.Rows {
			clear(b.Data[r*b.Cols+r+1 : (r+1)*b.Cols])
		}
	}
	return append(out, e.LayerGradient(0).Z...)
}

// copyParameters copies all parameters to e.
func copyParameters(e, from *Evaluation) {
	copyLayers(e, from)
	copy(e.bound.post.qSqrt.Value, from.bound.post.qSqrt.Value)
}

// copyLayers copies all parameters except L_S to e.
func copyLayers(e, from *Evaluation) {
	for l := range e.arch.Layers {
		to := e.Layer(l)
		p := from.Layer(l)
		copy(to.Z, p.Z)
		copy(to.Lengthscales, p.Lengthscales)
		copy(to.Variance, p.Variance)
		copy(to.QMu, p.QMu)
	}
	copy(e.Noise(), from.Noise())
}
