package dgp

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/random"
)

// batches deals the rows of a data set in minibatches: permutation after
// permutation of all rows, cut into pieces of B. Which rows step k gets depends
// on the seed and k alone.
type batches struct {
	seed  uint64
	n, b  int
	epoch int // of perm, -1 if none
	perm  []int
}

func newBatches(seed uint64, n, b int) *batches {
	return &batches{seed: seed, n: n, b: b, epoch: -1, perm: make([]int, n)}
}

// rows fills dst, of length B, with the rows of step k, counted from 0.
func (s *batches) rows(dst []int, k int) {
	for i := range dst {
		at := k*s.b + i
		s.shuffle(at / s.n)
		dst[i] = s.perm[at%s.n]
	}
}

// shuffle makes perm that of an epoch.
func (s *batches) shuffle(epoch int) {
	if epoch == s.epoch {
		return
	}
	s.epoch = epoch
	for i := range s.perm {
		s.perm[i] = i
	}
	stream := random.Stream(s.seed, "batches", uint64(epoch))
	stream.Shuffle(s.n, func(i, j int) { s.perm[i], s.perm[j] = s.perm[j], s.perm[i] })
}

// columns copies the given rows of src, [N, D], into dst as columns, [D][B].
func columns(dst []float64, src *mat.Dense, rows []int) {
	for b, row := range rows {
		for d, v := range src.RawRowView(row) {
			dst[d*len(rows)+b] = v
		}
	}
}
