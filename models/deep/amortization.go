package deep

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/layer"
	"dgplab/models/linalg"
	"dgplab/models/view"
)

// amortization returns the inducing points inferred for each point of a pass. It returns nil unless
// every layer infers its inducing points from its inputs.
func (m *Model) amortization(p *pass) (*view.Amortization, error) {
	out := &view.Amortization{}
	for l, moments := range p.moments {
		if moments.Inferred == nil {
			return nil, nil
		}
		current := inferred{
			layer:    m.stack().layers[l].(inferenceLayer),
			Inferred: moments.Inferred,
			seen:     p.seen[l],
			b:        p.b,
			outputs:  moments.Mean.Rows,
		}
		described, err := current.summarise(l, p.spreadColumns(shownInputs))
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", l+1, err)
		}
		out.Layers = append(out.Layers, described)
	}
	return out, nil
}

// inferenceLayer is implemented by layers whose inference functions map inputs to inducing points.
type inferenceLayer interface {
	InducingOutputs(q *layer.Inferred, t, column int) (layer.InducingOutputs, error)
}

// inferred holds the inducing points that a layer infers for the first B columns of its inputs, one
// per point. If every sample has its own column, these are the columns of the first sample.
type inferred struct {
	*layer.Inferred
	layer      inferenceLayer
	seen       *autodiff.Node
	b, outputs int
}

// points returns rows [from, from+D) of n for all points, [B, D].
func (q inferred) points(n *autodiff.Node, from int) *mat.Dense {
	out := mat.NewDense(q.b, q.seen.Rows, nil)
	for d := range q.seen.Rows {
		out.SetCol(d, n.Row(from + d)[:q.b])
	}
	return out
}

// summarise describes layer l and lists the inducing points of the given columns.
func (q inferred) summarise(l int, columns []int) (view.AmortizedLayer, error) {
	d, m := q.seen.Rows, q.Z.Rows/q.seen.Rows
	out := view.AmortizedLayer{Width: d, Outputs: q.outputs, Inducing: m}
	seen := q.points(q.seen, 0)
	clouds := make([]*mat.Dense, m)
	for k := range clouds {
		clouds[k] = q.points(q.Z, k*d)
	}
	around, err := linalg.NewPrincipalAxes(seen)
	if err != nil {
		return out, err
	}
	plane := newPlane(l, around)
	out.Axes = plane.names
	for b := range q.b {
		x, y := plane.project(seen.RawRowView(b))
		out.SeenX = append(out.SeenX, x)
		out.SeenY = append(out.SeenY, y)
	}
	for _, b := range columns {
		in := view.AmortizedInput{X: view.Float(out.SeenX[b]), Y: view.Float(out.SeenY[b])}
		for _, cloud := range clouds {
			x, y := plane.project(cloud.RawRowView(b))
			in.ZX = append(in.ZX, x)
			in.ZY = append(in.ZY, y)
		}
		for t := range q.outputs {
			outputs, err := q.layer.InducingOutputs(q.Inferred, t, b)
			if err != nil {
				return out, err
			}
			in.Mean = append(in.Mean, outputs.Mean)
			in.SD = append(in.SD, outputs.SD)
			if outputs.Factor != nil {
				in.Factor = append(in.Factor, outputs.Factor)
			}
		}
		out.Inputs = append(out.Inputs, in)
	}
	if err := q.addSpreads(&out, seen, clouds); err != nil {
		return out, err
	}
	return out, setRanks(&out, around, clouds)
}

// addSpreads sets the spreads of distances, means and standard deviations over the data.
func (q inferred) addSpreads(out *view.AmortizedLayer, seen *mat.Dense, clouds []*mat.Dense) error {
	var distances, means, deviations []float64
	for b := range q.b {
		for _, cloud := range clouds {
			distances = append(distances, floats.Distance(seen.RawRowView(b), cloud.RawRowView(b), 2))
		}
		for t := range q.outputs {
			outputs, err := q.layer.InducingOutputs(q.Inferred, t, b)
			if err != nil {
				return err
			}
			means = append(means, outputs.Mean...)
			deviations = append(deviations, outputs.SD...)
		}
	}
	out.Distances = spreadOf(distances)
	out.Means = spreadOf(means)
	out.SDs = spreadOf(deviations)
	return nil
}

// setRanks compares the rank of the inducing points with the rank of the inputs, to detect
// collapse.
func setRanks(out *view.AmortizedLayer, seen *linalg.PrincipalAxes, clouds []*mat.Dense) error {
	seenRank, collapsed := view.EffectiveRank(seen.Variances), 0
	var list []float64
	for _, cloud := range clouds {
		axes, err := linalg.NewPrincipalAxes(cloud)
		if err != nil {
			return err
		}
		rank := view.EffectiveRank(axes.Variances)
		if view.RankCollapsed(rank, axes.Total(), seenRank, seen.Total()) {
			collapsed++
		}
		list = append(list, rank)
	}
	out.Rank = spreadOf(list)[2]
	out.SeenRank = view.Float(seenRank)
	out.Collapsed = 2*collapsed > len(clouds)
	return nil
}

// plane projects the inputs of a layer to two dimensions: the inputs themselves if there are at
// most two, otherwise their first two principal components.
type plane struct {
	names [2]string
	axes  *linalg.PrincipalAxes
}

// newPlane returns the plane for the inputs of layer l, counted from 0.
func newPlane(l int, seen *linalg.PrincipalAxes) plane {
	p, d := plane{axes: seen}, len(seen.Mean)
	for k := range min(d, 2) {
		switch {
		case d > 2:
			p.names[k] = fmt.Sprintf("principal direction %d, %.0f %% of the variance",
				k+1, 100*seen.Variances[k]/seen.Total())
		case l > 0:
			p.names[k] = fmt.Sprintf("output %d of layer %d", k+1, l)
		default:
			p.names[k] = fmt.Sprintf("input %d", k+1)
		}
	}
	return p
}

// project returns the coordinates of x in the plane.
func (p plane) project(x []float64) (a, b float64) {
	switch len(x) {
	case 1:
		return x[0], 0
	case 2:
		return x[0], x[1]
	}
	return p.axes.Along(0, x), p.axes.Along(1, x)
}

// spreadOf returns the spread of values and sorts them in place.
func spreadOf(values []float64) view.Spread {
	slices.Sort(values)
	return view.NewSpread(values)
}
