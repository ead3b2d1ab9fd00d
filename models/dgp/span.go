package dgp

import "gonum.org/v1/gonum/blas/blas64"

// span is the place of a matrix [rows][cols] among others, of any size, that are
// stored one after the other.
type span struct{ start, rows, cols int }

// end is where the next matrix starts.
func (s span) end() int { return s.start + s.rows*s.cols }

// of views the matrix in the memory of all of them.
func (s span) of(all []float64) blas64.General { return general(all[s.start:], s.rows, s.cols) }

// lower views a square one as a lower triangle.
func (s span) lower(all []float64) blas64.Triangular { return lower(all[s.start:], s.rows) }

// spans are the places of matrices in the order of their storage.
type spans []span

// add appends the place of a matrix.
func (s *spans) add(rows, cols int) { *s = append(*s, span{s.size(), rows, cols}) }

// size returns the length of the memory of all of them.
func (s spans) size() int {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].end()
}

// largest returns the length of the memory of the largest.
func (s spans) largest() (n int) {
	for _, one := range s {
		n = max(n, one.rows*one.cols)
	}
	return n
}
