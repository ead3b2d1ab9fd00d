package dgp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Blocks with several bands, of which the last has fewer rows, hold L_S L_S^T. Along a random direction, the
// slope of the bound is that of its gradient.
func TestBlocksOfSeveralBands(t *testing.T) {
	widths := []int{2, 1, 2}
	counts := []int{3*leastBand + 5, leastBand + 1, leastBand - 3}
	for name, pattern := range patterns(widths) {
		r := rand.New(rand.NewPCG(4, 1))
		arch, unwhitened := randomModel(r, widths, counts, 2, pattern, "rbf")
		whitened := *arch
		whitened.Unwhitened = false
		e := copyOf(&whitened, unwhitened, r)
		if _, err := e.Run(); err != nil {
			t.Fatal(err)
		}
		checkBlocks(t, name, e.bound.post)
		e.Differentiate()
		checkSlope(t, name, r, e)
	}
}

// checkBlocks compares the blocks of S_M with the dense product.
func checkBlocks(t *testing.T, name string, p *posterior) {
	t.Helper()
	dense := productWithTranspose(denseFactor(p))
	for _, group := range p.groups {
		for k, pair := range group.pairs {
			block := p.covariances[group.offset+k].view(p.pairs.Value)
			what := fmt.Sprintf("%s: S_M(%d,%d)", name, pair.i, pair.j)
			for i := range block.Rows {
				for j := range block.Cols {
					want := dense.At(p.starts[pair.i]+i, p.starts[pair.j]+j)
					checkWithin(t, what, block.Data[i*block.Stride+j], want, 1e-12)
				}
			}
		}
	}
}

// checkSlope compares the slope of the bound along a random direction of Z, mu and L_S, by central
// differences, with that of its gradient.
func checkSlope(t *testing.T, name string, r *rand.Rand, e *Evaluation) {
	t.Helper()
	var values [][]float64
	var directions [][]float64
	slope := 0.0
	add := func(value, gradient []float64, free func(k int) bool) {
		direction := normals(r, len(value))
		for k := range direction {
			if free != nil && !free(k) {
				direction[k] = 0
			}
			slope += direction[k] * gradient[k]
		}
		values = append(values, value)
		directions = append(directions, direction)
	}
	for l := range e.arch.Layers {
		p, g := e.Layer(l), e.LayerGradient(l)
		add(p.Z, g.Z, nil)
		add(p.QMu, g.QMu, nil)
	}
	eachBlock(e.arch, func(i, j int) {
		m := e.bound.post.points(j)
		add(e.QSqrt(i, j), e.QSqrtGradient(i, j), func(k int) bool { return i != j || k%m <= k/m })
	})
	at := func(shift float64) float64 {
		for n, value := range values {
			before := slices.Clone(value)
			defer copy(value, before)
			addScaled(value, directions[n], shift)
		}
		terms, err := e.Run()
		if err != nil {
			t.Fatal(err)
		}
		return terms.ELBO
	}
	const h = 1e-6
	checkWithin(t, name+": the slope of the bound", slope, (at(h)-at(-h))/(2*h), 1e-5)
}
