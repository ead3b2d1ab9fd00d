package dgp

import (
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
)

// general views data as a rows x cols matrix.
func general(data []float64, rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data[:rows*cols]}
}

// square views data as an n x n matrix.
func square(data []float64, n int) blas64.General { return general(data, n, n) }

// lower views data as an n x n lower triangular matrix.
func lower(data []float64, n int) blas64.Triangular { return linalg.Lower(data[:n*n], n, n) }

// addTo adds src to dst.
func addTo(dst, src []float64) { addScaled(dst, src, 1) }
