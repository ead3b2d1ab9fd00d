package dgp

import "gonum.org/v1/gonum/blas/blas64"

// span locates a matrix [rows][cols] in a slice that stores matrices one after another.
type span struct{ start, rows, cols int }

// end returns the start of the next matrix.
func (s span) end() int { return s.start + s.rows*s.cols }

// view returns the matrix, which is stored in all.
func (s span) view(all []float64) blas64.General { return general(all[s.start:], s.rows, s.cols) }

// lower returns a square matrix in all as a lower triangle.
func (s span) lower(all []float64) blas64.Triangular { return lower(all[s.start:], s.rows) }

// spans locates matrices in storage order.
type spans []span

// add appends a matrix.
func (s *spans) add(rows, cols int) { *s = append(*s, span{s.size(), rows, cols}) }

// size returns the total length of all matrices.
func (s spans) size() int {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].end()
}

// largest returns the length of the largest matrix.
func (s spans) largest() (n int) {
	for _, one := range s {
		n = max(n, one.rows*one.cols)
	}
	return n
}
