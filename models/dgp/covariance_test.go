package dgp

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"

	"gonum.org/v1/gonum/mat"
)

// The map must match the dense S_M = G G^T, G = blockdiag(L_K) L_S. GPs with M = 8 are pooled to 4
// cells each; smaller GPs get min(M, 4) cells.
func TestCovarianceMapMatchesDenseMatrix(t *testing.T) {
	for _, name := range []string{"mean-field", "star", "fully-coupled", "chain", "star unwhitened",
		"fully-coupled uneven", "star unwhitened uneven"} {
		m := build(t, nameOf(name), familytest.Wave(40, 1), variants()[name]...)
		familytest.Steps(t, m, 5)
		if err := m.refresh(); err != nil {
			t.Fatal(err)
		}
		got := m.post.covariance(5 * 4) // five GPs
		p := m.post
		g := denseFactor(p)
		n := p.outputs()
		for i := range p.rows {
			from, to := p.starts[i], p.starts[i+1]
			rows := g.Slice(from, to, 0, n).(*mat.Dense)
			rows.Mul(mat.NewDense(to-from, to-from, p.layers[p.layer[i]].root.Value), mat.DenseCopyOf(rows))
		}
		var s mat.Dense
		s.Mul(g, g.T())
		var cells []int // the cell of each inducing output
		for i, part := range got.Parts {
			size := p.points(i)
			if part.Cells != min(size, 4) || part.Size != size {
				t.Fatalf("%s: a part %+v, want 4 cells for %d", name, part, size)
			}
			first := 0
			if i > 0 {
				first = cells[len(cells)-1] + 1
			}
			for k := range size {
				cells = append(cells, first+k*part.Cells/size)
			}
		}
		side := got.Side()
		want := make([]float64, side*side)
		for r := range n {
			for c := range n {
				k := cells[r]*side + cells[c]
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

// The covariances within the GPs are the blocks of the joint covariance.
func TestOwnCovariances(t *testing.T) {
	for _, name := range []string{"mean-field", "star", "fully-coupled"} {
		m := build(t, name, familytest.Wave(40, 1), small)
		familytest.Steps(t, m, 3)
		whole, err := m.Posterior(nil)
		if err != nil {
			t.Fatal(err)
		}
		joint := whole.Tensors[len(whole.Tensors)-1]
		var own family.Arrays
		m.post.exportOwnCovariances(&own)
		size, at := joint.Shape[0], 0
		for l, a := range own.Tensors {
			if want := []int{len(m.post.members(l)), 8, 8}; !slices.Equal(a.Shape, want) {
				t.Errorf("%s: %s has shape %v, want %v", name, a.Name, a.Shape, want)
			}
			for k, v := range a.Data {
				i, j := at+k/64*8+k/8%8, at+k/64*8+k%8
				if want := joint.Data[i*size+j]; v != want {
					t.Fatalf("%s: entry %d of %s is %v, want %v", name, k, a.Name, v, want)
				}
			}
			at += len(a.Data) / 8
		}
		if at != size {
			t.Errorf("%s: %d of %d outputs", name, at, size)
		}
	}
}
