package dgp

import (
	"gonum.org/v1/gonum/blas/blas64"
)

const (
	// tileWidth is the number of points that are worked on at a time, so that a
	// tile of M rows stays in the second-level cache while every GP uses it.
	tileWidth = 256
	// maxChains is the number of pieces that sums over points fall into. It does
	// not depend on the number of cores, so neither do the sums.
	maxChains = 4
)

// tiling cuts points into tiles and deals the tiles to chains. A chain goes
// through its tiles in order; different chains may run at the same time.
type tiling struct{ points, width, chains int }

func newTiling(points int) tiling {
	tiles := (points + tileWidth - 1) / tileWidth
	return tiling{points: points, width: (points + tiles - 1) / tiles, chains: min(tiles, maxChains)}
}

// each visits the tiles [start, end) of a chain.
func (t tiling) each(chain int, visit func(start, end int)) {
	for start := chain * t.width; start < t.points; start += t.chains * t.width {
		visit(start, min(start+t.width, t.points))
	}
}

// workspace is memory for intermediate results of the chains of operations that
// run one after the other. Each operation asks for its size when it is recorded.
type workspace struct{ bufs [maxChains][]float64 }

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

// sumChains adds the results of all chains, [chains][n], in their order, into
// those of the first, which it returns.
func sumChains(parts []float64, n int) []float64 {
	for start := n; start < len(parts); start += n {
		addTo(parts[:n], parts[start:start+n])
	}
	return parts[:n]
}
