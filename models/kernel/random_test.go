package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/param"
	"dgplab/viz/golden"
)

// randomExpression returns an expression of a few functions of up to d columns. Some are invalid.
func randomExpression(r *rand.Rand, d, depth int) string {
	if depth > 0 && r.IntN(2) == 0 {
		var terms []string
		for range 2 + r.IntN(2) {
			terms = append(terms, randomExpression(r, d, depth-1))
		}
		sign := []string{"+", " + ", "*", " * "}[r.IntN(4)]
		text := strings.Join(terms, sign)
		if r.IntN(3) > 0 {
			return "(" + text + ")"
		}
		return text
	}
	name := Names()[r.IntN(len(functions))]
	var arguments []string
	f := functions[0]
	for _, g := range functions {
		if g.Describe().Name == name {
			f = g
		}
	}
	if f.Describe().Columns && r.IntN(2) == 0 {
		for _, c := range r.Perm(d)[:1+r.IntN(d)] {
			arguments = append(arguments, strconv.Itoa(c))
		}
	}
	for _, p := range f.Parameters() {
		if r.IntN(4) == 0 {
			start := []string{"0.5", "1e+1", "2", " 0.1", "7e-1"}[r.IntN(5)]
			arguments = append(arguments, p.Name+"="+start)
		}
	}
	if arguments == nil && r.IntN(3) > 0 {
		return name
	}
	return name + "(" + strings.Join(arguments, ",") + ")"
}

// TestRandomExpressions compares random expressions, half of them damaged, with recorded checksums of
// their forms, their parameters and the errors.
func TestRandomExpressions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 24))
	var sums golden.Sums
	pieces := append(strings.Fields(`+ * ( ) , = " 0 1 7 -1 e+3 rbf linear rq(alpha= & period age é
		variance=1e9, ""`), " ", "")
	names := []string{"age", "body mass", "7"}
	for k := range 3000 {
		d := 1 + r.IntN(3)
		text := randomExpression(r, d, r.IntN(3))
		w := sums.Group("valid")
		if k%2 == 0 {
			w = sums.Group("damaged")
			for range 1 + r.IntN(2) {
				at := r.IntN(len(text) + 1)
				text = text[:at] + pieces[r.IntN(len(pieces))] + text[min(at+r.IntN(4), len(text)):]
			}
			if r.IntN(4) == 0 {
				text = strings.Replace(text, "0", `"body mass"`, 1)
			}
		}
		if r.IntN(6) == 0 {
			text += " & " + randomExpression(r, d, 1)
			w = sums.Group("expressions of GPs")
		}
		k, err := ParseEach(text)
		fmt.Fprintln(w, text, err, k)
		if err != nil {
			continue
		}
		own := names[:d]
		if r.IntN(2) == 0 {
			own = nil
		}
		k, err = k.Bind(d, own)
		fmt.Fprintln(w, err, k.Fits(1), k.Fits(2))
		if err != nil {
			continue
		}
		for at := range max(1, len(k.each)) {
			one := k.Of(at)
			s, is := one.Stationary()
			length, given := one.GivenLengthscale()
			fmt.Fprintln(w, one.root, s, is, length, given, one.NumParameters(d, true),
				one.NumParameters(d, false), one.NumUnknowns(d))
		}
		outputs := max(1, len(k.each))
		c := NewCovariance(autodiff.NewTape(), k, outputs, r.IntN(2) == 0)
		c.Start(3, func(column int) float64 { return float64(column + 2) })
		for _, p := range append(c.Quantities(), c.Parameters(param.Positive{})...) {
			fmt.Fprintf(w, "%s %T %.9g\n", p.Name, p.Transform, p.Node.Value)
		}
		for _, term := range c.Terms() {
			fmt.Fprintln(w, term, term.Concerns(0), term.Concerns(1))
		}
		for at := range outputs {
			fmt.Fprintf(w, "%.9g\n", c.Lengths(at))
		}
		if outputs == 1 {
			for _, u := range c.Unknowns() {
				fmt.Fprintf(w, "%s %d %.9g %v %v %.6f %.6f\n", u.Name, u.Column, *u.Value, u.Prior,
					u.Lengthscale, u.Prior.LogDensity(1.3), u.Prior.Draw(rand.New(rand.NewPCG(1, 1))))
			}
		}
	}
	for _, text := range []string{"a & b", `"a & b" & c`, "", "&", `"&`} {
		fmt.Fprintf(sums.Group("lists"), "%q\n", Split(text, '&'))
	}
	fmt.Fprintf(sums.Group("lists"), "%+v\n", Describe())
	sums.Check(t, "expressions")
}

// TestRandomCovariances compares covariances of random expressions at random points, some of which
// coincide, and their gradients, with recorded results.
func TestRandomCovariances(t *testing.T) {
	var digest golden.Digest
	for group := range 6 {
		r := rand.New(rand.NewPCG(uint64(group), 25))
		digest.Begin(fmt.Sprintf("group %d", group))
		for range 12 {
			addCovariance(t, &digest, r, group)
		}
	}
	digest.Begin("expectations")
	r := rand.New(rand.NewPCG(6, 25))
	for range 20 {
		addSums(t, &digest, r)
	}
	digest.Begin("priors")
	for range 10 {
		addPriors(t, &digest, r)
	}
	digest.Begin("distances")
	for range 10 {
		addDistances(t, &digest, r)
	}
	digest.Check(t, "covariances")
}

// addCovariance adds the results of one covariance.
func addCovariance(t *testing.T, digest *golden.Digest, r *rand.Rand, group int) {
	t.Helper()
	d := 1 + r.IntN(3)
	depth := min(group, 2)
	outputs := 1 + r.IntN(3)
	text := randomExpression(r, d, depth)
	for k := 1; group == 5 && k < outputs; k++ {
		text += " & " + randomExpression(r, d, 1)
	}
	tape := autodiff.NewTape()
	c := NewCovariance(tape, bound(t, text, d), outputs, r.IntN(2) == 0)
	c.Start(2, func(int) float64 { return 1 })
	const samples = 2
	m := 1 + r.IntN(6)
	points := samples * (1 + r.IntN(4))
	if group == 4 {
		points = samples * (Tile/2 + r.IntN(Tile))
	}
	z := tape.Variable(1, m, d)
	x := tape.Variable(1, d, points)
	for _, list := range [][]float64{z.Value, x.Value} {
		for i := range list {
			list[i] = 1.5 * r.NormFloat64()
		}
	}
	if r.IntN(2) == 0 { // a point at an inducing input
		for j := range d {
			x.Value[j*points] = z.Value[j]
		}
	}
	parameters := c.Parameters(param.Positive{})
	for _, p := range parameters {
		for i := range p.Node.Value {
			p.Node.Value[i] *= math.Exp(0.3 * r.NormFloat64())
		}
	}
	nodes := []*autodiff.Node{c.RecordKuf(tape, z, x), c.RecordKuu(tape, z, 0.01), c.RecordDiagonal(tape, x),
		c.RecordBlocks(tape, x, samples)}
	var total *autodiff.Node
	for _, n := range nodes {
		weights := tape.Constant(n.Batch, n.Rows, n.Cols)
		for i := range weights.Value {
			weights.Value[i] = r.NormFloat64()
		}
		sum := tape.Sum(tape.Reshape(tape.Mul(n, weights), 1, 1, n.Len()))
		if total == nil {
			total = sum
		} else {
			total = tape.Add(total, sum)
		}
	}
	forward(t, tape)
	tape.Backward(total)
	for _, n := range nodes {
		digest.AddNumbers("values", n.Value...)
	}
	digest.AddNumbers("gradient of Z", z.Grad()...)
	digest.AddNumbers("gradient of X", x.Grad()...)
	for _, p := range parameters {
		digest.AddNumbers("gradient of parameters", p.Node.Grad()...)
	}
	for k := range outputs {
		square := make([]float64, points*points)
		c.Kff(square, k, x.Value)
		row := make([]float64, points)
		c.Diagonal(row, k, x.Value)
		digest.AddNumbers("without tape", append(square[:points], row...)...)
		rectangle := make([]float64, m*points)
		c.Kuf(rectangle, k, z.Value, x.Value)
		digest.AddNumbers("without tape", rectangle...)
		digest.AddNumbers("without tape", c.Scale(k, x.Value))
	}
}

// addSums adds the expectations of kernels under random inputs, their sums and gradients. Some leaves are
// constants.
func addSums(t *testing.T, digest *golden.Digest, r *rand.Rand) {
	t.Helper()
	m := 1 + r.IntN(5)
	points := 1 + r.IntN(80)
	n := newRandom(func(t *autodiff.Tape, batch, rows, cols int) *autodiff.Node {
		if r.IntN(4) == 0 {
			return t.Constant(batch, rows, cols)
		}
		return t.Variable(batch, rows, cols)
	}, m, 1+r.IntN(3), points)
	tables := []*PsiTable{FirstTable(n.tape, n.kernel, n.mean, n.vr),
		SquareTable(n.tape, n.kernel, n.mean, n.vr), ProductTable(n.tape, n.kernel, n.other, n.mean, n.vr)}
	n.run(t, n.value)
	n.tape.Backward(n.value)
	for _, sum := range n.sums {
		digest.AddNumbers("sums", sum.Value...)
	}
	for _, leaf := range n.leaves {
		if leaf.Wanted() {
			digest.AddNumbers("gradients", leaf.Grad()...)
		}
	}
	width := min(points, 7)
	for _, table := range tables {
		tile := table.NewTile(width)
		tile.Load(points-width, points)
		for k := range table.bumps {
			digest.AddNumbers("terms", tile.Term(k, r.IntN(width)))
		}
	}
	tile := tables[1].NewTile(width)
	tile.Load(0, width)
	squares := make([]float64, m*m*width)
	tile.Squares(squares)
	digest.AddNumbers("terms", squares...)
}

// addPriors adds draws of functions from the priors of two layers.
func addPriors(t *testing.T, digest *golden.Digest, r *rand.Rand) {
	t.Helper()
	d := 1 + r.IntN(3)
	x := mat.NewDense(4+r.IntN(9), d, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = float64(1+i%d) * r.NormFloat64()
	}
	gps := 1 + r.IntN(2)
	length := 0.5 + r.Float64()
	draw := func(in, eps []float64) ([]float64, error) {
		n := len(eps) / gps
		k := make([]float64, n*n)
		for i := range n {
			for j := range n {
				k[i*n+j] = 2 * math.Exp(-math.Abs(in[i]-in[j])/length)
			}
		}
		means := make([]float64, gps*n)
		return means, AddGPs(means, k, 2, eps, n)
	}
	layer := PriorLayer{NumNormals: func(n int) int { return gps * n }, Draw: draw}
	v, err := DrawPriors(x, r.Uint64(), PriorKind{Name: "one", Layers: []PriorLayer{layer, layer}},
		PriorKind{Name: "two", Layers: []PriorLayer{layer}})
	if err != nil {
		t.Fatal(err)
	}
	digest.AddNumbers("grids", v.Grid...)
	for _, kind := range v.Kinds {
		for _, curves := range kind.Depths {
			for _, curve := range curves {
				digest.AddNumbers(kind.Name, curve...)
			}
		}
	}
}

// addDistances adds squared distances with and without lengthscales and points, and their gradients.
func addDistances(t *testing.T, digest *golden.Digest, r *rand.Rand) {
	t.Helper()
	tape := autodiff.NewTape()
	d := 1 + r.IntN(4)
	leaves := []*autodiff.Node{tape.Variable(1, 1+r.IntN(9), d), tape.Variable(1, d, 1+r.IntN(9)),
		tape.Variable(1, 1+r.IntN(3), d)}
	for _, leaf := range leaves {
		for i := range leaf.Value {
			leaf.Value[i] = 0.2 + r.Float64()
		}
	}
	z, x, lengthscales := leaves[0], leaves[1], leaves[2]
	for k, out := range []*autodiff.Node{
		RecordDistances(tape, z, x, lengthscales), RecordDistances(tape, z, nil, lengthscales),
		RecordDistances(tape, z, x, nil), RecordDistances(tape, z, nil, nil),
	} {
		weights := tape.Constant(out.Batch, out.Rows, out.Cols)
		for i := range weights.Value {
			weights.Value[i] = r.NormFloat64()
		}
		total := tape.Sum(tape.Reshape(tape.Mul(out, weights), 1, 1, out.Len()))
		forward(t, tape)
		digest.AddNumbers("values", out.Value...)
		tape.Backward(total)
		for _, leaf := range leaves {
			if k == 0 || leaf == z {
				digest.AddNumbers("gradients", leaf.Grad()...)
			}
		}
	}
}
