package autodiff

import (
	"math/rand/v2"
	"testing"
)

// sizes are the dimensions from which a case builds its shapes.
type sizes struct{ s, n, m, k int }

func randomSizes(rng *rand.Rand) sizes {
	d := sizes{1 + rng.IntN(3), 1 + rng.IntN(6), 1 + rng.IntN(6), 1 + rng.IntN(6)}
	if rng.IntN(4) == 0 {
		d.s += 3 + rng.IntN(8) // enough matrices to be processed in parallel
	}
	return d
}

// gradientCase is an operation, or a composition of operations, to check at random sizes.
type gradientCase struct {
	name   string
	shapes func(d sizes) []shape
	build  builder
}

func one(d sizes) []shape  { return []shape{{d.s, d.n, d.m}} }
func same(d sizes) []shape { return []shape{{d.s, d.n, d.m}, {d.s, d.n, d.m}} }

// positive maps a leaf to values of at least 1/2, which are safe for logarithms and reciprocals.
func positive(t *Tape, a *Node) *Node { return t.AddScalar(t.Square(a), 0.5) }

// covariance maps a leaf to well-conditioned symmetric matrices.
func covariance(t *Tape, a *Node) *Node {
	return t.AddDiagConstant(t.MatMul(a, a, TransB), 1)
}

// dominant maps a square leaf to matrices whose lower triangles are far from singular.
func dominant(t *Tape, a *Node) *Node { return t.AddDiagConstant(t.Scale(a, 0.3), 2) }

func unaryCase(name string, build func(t *Tape, a *Node) *Node) gradientCase {
	return gradientCase{name, one, func(t *Tape, l []*Node) *Node { return build(t, l[0]) }}
}

func binaryCase(
	name string, shapes func(d sizes) []shape, build func(t *Tape, a, b *Node) *Node,
) gradientCase {
	return gradientCase{name, shapes, func(t *Tape, l []*Node) *Node { return build(t, l[0], l[1]) }}
}

var elementwiseCases = []gradientCase{
	unaryCase("Neg", (*Tape).Neg),
	unaryCase("Scale", func(t *Tape, a *Node) *Node { return t.Scale(a, -1.7) }),
	unaryCase("AddScalar", func(t *Tape, a *Node) *Node { return t.AddScalar(a, 0.3) }),
	unaryCase("Exp", (*Tape).Exp),
	unaryCase("Log", func(t *Tape, a *Node) *Node { return t.Log(positive(t, a)) }),
	unaryCase("Sqrt", func(t *Tape, a *Node) *Node { return t.Sqrt(positive(t, a)) }),
	unaryCase("Square", (*Tape).Square),
	unaryCase("Reciprocal", func(t *Tape, a *Node) *Node { return t.Reciprocal(positive(t, a)) }),
	unaryCase("Tanh", func(t *Tape, a *Node) *Node { return t.Tanh(a) }),
	unaryCase("Softplus", func(t *Tape, a *Node) *Node { return t.Softplus(t.Scale(a, 3)) }),
	unaryCase("Add twice", func(t *Tape, a *Node) *Node { return t.Add(a, a) }),
	unaryCase("Sub twice", func(t *Tape, a *Node) *Node { return t.Sub(a, a) }),
	unaryCase("Mul twice", func(t *Tape, a *Node) *Node { return t.Mul(a, a) }),
	unaryCase("Div twice", func(t *Tape, a *Node) *Node { p := positive(t, a); return t.Div(p, p) }),
}

// broadcastCases returns one case per operation and combination of repeated dimensions.
func broadcastCases() []gradientCase {
	operations := []struct {
		name   string
		record func(t *Tape, a, b *Node) *Node
	}{
		{"Add", (*Tape).Add},
		{"Sub", (*Tape).Sub},
		{"Mul", (*Tape).Mul},
		{"Div", func(t *Tape, a, b *Node) *Node { return t.Div(a, positive(t, b)) }},
	}
	var cases []gradientCase
	for _, o := range operations {
		for mask := 0; mask < 64; mask++ { // 3 bits per operand
			if mask&(mask>>3) != 0 {
				continue // redundant: the dimension is 1 in both operands
			}
			shapes := func(d sizes) []shape { return []shape{shrunk(d, mask), shrunk(d, mask>>3)} }
			cases = append(cases, binaryCase(o.name, shapes, o.record))
		}
	}
	return cases
}

func shrunk(d sizes, mask int) shape {
	s := shape{d.s, d.n, d.m}
	for i := range s {
		if mask>>i&1 == 1 {
			s[i] = 1
		}
	}
	return s
}

// productCases returns one case per combination of flags and batches.
func productCases() []gradientCase {
	cases := []gradientCase{
		unaryCase("MatMul a^T a", func(t *Tape, a *Node) *Node { return t.MatMul(a, a, TransA) }),
		unaryCase("MatMul a a^T", func(t *Tape, a *Node) *Node { return t.MatMul(a, a, TransB) }),
		{"MatMul a a", func(d sizes) []shape { return []shape{{d.s, d.n, d.n}} },
			func(t *Tape, l []*Node) *Node { return t.MatMul(l[0], l[0]) }},
		{"MatMul a^T a^T", func(d sizes) []shape { return []shape{{d.s, d.n, d.n}} },
			func(t *Tape, l []*Node) *Node { return t.MatMul(l[0], l[0], TransA, TransB) }},
	}
	for _, flags := range []Flag{0, TransA, TransB, TransA | TransB} {
		for repeated := 0; repeated < 3; repeated++ {
			cases = append(cases, binaryCase("MatMul", func(d sizes) []shape {
				a := factor(flags&TransA != 0, d.s, d.n, d.k)
				b := factor(flags&TransB != 0, d.s, d.k, d.m)
				return repeat(repeated, a, b)
			}, func(t *Tape, a, b *Node) *Node { return t.MatMul(a, b, flags) }))
		}
	}
	return cases
}

// factor returns the shape of a factor that is rows x cols after transposition if flag is set.
func factor(flag bool, batch, rows, cols int) shape {
	if flag {
		rows, cols = cols, rows
	}
	return shape{batch, rows, cols}
}

// repeat returns the shapes with a batch of 1 for neither operand (0), the first (1) or the second
// (2).
func repeat(which int, a, b shape) []shape {
	switch which {
	case 1:
		a[0] = 1
	case 2:
		b[0] = 1
	}
	return []shape{a, b}
}

var shapeCases = []gradientCase{
	unaryCase("Transpose", (*Tape).Transpose),
	unaryCase("Reshape", func(t *Tape, a *Node) *Node { return t.Reshape(a, 1, a.Cols, a.Batch*a.Rows) }),
	unaryCase("SliceBatch", func(t *Tape, a *Node) *Node { return t.SliceBatch(a, a.Batch-1, a.Batch) }),
	unaryCase("SliceRows", func(t *Tape, a *Node) *Node { return t.SliceRows(a, a.Rows/3, a.Rows) }),
	unaryCase("SliceCols", func(t *Tape, a *Node) *Node { return t.SliceCols(a, 0, (a.Cols+1)/2) }),
	unaryCase("overlapping slices", func(t *Tape, a *Node) *Node {
		head := t.SliceCols(a, 0, (a.Cols+1)/2)
		tail := t.SliceCols(a, a.Cols/2, a.Cols)
		return t.MatMul(head, tail, TransA)
	}),
	{"StackBatch", func(d sizes) []shape { return []shape{{d.s, d.n, d.m}, {d.k, d.n, d.m}} },
		func(t *Tape, l []*Node) *Node { return t.StackBatch(l[0], l[1], l[0]) }},
	{"StackRows", func(d sizes) []shape { return []shape{{d.s, d.n, d.m}, {d.s, d.k, d.m}} },
		func(t *Tape, l []*Node) *Node { return t.StackRows(l[1], l[0], l[1]) }},
	{"StackCols", func(d sizes) []shape { return []shape{{d.s, d.n, d.m}, {d.s, d.n, d.k}} },
		func(t *Tape, l []*Node) *Node { return t.StackCols(l[0], l[1], l[0]) }},
}

var reduceCases = []gradientCase{
	unaryCase("Sum", (*Tape).Sum),
	unaryCase("SumBatch", (*Tape).SumBatch),
	unaryCase("SumRows", (*Tape).SumRows),
	unaryCase("SumCols", (*Tape).SumCols),
	unaryCase("ColDots twice", func(t *Tape, a *Node) *Node { return t.ColDots(a, a) }),
	unaryCase("RowDots twice", func(t *Tape, a *Node) *Node { return t.RowDots(a, a) }),
	binaryCase("ColDots", same, (*Tape).ColDots),
	binaryCase("RowDots", same, (*Tape).RowDots),
	binaryCase("ColDots of a repeated batch",
		func(d sizes) []shape { return repeat(1, same(d)[0], same(d)[1]) }, (*Tape).ColDots),
	binaryCase("RowDots of a repeated batch",
		func(d sizes) []shape { return repeat(2, same(d)[0], same(d)[1]) }, (*Tape).RowDots),
}

// factorCases returns the cases of operations on factors and diagonals.
func factorCases() []gradientCase {
	square := func(d sizes) []shape { return []shape{{d.s, d.n, d.n}} }
	cases := []gradientCase{
		{"Cholesky", square, func(t *Tape, l []*Node) *Node { return t.Cholesky(covariance(t, l[0]), "K") }},
		{"LogDiag", square, func(t *Tape, l []*Node) *Node { return t.LogDiag(dominant(t, l[0])) }},
		{"AddDiagConstant", square, func(t *Tape, l []*Node) *Node { return t.AddDiagConstant(l[0], 0.7) }},
		{"SolveLower twice", square,
			func(t *Tape, l []*Node) *Node { a := dominant(t, l[0]); return t.SolveLower(a, a) }},
		{"SolveLowerTrans twice", square,
			func(t *Tape, l []*Node) *Node { a := dominant(t, l[0]); return t.SolveLowerTrans(a, a) }},
		binaryCase("AddDiag one for all",
			func(d sizes) []shape { return []shape{{d.s, d.n, d.n}, {1, 1, 1}} }, (*Tape).AddDiag),
		binaryCase("AddDiag one per matrix",
			func(d sizes) []shape { return []shape{{d.s, d.n, d.n}, {d.s, 1, 1}} }, (*Tape).AddDiag),
		binaryCase("AddDiag one per row",
			func(d sizes) []shape { return []shape{{d.s, d.n, d.n}, {1, d.n, 1}} }, (*Tape).AddDiag),
		binaryCase("AddDiag one per entry",
			func(d sizes) []shape { return []shape{{d.s, d.n, d.n}, {d.s, d.n, 1}} }, (*Tape).AddDiag),
	}
	for repeated := 0; repeated < 3; repeated++ {
		shapes := func(d sizes) []shape {
			return repeat(repeated, shape{d.s, d.n, d.n}, shape{d.s, d.n, d.m})
		}
		cases = append(cases,
			binaryCase("SolveLower", shapes, func(t *Tape, l, b *Node) *Node {
				return t.SolveLower(dominant(t, l), b)
			}),
			binaryCase("SolveLowerTrans", shapes, func(t *Tape, l, b *Node) *Node {
				return t.SolveLowerTrans(dominant(t, l), b)
			}))
	}
	return cases
}

var compositionCases = []gradientCase{
	{"Gaussian log-density", func(d sizes) []shape {
		return []shape{{d.s, d.n, d.n}, {1, d.n, d.m}, {d.s, d.n, 1}}
	},
		func(t *Tape, l []*Node) *Node {
			factor := t.Cholesky(covariance(t, l[0]), "K")
			z := t.SolveLower(factor, t.Sub(l[1], l[2]))
			return t.Sub(t.Scale(t.Sum(t.Square(z)), -0.5), t.Sum(t.LogDiag(factor)))
		}},
	{"sparse conditional", func(d sizes) []shape {
		return []shape{{1, d.n, d.n}, {d.s, d.n, d.m}, {d.s, d.n, 1}}
	},
		func(t *Tape, l []*Node) *Node {
			factor := t.Cholesky(covariance(t, l[0]), "K_MM")
			a := t.SolveLower(factor, l[1])
			mean := t.MatMul(a, l[2], TransA)
			alpha := t.SolveLowerTrans(factor, a)
			variance := t.AddScalar(t.Neg(t.ColDots(alpha, l[1])), 2)
			return t.StackRows(mean, t.Transpose(variance), t.Transpose(t.Softplus(t.ColDots(a, a))))
		}},
	{"KL divergence", func(d sizes) []shape { return []shape{{d.s, d.n, d.n}, {d.s, d.n, 1}} },
		func(t *Tape, l []*Node) *Node {
			factor := dominant(t, l[0])
			half := t.Add(t.Sum(t.Square(factor)), t.Sum(t.Square(l[1])))
			return t.Sub(t.Scale(half, 0.5), t.Sum(t.LogDiag(factor)))
		}},
	{"one node in many uses", one, func(t *Tape, l []*Node) *Node {
		e := t.Exp(t.Scale(l[0], 0.5))
		gram := t.MatMul(e, e, TransB)
		mixed := t.MatMul(t.AddDiagConstant(gram, 1), t.Div(l[0], e))
		return t.Add(t.Mul(mixed, e), t.SumCols(l[0]))
	}},
}

func gradientCases() []gradientCase {
	var all []gradientCase
	for _, cases := range [][]gradientCase{elementwiseCases, broadcastCases(), productCases(),
		shapeCases, reduceCases, factorCases(), compositionCases} {
		all = append(all, cases...)
	}
	return all
}

func TestGradients(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	for i, c := range gradientCases() {
		t.Run(c.name, func(t *testing.T) {
			for seed := range seeds {
				d := randomSizes(rand.New(rand.NewPCG(seed, uint64(i))))
				checkGradients(t, seed, c.build, c.shapes(d)...)
			}
		})
	}
}

// TestGradientsOfLargerMatrices covers matrices too large for the plain loops.
func TestGradientsOfLargerMatrices(t *testing.T) {
	for _, cases := range [][]gradientCase{productCases(), factorCases(), compositionCases} {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				checkGradients(t, 7, c.build, c.shapes(sizes{2, 10, 3, 9})...)
			})
		}
	}
	t.Run("Cholesky by blocks", func(t *testing.T) {
		checkGradients(t, 8, func(t *Tape, l []*Node) *Node {
			return t.Cholesky(covariance(t, l[0]), "K")
		}, shape{1, 18, 2})
	})
}

func FuzzGradients(f *testing.F) {
	cases := gradientCases()
	for i := range cases {
		f.Add(uint64(i), uint(i), uint8(i), uint8(3*i+1), uint8(i/2), uint8(i/3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which uint, s, n, m, k uint8) {
		c := cases[which%uint(len(cases))]
		d := sizes{1 + int(s)%3, 1 + int(n)%7, 1 + int(m)%7, 1 + int(k)%7}
		checkGradients(t, seed, c.build, c.shapes(d)...)
	})
}
