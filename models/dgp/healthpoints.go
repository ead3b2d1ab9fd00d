package dgp

import (
	"math"
	"slices"

	"dgplab/models/view"
)

// conditionPoints is the number of points and samples, evenly spaced among the columns of the
// graph, at which the condition of S~_n is estimated. Pivots are checked at all columns.
const conditionPoints = 64

// addMarginal adds the covariance S~_n of GP i and its ancestors at the worst point of the graph.
// As in the bound, outputs of the last layer are treated as independent given the layers below.
func (h *matrixReport) addMarginal(g *graph, i int) {
	p := h.post
	e := view.Matrix{
		Name:          g.matrixOf(i),
		Kind:          view.PointMatrix,
		Layer:         p.layer[i],
		GP:            p.position(i),
		SmallestPivot: view.Float(math.Inf(1)),
	}
	diagonal, _ := g.cholEntry(i, i)
	for _, c := range diagonal.value() {
		e.SmallestPivot = min(e.SmallestPivot, view.Float(c*c))
	}
	e.Jitter = view.Float(g.jitterOf(i))
	gps := p.ancestry(i)
	columns := len(diagonal.value())
	factor := make([]float64, len(gps)*len(gps))
	for k := range min(conditionPoints, columns) {
		g.factorAt(factor, gps, k*columns/min(conditionPoints, columns))
		e.Condition = max(e.Condition, conditionOf(factor, len(gps)))
	}
	h.add(e)
}

// addResidual adds the residual prior variance of the GPs of a hidden layer given sampled inducing
// outputs, one scalar per point. Sampling takes its square root.
func (h *matrixReport) addResidual(g *graph, l int) {
	p := h.post
	if l == len(p.layers)-1 {
		return
	}
	e := view.Matrix{
		Name:          g.matrixOf(p.first[l]),
		Kind:          view.PointMatrix,
		Layer:         l,
		GP:            -1,
		Condition:     1,
		SmallestPivot: view.Float(math.Inf(1)),
	}
	for _, v := range g.residual[l].Value {
		e.SmallestPivot = min(e.SmallestPivot, view.Float(v))
	}
	if !(e.SmallestPivot > 0) {
		e.Jitter = view.Float(math.NaN()) // it differs between points and is not stored
	}
	h.add(e)
}

// ancestry returns GP i and all earlier GPs that can be reached from it through the non-zero
// entries of the Cholesky factor of S~_n, in ascending order. The rows of these GPs form the factor
// of their covariance.
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

// factorAt sets dst to the Cholesky factor of the covariance of gps at a column. gps must include
// the ancestry of its members.
func (g *graph) factorAt(dst []float64, gps []int, column int) {
	clear(dst)
	for r, i := range gps {
		for c, k := range gps[:r+1] {
			if entry, ok := g.cholEntry(i, k); ok {
				dst[r*len(gps)+c] = entry.at(column)
			}
		}
	}
}

// at returns the entry at a column; shorter vectors repeat.
func (v vector) at(column int) float64 { return v.node.Row(v.row)[column%v.node.Cols] }

// jitterOf returns the largest jitter added to a pivot of GP i: the excess of row i of the Cholesky
// factor over the covariance.
func (g *graph) jitterOf(i int) float64 {
	p := g.post
	l := p.layer[i]
	form := g.forms[l][pair{i, i}]
	var largest float64
	for n, residual := range g.residual[l].Value {
		marginal := form.at(n) + residual
		beyond := -marginal
		for _, k := range p.fill[i] {
			c, _ := g.cholEntry(i, k)
			beyond += c.at(n) * c.at(n)
		}
		if beyond > minExcess*marginal {
			largest = max(largest, beyond)
		}
	}
	return largest
}
