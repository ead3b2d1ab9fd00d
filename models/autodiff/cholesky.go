package autodiff

import (
	"fmt"
	"maps"
	"math"

	"dgplab/models/linalg"
)

// Cholesky returns the lower Cholesky factors of the symmetric matrices of a. It reads only the lower
// triangles. Uses of jitter are counted on the tape by the name of the matrix. If jitter does not
// suffice, Forward returns a *linalg.NotPositiveDefiniteError or *linalg.NaNError with that name.
//
// The gradient with respect to a is symmetric, and treats the jitter as constant.
func (t *Tape) Cholesky(a *Node, matrix string) *Node {
	return t.Choleskys([]*Node{a}, []string{matrix})[0]
}

// Choleskys factorises the matrices of several nodes in parallel, as Cholesky does for one node. It
// returns the error of the first node that failed.
func (t *Tape) Choleskys(a []*Node, matrices []string) []*Node {
	f := &factorisations{tape: t, a: a, matrices: matrices,
		rescues: make([]int, len(a)), errs: make([]error, len(a)), scratch: make([][]float64, len(a))}
	for k, node := range a {
		n := node.square("Cholesky")
		out := t.Output(node.Batch, n, n, node)
		if out.Wanted() {
			f.scratch[k] = make([]float64, min(node.Batch, choleskyParts)*n*n)
		}
		for first := range min(node.Batch, choleskyParts) {
			f.parts = append(f.parts, [2]int{k, first})
		}
		f.outs = append(f.outs, out)
	}
	f.factor.Body, f.reverse.Body = f.forwardOne, f.backwardPart
	t.RecordAll(f.outs, f.forward, f.backward)
	return f.outs
}

// factorisations is the operation recorded by Choleskys.
type factorisations struct {
	tape            *Tape
	a, outs         []*Node
	matrices        []string
	rescues         []int
	errs            []error
	scratch         [][]float64 // one matrix per part, for each node
	parts           [][2]int    // node and first matrix of each part
	factor, reverse linalg.Loop
}

// choleskyParts is the largest number of parts into which the matrices of a node are divided for
// parallel differentiation.
const choleskyParts = 8

func (f *factorisations) forward() error {
	f.factor.Run(len(f.a))
	for k, matrix := range f.matrices {
		f.tape.CountRescues(matrix, f.rescues[k])
		if err := f.errs[k]; err != nil {
			return err
		}
	}
	return nil
}

func (f *factorisations) forwardOne(k int) {
	a, out := f.a[k], f.outs[k]
	f.rescues[k], f.errs[k] = linalg.BatchCholesky(out.Value, a.Value, a.Batch, a.Rows, f.matrices[k], nil)
}

func (f *factorisations) backward() {
	for k, a := range f.a {
		if a.Wanted() { // clear the gradient before the parts write to it in parallel
			a.Grad()
			f.outs[k].Grad()
		}
	}
	f.reverse.Run(len(f.parts))
}

// backwardPart differentiates the matrices of one part.
func (f *factorisations) backwardPart(part int) {
	k, first := f.parts[part][0], f.parts[part][1]
	a, out := f.a[k], f.outs[k]
	if !a.Wanted() {
		return
	}
	n, size := a.Rows, a.Rows*a.Cols
	da := a.Grad()
	g := out.Grad()
	scratch := f.scratch[k][first*size : (first+1)*size]
	for i := first; i < a.Batch; i += choleskyParts {
		at, end := i*size, (i+1)*size
		linalg.CholeskyBackward(da[at:end], out.Value[at:end], g[at:end], scratch, n)
	}
}

// square returns the size of the matrices of n. It panics if they are not square.
func (n *Node) square(name string) int {
	if n.Rows != n.Cols {
		panic(fmt.Sprintf("autodiff: %s of non-square %s", name, n.shape()))
	}
	return n.Rows
}

// CountRescues adds to the number of times that jitter was needed for a matrix. Other packages call it
// from the operations that they record.
func (t *Tape) CountRescues(matrix string, rescues int) {
	if rescues == 0 || t.quiet {
		return
	}
	if t.rescues == nil {
		t.rescues = make(map[string]int)
	}
	t.rescues[matrix] += rescues
	t.rescued += rescues
}

// WithoutRescues runs do without counting rescues. do is usually a replay for inspection.
func (t *Tape) WithoutRescues(do func() error) error {
	t.quiet = true
	defer func() { t.quiet = false }()
	return do()
}

// Rescues returns the total number of times that a factorisation had to raise its jitter since the
// tape was created.
func (t *Tape) Rescues() int { return t.rescued }

// RescuesByMatrix returns a copy of the counts of Rescues by matrix. It omits matrices without rescues.
func (t *Tape) RescuesByMatrix() map[string]int {
	counts := maps.Clone(t.rescues)
	if counts == nil {
		counts = make(map[string]int)
	}
	return counts
}

// LogDiag returns the sums of the logarithms of the diagonals, [Batch][1][1]. For a Cholesky
// factor, this is half the log-determinant of the factorised matrix.
func (t *Tape) LogDiag(l *Node) *Node {
	n := l.square("LogDiag")
	out := t.Output(l.Batch, 1, 1, l)
	return t.Record(out, func() error {
		for b := range out.Value {
			out.Value[b] = linalg.LogDiag(l.At(b), n)
		}
		return nil
	}, func() {
		dl := l.Grad()
		for b, g := range out.Grad() {
			for i := b * n * n; i < (b+1)*n*n; i += n + 1 {
				dl[i] += g / l.Value[i]
			}
		}
	})
}

// AddDiag returns the matrices of a, [Batch][n][n], with d added to their diagonals. d has 1 or n
// rows, 1 column, and a batch of 1 or a.Batch. Dimensions of 1 are repeated.
func (t *Tape) AddDiag(a, d *Node) *Node {
	n := a.square("AddDiag")
	if d.Cols != 1 || d.Rows != 1 && d.Rows != n || d.Batch != 1 && d.Batch != a.Batch {
		panic(fmt.Sprintf("autodiff: AddDiag: shapes %s and %s do not match", a.shape(), d.shape()))
	}
	out := t.Output(a.Batch, n, n, a, d)
	stepBatch := step(d.Batch, d.Rows)
	stepRow := step(d.Rows, 1)
	return t.Record(out, func() error {
		copy(out.Value, a.Value)
		for b := 0; b < a.Batch; b++ {
			for i := 0; i < n; i++ {
				out.Value[(b*n+i)*n+i] += d.Value[b*stepBatch+i*stepRow]
			}
		}
		return nil
	}, func() {
		g := out.Grad()
		if a.Wanted() {
			da, beta := a.GradBeta()
			accumulate(da, g, beta)
		}
		if !d.Wanted() {
			return
		}
		dd := d.Grad()
		for b := 0; b < a.Batch; b++ {
			for i := 0; i < n; i++ {
				dd[b*stepBatch+i*stepRow] += g[(b*n+i)*n+i]
			}
		}
	})
}

// AddDiagConstant returns the matrices of a with c added to their diagonals. It panics if c is NaN
// or infinite.
func (t *Tape) AddDiagConstant(a *Node, c float64) *Node {
	if math.IsNaN(c) || math.IsInf(c, 0) {
		panic(fmt.Sprintf("autodiff: AddDiagConstant of non-finite %g", c))
	}
	d := t.Constant(1, 1, 1)
	d.Value[0] = c
	return t.AddDiag(a, d)
}
