package dgp

import (
	"math/rand/v2"
	"testing"
)

// The bound of a large minibatch, worked on in several tiles and chains, is the
// mean of the bounds of its pieces, each of which is a single tile; so are the
// gradients.
func TestTilesDoNotChangeTheBound(t *testing.T) {
	const pieces, size = 14, 50
	widths := []int{2, 2, 1}
	for name, pattern := range patterns(widths) {
		r := rand.New(rand.NewPCG(9, 9))
		arch, seed := randomModel(r, widths, uneven(widths), 3, pattern, 0)
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
		near(t, name+" ELBO", run(whole, 0, n).ELBO, elbo)
		for k, g := range gradientsOf(whole) {
			near(t, name+" gradient", g, mean[k])
		}
	}
}

// gradientsOf joins the gradients of L_S, free entries only, and of the first Z.
func gradientsOf(e *Evaluation) []float64 {
	out := append([]float64(nil), e.bound.post.qSqrt.Grad()...)
	for i := range e.arch.Pattern.rows {
		b := e.bound.post.factorSpan(i, i).of(out)
		for r := range b.Rows {
			clear(b.Data[r*b.Cols+r+1 : (r+1)*b.Cols])
		}
	}
	return append(out, e.LayerGradient(0).Z...)
}

// copyParameters gives e the parameters of another evaluation.
func copyParameters(e, from *Evaluation) {
	copyLayers(e, from)
	copy(e.bound.post.qSqrt.Value, from.bound.post.qSqrt.Value)
}

// copyLayers gives e all but L_S.
func copyLayers(e, from *Evaluation) {
	for l := range e.arch.Layers {
		to := e.Layer(l)
		p := from.Layer(l)
		copy(to.Z, p.Z)
		copy(to.Lengthscales, p.Lengthscales)
		copy(to.Variance, p.Variance)
		copy(to.QMu, p.QMu)
	}
	e.Noise()[0] = from.Noise()[0]
}
