package linalg

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Directions returns the first t right singular vectors of x [N, D], which is not centred, as the
// rows of a [t, D] matrix, for t <= D. The largest entry of each vector is positive. The vectors
// are computed from the eigenvectors of x^T x [D, D], or of x x^T [N, N] if that is smaller.
// Directions returns ErrNotFinite if x contains NaN or Inf.
func Directions(x *mat.Dense, t int) (*mat.Dense, error) {
	n, d := x.Dims()
	var gram mat.SymDense
	if n < d {
		gram.SymOuterK(1, x)
		_, directions, err := fromGram(x, &gram, t)
		return directions, err
	}
	gram.SymOuterK(1, x.T())
	_, vectors, err := eigen(&gram)
	if err != nil {
		return nil, err
	}
	directions := mat.NewDense(t, d, nil)
	for k := range t {
		directions.SetRow(k, orient(mat.Col(nil, d-1-k, vectors)))
	}
	return directions, nil
}

// fromGram returns the first t right singular vectors of x [N, D], as rows, and the eigenvalues of
// its Gram matrix x x^T [N, N], in ascending order. An eigenvector u of the Gram matrix gives the
// singular vector along x^T u. Singular vectors beyond the rank of x are arbitrary: fromGram uses
// unit vectors of the inputs, orthogonalised against the others.
func fromGram(x *mat.Dense, gram *mat.SymDense, t int) (values []float64, directions *mat.Dense, err error) {
	values, vectors, err := eigen(gram)
	if err != nil {
		return nil, nil, err
	}
	n, d := x.Dims()
	smallest := float64(n) * 0x1p-52 * values[n-1] // rounding error of a zero eigenvalue
	directions = mat.NewDense(t, d, nil)
	input := 0 // index of the next unit vector to try
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
		orient(directions.RawRowView(k))
	}
	return values, directions, nil
}

// eigen returns the eigenvalues of a symmetric matrix, in ascending order, and its eigenvectors as
// columns.
func eigen(a *mat.SymDense) ([]float64, *mat.Dense, error) {
	if err := Failure("eigenvalues"); err != nil {
		return nil, nil, err
	}
	var decomposition mat.EigenSym
	norm := mat.Norm(a, 1)
	if math.IsNaN(norm) || math.IsInf(norm, 0) || !decomposition.Factorize(a, true) {
		return nil, nil, ErrNotFinite
	}
	vectors := new(mat.Dense)
	decomposition.VectorsTo(vectors)
	return decomposition.Values(nil), vectors, nil
}

// orthonormalise subtracts from row k of w its components along the rows above, which are
// orthonormal, and scales it to length 1. It returns false, without scaling, if the remainder is
// mostly rounding error.
func orthonormalise(w *mat.Dense, k int) bool {
	row := w.RawRowView(k)
	before := floats.Norm(row, 2)
	for range 2 { // the second pass removes the rounding errors of the first
		for i := range k {
			above := w.RawRowView(i)
			floats.AddScaled(row, -floats.Dot(row, above), above)
		}
	}
	after := floats.Norm(row, 2)
	if !(after > minRemainder*before) {
		return false
	}
	floats.Scale(1/after, row)
	return true
}

// minRemainder is the smallest share of the length of a vector that must remain.
const minRemainder = 1e-6
