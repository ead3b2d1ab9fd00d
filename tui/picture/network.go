package picture

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/viz/matrices"
)

// Network is the picture of a network at one of its points and on the average: the root
// mean squares of the weights, and the correlations of the outputs, with the noise or of
// the signal alone.
func Network(n *view.Network, point int, noisy bool) matrices.Grid {
	p := n.Points[point]
	name := fmt.Sprintf("point %d of %d:", point+1, len(n.Points))
	for d, x := range p.X {
		if d > 0 {
			name += ","
		}
		name += fmt.Sprintf(" %s %s", n.Inputs[d], rough(x))
	}
	correlation := 1 // that of signals
	if noisy {
		correlation = 2
	}
	g := matrices.Grid{Rows: n.Outputs}
	for _, b := range []matrices.Band{networkBand(n, p, name), networkBand(n, n.Average, average(n))} {
		b.Matrices = []matrices.Matrix{b.Matrices[0], b.Matrices[correlation]}
		g.Bands = append(g.Bands, b)
	}
	return g
}

// WholeNetwork is all that there is to see of a network: the weights and both kinds of
// correlations at every point, and on the average.
func WholeNetwork(n *view.Network) matrices.Grid {
	g := matrices.Grid{Rows: n.Outputs, Axes: n.Inputs}
	for k, p := range n.Points {
		g.Bands = append(g.Bands, networkBand(n, p, fmt.Sprintf("point %d", k+1)))
	}
	g.Bands = append(g.Bands, networkBand(n, n.Average, average(n)))
	return g
}

func average(n *view.Network) string { return fmt.Sprintf("average of %d points", n.Total) }

// networkBand is what there is of a network at a point.
func networkBand(n *view.Network, p view.NetworkPoint, name string) matrices.Band {
	most := 0.0
	for _, p := range append(n.Points[:len(n.Points):len(n.Points)], n.Average) {
		for _, row := range p.Weights {
			for _, w := range row {
				most = max(most, w)
			}
		}
	}
	return matrices.Band{Name: name, At: p.X, Matrices: []matrices.Matrix{
		{Name: "|W|", Columns: n.Latents, Values: plain(p.Weights), Most: most},
		{Name: "corr. of signals", Columns: n.Outputs, Values: p.Correlations(0), Most: 1},
		{Name: "corr. with noise", Columns: n.Outputs, Values: p.Correlations(float64(n.Noise)), Most: 1},
	}}
}
