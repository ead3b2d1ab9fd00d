package principal

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Directions returns the first t right singular vectors of x [N, D], not centred, as
// rows of a [t, D] matrix, each with its largest entry positive, for t <= D. They come
// from the eigenvectors of x^T x [D, D], or of x x^T [N, N] where that is smaller. It
// returns ErrNotFinite if x holds NaN or Inf.
func Directions(x *mat.Dense, t int) (*mat.Dense, error) {
	n, d := x.Dims()
	var gram mat.SymDense
	if n < d {
		gram.SymOuterK(1, x)
		_, directions, err := ofFew(x, &gram, t)
		return directions, err
	}
	gram.SymOuterK(1, x.T())
	_, vectors, err := eigen(&gram)
	if err != nil {
		return nil, err
	}
	directions := mat.NewDense(t, d, nil)
	for k := range t {
		directions.SetRow(k, pointing(mat.Col(nil, d-1-k, vectors)))
	}
	return directions, nil
}

// ofFew returns the first t right singular vectors of x [N, D], as rows, from its gram
// matrix x x^T [N, N], and the eigenvalues of that, rising. An eigenvector u of it gives
// the singular vector along x^T u. The singular vectors beyond the rank of x are
// arbitrary; here they are the unit vectors of inputs, made orthogonal to the others.
func ofFew(x *mat.Dense, gram *mat.SymDense, t int) (values []float64, directions *mat.Dense, err error) {
	values, vectors, err := eigen(gram)
	if err != nil {
		return nil, nil, err
	}
	n, d := x.Dims()
	smallest := float64(n) * 0x1p-52 * values[n-1] // what rounding makes of an eigenvalue 0
	directions = mat.NewDense(t, d, nil)
	input := 0 // whose unit vector is tried next
	for k := range t {
		row := directions.RawRowView(k)
		found := false
		if k < n && values[n-1-k] > smallest {
			mat.NewVecDense(d, row).MulVec(x.T(), vectors.ColView(n-1-k))
			found = orthonormalise(directions, k)
		}
		for ; !found; input++ {
			clear(row)
			row[input] = 1
			found = orthonormalise(directions, k)
		}
	}
	for k := range t {
		pointing(directions.RawRowView(k))
	}
	return values, directions, nil
}

// eigen returns the eigenvalues of a symmetric matrix, rising, and its eigenvectors as
// columns.
func eigen(a *mat.SymDense) ([]float64, *mat.Dense, error) {
	var decomposition mat.EigenSym
	norm := mat.Norm(a, 1)
	if math.IsNaN(norm) || math.IsInf(norm, 0) || !decomposition.Factorize(a, true) {
		return nil, nil, ErrNotFinite
	}
	vectors := new(mat.Dense)
	decomposition.VectorsTo(vectors)
	return decomposition.Values(nil), vectors, nil
}

// orthonormalise takes from row k of w its parts along the rows above it, which are
// orthonormal, and scales it to length 1. It reports false, and leaves the length, if
// little but rounding is left of the row.
func orthonormalise(w *mat.Dense, k int) bool {
	row := w.RawRowView(k)
	before := floats.Norm(row, 2)
	for range 2 { // What rounding leaves of the first pass, the second removes.
		for i := range k {
			above := w.RawRowView(i)
			floats.AddScaled(row, -floats.Dot(row, above), above)
		}
	}
	after := floats.Norm(row, 2)
	if !(after > leastLeft*before) {
		return false
	}
	floats.Scale(1/after, row)
	return true
}

// leastLeft is the share of a vector that must be left of it.
const leastLeft = 1e-6
