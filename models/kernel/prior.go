package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
	"dgplab/models/stats"
	"dgplab/models/view"
)

const (
	// linePoints is the number of points on the line. The line extends beyond the data on each side
	// by lineMargin times their range.
	linePoints = 48
	lineMargin = 0.1
	// priorDraws is the number of functions.
	priorDraws = 3
	// drawJitter, relative to the variance, keeps the covariance of a fine grid positive definite; it
	// adds a standard deviation of 0.1 % of the kernel's.
	drawJitter = 1e-6
)

// PriorLayer draws functions from the prior of one layer.
type PriorLayer struct {
	// NumNormals returns the number of standard normal numbers needed for a draw at n points.
	NumNormals func(n int) int
	// Draw returns the outputs, [T][n], at the points in, [D][n], for standard normal numbers eps.
	Draw func(in, eps []float64) ([]float64, error)
}

// DrawPriors returns draws from each kind of prior, layer by layer, along a line through the inputs
// x [N, D].
func DrawPriors(x *mat.Dense, seed uint64, kinds ...PriorKind) (*view.Prior, error) {
	l, err := lineThrough(x)
	if err != nil {
		return nil, err
	}
	return l.view(seed, kinds)
}

// priorLine is a grid along the first principal direction of the inputs.
type priorLine struct {
	grid   []float64 // [points]
	inputs []float64 // [D][points]
}

// lineThrough returns the line through the inputs x, [N, D].
func lineThrough(x *mat.Dense) (*priorLine, error) {
	axes, err := linalg.NewPrincipalAxes(x)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	lo := math.Inf(1)
	hi := math.Inf(-1)
	for i := range n {
		at := axes.Along(0, x.RawRowView(i))
		lo = math.Min(lo, at)
		hi = math.Max(hi, at)
	}
	if lo == hi {
		lo, hi = lo-1, hi+1
	}
	wide := lineMargin * (hi - lo)
	l := &priorLine{grid: make([]float64, linePoints), inputs: make([]float64, d*linePoints)}
	for k := range l.grid {
		l.grid[k] = lo - wide + (hi-lo+2*wide)*float64(k)/(linePoints-1)
		for j, v := range axes.At(0, l.grid[k]) {
			l.inputs[j*linePoints+k] = v
		}
	}
	return l, nil
}

// view draws the functions. All kinds use the same random streams.
func (l *priorLine) view(seed uint64, kinds []PriorKind) (*view.Prior, error) {
	v := &view.Prior{Direction: "first principal direction", Grid: l.grid}
	for _, k := range kinds {
		drawn := view.PriorKind{Name: k.Name, Depths: make([][]view.Rounded, len(k.Layers))}
		for c := range priorDraws {
			stream := stats.Stream(seed, "prior", uint64(c))
			in := l.inputs
			for depth, layer := range k.Layers {
				eps := make([]float64, layer.NumNormals(linePoints))
				stats.Normals(eps, stream)
				f, err := layer.Draw(in, eps)
				if err != nil {
					return nil, fmt.Errorf("%s prior of layer %d: %w", k.Name, depth+1, err)
				}
				drawn.Depths[depth] = append(drawn.Depths[depth], f[:linePoints])
				in = f
			}
		}
		v.Kinds = append(v.Kinds, drawn)
	}
	return v, nil
}

// PriorKind is a prior of the layers of a model.
type PriorKind struct {
	Name   string
	Layers []PriorLayer
}

// ConventionalPrior is the name of the conventional GP prior.
const ConventionalPrior = "conventional"

// AddGPs adds draws from T GPs at n points to means, [T][n]. The GPs share the covariance k,
// [n][n], which has variance on its diagonal and is overwritten. eps holds standard normal numbers,
// [T][n].
func AddGPs(means, k []float64, variance float64, eps []float64, n int) error {
	for i := range n {
		k[i*n+i] += drawJitter * variance
	}
	root := make([]float64, n*n)
	if _, err := linalg.Cholesky(root, k, n, "covariance of a draw"); err != nil {
		return err
	}
	matrix := func(data []float64) blas64.General {
		return blas64.General{Rows: len(data) / n, Cols: n, Stride: n, Data: data}
	}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, matrix(eps), matrix(root), 1, matrix(means))
	return nil
}
