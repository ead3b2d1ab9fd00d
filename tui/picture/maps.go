package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"dgplab/models/view"
	"dgplab/viz/axes"
	"dgplab/viz/calibration"
	"dgplab/viz/plane"
	"dgplab/viz/points"
)

// arriving and inducing are what points of maps are called.
const arriving, inducing = "data", "inducing"

// GPName names a GP of a layer, both from 0.
func GPName(layer, gp int) string { return fmt.Sprintf("layer %d, GP %d", layer+1, gp+1) }

// MapPlane is the picture of a GP over two inputs: of its mean, or of its standard
// deviation.
func MapPlane(g *view.Map, of int, sd bool) plane.Map {
	m := plane.Map{X: g.X, Y: g.Y, Values: g.Mean, XName: g.Names[0], YName: g.Names[1],
		Name: "mean of f", Level: math.NaN(),
		Points: []plane.Points{{Label: arriving, X: g.Data[0], Y: g.Data[1]}, {Label: inducing,
			X: g.Inducing[0], Y: g.Inducing[1]}}, Of: of + len(g.Strength)}
	if sd {
		m.Name, m.Values = "sd of f", g.SD
	}
	return m
}

// MapCurve is the picture of a GP over one input.
func MapCurve(g *view.Map) points.Bands {
	b := points.Bands{X: g.X, XName: g.Names[0], YName: "f, standardised", Marks: g.Inducing[0],
		DotsName: arriving, MarksName: inducing,
		Bands: []points.Band{{Label: GPName(g.Layer, g.GP), Mean: g.Mean, SD: g.SD}}}
	for k, x := range g.Data[0] {
		b.Dots = append(b.Dots, axes.XY{X: x, Y: g.Out[k]})
	}
	return b
}

// Factor is the picture of how strong the factor of a GP is at each inducing point: in
// the order of the inducing inputs where there is one coordinate.
func Factor(g *view.Map) calibration.Bars {
	values := slices.Clone(g.Strength)
	b := calibration.Bars{
		Lo:    0.5,
		Hi:    float64(len(values)) + 0.5,
		XName: "inducing point",
		YName: "log10 prior/posterior variance",
		Label: GPName(g.Layer, g.GP),
	}
	if len(g.Inducing) == 1 {
		b.XName = "inducing point, by its input"
		order := make([]int, len(values))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Compare(g.Inducing[0][i], g.Inducing[0][j])
		})
		for k, i := range order {
			values[k] = g.Strength[i]
		}
	}
	b.Values = values
	return b
}
