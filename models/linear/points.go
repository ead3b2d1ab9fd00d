package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
)

// tile is the number of points processed at a time.
const tile = 512

// points selects rows of an input matrix for a linear model.
type points struct {
	x    *mat.Dense
	rows []int // indices into x
	d    int   // number of inputs, including the constant
	room []float64
	// roots holds the square roots of the weights of the points, [n], or is nil if all are 1. They multiply
	// inputs and targets, which makes sums of products weighted.
	roots []float64
}

// newPoints returns the rows of x with an observed target. With an intercept, the last input of
// every point is 1.
func newPoints(x *mat.Dense, observed func(row int) bool, intercept bool) *points {
	n, d := x.Dims()
	p := &points{x: x, d: d}
	if intercept {
		p.d++
	}
	for i := range n {
		if observed(i) {
			p.rows = append(p.rows, i)
		}
	}
	p.room = make([]float64, min(tile, n)*p.d)
	return p
}

// weigh gives the points the weights of the rows of the input matrix, which may be nil.
func (p *points) weigh(weights []float64) {
	if weights == nil {
		return
	}
	for _, row := range p.rows {
		p.roots = append(p.roots, math.Sqrt(weights[row]))
	}
}

// total returns the sum of the weights.
func (p *points) total() (sum float64) {
	if p.roots == nil {
		return float64(p.n())
	}
	for _, root := range p.roots {
		sum += root * root
	}
	return sum
}

// all returns the points of new inputs.
func (p *points) all(x *mat.Dense) *points {
	_, d := x.Dims()
	return newPoints(x, func(int) bool { return true }, p.d > d)
}

// n returns the number of points.
func (p *points) n() int { return len(p.rows) }

// tiles calls visit with the inputs of the points [from, to), [to-from][D], times their roots, for all points
// in order. The slice x is reused between calls.
func (p *points) tiles(visit func(x []float64, from, to int)) {
	for from := 0; from < p.n(); from += tile {
		to := min(from+tile, p.n())
		for i, row := range p.rows[from:to] {
			point := p.room[i*p.d : (i+1)*p.d]
			point[p.d-1] = 1
			copy(point, p.x.RawRowView(row))
			if p.roots != nil {
				floats.Scale(p.roots[from+i], point)
			}
		}
		visit(p.room[:(to-from)*p.d], from, to)
	}
}

// times sets dst, [n][L], to the products with w, [L][D].
func (p *points) times(dst, w []float64) {
	l := len(w) / p.d
	p.tiles(func(x []float64, from, to int) {
		linalg.Gemm(false, true, to-from, l, p.d, 1, x, w, 0, dst[from*l:to*l])
	})
}

// observed returns a function that reports whether a row of y has a value in the given column.
func observed(y *mat.Dense, column int) func(row int) bool {
	return func(row int) bool { return !math.IsNaN(y.At(row, column)) }
}

// column returns the values of a column of y at the points, times their roots.
func (p *points) column(y *mat.Dense, column int) []float64 {
	out := make([]float64, p.n())
	for i, row := range p.rows {
		out[i] = y.At(row, column)
		if p.roots != nil {
			out[i] *= p.roots[i]
		}
	}
	return out
}
