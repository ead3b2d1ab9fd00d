package board

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
)

// newNetworkPanel returns the panel with the weights and the output correlations of a network, at a training
// input and averaged over all training inputs.
func newNetworkPanel() *Panel {
	find := finderOf(func(v view.Views) *view.Network { return v.Network },
		func(n *view.Network) int { return len(n.Points) })
	point := &Choice{
		name: "point", position: new(position), arrows: leftRight, shown: inPicture,
		Count: find.count(func(n *view.Network) int { return len(n.Points) }),
	}
	kinds := []string{"cov E[WKW']+noise", "cov E[WKW']"}
	covariance := &Choice{
		name: "covariance", position: new(position), arrows: upDown,
		Count: find.count(func(*view.Network) int { return len(kinds) }),
		label: func(_ *Board, i int) string { return kinds[i] },
	}
	covariance.note = func(b *Board) string { return kinds[b.Value(covariance)] }
	return modelPanel(find, "this model is not a network of latent functions and weights", Panel{
		Name: "Network", short: "Net", Wide: true,
		Guide:   networkGuide,
		Choices: []*Choice{point, covariance},
		heading: func(b *Board) (title string, notes []string) {
			return "", []string{"|W| is E[w²]^½"}
		},
		picture: func(b *Board) viz.Picture {
			return networkPicture(find.in(b), b.Value(point), b.Value(covariance) == 0)
		},
		figures: func(b *Board) []report.Figure {
			n := find.in(b)
			g := networkPicture(n, b.Value(point), b.Value(covariance) == 0)
			o := figure.Options{Title: "Network, " + b.diagnosedStep()}
			return []report.Figure{{Name: "network", Picture: g, Options: o, CSV: wholeNetwork(n).CSV}}
		},
	})
}

// networkPicture returns the picture of a network at one of its points and on average: the root mean squares
// of the weights, and the correlations of the outputs with noise or of the signals without it.
func networkPicture(n *view.Network, point int, noisy bool) heatmap.Matrices {
	p := n.Points[point]
	name := fmt.Sprintf("point %d of %d:", point+1, len(n.Points))
	for d, x := range p.X {
		if d > 0 {
			name += ","
		}
		name += fmt.Sprintf(" %s %s", n.Inputs[d], threeDigits(x))
	}
	correlation := 1 // correlations of the signals
	if noisy {
		correlation = 2
	}
	g := heatmap.Matrices{Rows: n.Outputs}
	for _, b := range []heatmap.MatrixBand{networkBand(n, p, name), averageBand(n)} {
		b.Matrices = []heatmap.Matrix{b.Matrices[0], b.Matrices[correlation]}
		g.Bands = append(g.Bands, b)
	}
	return g
}

// wholeNetwork returns the weights and both kinds of correlations at every point and on average.
func wholeNetwork(n *view.Network) heatmap.Matrices {
	g := heatmap.Matrices{Rows: n.Outputs, Axes: n.Inputs}
	for k, p := range n.Points {
		g.Bands = append(g.Bands, networkBand(n, p, fmt.Sprintf("point %d", k+1)))
	}
	g.Bands = append(g.Bands, averageBand(n))
	return g
}

func averageBand(n *view.Network) heatmap.MatrixBand {
	return networkBand(n, n.Average, fmt.Sprintf("average of %d points", n.Total))
}

// networkBand returns the three matrices of a network at a point.
func networkBand(n *view.Network, p view.NetworkPoint, name string) heatmap.MatrixBand {
	most := 0.0
	for _, p := range append(n.Points[:len(n.Points):len(n.Points)], n.Average) {
		for _, row := range p.Weights {
			for _, w := range row {
				most = max(most, w)
			}
		}
	}
	return heatmap.MatrixBand{Name: name, At: p.X, Matrices: []heatmap.Matrix{
		{Name: "|W|", Columns: n.Latents, Values: plainRows(p.Weights), Most: most},
		{Name: "corr. of signals", Columns: n.Outputs, Values: p.Correlations(0), Most: 1},
		{Name: "corr. with noise", Columns: n.Outputs, Values: p.Correlations(float64(n.Noise)), Most: 1},
	}}
}
