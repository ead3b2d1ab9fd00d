package dgp

import "dgplab/models/linalg"

// workspace holds scratch memory for operations that run one after another. Each operation reserves
// what it needs when it is recorded.
type workspace struct{ bufs [linalg.MaxChains][]float64 }

// reserve ensures that each chain has at least n numbers.
func (w *workspace) reserve(n int) {
	if n > len(w.bufs[0]) {
		for c := range w.bufs {
			w.bufs[c] = make([]float64, n)
		}
	}
}

// buffer returns n numbers for a chain.
func (w *workspace) buffer(chain, n int) []float64 { return w.bufs[chain][:n] }
