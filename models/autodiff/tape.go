// Package autodiff provides reverse-mode differentiation over batches of matrices.
//
// A Tape is recorded once and replayed at every step: recording an operation allocates its output
// node, Forward recomputes every value in place from the current contents of the leaves, and
// Backward computes the gradients. Replays after the first do not allocate.
//
//	t := autodiff.NewTape()
//	a := t.Variable(1, 3, 3) // a leaf that wants a gradient
//	b := t.Constant(1, 3, 5) // a leaf that does not
//	loss := t.Sum(t.Square(t.MatMul(a, b)))
//	copy(a.Value, ...)
//	err := t.Forward()
//	t.Backward(loss)
//	use(a.Grad())
//
// A Perceptron is a neural network on a tape. Other packages record operations with special structure
// (kernels, block forms, likelihoods) through Record.
package autodiff

import (
	"fmt"

	"dgplab/models/linalg"
)

// Node is the value of an operation: Batch matrices of Rows x Cols, contiguous and row-major. A
// node is owned by the tape that recorded it and, like the tape, is not safe for concurrent use.
type Node struct {
	Batch, Rows, Cols int
	// Value holds [Batch][Rows][Cols]. Its contents may change, but the slice itself must not be
	// replaced, because recorded operations refer to it.
	Value []float64

	grad   []float64
	wanted bool // the node depends on a variable
	stale  bool // grad is from an earlier sweep
}

// Len returns the number of entries, Batch*Rows*Cols.
func (n *Node) Len() int { return n.Batch * n.Rows * n.Cols }

func (n *Node) shape() string { return fmt.Sprintf("%d x %d x %d", n.Batch, n.Rows, n.Cols) }

// At returns matrix b, [Rows][Cols], as a slice of Value.
func (n *Node) At(b int) []float64 {
	size := n.Rows * n.Cols
	return n.Value[b*size : (b+1)*size]
}

// Row returns row r of the first matrix.
func (n *Node) Row(r int) []float64 { return n.Value[r*n.Cols : (r+1)*n.Cols] }

// Wanted reports whether n depends on a variable, so its gradient is needed.
func (n *Node) Wanted() bool { return n.wanted }

// Grad returns the gradient accumulated in n during the current sweep, in the shape of Value. It is
// zero if nothing was added yet. Callers add to the gradient in place. Grad must not be called on a
// node that is not Wanted.
func (n *Node) Grad() []float64 {
	if n.claim() == 0 {
		clear(n.grad)
	}
	return n.grad
}

// GradBeta returns the gradient of n and the factor for its old contents: 0 (overwrite) for the
// first writer of a sweep, and 1 for later writers.
func (n *Node) GradBeta() (grad []float64, beta float64) {
	beta = n.claim()
	return n.grad, beta
}

// passGrad adds the gradient of from to the gradient of n. from has the same shape, and its
// gradient is no longer needed; if n has no gradient yet, the two are swapped.
func (n *Node) passGrad(from *Node) {
	if beta := n.claim(); beta != 0 {
		accumulate(n.grad, from.grad, beta)
		return
	}
	n.grad, from.grad = from.grad, n.grad
}

// passRepeated is like passGrad, but n may be repeated along the batch of from.
func (n *Node) passRepeated(from *Node) {
	if n.Batch == from.Batch {
		n.passGrad(from)
		return
	}
	grad := n.Grad()
	for at := 0; at < len(from.grad); at += len(grad) {
		accumulate(grad, from.grad[at:at+len(grad)], 1)
	}
}

func (n *Node) claim() (beta float64) {
	if n.grad == nil {
		n.grad = make([]float64, n.Len())
		n.stale = true
	}
	if n.stale {
		n.stale = false
		return 0
	}
	return 1
}

// Tape is a recorded computation. It is not safe for concurrent use.
type Tape struct {
	ops     []op
	nodes   []*Node        // all nodes except constants
	rescues map[string]int // by matrix
	rescued int            // total
	quiet   bool           // rescues are not counted
	replays int            // see Replays
	// differentiating is true during the Forward of Differentiate.
	differentiating bool

	section int // section of the operations being recorded
	profile *Profile
}

type op struct {
	outs     []*Node
	forward  func() error
	backward func()
	section  int
}

// NewTape returns an empty tape.
func NewTape() *Tape { return &Tape{} }

// Variable records a leaf with a gradient.
func (t *Tape) Variable(batch, rows, cols int) *Node {
	n := newNode(batch, rows, cols)
	n.wanted = true
	t.nodes = append(t.nodes, n)
	return n
}

// Constant records a leaf without a gradient.
func (t *Tape) Constant(batch, rows, cols int) *Node { return newNode(batch, rows, cols) }

// Frozen returns a constant that shares the values of n, for operations on another tape that are
// not differentiated with respect to n.
func (n *Node) Frozen() *Node {
	return &Node{Batch: n.Batch, Rows: n.Rows, Cols: n.Cols, Value: n.Value, stale: true}
}

// Mirror returns a variable that shares the values of n, a node of another tape that is replayed
// first. It has a gradient of its own if that of n is wanted.
func (t *Tape) Mirror(n *Node) *Node {
	m := n.Frozen()
	m.wanted = n.wanted
	t.nodes = append(t.nodes, m)
	return m
}

// Reached reports whether a gradient was added to n during the current sweep.
func (n *Node) Reached() bool { return n.wanted && !n.stale }

func newNode(batch, rows, cols int) *Node {
	if batch < 1 || rows < 1 || cols < 1 {
		panic(fmt.Sprintf("autodiff: invalid shape %d x %d x %d", batch, rows, cols))
	}
	return &Node{Batch: batch, Rows: rows, Cols: cols, Value: make([]float64, batch*rows*cols), stale: true}
}

// Output returns a new node for the result of an operation on inputs. Its gradient is wanted if the
// gradient of an input is wanted.
func (t *Tape) Output(batch, rows, cols int, inputs ...*Node) *Node {
	n := newNode(batch, rows, cols)
	for _, in := range inputs {
		n.wanted = n.wanted || in.wanted
	}
	t.nodes = append(t.nodes, n)
	return n
}

// Record appends an operation. forward must compute out.Value from the values of the inputs.
// backward must add to the gradients of the inputs that are Wanted; it is called only if the
// gradient of out is wanted and was added to. Inputs may belong to another tape that is replayed
// first.
func (t *Tape) Record(out *Node, forward func() error, backward func()) *Node {
	t.RecordAll([]*Node{out}, forward, backward)
	return out
}

// RecordAll appends an operation with several results. backward is called if the gradient of any of
// them is wanted and was added to.
func (t *Tape) RecordAll(outs []*Node, forward func() error, backward func()) {
	t.ops = append(t.ops, op{outs: outs, forward: forward, backward: backward, section: t.section})
}

// reached reports whether a wanted gradient has arrived at a result.
func (o *op) reached() bool {
	for _, out := range o.outs {
		if out.Reached() {
			return true
		}
	}
	return false
}

// Mark returns a position in the recording, for ForwardTo.
func (t *Tape) Mark() int { return len(t.ops) }

// Forward recomputes all values in the order of recording. It stops at the first error.
func (t *Tape) Forward() error { return t.ForwardTo(len(t.ops)) }

// ForwardTo recomputes the values recorded before mark.
func (t *Tape) ForwardTo(mark int) error {
	t.replays++
	if err := linalg.Failure("tape"); err != nil {
		return err
	}
	for i := range t.ops[:mark] {
		if err := t.ops[i].forward(); err != nil {
			return err
		}
		t.Lap(t.ops[i].section)
	}
	return nil
}

// Differentiate is Forward and then Backward.
func (t *Tape) Differentiate(root *Node) error {
	t.differentiating = true
	err := t.Forward()
	t.differentiating = false
	if err == nil {
		t.Backward(root)
	}
	return err
}

// Differentiating reports whether Backward will follow Forward, because Differentiate has called it. An
// operation may then compute gradients in advance.
func (t *Tape) Differentiating() bool { return t.differentiating }

// Replays returns the number of replays that Forward and ForwardTo have begun.
func (t *Tape) Replays() int { return t.replays }

// Backward computes the gradients of root, [1][1][1], with respect to all wanted nodes. Forward
// must have been called. Backward panics if root is not a scalar.
func (t *Tape) Backward(root *Node) {
	if root.Len() != 1 {
		panic("autodiff: Backward of a non-scalar node")
	}
	t.BackwardFrom(root, []float64{1})
}

// BackwardFrom computes the gradients of a scalar that depends on the tape only through n, with
// respect to all wanted nodes. gradient is its gradient with respect to n. Forward must have been
// called.
func (t *Tape) BackwardFrom(n *Node, gradient []float64) {
	for _, n := range t.nodes {
		n.stale = true
	}
	copy(n.Grad(), gradient)
	for i := len(t.ops) - 1; i >= 0; i-- {
		if o := &t.ops[i]; o.reached() {
			o.backward()
			t.Lap(o.section)
		}
	}
}
