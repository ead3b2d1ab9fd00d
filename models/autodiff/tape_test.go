package autodiff

import (
	"errors"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dgplab/models/linalg"
)

// fill sets leaves to standard normal values.
func fill(rng *rand.Rand, leaves ...*Node) {
	for _, n := range leaves {
		for i := range n.Value {
			n.Value[i] = rng.NormFloat64()
		}
	}
}

// recordAll records a computation that uses every operation, at sizes so small that gonum starts no
// goroutines.
func recordAll(t *Tape) *Node {
	rng := rand.New(rand.NewPCG(1, 2))
	loss := t.Constant(1, 1, 1)
	for _, c := range gradientCases() {
		var leaves []*Node
		for _, s := range c.shapes(sizes{2, 9, 3, 5}) {
			leaf := t.Variable(s[0], s[1], s[2])
			fill(rng, leaf)
			leaves = append(leaves, leaf)
		}
		loss = t.Add(loss, t.Sum(c.build(t, leaves)))
	}
	return loss
}

func replay(t testing.TB, tape *Tape, loss *Node) {
	t.Helper()
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
	tape.Backward(loss)
}

func TestReplayAllocatesNothing(t *testing.T) {
	tape := NewTape()
	loss := recordAll(tape)
	if n := testing.AllocsPerRun(10, func() { replay(t, tape, loss) }); n != 0 {
		t.Errorf("%g allocations per replay", n)
	}
}

func TestHeapDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("1,000 replays")
	}
	tape := NewTape()
	loss := recordAll(tape)
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	replay(t, tape, loss)
	before := heap()
	for i := 0; i < 1000; i++ {
		replay(t, tape, loss)
	}
	if after := heap(); after > before+64<<10 {
		t.Errorf("the heap grew from %d to %d bytes in 1000 replays", before, after)
	}
	runtime.KeepAlive(tape)
}

// Values and gradients of replays with new leaves must equal the results of a newly recorded tape,
// bit for bit.
func TestReplayEqualsFreshTape(t *testing.T) {
	record := func(seed uint64) (*Tape, *Node, *Node, *Node) {
		tape := NewTape()
		a := tape.Variable(2, 4, 4)
		b := tape.Variable(2, 4, 3)
		fill(rand.New(rand.NewPCG(seed, 3)), a, b)
		x := tape.SolveLower(tape.Cholesky(covariance(tape, a), "K"), b)
		return tape, a, b, tape.Sum(tape.Square(x))
	}
	tape, a, b, loss := record(1)
	replay(t, tape, loss)
	fresh, a2, b2, loss2 := record(2)
	replay(t, fresh, loss2)
	copy(a.Value, a2.Value)
	copy(b.Value, b2.Value)
	replay(t, tape, loss)
	if loss.Value[0] != loss2.Value[0] {
		t.Errorf("the replay gives %g, a fresh tape %g", loss.Value[0], loss2.Value[0])
	}
	for i, g := range a.Grad() {
		if g != a2.Grad()[i] {
			t.Fatalf("gradient %d is %g in the replay, %g on a fresh tape", i, g, a2.Grad()[i])
		}
	}
}

func TestGradientOfUnusedNodeIsZero(t *testing.T) {
	tape := NewTape()
	a := tape.Variable(1, 2, 2)
	b := tape.Variable(1, 2, 2)
	first := tape.Sum(tape.Square(a))
	second := tape.Sum(tape.Add(a, b))
	fill(rand.New(rand.NewPCG(4, 1)), a, b)
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
	tape.Backward(second)
	tape.Backward(first) // must discard the gradient that second left in b
	for i := range b.Grad() {
		if b.Grad()[i] != 0 || a.Grad()[i] != 2*a.Value[i] {
			t.Errorf("gradients %g and %g, want 0 and %g", b.Grad()[i], a.Grad()[i], 2*a.Value[i])
		}
	}
}

// An operation may have several results. All are created by Output, and their gradients are reset
// in every sweep.
func TestGradientOfSecondResultIsReset(t *testing.T) {
	tape := NewTape()
	a := tape.Variable(1, 1, 1)
	first := tape.Output(1, 1, 1, a)
	second := tape.Output(1, 1, 1, a)
	tape.Record(first, func() error {
		first.Value[0], second.Value[0] = 2*a.Value[0], 3*a.Value[0]
		return nil
	}, func() { a.Grad()[0] += 2*first.Grad()[0] + 3*second.Grad()[0] })
	loss := tape.Add(first, second)
	for i := 0; i < 3; i++ {
		replay(t, tape, loss)
		if got := a.Grad()[0]; got != 5 {
			t.Fatalf("sweep %d: gradient %g, want 5", i, got)
		}
	}
}

func TestForwardTo(t *testing.T) {
	tape := NewTape()
	a := tape.Constant(1, 1, 1)
	b := tape.AddScalar(a, 1)
	mark := tape.Mark()
	c := tape.AddScalar(b, 1)
	if err := tape.ForwardTo(mark); err != nil {
		t.Fatal(err)
	}
	if b.Value[0] != 1 || c.Value[0] != 0 {
		t.Errorf("got %g and %g, want 1 and an untouched 0", b.Value[0], c.Value[0])
	}
}

func TestRescuesAreCounted(t *testing.T) {
	tape := NewTape()
	a := tape.Variable(2, 2, 2)
	loss := tape.Sum(tape.Cholesky(a, "K of layer 1"))
	tape.Cholesky(a, "K of layer 2")
	copy(a.Value, []float64{1, 1, 1, 1 - 1e-8, 1, 0, 0, 1})
	replay(t, tape, loss)
	replay(t, tape, loss)
	tape.CountRescues("S", 3)
	want := map[string]int{"K of layer 1": 2, "K of layer 2": 2, "S": 3}
	if got := tape.RescuesByMatrix(); !maps.Equal(got, want) || tape.Rescues() != 7 {
		t.Errorf("got %v, %d in all; want %v, 7 in all", got, tape.Rescues(), want)
	}
	tape.RescuesByMatrix()["S"] = 0
	if tape.RescuesByMatrix()["S"] != 3 {
		t.Error("the counts are not a copy")
	}
	if got := NewTape().RescuesByMatrix(); got == nil || len(got) != 0 {
		t.Errorf("a new tape has counts %v", got)
	}
}

func TestForwardReturnsTheErrorOfCholesky(t *testing.T) {
	tape := NewTape()
	a := tape.Variable(1, 2, 2)
	tape.Cholesky(a, "K_MM of layer 3")
	copy(a.Value, []float64{1, 2, 2, 1})
	var indefinite *linalg.NotPositiveDefiniteError
	if err := tape.Forward(); !errors.As(err, &indefinite) || indefinite.Matrix != "K_MM of layer 3" {
		t.Errorf("got error %v, want a *NotPositiveDefiniteError with the matrix", err)
	}
	a.Value[0] = math.NaN()
	var nan *linalg.NaNError
	if err := tape.Forward(); !errors.As(err, &nan) {
		t.Errorf("got error %v, want a *NaNError", err)
	}
}

func TestPanics(t *testing.T) {
	tape := NewTape()
	a := tape.Variable(2, 3, 4)
	b := tape.Variable(3, 4, 3)
	wide := tape.Variable(2, 4, 3)
	cases := map[string]func(){
		"Variable":        func() { tape.Variable(1, 0, 1) },
		"Backward":        func() { tape.Backward(a) },
		"Add":             func() { tape.Add(a, b) },
		"Add of columns":  func() { tape.Add(a, wide) },
		"MatMul":          func() { tape.MatMul(a, a) },
		"MatMul of batch": func() { tape.MatMul(a, b) },
		"Reshape":         func() { tape.Reshape(a, 1, 5, 5) },
		"SliceRows":       func() { tape.SliceRows(a, 2, 4) },
		"empty SliceCols": func() { tape.SliceCols(a, 1, 1) },
		"SliceBatch":      func() { tape.SliceBatch(a, -1, 1) },
		"StackRows":       func() { tape.StackRows(a, wide) },
		"StackBatch":      func() { tape.StackBatch(a, wide) }, // same number of entries, different shape
		"StackCols":       func() { tape.StackCols() },
		"Cholesky":        func() { tape.Cholesky(a, "K") },
		"SolveLower":      func() { tape.SolveLower(tape.Variable(2, 3, 3), wide) },
		"LogDiag":         func() { tape.LogDiag(a) },
		"AddDiag":         func() { tape.AddDiag(tape.Variable(1, 3, 3), tape.Variable(1, 1, 3)) },
		"ColDots":         func() { tape.ColDots(a, wide) },
		"RowDots":         func() { tape.RowDots(a, wide) },
	}
	for name, call := range cases {
		t.Run(name, func(t *testing.T) {
			defer func() {
				message, ok := recover().(string)
				if !ok || !strings.HasPrefix(message, "autodiff: ") {
					t.Errorf("got panic %q, want one of autodiff's own", message)
				}
			}()
			call()
		})
	}
}

// Operations see during Forward whether Backward follows. After an error, it does not.
func TestDifferentiate(t *testing.T) {
	tape := NewTape()
	x := tape.Variable(1, 1, 1)
	out := tape.Output(1, 1, 1, x)
	var seen []bool
	var failure error
	root := tape.Record(out, func() error {
		seen = append(seen, tape.Differentiating())
		out.Value[0] = 3 * x.Value[0]
		return failure
	}, func() { x.Grad()[0] += 3 * out.Grad()[0] })
	if err := tape.Differentiate(root); err != nil || x.Grad()[0] != 3 {
		t.Errorf("the gradient is %g, and the error %v", x.Grad()[0], err)
	}
	failure = io.ErrUnexpectedEOF
	x.Grad()[0] = 7
	if err := tape.Differentiate(root); err != failure || x.Grad()[0] != 7 {
		t.Errorf("after an error, the gradient is %g, and the error %v", x.Grad()[0], err)
	}
	tape.Forward()
	if want := []bool{true, true, false}; !slices.Equal(seen, want) {
		t.Errorf("Differentiating was %v, want %v", seen, want)
	}
}
