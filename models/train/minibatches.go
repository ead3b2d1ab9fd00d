package train

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/stats"
)

// Minibatches splits the rows of a data set into minibatches: the rows are shuffled for each epoch,
// and the concatenated permutations are cut into batches of B. The rows of a step depend only on
// the seed and the step.
type Minibatches struct {
	orders *stats.Streams // by epoch
	n, b   int
	epoch  int // epoch of perm, or -1 if none
	perm   []int32
	rows   []int // rows of the current minibatch
}

// NewMinibatches returns minibatches of size b for n rows.
func NewMinibatches(seed uint64, n, b int) *Minibatches {
	return &Minibatches{
		orders: stats.NewStreams(seed, "batches"),
		n:      n,
		b:      b,
		epoch:  -1,
		perm:   make([]int32, n),
		rows:   make([]int, b),
	}
}

// Rows returns the B rows of step k, counted from 0. They are valid until the next call.
func (s *Minibatches) Rows(k int) []int {
	for i := range s.rows {
		at := k*s.b + i
		s.shuffle(at / s.n)
		s.rows[i] = int(s.perm[at%s.n])
	}
	return s.rows
}

// shuffle sets perm to the permutation of an epoch.
func (s *Minibatches) shuffle(epoch int) {
	if epoch == s.epoch {
		return
	}
	s.epoch = epoch
	for i := range s.perm {
		s.perm[i] = int32(i)
	}
	s.orders.At(uint64(epoch)).Shuffle(s.n, func(i, j int) { s.perm[i], s.perm[j] = s.perm[j], s.perm[i] })
}

// Columns copies the given rows of src, [N, D], into dst as columns, [D][B].
func Columns(dst []float64, src *mat.Dense, rows []int) {
	for b, row := range rows {
		for d, v := range src.RawRowView(row) {
			dst[d*len(rows)+b] = v
		}
	}
}

// Window copies B consecutive rows of src, [N, D], from row start on, into dst as columns, [D][B].
// Beyond the end of src it repeats the last row.
func Window(dst []float64, src *mat.Dense, start int) {
	n, d := src.Dims()
	b := len(dst) / d
	for i := range b {
		for k, v := range src.RawRowView(min(start+i, n-1)) {
			dst[k*b+i] = v
		}
	}
}

// Spread returns count evenly spaced rows of x, or all rows if there are fewer.
func Spread(x *mat.Dense, count int) *mat.Dense {
	n, d := x.Dims()
	count = min(n, count)
	out := mat.NewDense(count, d, nil)
	for i := range count {
		out.SetRow(i, x.RawRowView(i*n/count))
	}
	return out
}
