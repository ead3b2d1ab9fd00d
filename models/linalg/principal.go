package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// PrincipalAxes holds the principal axes of points in D dimensions.
type PrincipalAxes struct {
	// Mean is the mean of the points, [D].
	Mean []float64
	// Directions are orthogonal unit vectors, [K][D], each with its largest entry positive.
	// Variances are the variances along them, in descending order, [K]. K is the smaller of D and
	// the number of points, but at least 2. The variance along all other directions is zero.
	Directions [][]float64
	Variances  []float64
}

// ErrNotFinite is returned for points with NaN or infinite coordinates.
var ErrNotFinite = errors.New("points contain NaN or Inf")

// NewPrincipalAxes returns the axes of points, [n, D]. It computes them from the covariance [D, D],
// or from the Gram matrix [n, n] of the centred points if that is smaller. The covariance of a
// single point is zero. NewPrincipalAxes returns ErrNotFinite if a coordinate is NaN or Inf.
func NewPrincipalAxes(points *mat.Dense) (*PrincipalAxes, error) {
	n, d := points.Dims()
	a := &PrincipalAxes{Mean: make([]float64, d)}
	column := make([]float64, n)
	for j := range d {
		a.Mean[j] = stat.Mean(mat.Col(column, j, points), nil)
	}
	if most := max(n, 2); most < d {
		return a, a.setFromGram(points, most)
	}
	covariance := mat.NewSymDense(d, nil)
	if n > 1 {
		stat.CovarianceMatrix(covariance, points, nil)
	}
	values, vectors, err := eigen(covariance)
	if err != nil {
		return nil, err
	}
	for k := d - 1; k >= 0; k-- {
		a.Variances = append(a.Variances, math.Max(values[k], 0))
		a.Directions = append(a.Directions, orient(mat.Col(nil, k, vectors)))
	}
	return a, nil
}

// setFromGram sets the first count variances and directions if there are fewer points than
// dimensions.
func (a *PrincipalAxes) setFromGram(points *mat.Dense, count int) error {
	n, _ := points.Dims()
	centred := mat.DenseCopyOf(points)
	for i := range n {
		floats.Sub(centred.RawRowView(i), a.Mean)
	}
	var products mat.SymDense
	products.SymOuterK(1/math.Max(float64(n-1), 1), centred)
	values, directions, err := fromGram(centred, &products, count)
	if err != nil {
		return err
	}
	for k := range count {
		variance := 0.0
		if k < n {
			variance = math.Max(values[n-1-k], 0)
		}
		a.Variances = append(a.Variances, variance)
		a.Directions = append(a.Directions, directions.RawRowView(k))
	}
	return nil
}

// orient negates a vector in place if its largest entry is negative, and returns it.
func orient(v []float64) []float64 {
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

// Total returns the total variance.
func (a *PrincipalAxes) Total() (sum float64) {
	for _, v := range a.Variances {
		sum += v
	}
	return sum
}

// Along returns the coordinate of x, [D], along axis k, relative to the mean.
func (a *PrincipalAxes) Along(k int, x []float64) (at float64) {
	for j, w := range a.Directions[k] {
		at += w * (x[j] - a.Mean[j])
	}
	return at
}

// At returns the point, [D], with the given score along axis k.
func (a *PrincipalAxes) At(k int, score float64) []float64 {
	x := make([]float64, len(a.Mean))
	for j, w := range a.Directions[k] {
		x[j] = a.Mean[j] + w*score
	}
	return x
}
