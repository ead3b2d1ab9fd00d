package linear

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// rowSpace is the span of the N training inputs, for data with fewer points than weights D,
// including the intercept. The data do not depend on weights orthogonal to this space, so their
// posterior equals their prior N(0, I/alpha). A linear model of D inputs therefore reduces to a
// model of K+1 inputs: K = N coordinates in the space, and the distance from the space, which is 0
// for all training points. The reduction is exact for each single point; see addAcross for joint
// draws at several points.
type rowSpace struct {
	basis     *mat.Dense // orthonormal rows, [K][D], without the intercept
	intercept []float64  // intercept component of the basis, [K]; nil without an intercept
}

// newRowSpace returns the row space of x, [N][D], or nil unless there are fewer points than
// weights.
func newRowSpace(x *mat.Dense, intercept bool) (*rowSpace, error) {
	n, d := x.Dims()
	weights := d
	if intercept {
		weights++
	}
	if n >= weights {
		return nil, nil
	}
	full := x
	if intercept {
		ones := mat.NewDense(n, 1, nil)
		for i := range n {
			ones.Set(i, 0, 1)
		}
		full = new(mat.Dense)
		full.Augment(x, ones)
	}
	basis, err := linalg.Directions(full, n)
	if err != nil {
		return nil, err
	}
	s := &rowSpace{basis: basis}
	if intercept {
		s.intercept = mat.Col(nil, d, basis)
		s.basis = basis.Slice(0, n, 0, d).(*mat.Dense)
	}
	return s, nil
}

// coordinates returns the inputs of the reduced model, [n][K+1], at the points x, [n][D]. If
// training is true, the distances are set to exactly 0.
func (s *rowSpace) coordinates(x *mat.Dense, training bool) *mat.Dense {
	n, _ := x.Dims()
	k, _ := s.basis.Dims()
	out := mat.NewDense(n, k+1, nil)
	within := out.Slice(0, n, 0, k).(*mat.Dense)
	within.Mul(x, s.basis.T())
	for i := range n {
		square := 0.0
		for _, v := range x.RawRowView(i) {
			square += v * v
		}
		row := within.RawRowView(i)
		if s.intercept != nil {
			square++
		}
		for j := range row {
			if s.intercept != nil {
				row[j] += s.intercept[j]
			}
			square -= row[j] * row[j]
		}
		if !training {
			out.Set(i, k, math.Sqrt(math.Max(square, 0)))
		}
	}
	return out
}

// weights returns the D weights of each latent function, followed by its intercept, from the
// weights of the reduced model, [L][K+1].
func (s *rowSpace) weights(small []float64) []float64 {
	k, d := s.basis.Dims()
	var out []float64
	for from := 0; from < len(small); from += k + 1 {
		within := mat.NewVecDense(k, small[from:from+k])
		w := mat.NewVecDense(d, nil)
		w.MulVec(s.basis.T(), within)
		out = append(out, w.RawVector().Data...)
		if s.intercept != nil {
			out = append(out, mat.Dot(within, mat.NewVecDense(k, s.intercept)))
		}
	}
	return out
}

// addAcross adds to f, [n], a draw of a linear function at the points x, [n][D], with weights N(0,
// I/alpha) orthogonal to the row space. small holds the coordinates of x in the reduced model,
// [n][K+1].
func (s *rowSpace) addAcross(f []float64, x, small *mat.Dense, alpha float64, stream *rand.Rand) {
	k, d := s.basis.Dims()
	w := make([]float64, d)
	stats.Normals(w, stream)
	drawn := mat.NewVecDense(d, w)
	within := mat.NewVecDense(k, nil)
	within.MulVec(s.basis, drawn)
	constant := 0.0
	if s.intercept != nil {
		constant = stream.NormFloat64()
		within.AddScaledVec(within, constant, mat.NewVecDense(k, s.intercept))
	}
	for i := range f {
		point := mat.NewVecDense(k, small.RawRowView(i)[:k])
		value := mat.Dot(x.RowView(i), drawn) + constant - mat.Dot(point, within)
		f[i] += value / math.Sqrt(alpha)
	}
}
