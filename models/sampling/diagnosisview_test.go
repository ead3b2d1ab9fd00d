package sampling

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/models/view"
)

// inducing returns quantities for a view. In the quantity with index stuck, one chain samples a
// different location.
func inducing(rng *rand.Rand, count, stuck int) (list []Quantity) {
	for i := range count {
		q := Quantity{Name: fmt.Sprintf("u%d", i), Kind: view.InducingOutput, Draws: ar1(rng, 4, 600, 0.8)}
		if i == stuck {
			for k := range q.Draws[2] {
				q.Draws[2][k] += 9
			}
		}
		list = append(list, q)
	}
	return list
}

// The view keeps the draws of rare kinds of quantities, of some quantities of frequent kinds, and
// of the stuck quantity. Statistics are computed from all draws.
func TestView(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	list := append([]Quantity{{Name: "noise", Kind: view.Hyperparameter, Draws: ar1(rng, 4, 600, 0)}},
		inducing(rng, 100, 50)...)
	c := View(list, 3)
	if err := c.Check(); err != nil || c.Chains != 4 || c.Draws != 600 || c.Distance != 3 ||
		len(c.Quantities) != 101 {
		t.Fatalf("%d quantities of %d chains, %v", len(c.Quantities), c.Chains, err)
	}
	shown := c.WithDraws()
	if len(shown) != mostDrawn || shown[0] != 0 || !slices.Contains(shown, 51) || c.WorstFirst()[0] != 51 {
		t.Errorf("the draws of %v are shown", shown)
	}
	k, draws := c.Quantities[51].Kept, list[51].Draws
	if k.Every != 3 || len(k.Draws[1]) != 200 || k.Draws[1][199] != draws[1][599] ||
		len(k.Autocorrelation[0]) != mostLags {
		t.Errorf("every %d, %d draws", k.Every, len(k.Draws[1]))
	}
	if k.Autocorrelation[3][0] != 1 || math.Abs(k.Autocorrelation[3][1]-0.8) > 0.1 {
		t.Errorf("autocorrelation %v", k.Autocorrelation[3][:2])
	}
	for chain, counts := range k.Ranks {
		sum := 0
		for _, n := range counts {
			sum += n
		}
		if len(counts) != mostBins || sum != 600 || (chain == 2) != (counts[mostBins-1] == 120) {
			t.Errorf("chain %d: ranks %v", chain, counts)
		}
	}
}

// Views have no statistics if there are too few draws, or none during burn-in.
func TestViewOfFewDraws(t *testing.T) {
	for n := range 5 {
		c := View([]Quantity{{Name: "x", Draws: [][]float64{make([]float64, n), make([]float64, n)}}}, 1)
		if err := c.Check(); err != nil || c.Draws != n || c.Quantities[0].Rhat == c.Quantities[0].Rhat ||
			(n > 0) != (len(c.WithDraws()) == 1) {
			t.Errorf("%d draws: %+v, %v", n, c, err)
		}
	}
}

// BenchmarkView measures the view of all inducing outputs of a deep GP with five GPs in a hidden
// layer and one in the output layer, with four chains of a thousand draws each.
func BenchmarkView(b *testing.B) {
	list := inducing(rand.New(rand.NewPCG(7, 8)), 600, -1)
	b.ReportAllocs()
	for b.Loop() {
		View(list, 1)
	}
}
