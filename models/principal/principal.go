// Package principal finds the directions along which points vary most.
package principal

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Axes are the principal axes of points in D dimensions.
type Axes struct {
	// Mean is that of the points, [D].
	Mean []float64
	// Directions are orthogonal unit vectors, [D][D], each with its largest entry
	// positive; Variances are those along them, falling, [D].
	Directions [][]float64
	Variances  []float64
}

// ErrNotFinite says that points have no axes.
var ErrNotFinite = errors.New("the points hold NaN or Inf")

// Of returns the axes of points, [n, D]: eigenvectors of their covariance, which is zero
// for a single one. It returns ErrNotFinite if a coordinate is NaN or Inf.
func Of(points *mat.Dense) (*Axes, error) {
	n, d := points.Dims()
	a := &Axes{Mean: make([]float64, d)}
	for j := range d {
		a.Mean[j] = stat.Mean(mat.Col(nil, j, points), nil)
	}
	covariance := mat.NewSymDense(d, nil)
	if n > 1 {
		stat.CovarianceMatrix(covariance, points, nil)
	}
	var eigen mat.EigenSym
	if norm := mat.Norm(covariance, 1); math.IsNaN(norm) || math.IsInf(norm, 0) || !eigen.Factorize(covariance, true) {
		return nil, ErrNotFinite
	}
	values := eigen.Values(nil) // rising
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k := d - 1; k >= 0; k-- {
		a.Variances = append(a.Variances, math.Max(values[k], 0))
		a.Directions = append(a.Directions, pointing(mat.Col(nil, k, &vectors)))
	}
	return a, nil
}

// pointing turns a vector round if its largest entry is negative.
func pointing(v []float64) []float64 {
	largest := 0.0
	for _, x := range v {
		if math.Abs(x) > math.Abs(largest) {
			largest = x
		}
	}
	if largest < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
	return v
}

// Total returns the variance over all directions.
func (a *Axes) Total() (sum float64) {
	for _, v := range a.Variances {
		sum += v
	}
	return sum
}

// Along returns where x, [D], lies along axis k, from the mean on.
func (a *Axes) Along(k int, x []float64) (at float64) {
	for j, w := range a.Directions[k] {
		at += w * (x[j] - a.Mean[j])
	}
	return at
}

// At returns the point, [D], at a place along axis k.
func (a *Axes) At(k int, place float64) []float64 {
	x := make([]float64, len(a.Mean))
	for j, w := range a.Directions[k] {
		x[j] = a.Mean[j] + w*place
	}
	return x
}
