package linalg

import "dgplab/models/linalg/fastblas"

// Strips is a matrix of points in the layout of the kernels; see [fastblas.Strips].
type Strips = fastblas.Strips

// NewStrips returns a list of matrices in one piece of memory; see [fastblas.NewStrips].
func NewStrips(count, rows, cols int) []Strips { return fastblas.NewStrips(count, rows, cols) }

// AddScaledToEach adds the same matrices to several; see [fastblas.AddScaledToEach].
func AddScaledToEach(list []Strips, a *Strips, count int, w []float64, next, stride int) {
	fastblas.AddScaledToEach(list, a, count, w, next, stride)
}

// Transposed is the transpose of strips; see [fastblas.Transposed].
type Transposed = fastblas.Transposed

// Shapes of matrices that strips may have; see [fastblas.Shape].
const (
	FullStrips  = fastblas.FullStrips
	LowerStrips = fastblas.LowerStrips
	UpperStrips = fastblas.UpperStrips
)

// Multiplier is a matrix that multiplies strips; see [fastblas.Multiplier].
type Multiplier = fastblas.Multiplier

// Solver is a triangular matrix for which equations are solved; see [fastblas.Solver].
type Solver = fastblas.Solver
