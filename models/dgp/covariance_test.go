package dgp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The map is compared with the dense S_M = G G^T, G = blockdiag(L_K) L_S.
func TestCovarianceMapIsThatOfTheDenseMatrix(t *testing.T) {
	for _, name := range []string{"mean-field", "star", "fully-coupled", "chain", "star unwhitened"} {
		m := build(t, nameOf(name), wave(40), small, variants()[name][len(variants()[name])-1])
		steps(t, m, 5)
		if err := m.refresh(); err != nil {
			t.Fatal(err)
		}
		got := m.post().covariance(5 * 4) // five GPs of M = 8, pooled to 4 cells each
		p, size := m.post(), m.arch.M
		n := p.NumGPs() * size
		g := mat.NewDense(n, n, nil)
		for i, row := range p.rows {
			for _, j := range row {
				block := g.Slice(i*size, (i+1)*size, j*size, (j+1)*size).(*mat.Dense)
				factor := mat.NewDense(size, size, p.factor.At(p.blockOf(i, j)))
				block.Mul(mat.NewDense(size, size, p.layers[p.layer[i]].root.Value), factor)
			}
		}
		var s mat.Dense
		s.Mul(g, g.T())
		for _, part := range got.Parts {
			if part.Cells != 4 || part.Size != size {
				t.Fatalf("%s: a part %+v, want 4 cells for %d", name, part, size)
			}
		}
		side := got.Side()
		want := make([]float64, side*side)
		for r := range n {
			for c := range n {
				k := r/2*side + c/2
				want[k] = math.Max(want[k], math.Abs(s.At(r, c)))
			}
		}
		for k, w := range want {
			w = math.Log10(w)
			if !(got.Log10[k] == w || math.Abs(got.Log10[k]-w) < 1e-6) {
				t.Errorf("%s: cell (%d, %d) is %g, want %g", name, k/side, k%side, got.Log10[k], w)
			}
		}
	}
}
