package kernel

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
)

// instance is a test problem with P points of D inputs and M inducing inputs.
type instance struct {
	tape     *autodiff.Tape
	kernel   RBFNodes
	mean, vr *autodiff.Node
	leaves   []*autodiff.Node
}

// newLeaf makes a leaf of a tape.
type newLeaf func(t *autodiff.Tape, batch, rows, cols int) *autodiff.Node

func newInstance(of newLeaf, m, d, points int) *instance {
	t := autodiff.NewTape()
	n := &instance{
		tape:   t,
		kernel: newKernel(of, t, m, d),
		mean:   of(t, 1, d, points),
		vr:     of(t, 1, d, points),
	}
	n.leaves = []*autodiff.Node{n.kernel.Z, n.kernel.Lengthscales, n.kernel.Variance, n.mean, n.vr}
	return n
}

func newKernel(of newLeaf, t *autodiff.Tape, m, d int) RBFNodes {
	return RBFNodes{Z: of(t, 1, m, d), Lengthscales: of(t, 1, 1, d), Variance: of(t, 1, 1, 1)}
}

// fill sets the leaves to random numbers, which are positive where required.
func (n *instance) fill(rng *rand.Rand) {
	for _, leaf := range n.leaves {
		for i := range leaf.Value {
			leaf.Value[i] = rng.NormFloat64()
		}
	}
	for _, leaf := range []*autodiff.Node{n.kernel.Lengthscales, n.kernel.Variance, n.vr} {
		positive(leaf, rng)
	}
}

func positive(leaf *autodiff.Node, rng *rand.Rand) {
	for i := range leaf.Value {
		leaf.Value[i] = 0.4 + rng.Float64()
	}
}

func (n *instance) run(t *testing.T, value *autodiff.Node) float64 {
	t.Helper()
	if err := n.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	return value.Value[0]
}

// TestOracles checks the golden expectations and their gradients.
func TestOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "psi") {
		t.Run(c.Name, func(t *testing.T) { checkCase(t, c) })
	}
}

type numbers struct {
	Mean, Var, Z [][]float64
	Variance     float64
	Lengthscale  []float64
}

func checkCase(t *testing.T, c oracletest.Case) {
	var g struct {
		Data struct {
			Weight0 []float64
			Weight1 [][]float64
			Weight2 [][][]float64
		}
		Params numbers
		Expect struct {
			Objective  float64
			Psi0       []float64
			Psi1, Psi2 any
		}
		Grad numbers
	}
	oracletest.Decode(t, c.Text, &g)
	m := len(g.Params.Z)
	points := len(g.Params.Mean)
	d := len(g.Params.Lengthscale)
	n := newInstance((*autodiff.Tape).Variable, m, d, points)
	copy(n.kernel.Z.Value, slices.Concat(g.Params.Z...))
	copy(n.kernel.Lengthscales.Value, g.Params.Lengthscale)
	n.kernel.Variance.Value[0] = g.Params.Variance
	for p := range points {
		for k := range d {
			n.mean.Value[k*points+p] = g.Params.Mean[p][k]
			n.vr.Value[k*points+p] = g.Params.Var[p][k]
		}
	}
	// A sum whose weights are 0 except for a single 1 is a single expectation.
	first := n.tape.Constant(1, 1, m)
	second := n.tape.Constant(1, m, m)
	one := ExpectedSum(n.tape, FirstBumps(n.tape, n.kernel, first), n.mean, n.vr)
	two := ExpectedSum(n.tape, SquareBumps(n.tape, n.kernel, second), n.mean, n.vr)
	psi1 := make([]float64, points*m)
	psi2 := make([]float64, points*m*m)
	for a := range m {
		for b := range m {
			clear(first.Value)
			clear(second.Value)
			first.Value[a], second.Value[a*m+b] = 1, 1
			n.run(t, one)
			for p := range points {
				psi1[p*m+a], psi2[(p*m+a)*m+b] = one.Value[p], two.Value[p]
			}
		}
	}
	oracletest.Close(t, "psi1", psi1, oracletest.Flatten(g.Expect.Psi1), oracletest.ValueTolerance)
	oracletest.Close(t, "psi2", psi2, oracletest.Flatten(g.Expect.Psi2), oracletest.ValueTolerance)
	table1, table2 := n.tables(t, points)
	oracletest.Close(t, "table of psi1", table1, psi1, 1e-14)
	oracletest.Close(t, "table of psi2", table2, psi2, 1e-14)
	for _, v := range g.Expect.Psi0 {
		oracletest.Close(t, "psi0", []float64{g.Params.Variance}, []float64{v}, oracletest.ValueTolerance)
	}

	// Each point has its own weights in the objective.
	var value *autodiff.Node
	for p := range points {
		w1 := n.tape.Constant(1, 1, m)
		w2 := n.tape.Constant(1, m, m)
		copy(w1.Value, g.Data.Weight1[p])
		copy(w2.Value, slices.Concat(g.Data.Weight2[p]...))
		mean := n.tape.SliceCols(n.mean, p, p+1)
		vr := n.tape.SliceCols(n.vr, p, p+1)
		term := n.tape.Add(n.tape.Scale(n.kernel.Variance, g.Data.Weight0[p]), n.tape.Add(
			ExpectedSum(n.tape, FirstBumps(n.tape, n.kernel, w1), mean, vr),
			ExpectedSum(n.tape, SquareBumps(n.tape, n.kernel, w2), mean, vr)))
		if value == nil {
			value = term
			continue
		}
		value = n.tape.Add(value, term)
	}
	oracletest.Close(t, "objective", []float64{n.run(t, value)}, []float64{g.Expect.Objective},
		oracletest.ValueTolerance)
	n.tape.Backward(value)
	check := func(what string, leaf *autodiff.Node, want []float64) {
		oracletest.Close(t, "gradient of "+what, leaf.Grad(), want, oracletest.GradientTolerance)
	}
	check("Z", n.kernel.Z, slices.Concat(g.Grad.Z...))
	check("lengthscale", n.kernel.Lengthscales, g.Grad.Lengthscale)
	check("variance", n.kernel.Variance, []float64{g.Grad.Variance})
	dMean := make([]float64, points*d)
	dVar := make([]float64, points*d)
	for p := range points {
		for k := range d {
			dMean[k*points+p], dVar[k*points+p] = g.Grad.Mean[p][k], g.Grad.Var[p][k]
		}
	}
	check("mean", n.mean, dMean)
	check("var", n.vr, dVar)
}

// tables returns psi_1 [P][M] and psi_2 [P][M][M], computed in tiles of two points. It also
// compares the square of the kernel with its product with itself.
func (n *instance) tables(t *testing.T, points int) (psi1, psi2 []float64) {
	m := n.kernel.Z.Rows
	first := FirstTable(n.tape, n.kernel, n.mean, n.vr)
	second := SquareTable(n.tape, n.kernel, n.mean, n.vr)
	product := ProductTable(n.tape, n.kernel, n.kernel, n.mean, n.vr)
	if err := n.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	one := first.NewTile(2)
	two := second.NewTile(2)
	both := product.NewTile(2)
	squares := make([]float64, 2*m*m)
	products := make([]float64, m*m)
	for start := 0; start < points; start += 2 {
		end := min(start+2, points)
		for _, tile := range []*PsiTile{one, two, both} {
			tile.Load(start, end)
		}
		two.Squares(squares)
		for p := range end - start {
			for a := range m {
				psi1 = append(psi1, one.Term(a, p))
				psi2 = append(psi2, squares[(a*(end-start)+p)*m:][:m]...)
			}
			for k := range products {
				products[k] = both.Term(k, p)
			}
			oracletest.Close(t, "product", products, psi2[len(psi2)-m*m:], 1e-14)
		}
	}
	return psi1, psi2
}

// random is a weighted combination of all kinds of sums at random points.
type random struct {
	*instance
	other   RBFNodes
	weights []*autodiff.Node
	sums    []*autodiff.Node
	value   *autodiff.Node
}

func newRandom(of newLeaf, m, d, points int) *random {
	rng := rand.New(rand.NewPCG(uint64(m), uint64(points)))
	n := &random{instance: newInstance(of, m, d, points)}
	t := n.tape
	n.other = newKernel(of, t, m+1, d)
	n.leaves = append(n.leaves, n.other.Z, n.other.Lengthscales, n.other.Variance)
	n.weights = []*autodiff.Node{of(t, 1, 1, m), of(t, 1, m, m), of(t, 1, m, m+1)}
	n.leaves = append(n.leaves, n.weights...)
	n.fill(rng)
	positive(n.other.Lengthscales, rng)
	positive(n.other.Variance, rng)
	bumps := []Bumps{FirstBumps(t, n.kernel, n.weights[0]), SquareBumps(t, n.kernel, n.weights[1]),
		ProductBumps(t, n.kernel, n.other, n.weights[2])}
	for _, b := range bumps {
		out := ExpectedSum(t, b, n.mean, n.vr)
		n.sums = append(n.sums, out)
		direction := t.Constant(1, 1, points)
		for i := range direction.Value {
			direction.Value[i] = rng.NormFloat64()
		}
		term := t.RowDots(out, direction)
		if n.value == nil {
			n.value = term
			continue
		}
		n.value = t.Add(n.value, term)
	}
	return n
}

// expectation returns E g(h) for one point, by a product of Gauss-Hermite rules.
func (n *random) expectation(p int, g func(h []float64) float64) float64 {
	nodes, weights := likelihood.GaussHermite(150)
	d, points := n.mean.Rows, n.mean.Cols
	h := make([]float64, d)
	var over func(k int, w float64) float64
	over = func(k int, w float64) (sum float64) {
		if k == d {
			return w * g(h)
		}
		for i, x := range nodes {
			h[k] = n.mean.Value[k*points+p] + math.Sqrt(2*n.vr.Value[k*points+p])*x
			sum += over(k+1, w*weights[i]/math.SqrtPi)
		}
		return sum
	}
	return over(0, 1)
}

// at returns the kernel between h and the inducing inputs.
func (k RBFNodes) at(h []float64) []float64 {
	out := make([]float64, k.Z.Rows)
	for a := range out {
		var r2 float64
		for d, l := range k.Lengthscales.Value {
			r2 += math.Pow((h[d]-k.Z.Value[a*len(h)+d])/l, 2)
		}
		out[a] = k.Variance.Value[0] * math.Exp(-r2/2)
	}
	return out
}

func TestSumsAgainstQuadrature(t *testing.T) {
	n := newRandom((*autodiff.Tape).Variable, 3, 2, 4)
	n.run(t, n.value)
	for p := range 4 {
		want := []float64{
			n.expectation(p, func(h []float64) (sum float64) {
				for a, k := range n.kernel.at(h) {
					sum += n.weights[0].Value[a] * k
				}
				return sum
			}),
			n.expectation(p, func(h []float64) float64 {
				return bilinear(n.kernel.at(h), n.kernel.at(h), n.weights[1].Value)
			}),
			n.expectation(p, func(h []float64) float64 {
				return bilinear(n.kernel.at(h), n.other.at(h), n.weights[2].Value)
			}),
		}
		for i, sum := range n.sums {
			oracletest.Close(t, "sum", sum.Value[p:p+1], want[i:i+1], 1e-9)
		}
	}
}

func bilinear(a, b, weights []float64) (sum float64) {
	for i, x := range a {
		for j, y := range b {
			sum += weights[i*len(b)+j] * x * y
		}
	}
	return sum
}

func TestGradientsOfSums(t *testing.T) {
	for _, shape := range [][3]int{{3, 2, 4}, {1, 1, 1}, {17, 1, 70}, {4, 3, 130}} {
		n := newRandom((*autodiff.Tape).Variable, shape[0], shape[1], shape[2])
		n.run(t, n.value)
		n.tape.Backward(n.value)
		n.tape.Backward(n.value) // must reset the gradients
		for k, leaf := range n.leaves {
			got := slices.Clone(leaf.Grad())
			step := 1 + len(got)/25 // checks a subset of large leaves
			for i := 0; i < len(got); i += step {
				const h = 1e-4
				before := leaf.Value[i]
				at := func(shift float64) float64 {
					leaf.Value[i] = before + shift
					return n.run(t, n.value)
				}
				want := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
				leaf.Value[i] = before
				if scale := max(1, math.Abs(want)); math.Abs(got[i]-want) > 1e-8*scale {
					t.Errorf("%v: entry %d of leaf %d: %v, want %v", shape, i, k, got[i], want)
				}
			}
		}
	}
}

// For points without variance the expectation is the kernel itself.
func TestSumsWithoutVariance(t *testing.T) {
	n := newRandom((*autodiff.Tape).Variable, 4, 2, 5)
	clear(n.vr.Value)
	n.run(t, n.value)
	for p := range 5 {
		h := []float64{n.mean.Value[p], n.mean.Value[5+p]}
		k := n.kernel.at(h)
		oracletest.Close(t, "square", n.sums[1].Value[p:p+1],
			[]float64{bilinear(k, k, n.weights[1].Value)}, 1e-13)
	}
}

func TestSumsDeterministicWithoutAllocations(t *testing.T) {
	run := func(processors int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		n := newRandom((*autodiff.Tape).Variable, 20, 2, 300)
		step := func() {
			n.run(t, n.value)
			n.tape.Backward(n.value)
		}
		step()
		if a := testing.AllocsPerRun(10, step); a != 0 {
			t.Errorf("%v allocations", a)
		}
		results := slices.Clone(n.value.Value)
		for _, leaf := range n.leaves {
			results = append(results, leaf.Grad()...)
		}
		return results
	}
	one := run(1)
	two := run(2)
	for i, v := range one {
		if v != two[i] {
			t.Fatalf("number %d is %v on one processor, %v on two", i, v, two[i])
		}
	}
}

// BenchmarkSum evaluates psi_2 of one GP at 256 points, forward and backward.
func BenchmarkSum(b *testing.B) {
	n := newInstance((*autodiff.Tape).Variable, 50, 2, 256)
	weights := n.tape.Variable(1, 50, 50)
	n.leaves = append(n.leaves, weights)
	n.fill(rand.New(rand.NewPCG(1, 2)))
	value := n.tape.Sum(ExpectedSum(n.tape, SquareBumps(n.tape, n.kernel, weights), n.mean, n.vr))
	for b.Loop() {
		if err := n.tape.Forward(); err != nil {
			b.Fatal(err)
		}
		n.tape.Backward(value)
	}
}
