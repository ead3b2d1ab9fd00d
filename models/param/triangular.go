package param

import (
	"fmt"
	"math"
)

// DefaultSoftness is the default of Triangular.Softness. A positive diagonal entry well above it
// nearly equals its free entry.
const DefaultSoftness = 1e-3

// Triangular is the transform for blocks of a lower Cholesky factor. The values are [K][M][M],
// row-major, where K is the length of Full. A block whose flag in Full is set has M*M raw entries.
// Any other block is lower triangular: entries below the diagonal are raw, diagonal entries are
// positive,
//
//	d = Lower + (x + sqrt(x^2 + 4 Softness^2)) / 2,
//
// and entries above the diagonal are zero and not parameters. Free entries are ordered block by
// block and row by row.
//
// This map is nearly linear except close to zero; at x = 0, d is Lower + Softness. A diagonal that
// starts at 1 therefore changes at the learning rate, and a diagonal that starts at 1e-5 can still
// grow.
type Triangular struct {
	M     int
	Full  []bool
	Lower float64
	// Softness must be positive.
	Softness float64
}

// NewTriangular returns the transform for blocks of side m, with Lower 0 and DefaultSoftness. It
// retains full.
func NewTriangular(m int, full []bool) Triangular {
	return Triangular{M: m, Full: full, Softness: DefaultSoftness}
}

// Size implements Transform. It panics unless n is len(Full)*M*M.
func (t Triangular) Size(n int) int {
	if n != len(t.Full)*t.M*t.M {
		panic(fmt.Sprintf("param: %d values for %d blocks of %d x %d", n, len(t.Full), t.M, t.M))
	}
	size := 0
	for _, full := range t.Full {
		if full {
			size += t.M * t.M
		} else {
			size += t.M * (t.M + 1) / 2
		}
	}
	return size
}

// Forward implements Transform.
func (t Triangular) Forward(value, free []float64) {
	t.rows(func(k, f, raw int, diagonal bool) {
		copy(value[k:k+raw], free[f:f+raw])
		if diagonal {
			value[k+raw] = t.positive(free[f+raw])
			clear(value[k+raw+1 : t.endOfRow(k)])
		}
	})
}

// Inverse implements Transform. It rejects a diagonal entry that is not above Lower, a non-zero
// entry above the diagonal, and values that are not finite.
func (t Triangular) Inverse(free, value []float64) (err error) {
	t.rows(func(k, f, raw int, diagonal bool) {
		if err != nil {
			return
		}
		err = (Identity{}).Inverse(free[f:f+raw], value[k:k+raw])
		if err != nil {
			err.(*RangeError).Index += k
			return
		}
		if diagonal {
			err = t.invertDiagonal(free, value, k, f, raw)
		}
	})
	return err
}

// invertDiagonal inverts the diagonal entry of a row and checks the zeros after it.
func (t Triangular) invertDiagonal(free, value []float64, k, f, raw int) error {
	d := value[k+raw]
	u := d - t.Lower
	if !(u > 0) || math.IsInf(u, 1) {
		return &RangeError{Index: k + raw, Value: d, Want: fmt.Sprintf("finite and above %v", t.Lower)}
	}
	free[f+raw] = u - t.Softness*t.Softness/u
	for j := k + raw + 1; j < t.endOfRow(k); j++ {
		if value[j] != 0 {
			return &RangeError{Index: j, Value: value[j], Want: "zero above the diagonal"}
		}
	}
	return nil
}

// Pullback implements Transform. It does not read gradients above the diagonal.
func (t Triangular) Pullback(dFree, dValue, free []float64) {
	t.rows(func(k, f, raw int, diagonal bool) {
		copy(dFree[f:f+raw], dValue[k:k+raw])
		if diagonal {
			dFree[f+raw] = dValue[k+raw] * t.slope(free[f+raw])
		}
	})
}

// rows calls do for each row of each block. The values of the row start at k and its free entries
// at f. Its first raw values are free entries themselves; if diagonal is set, a diagonal entry and
// zeros follow.
func (t Triangular) rows(do func(k, f, raw int, diagonal bool)) {
	k, f := 0, 0
	for _, full := range t.Full {
		for i := range t.M {
			if full {
				do(k, f, t.M, false)
				f += t.M
			} else {
				do(k, f, i, true)
				f += i + 1
			}
			k += t.M
		}
	}
}

// endOfRow returns the end of the row that starts at value k.
func (t Triangular) endOfRow(k int) int { return k + t.M }

// positive returns Lower + (x + root)/2, computed without cancellation for negative x.
func (t Triangular) positive(x float64) float64 {
	root := math.Hypot(x, 2*t.Softness)
	if x < 0 {
		return t.Lower + 2*t.Softness*t.Softness/(root-x)
	}
	return t.Lower + 0.5*(x+root)
}

// slope returns the derivative of positive, (1 + x/root)/2.
func (t Triangular) slope(x float64) float64 {
	root := math.Hypot(x, 2*t.Softness)
	if x < 0 {
		return 2 * t.Softness * t.Softness / (root * (root - x))
	}
	return 0.5 * (1 + x/root)
}
