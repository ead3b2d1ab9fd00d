package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestDrawsAlongTheLine uses layers that return their inputs, the points of the line.
func TestDrawsAlongTheLine(t *testing.T) {
	x := mat.NewDense(5, 2, []float64{-3, 1, -1, 1, 1, 1, 3, 1, 5, 1}) // along the first input
	same := PriorLayer{
		NumNormals: func(n int) int { return n },
		Draw:       func(in, eps []float64) ([]float64, error) { return in, nil },
	}
	p, err := DrawPriors(x, 1, PriorKind{Name: "same", Layers: []PriorLayer{same, same}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	// The data extend from 4 below their mean to 4 above it, and the line exceeds that range by a
	// tenth on each side.
	if first, last := p.Grid[0],
		p.Grid[len(p.Grid)-1]; math.Abs(first+4.8) > 1e-12 || math.Abs(last-4.8) > 1e-12 {
		t.Errorf("the line goes from %g to %g", first, last)
	}
	curve := p.Kinds[0].Depths[1][0]
	for k, at := range p.Grid {
		if math.Abs(curve[k]-(1+at)) > 1e-12 {
			t.Fatalf("point %d of the first input is %g, want %g", k, curve[k], 1+at)
		}
	}
	if len(p.Kinds[0].Depths) != 2 || len(p.Kinds[0].Depths[0]) != priorDraws {
		t.Errorf("%d depths of %d curves", len(p.Kinds[0].Depths), len(p.Kinds[0].Depths[0]))
	}
}

func TestCovarianceOfAddGPs(t *testing.T) {
	const n = 2
	k := []float64{4, 2, 2, 4}
	f := []float64{1, 1, 0, 0}
	if err := AddGPs(f, k, 4, []float64{1, 0, 0, 1}, n); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{3, 2, 0, math.Sqrt(3)} { // root: 2 0; 1 sqrt(3)
		if math.Abs(f[i]-want) > 1e-5 {
			t.Errorf("number %d is %g, want %g", i, f[i], want)
		}
	}
}
