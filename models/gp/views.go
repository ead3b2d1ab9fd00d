package gp

import (
	"fmt"
	"math"

	"dgplab/models/linalg"
	"dgplab/models/number"
	"dgplab/models/view"
)

// gridPoints is the number of points along an input; gridMargin is how far they
// reach beyond the data, as a share of their range.
const (
	gridPoints = 81
	gridMargin = 0.1
)

// Views implements family.Viewer: the functions along the input with the shortest
// lengthscale, and the matrices that are factorised.
func (m *Model) Views(uint64) (view.Views, error) {
	if err := m.refresh(); err != nil {
		return view.Views{}, err
	}
	return view.Views{Functions: m.graph.functions(), Matrices: m.graph.matrices()}, nil
}

// functions returns f of every output along the input with the shortest lengthscale.
func (g *graph) functions() *view.Functions {
	input := shortest(g.lengthscales.Value)
	x := g.grid(input)
	d, p := g.x.Rows, g.y.Rows
	mean, variance := make([]float64, gridPoints*p), make([]float64, gridPoints)
	g.predict(mean, variance, x)
	out := &view.Functions{Input: input}
	sd := make(number.Rounded, gridPoints)
	for i, v := range variance {
		out.Grid = append(out.Grid, x[i*d+input])
		sd[i] = math.Sqrt(v)
	}
	for k := range p {
		f := view.Function{Name: "f", SD: sd}
		if p > 1 {
			f.Name = fmt.Sprintf("f %d", k+1)
		}
		for i := range gridPoints {
			f.Mean = append(f.Mean, mean[i*p+k])
		}
		out.Items = append(out.Items, f)
	}
	return out
}

// shortest returns the index of the least lengthscale.
func shortest(lengthscales []float64) int {
	best := 0
	for d, l := range lengthscales {
		if l < lengthscales[best] {
			best = d
		}
	}
	return best
}

// grid returns points [gridPoints][D] along an input, the others at their means.
func (g *graph) grid(input int) []float64 {
	d := g.x.Rows
	x := make([]float64, gridPoints*d)
	for k := range d {
		row := g.x.Row(k)
		var sum float64
		least, most := row[0], row[0]
		for _, v := range row {
			sum += v
			least, most = min(least, v), max(most, v)
		}
		from := least - gridMargin*(most-least)
		step := (1 + 2*gridMargin) * (most - least) / (gridPoints - 1)
		for i := range gridPoints {
			x[i*d+k] = sum / float64(len(row))
			if k == input {
				x[i*d+k] = from + float64(i)*step
			}
		}
	}
	return x
}

// matrices says how sound the factors are. That of B is the factor of the inverse
// of the whitened posterior covariance of the inducing outputs, which has the same
// condition.
func (g *graph) matrices() *view.Matrices {
	m, rescues := g.z.Rows, g.tape.RescuesByPlace()
	add := func(out *view.Matrices, name string, kind view.MatrixKind, factor []float64, jitter float64) {
		out.Matrices = append(out.Matrices, view.Matrix{
			Name: name, Kind: kind, GP: -1, Rescues: rescues[name], Jitter: number.Float(jitter),
			Condition: number.Float(linalg.CholeskyCondition(factor, m)), SmallestPivot: smallestPivot(factor, m),
		})
	}
	out := &view.Matrices{}
	if g.inner == nil {
		add(out, placeC, view.PriorMatrix, g.root, 0)
		return out
	}
	add(out, placeKuu, view.PriorMatrix, g.root, g.jitter)
	add(out, placeB, view.PosteriorMatrix, g.inner, 0)
	out.Effective = []number.Float{number.Float(g.effective())}
	return out
}

// smallestPivot returns the least square of the diagonal of l, [n][n].
func smallestPivot(l []float64, n int) number.Float {
	least := math.Inf(1)
	for k := 0; k < n*n; k += n + 1 {
		least = min(least, l[k]*l[k])
	}
	return number.Float(least)
}

// effective returns M - tr(B^-1), the number of well-determined parameters: B^-1 is
// the whitened posterior covariance of the inducing outputs.
func (g *graph) effective() float64 {
	m := g.z.Rows
	inverse := make([]float64, m*m)
	for i := range m {
		inverse[i*m+i] = 1
	}
	linalg.SolveLower(g.inner, inverse, m, m, m)
	return float64(m) - sumSquares(inverse)
}
