package picture

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/viz/axes"
	vnumber "dgplab/viz/number"
	"dgplab/viz/points"
)

// Inducing is the picture of where the inducing points of an input lie in a layer, with
// what q says of one output of it.
func Inducing(l view.AmortizedLayer, input, output int) points.Inducing {
	p := points.Inducing{
		XName:  l.Axes[0],
		YName:  l.Axes[1],
		Seen:   pairs(l.SeenX, l.SeenY),
		Chosen: input,
		Facts:  [][]points.Fact{spreads(l)},
	}
	for _, in := range l.Inputs {
		p.Inputs = append(p.Inputs, points.InducingInput{
			At: axes.XY{X: float64(in.X), Y: float64(in.Y)},
			Z:  pairs(in.ZX, in.ZY),
		})
	}
	if output < l.Outputs && input < len(l.Inputs) {
		in := l.Inputs[input]
		facts := []points.Fact{{Name: fmt.Sprintf("q of output %d of %d", output+1, l.Outputs)}}
		for m, mean := range in.Mean[output] {
			facts = append(facts, points.Fact{
				Name:  points.Letter(m),
				Value: rougher(mean) + "±" + rougher(in.SD[output][m]),
			})
		}
		p.Facts = append(p.Facts, facts)
	}
	return p
}

// InducingByLayer are those of an input in all layers, with what q says of their first
// outputs.
func InducingByLayer(a *view.Amortization, input int) (list []points.Inducing) {
	for _, l := range a.Layers {
		list = append(list, Inducing(l, input, 0))
	}
	return list
}

// spreads are what is known of the inducing points over the data.
func spreads(l view.AmortizedLayer) []points.Fact {
	rank := fmt.Sprintf("%s of %d (seen %s)", rough(float64(l.Rank)), l.Width, rough(float64(l.SeenRank)))
	if l.Collapsed {
		rank += ": degenerated to a subspace"
	}
	return []points.Fact{
		{Name: "effective rank", Value: rank, Wrong: l.Collapsed},
		{Name: "distance of Z", Value: spread(l.Distances)},
		{Name: "means", Value: spread(l.Means)},
		{Name: "sd", Value: spread(l.SDs)},
	}
}

// spread writes the median of numbers and what nine in ten of them lie between.
func spread(s view.Spread) string {
	return fmt.Sprintf("%s (%s … %s)", rougher(float64(s[2])), rougher(float64(s[0])), rougher(float64(s[4])))
}

// rough and rougher write a number with three and with two digits.
func rough(v float64) string   { return vnumber.Short(vnumber.Round(v, 3)) }
func rougher(v float64) string { return vnumber.Short(vnumber.Round(v, 2)) }

// pairs joins coordinates of points.
func pairs(x, y view.Rounded) []axes.XY {
	list := make([]axes.XY, min(len(x), len(y)))
	for i := range list {
		list[i] = axes.XY{X: x[i], Y: y[i]}
	}
	return list
}

// Quadrature is the picture of the learned points of a layer, with an output chosen.
func Quadrature(q *view.Quadrature, layer, output int) points.Stems {
	s := points.Stems{
		Weights: q.Weights,
		RowName: "GP",
		Chosen:  output,
		XName:   "standard deviations from the mean of the layer",
	}
	s.Rows = plain(q.Layers[layer].Points)
	return s
}

// QuadratureByLayer are those of all layers, with their first outputs chosen.
func QuadratureByLayer(q *view.Quadrature) (list []points.Stems) {
	for l := range q.Layers {
		list = append(list, Quadrature(q, l, 0))
	}
	return list
}
