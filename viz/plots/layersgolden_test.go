package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

func TestLayerPanelGolden(t *testing.T) {
	bare := demoLayer(2)
	bare.Correlation, bare.Grid, bare.Lengthscales = nil, nil, nil
	for i := range bare.GPs {
		bare.GPs[i].Curves = nil
	}
	last := demoLayer(12)
	last.Index, last.Selected = 2, 11
	panels := map[string]Layer{
		"one": demoLayer(1), "three": demoLayer(3), "twelve": last, "bare": bare, "empty": {},
	}
	for name, p := range panels {
		t.Run(name, func(t *testing.T) {
			golden.CheckSizes(t, "layer_"+name, p, canvas.Style{}, golden.Sizes)
			golden.CheckSizes(t, "layer_"+name+"_ascii", p, canvas.Style{ASCII: true}, golden.Sizes[1:3])
		})
	}
	t.Run("colour", func(t *testing.T) {
		golden.CheckSizes(t, "layer_colour", panels["three"],
			canvas.Style{Mode: canvas.TrueColor, Dark: true},
			golden.Sizes[1:2])
	})
}

// demoLayer returns a layer of n GPs. The second GP has collapsed.
func demoLayer(n int) Layer {
	r := rand.New(rand.NewPCG(7, 8))
	p := Layer{Layers: 3, Lengthscales: []float64{1.234, 0.8}, Variance: 0.9812, XName: "the first input"}
	for i := range 60 {
		p.Grid = append(p.Grid, -3+6*float64(i)/59)
	}
	for t := range n {
		g := LayerGP{
			Mean:      0.1 * r.NormFloat64(),
			SD:        math.Exp(r.NormFloat64() / 3),
			Min:       -2.3 + r.Float64(),
			Max:       2.5,
			Share:     r.Float64(),
			Collapsed: t == 1,
		}
		for k := range 20 {
			d := float64(k-10+t) / 4
			g.Histogram = append(g.Histogram, int(200*math.Exp(-d*d/2)))
		}
		for range 3 {
			a := r.NormFloat64()
			b := r.NormFloat64()
			var curve []float64
			for _, x := range p.Grid {
				curve = append(curve, math.Tanh(2*x)+0.3*(a*math.Sin(x)+b*math.Cos(1.3*x)))
			}
			g.Curves = append(g.Curves, curve)
		}
		p.GPs = append(p.GPs, g)
		row := make([]float64, n)
		for j := range row {
			row[j] = 2*r.Float64() - 1
		}
		p.Correlation = append(p.Correlation, row)
	}
	return p
}
