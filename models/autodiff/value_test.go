package autodiff

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// matrix returns matrix s of n, or its only matrix, as a gonum matrix.
func matrix(n *Node, s int) *mat.Dense {
	return mat.NewDense(n.Rows, n.Cols, slices.Clone(n.At(min(s, n.Batch-1))))
}

func forward(t *testing.T, tape *Tape) {
	t.Helper()
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
}

func wantMatrix(t *testing.T, name string, got, want mat.Matrix) {
	t.Helper()
	if !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("%s: got\n%v\nwant\n%v", name, mat.Formatted(got), mat.Formatted(want))
	}
}

func TestElementwiseValues(t *testing.T) {
	tape := NewTape()
	a := tape.Constant(1, 1, 4)
	copy(a.Value, []float64{0.25, 1, 4, 9})
	cases := []struct {
		name string
		got  *Node
		want func(x float64) float64
	}{
		{"Neg", tape.Neg(a), func(x float64) float64 { return -x }},
		{"Scale", tape.Scale(a, 3), func(x float64) float64 { return 3 * x }},
		{"AddScalar", tape.AddScalar(a, -2), func(x float64) float64 { return x - 2 }},
		{"Exp", tape.Exp(a), math.Exp},
		{"Log", tape.Log(a), math.Log},
		{"Sqrt", tape.Sqrt(a), math.Sqrt},
		{"Square", tape.Square(a), func(x float64) float64 { return x * x }},
		{"Reciprocal", tape.Reciprocal(a), func(x float64) float64 { return 1 / x }},
		{"Tanh", tape.Tanh(a), math.Tanh},
		{"Softplus", tape.Softplus(a), func(x float64) float64 { return math.Log(1 + math.Exp(x)) }},
	}
	forward(t, tape)
	for _, c := range cases {
		for i, x := range a.Value {
			if got, want := c.got.Value[i],
				c.want(x); math.Abs(got-want) > 1e-14*math.Max(1, math.Abs(want)) {
				t.Errorf("%s of %g is %g, want %g", c.name, x, got, want)
			}
		}
	}
}

// In the tails, softplus and its slope must neither overflow nor vanish.
func TestSoftplusTails(t *testing.T) {
	cases := []struct{ x, value, slope float64 }{
		{1000, 1000, 1},
		{-40, math.Exp(-40), math.Exp(-40)}, // the next terms are smaller by 4e-18
		{-700, math.Exp(-700), math.Exp(-700)},
		{-1000, 0, 0},
		{0, math.Ln2, 0.5},
	}
	for _, c := range cases {
		tape := NewTape()
		a := tape.Variable(1, 1, 1)
		out := tape.Softplus(a)
		a.Value[0] = c.x
		replay(t, tape, out)
		if math.Abs(out.Value[0]-c.value) > 1e-15*c.value || math.Abs(a.Grad()[0]-c.slope) > 1e-15*c.slope {
			t.Errorf("at %g: %g with slope %g, want %g with slope %g",
				c.x, out.Value[0], a.Grad()[0], c.value, c.slope)
		}
	}
}

// TestBroadcastValues compares every combination of repeated dimensions with the definition.
func TestBroadcastValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	operations := []struct {
		name   string
		record func(t *Tape, a, b *Node) *Node
		want   func(x, y float64) float64
	}{
		{"Add", (*Tape).Add, func(x, y float64) float64 { return x + y }},
		{"Sub", (*Tape).Sub, func(x, y float64) float64 { return x - y }},
		{"Mul", (*Tape).Mul, func(x, y float64) float64 { return x * y }},
		{"Div", (*Tape).Div, func(x, y float64) float64 { return x / y }},
	}
	for _, o := range operations {
		for mask := 0; mask < 64; mask++ {
			tape := NewTape()
			sa := shrunk(sizes{2, 3, 4, 0}, mask)
			sb := shrunk(sizes{2, 3, 4, 0}, mask>>3)
			a := tape.Constant(sa[0], sa[1], sa[2])
			b := tape.Constant(sb[0], sb[1], sb[2])
			fill(rng, a, b)
			out := o.record(tape, a, b)
			forward(t, tape)
			if out.Batch != max(sa[0], sb[0]) || out.Rows != max(sa[1], sb[1]) ||
				out.Cols != max(sa[2], sb[2]) {
				t.Fatalf("%s of %v and %v has shape %s", o.name, sa, sb, out.shape())
			}
			for i, got := range out.Value {
				s, r, c := i/(out.Rows*out.Cols), i/out.Cols%out.Rows, i%out.Cols
				if want := o.want(entry(a, s, r, c), entry(b, s, r, c)); got != want {
					t.Fatalf("%s of %v and %v: entry %d, %d, %d is %g, want %g",
						o.name, sa, sb, s, r, c, got, want)
				}
			}
		}
	}
}

// entry returns one entry of n; dimensions of 1 are repeated.
func entry(n *Node, s, r, c int) float64 {
	return n.At(min(s, n.Batch-1))[min(r, n.Rows-1)*n.Cols+min(c, n.Cols-1)]
}

func TestMatMulValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	for _, d := range []sizes{{3, 2, 4, 5}, {2, 9, 3, 12}} {
		for _, flags := range []Flag{0, TransA, TransB, TransA | TransB} {
			for repeated := 0; repeated < 3; repeated++ {
				tape := NewTape()
				shapes := repeat(repeated, factor(flags&TransA != 0, d.s, d.n, d.k),
					factor(flags&TransB != 0, d.s, d.k, d.m))
				a := tape.Constant(shapes[0][0], shapes[0][1], shapes[0][2])
				b := tape.Constant(shapes[1][0], shapes[1][1], shapes[1][2])
				fill(rng, a, b)
				out := tape.MatMul(a, b, flags&TransA, flags&TransB)
				forward(t, tape)
				for s := 0; s < d.s; s++ {
					var want mat.Dense
					want.Mul(flipped(flags&TransA != 0, matrix(a, s)),
						flipped(flags&TransB != 0, matrix(b, s)))
					wantMatrix(t, "MatMul", matrix(out, s), &want)
				}
			}
		}
	}
}

func flipped(flag bool, m mat.Matrix) mat.Matrix {
	if flag {
		return m.T()
	}
	return m
}

func TestReductionValues(t *testing.T) {
	tape := NewTape()
	a := tape.Constant(2, 2, 3)
	for i := range a.Value {
		a.Value[i] = float64(i + 1)
	}
	b := tape.AddScalar(a, 1)
	cases := []struct {
		name string
		got  *Node
		want []float64
	}{
		{"Sum", tape.Sum(a), []float64{78}},
		{"SumBatch", tape.SumBatch(a), []float64{8, 10, 12, 14, 16, 18}},
		{"SumRows", tape.SumRows(a), []float64{5, 7, 9, 17, 19, 21}},
		{"SumCols", tape.SumCols(a), []float64{6, 15, 24, 33}},
		{"ColDots", tape.ColDots(a, b), []float64{22, 36, 54, 166, 204, 246}},
		{"RowDots", tape.RowDots(a, b), []float64{20, 92, 218, 398}},
	}
	forward(t, tape)
	for _, c := range cases {
		if !slices.Equal(c.got.Value, c.want) {
			t.Errorf("%s is %v, want %v", c.name, c.got.Value, c.want)
		}
	}
}

func TestShapeValues(t *testing.T) {
	tape := NewTape()
	a := tape.Constant(2, 2, 3)
	for i := range a.Value {
		a.Value[i] = float64(i)
	}
	cases := []struct {
		name  string
		got   *Node
		shape shape
		want  []float64
	}{
		{"Transpose", tape.Transpose(a), shape{2, 3, 2}, []float64{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}},
		{"Reshape", tape.Reshape(a, 1, 6, 2), shape{1, 6, 2}, a.Value},
		{"SliceBatch", tape.SliceBatch(a, 1, 2), shape{1, 2, 3}, []float64{6, 7, 8, 9, 10, 11}},
		{"SliceRows", tape.SliceRows(a, 1, 2), shape{2, 1, 3}, []float64{3, 4, 5, 9, 10, 11}},
		{"SliceCols", tape.SliceCols(a, 1, 3), shape{2, 2, 2}, []float64{1, 2, 4, 5, 7, 8, 10, 11}},
		{"StackBatch", tape.StackBatch(tape.SliceBatch(a, 1, 2), a), shape{3, 2, 3},
			[]float64{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{"StackRows", tape.StackRows(a, tape.SliceRows(a, 0, 1)), shape{2, 3, 3},
			[]float64{0, 1, 2, 3, 4, 5, 0, 1, 2, 6, 7, 8, 9, 10, 11, 6, 7, 8}},
		{"StackCols", tape.StackCols(tape.SliceCols(a, 2, 3), a), shape{2, 2, 4},
			[]float64{2, 0, 1, 2, 5, 3, 4, 5, 8, 6, 7, 8, 11, 9, 10, 11}},
	}
	forward(t, tape)
	for _, c := range cases {
		if got := (shape{c.got.Batch, c.got.Rows, c.got.Cols}); got != c.shape ||
			!slices.Equal(c.got.Value, c.want) {
			t.Errorf("%s is %v of %v, want %v of %v", c.name, c.got.Value, got, c.want, c.shape)
		}
	}
}

func TestFactorValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 4, 12, 20} {
		tape := NewTape()
		x := tape.Constant(2, n, n)
		b := tape.Constant(2, n, 3)
		fill(rng, x, b)
		k := covariance(tape, x)
		l := tape.Cholesky(k, "K")
		half := tape.LogDiag(l)
		solved := tape.SolveLowerTrans(l, tape.SolveLower(l, b))
		forward(t, tape)
		for s := 0; s < 2; s++ {
			var product, back, chol mat.Dense
			product.Mul(matrix(l, s), matrix(l, s).T())
			wantMatrix(t, "L L^T", &product, matrix(k, s))
			back.Mul(matrix(k, s), matrix(solved, s))
			if !mat.EqualApprox(&back, matrix(b, s), 1e-10) {
				t.Errorf("n=%d: K times its solution misses the right-hand side", n)
			}
			chol.CloneFrom(matrix(k, s))
			if want, _ := mat.LogDet(&chol); math.Abs(2*half.Value[s]-want) >
				1e-10*math.Max(1, math.Abs(want)) {
				t.Errorf("n=%d: log-determinant %g, want %g", n, 2*half.Value[s], want)
			}
		}
	}
}

// A product of a node with its own transpose equals the product of two nodes with the same values, and its
// gradient the sum of their gradients.
func TestProductWithOwnTranspose(t *testing.T) {
	stream := rand.New(rand.NewPCG(5, 0))
	for _, flag := range []Flag{TransA, TransB} {
		tape := NewTape()
		a := tape.Variable(2, 5, 7)
		b := tape.Variable(2, 5, 7)
		c := tape.Variable(2, 5, 7)
		for i := range a.Value {
			a.Value[i] = stream.NormFloat64()
		}
		copy(b.Value, a.Value)
		copy(c.Value, a.Value)
		own := tape.MatMul(a, a, flag)
		two := tape.MatMul(b, c, flag)
		weights := tape.Constant(2, own.Rows, own.Cols)
		for i := range weights.Value {
			weights.Value[i] = stream.NormFloat64()
		}
		root := tape.Add(tape.Sum(tape.Mul(own, weights)), tape.Sum(tape.Mul(two, weights)))
		forward(t, tape)
		tape.Backward(root)
		for s := range 2 {
			wantMatrix(t, "product", matrix(own, s), matrix(two, s))
		}
		for i, got := range a.Grad() {
			if want := b.Grad()[i] + c.Grad()[i]; math.Abs(got-want) > 1e-13 {
				t.Errorf("gradient %d is %g, want %g", i, got, want)
			}
		}
	}
}
