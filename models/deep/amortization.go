package deep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/models/autodiff"
	"dgplab/models/layer"
	"dgplab/models/layer/pointwise"
	"dgplab/models/number"
	"dgplab/models/view"
)

// amortization returns where the inducing points of the points of a pass lie, nil where
// some layer has none of its own for each.
func (m *Model) amortization(p *pass) *view.Amortization {
	out := &view.Amortization{}
	for l, moments := range p.moments {
		if moments.Inferred == nil {
			return nil
		}
		own := inferred{Inferred: moments.Inferred, seen: p.seen[l], b: p.b, outputs: moments.Mean.Rows}
		out.Layers = append(out.Layers, own.summarise(p.spread(l)))
	}
	return out
}

// inferred is what the inference functions of a layer made of the first B columns that
// they saw: of all points, and where every sample is seen of the first samples.
type inferred struct {
	*layer.Inferred
	seen       *autodiff.Node
	b, outputs int
}

func (q inferred) inducing() int { return q.Z.Rows / q.seen.Rows }

// full says whether covariances are full.
func (q inferred) full() bool { return q.Spread.Rows != q.Mean.Rows }

// points returns rows [from, from+D) of n at all points, [B, D].
func (q inferred) points(n *autodiff.Node, from int) *mat.Dense {
	out := mat.NewDense(q.b, q.seen.Rows, nil)
	for d := range q.seen.Rows {
		out.SetCol(d, n.Row(from + d)[:q.b])
	}
	return out
}

// summarise describes a layer, with all of the given points.
func (q inferred) summarise(columns []int) view.AmortizedLayer {
	d, m := q.seen.Rows, q.inducing()
	seen := q.points(q.seen, 0)
	plane := newPlane(seen)
	out := view.AmortizedLayer{Width: d, Outputs: q.outputs, Inducing: m, Axes: plane.axes}
	for b := range q.b {
		x, y := plane.project(seen.RawRowView(b))
		out.SeenX, out.SeenY = append(out.SeenX, x), append(out.SeenY, y)
	}
	seenRank, seenVariance := rank(seen)
	out.SeenRank = number.Float(seenRank)
	var distances, ranks []float64
	collapsed := 0
	clouds := make([]*mat.Dense, m)
	for k := range m {
		clouds[k] = q.points(q.Z, k*d)
		for b := range q.b {
			distances = append(distances, math.Sqrt(squaredDistance(seen.RawRowView(b), clouds[k].RawRowView(b))))
		}
		r, variance := rank(clouds[k])
		ranks = append(ranks, r)
		if view.RankCollapsed(r, variance, seenRank, seenVariance) {
			collapsed++
		}
	}
	slices.Sort(ranks)
	out.Rank, out.Collapsed = number.Float(stat.Quantile(0.5, stat.Empirical, ranks, nil)), 2*collapsed > m
	out.Distances = spreadOf(distances)
	var means, deviations []float64
	for b := range q.b {
		for t := range q.outputs {
			means, deviations = append(means, q.means(t, b)...), append(deviations, q.deviations(t, b)...)
		}
	}
	out.Means, out.SDs = spreadOf(means), spreadOf(deviations)
	for _, b := range columns {
		in := view.AmortizedInput{X: number.Float(out.SeenX[b]), Y: number.Float(out.SeenY[b])}
		for _, cloud := range clouds {
			x, y := plane.project(cloud.RawRowView(b))
			in.ZX, in.ZY = append(in.ZX, x), append(in.ZY, y)
		}
		for t := range q.outputs {
			in.Mean, in.SD = append(in.Mean, q.means(t, b)), append(in.SD, q.deviations(t, b))
			if q.full() {
				in.Factor = append(in.Factor, q.spreads(t, b))
			}
		}
		out.Inputs = append(out.Inputs, in)
	}
	return out
}

// means returns those of q for output t of point b, [M].
func (q inferred) means(t, b int) []float64 { return rowsOf(q.Mean, t*q.inducing(), q.inducing(), b) }

// spreads returns the standard deviations, or the packed factor, of output t of point b.
func (q inferred) spreads(t, b int) []float64 {
	count := q.Spread.Rows / q.outputs
	return rowsOf(q.Spread, t*count, count, b)
}

// deviations returns the standard deviations of q for output t of point b, [M].
func (q inferred) deviations(t, b int) []float64 {
	spreads := q.spreads(t, b)
	if !q.full() {
		return spreads
	}
	out := make([]float64, q.inducing())
	for i := range out {
		for _, v := range spreads[pointwise.Packed(i, 0) : pointwise.Packed(i, i)+1] {
			out[i] += v * v
		}
		out[i] = math.Sqrt(out[i])
	}
	return out
}

// rowsOf returns column c of rows [from, from+count) of n.
func rowsOf(n *autodiff.Node, from, count, c int) []float64 {
	out := make([]float64, count)
	for r := range out {
		out[r] = n.Row(from + r)[c]
	}
	return out
}

// plane is two directions of a space.
type plane struct {
	axes   [2]string
	center []float64
	u, v   []float64
}

// newPlane returns the space itself where it has at most two dimensions, else the plane
// of the principal directions of points, [n, D].
func newPlane(points *mat.Dense) plane {
	_, d := points.Dims()
	p := plane{center: make([]float64, d), u: make([]float64, d), v: make([]float64, d)}
	if d <= 2 {
		p.axes[0], p.u[0] = "input 1", 1
		if d == 2 {
			p.axes[1], p.v[1] = "input 2", 1
		}
		return p
	}
	p.axes = [2]string{"principal direction 1", "principal direction 2"}
	for j := range d {
		p.center[j] = stat.Mean(mat.Col(nil, j, points), nil)
	}
	if eigen, ok := principal(points); ok {
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		mat.Col(p.u, d-1, &vectors) // eigenvalues ascend
		mat.Col(p.v, d-2, &vectors)
	}
	return p
}

// project returns where x is in the plane.
func (p plane) project(x []float64) (a, b float64) {
	for j, v := range x {
		a += p.u[j] * (v - p.center[j])
		b += p.v[j] * (v - p.center[j])
	}
	return a, b
}

// principal returns the eigenvectors of the covariance of points, [n, D].
func principal(points *mat.Dense) (*mat.EigenSym, bool) {
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, points, nil)
	eigen := new(mat.EigenSym)
	return eigen, eigen.Factorize(&covariance, true)
}

// rank returns the effective rank of points, [n, D], and their variance, over all
// directions; zeros for a single point.
func rank(points *mat.Dense) (effective, variance float64) {
	n, _ := points.Dims()
	if n < 2 {
		return 0, 0
	}
	eigen, ok := principal(points)
	if !ok {
		return math.NaN(), math.NaN()
	}
	values := eigen.Values(nil)
	for k, v := range values {
		values[k] = max(v, 0)
		variance += values[k]
	}
	return view.EffectiveRank(values), variance
}

// spreadOf returns how values are spread; it sorts them.
func spreadOf(values []float64) view.Spread {
	slices.Sort(values)
	return view.SpreadOf(values)
}

func squaredDistance(a, b []float64) (sum float64) {
	for j, v := range a {
		sum += (v - b[j]) * (v - b[j])
	}
	return sum
}
