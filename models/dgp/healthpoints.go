package dgp

import (
	"math"
	"slices"

	"dgplab/models/number"
	"dgplab/models/view"
)

// conditionPoints is the number of points and samples, evenly spaced among those
// of the graph, whose covariances S~_n have their condition estimated. Pivots are
// looked at for all.
const conditionPoints = 64

// marginal enters S~_n of GP i and of the GPs before it that it depends on: the
// worst over the points of the graph. Outputs of the last layer count as
// independent given the layers below, as in the bound.
func (h *checkup) marginal(g *graph, i int) {
	p := h.post
	e := view.Matrix{
		Name:          g.placeOf(i),
		Kind:          view.PointMatrix,
		Layer:         p.layer[i],
		GP:            p.position(i),
		SmallestPivot: number.Float(math.Inf(1)),
	}
	diagonal, _ := g.at(i, i)
	for _, c := range diagonal.value() {
		e.SmallestPivot = min(e.SmallestPivot, number.Float(c*c))
	}
	e.Jitter = number.Float(g.liftOf(i))
	gps := p.ancestry(i)
	columns := len(diagonal.value())
	factor := make([]float64, len(gps)*len(gps))
	for k := range min(conditionPoints, columns) {
		g.factorAt(factor, gps, k*columns/min(conditionPoints, columns))
		e.Condition = max(e.Condition, conditionOf(factor, len(gps)))
	}
	h.add(e)
}

// sampledResidual enters the prior variance that sampled inducing outputs leave
// to the GPs of a hidden layer, where roots are taken of it: a number for each
// point.
func (h *checkup) sampledResidual(g *graph, l int) {
	p := h.post
	if l == len(p.layers)-1 {
		return
	}
	e := view.Matrix{
		Name:          g.placeOf(p.first[l]),
		Kind:          view.PointMatrix,
		Layer:         l,
		GP:            -1,
		Condition:     1,
		SmallestPivot: number.Float(math.Inf(1)),
	}
	for _, v := range g.residual[l].Value {
		e.SmallestPivot = min(e.SmallestPivot, number.Float(v))
	}
	if !(e.SmallestPivot > 0) {
		e.Jitter = number.Float(math.NaN()) // it differs by point and is not kept
	}
	h.add(e)
}

// ancestry lists, ascending, GP i and the GPs before it that rows of the Cholesky
// factor of S~_n lead to from there. The factor of their covariance is made of
// their rows.
func (s *structure) ancestry(i int) []int {
	gps := []int{i}
	for next := 0; next < len(gps); next++ {
		for _, k := range s.fill[gps[next]] {
			if !slices.Contains(gps, k) {
				gps = append(gps, k)
			}
		}
	}
	slices.Sort(gps)
	return gps
}

// factorAt sets dst to the Cholesky factor of the covariance of some GPs at the
// point and sample of a column; their ancestry must be among them.
func (g *graph) factorAt(dst []float64, gps []int, column int) {
	clear(dst)
	for r, i := range gps {
		for c, k := range gps[:r+1] {
			if entry, ok := g.at(i, k); ok {
				dst[r*len(gps)+c] = entry.of(column)
			}
		}
	}
}

// of returns the entry of a column; shorter vectors repeat.
func (v vector) of(column int) float64 { return v.node.Row(v.row)[column%v.node.Cols] }

// liftOf returns the largest jitter that a pivot of GP i needed: what row i of the
// Cholesky factor has more than the covariance.
func (g *graph) liftOf(i int) float64 {
	p := g.post
	l := p.layer[i]
	form := g.forms[l][pair{i, i}]
	var largest float64
	for n, residual := range g.residual[l].Value {
		marginal := form.of(n) + residual
		beyond := -marginal
		for _, k := range p.fill[i] {
			c, _ := g.at(i, k)
			beyond += c.of(n) * c.of(n)
		}
		if beyond > leastRescue*marginal {
			largest = max(largest, beyond)
		}
	}
	return largest
}
