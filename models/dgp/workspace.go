package dgp

import (
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
)

// workspace is memory for intermediate results of the chains of operations that
// run one after the other. Each operation asks for its size when it is recorded.
type workspace struct{ bufs [linalg.MaxChains][]float64 }

// need makes sure that each chain has n numbers.
func (w *workspace) need(n int) {
	if n > len(w.bufs[0]) {
		for c := range w.bufs {
			w.bufs[c] = make([]float64, n)
		}
	}
}

// of returns the n numbers of a chain.
func (w *workspace) of(chain, n int) []float64 { return w.bufs[chain][:n] }

// columnsOf views the columns [start, end) of data, [rows][stride].
func columnsOf(data []float64, rows, stride, start, end int) blas64.General {
	return blas64.General{Rows: rows, Cols: end - start, Stride: stride, Data: data[start:]}
}
