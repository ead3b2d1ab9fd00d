package board

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// amortizations finds the inducing points of models in which every input has its own.
var amortizations finder[view.Amortization] = func(v view.Views) *view.Amortization {
	if v.Amortization != nil && len(v.Amortization.Layers) > 0 && len(v.Amortization.Layers[0].Inputs) > 0 {
		return v.Amortization
	}
	return nil
}

// newInducingPanel returns the panel with the inducing points of an input in a layer of the selected run.
func newInducingPanel(layer, gp, input *position) *Panel {
	find := amortizations
	inputs := inputChoice(input)
	inputs.arrows, inputs.shown = leftRight, inPicture
	layers := &Choice{
		name: "layer", position: layer, stops: true, shown: inPicture,
		action: ActNextLayer,
		Count:  find.count(func(a *view.Amortization) int { return len(a.Layers) }),
	}
	outputs := &Choice{
		name: "output", position: gp, arrows: upDown, stops: true, shown: inPicture,
		Count: func(b *Board) int {
			if a := find.in(b); a != nil {
				return a.Layers[b.Value(layers)].Outputs
			}
			return 0
		},
	}
	draw := func(b *Board) plots.Inducing {
		return inducingPicture(find.in(b).Layers[b.Value(layers)], b.Value(inputs), b.Value(outputs))
	}
	return modelPanel(find, "the inducing points of this model are the same for all inputs", Panel{
		Name: "Inducing", short: "Ind", title: "Inducing points",
		Guide:   inducingGuide,
		Choices: []*Choice{inputs, layers, outputs},
		heading: func(b *Board) (title string, notes []string) {
			return "Inducing points of " + b.text(layers), nil
		},
		picture: func(b *Board) viz.Picture { return draw(b) },
		figures: func(b *Board) []report.Figure {
			var pictures []plots.Inducing
			list := []report.Figure{{Name: "inducing",
				CSV: func(w io.Writer) error { return plots.InducingCSV(w, pictures) }}}
			for _, b := range b.with(outputs, 0).each(layers) {
				p := draw(b)
				o := figure.Options{Title: "Inducing points of " + b.text(layers) + ", " + b.diagnosedStep()}
				pictures = append(pictures, p)
				list = append(list, report.Figure{
					Name: fmt.Sprintf("inducing-layer-%d", b.Value(layers)+1), Picture: p, Options: o})
			}
			return list
		},
	})
}

// inputChoice returns the choice of an input with its own inducing points.
func inputChoice(input *position) *Choice {
	return &Choice{
		name: "input", position: input,
		Count: amortizations.count(func(a *view.Amortization) int { return len(a.Layers[0].Inputs) }),
	}
}

// inducingPicture returns the picture of the inducing points of an input in a layer, with q of one output at
// them.
func inducingPicture(l view.AmortizedLayer, input, output int) plots.Inducing {
	p := plots.Inducing{
		XName:  l.Axes[0],
		YName:  l.Axes[1],
		Seen:   pairs(l.SeenX, l.SeenY),
		Chosen: input,
		Facts:  [][]plots.Fact{spreadFacts(l)},
	}
	for _, in := range l.Inputs {
		p.Inputs = append(p.Inputs, plots.InducingInput{
			At: chart.XY{X: float64(in.X), Y: float64(in.Y)},
			Z:  pairs(in.ZX, in.ZY),
		})
	}
	if output < l.Outputs && input < len(l.Inputs) {
		in := l.Inputs[input]
		facts := []plots.Fact{{Name: fmt.Sprintf("q of output %d of %d", output+1, l.Outputs)}}
		for m, mean := range in.Mean[output] {
			facts = append(facts, plots.Fact{
				Name:  plots.InducingLetter(m),
				Value: twoDigits(mean) + "±" + twoDigits(in.SD[output][m]),
			})
		}
		p.Facts = append(p.Facts, facts)
	}
	return p
}

// spreadFacts summarises the inducing points of a layer over the data.
func spreadFacts(l view.AmortizedLayer) []plots.Fact {
	rank := fmt.Sprintf("%s of %d (seen %s)",
		threeDigits(float64(l.Rank)), l.Width, threeDigits(float64(l.SeenRank)))
	if l.Collapsed {
		rank += ": degenerated to a subspace"
	}
	return []plots.Fact{
		{Name: "effective rank", Value: rank, Wrong: l.Collapsed},
		{Name: "distance of Z", Value: spreadText(l.Distances)},
		{Name: "means", Value: spreadText(l.Means)},
		{Name: "sd", Value: spreadText(l.SDs)},
	}
}

// spreadText formats a median with the 5 and 95 % quantiles.
func spreadText(s view.Spread) string {
	return fmt.Sprintf("%s (%s … %s)",
		twoDigits(float64(s[2])), twoDigits(float64(s[0])), twoDigits(float64(s[4])))
}

// threeDigits and twoDigits format a number with three and two significant digits.
func threeDigits(v float64) string { return canvas.Digits(v, 3) }
func twoDigits(v float64) string   { return canvas.Digits(v, 2) }

// pairs returns points with the given coordinates.
func pairs(x, y view.Rounded) []chart.XY {
	list := make([]chart.XY, min(len(x), len(y)))
	for i := range list {
		list[i] = chart.XY{X: x[i], Y: y[i]}
	}
	return list
}
