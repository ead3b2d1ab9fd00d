package kernel

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/param"
	"dgplab/models/stats"
)

// bound parses text and returns its kernel for d inputs.
func bound(t testing.TB, text string, d int) Kernel {
	t.Helper()
	k, err := ParseEach(text)
	if err == nil {
		k, err = k.Bind(d, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// model is a covariance with random inputs.
type model struct {
	*Covariance
	tape *autodiff.Tape
	z, x *autodiff.Node
}

func newModel(t testing.TB, text string, d, outputs, m, points int) *model {
	tape := autodiff.NewTape()
	c := &model{Covariance: NewCovariance(tape, bound(t, text, d), outputs, true), tape: tape,
		z: tape.Variable(1, m, d), x: tape.Variable(1, d, points)}
	copy(c.z.Value, weightsFor(m*d))
	copy(c.x.Value, weightsFor(d*points + 1)[1:])
	for _, p := range c.Covariance.Parameters(param.Positive{}) {
		for i := range p.Node.Value {
			p.Node.Value[i] = 0.7 + 0.23*float64(i+len(p.Name)%5)
		}
	}
	return c
}

// expressions returns every function alone and some combinations, with nested products and sums and
// with columns that several functions share.
func expressions() []string {
	return append(Names(), "rbf(0) + periodic(1)*linear(0)", "(rbf + constant)*matern32(1)*rq(0)",
		"linear(1,0) + white*constant + matern52", "rbf*rbf(1)", "white + white")
}

// Every function, alone and in combinations, is a valid covariance with the right gradients.
func TestFunctions(t *testing.T) {
	for _, text := range append(expressions(), "rbf(1)*periodic & linear", "matern32 & rq(0) + white") {
		t.Run(text, func(t *testing.T) {
			const m, points, outputs = 4, 3, 2
			c := newModel(t, text, 2, outputs, m, points)
			kuu := c.RecordKuu(c.tape, c.z, 0)
			kuf := c.RecordKuf(c.tape, c.z, c.x)
			diagonal := c.RecordDiagonal(c.tape, c.x)
			forward(t, c.tape)
			for k := range outputs {
				checkPositive(t, kuu.At(k), m)
				checkSame(t, c, kuu, kuf, diagonal, k)
			}
			checkNodeGradients(t, c, "K_uu", kuu)
			checkNodeGradients(t, c, "K_uf", kuf)
			checkNodeGradients(t, c, "diagonal", diagonal)
		})
	}
}

func forward(t *testing.T, tape *autodiff.Tape) {
	t.Helper()
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
}

// checkPositive checks that k is exactly symmetric and positive semidefinite.
func checkPositive(t *testing.T, k []float64, n int) {
	t.Helper()
	lifted := slices.Clone(k)
	for i := range n {
		lifted[i*n+i] += 1e-9
		for j := range i {
			if k[i*n+j] != k[j*n+i] {
				t.Errorf("entry (%d, %d) is %v, its mirror image %v", i, j, k[i*n+j], k[j*n+i])
			}
		}
	}
	if rescues, err := linalg.Cholesky(make([]float64, n*n), lifted, n, "K_uu"); err != nil || rescues > 0 {
		t.Errorf("not positive semidefinite: %d rescues, %v", rescues, err)
	}
}

// checkSame checks that matrices on and off the tape agree, and that the diagonal is the diagonal of
// the matrix.
func checkSame(t *testing.T, c *model, kuu, kuf, diagonal *autodiff.Node, k int) {
	t.Helper()
	values := make([]float64, kuf.Rows*kuf.Cols)
	c.Kuf(values, k, c.z.Value, c.x.Value)
	if !slices.Equal(values, kuf.At(k)) {
		t.Errorf("K_uf is %v on the tape, %v off it", kuf.At(k), values)
	}
	n := c.x.Cols
	kff := make([]float64, n*n)
	row := make([]float64, n)
	c.Kff(kff, k, c.x.Value)
	c.Diagonal(row, k, c.x.Value)
	for i, v := range row {
		recorded := diagonal.Row(k)[i%diagonal.Cols]
		if math.Abs(kff[i*n+i]-v) > 1e-15 || recorded != v {
			t.Errorf("k(x, x) is %v in the matrix, %v and %v alone", kff[i*n+i], v, recorded)
		}
	}
	if at := c.Scale(k, c.x.Value); math.Abs(at*float64(n)-floats.Sum(row)) > 1e-14 {
		t.Errorf("mean of the diagonal %v", at)
	}
}

// checkNodeGradients compares the gradients of a weighted sum of the entries of out with central
// differences.
func checkNodeGradients(t *testing.T, c *model, what string, out *autodiff.Node) {
	t.Helper()
	weights := c.tape.Constant(out.Batch, out.Rows, out.Cols)
	copy(weights.Value, weightsFor(out.Len()))
	total := c.tape.Sum(c.tape.Mul(out, weights))
	if out.Batch > 1 {
		total = c.tape.Sum(c.tape.Reshape(c.tape.Mul(out, weights), 1, 1, out.Len()))
	}
	inputs := map[string][]float64{"Z": c.z.Value, "X": c.x.Value}
	nodes := map[string]*autodiff.Node{"Z": c.z, "X": c.x}
	for _, p := range c.Covariance.Parameters(param.Positive{}) {
		inputs[p.Name], nodes[p.Name] = p.Node.Value, p.Node
	}
	forward(t, c.tape)
	c.tape.Backward(total)
	gradients := make(map[string][]float64)
	for name, n := range nodes {
		gradients[name] = slices.Clone(n.Grad())
	}
	checkGradients(t, what, func() float64 {
		forward(t, c.tape)
		return total.Value[0]
	}, inputs, gradients)
}

// A large tile of points gives the same numbers as small ones, and evaluation does not allocate.
func TestTiles(t *testing.T) {
	c := newModel(t, "rbf(0) + periodic(1)*linear + white", 2, 1, 5, Tile+3)
	kuf := c.RecordKuf(c.tape, c.z, c.x)
	total := c.tape.Sum(kuf)
	forward(t, c.tape)
	one := make([]float64, 5)
	for p := range c.x.Cols {
		c.Kuf(one, 0, c.z.Value, []float64{c.x.Row(0)[p], c.x.Row(1)[p]})
		for m, v := range one {
			if kuf.Row(m)[p] != v {
				t.Fatalf("entry (%d, %d) is %v in a tile, %v alone", m, p, kuf.Row(m)[p], v)
			}
		}
	}
	c.tape.Backward(total)
	if a := testing.AllocsPerRun(5, func() {
		forward(t, c.tape)
		c.tape.Backward(total)
	}); a != 0 {
		t.Errorf("%v allocations a step", a)
	}
}

// A kernel with assembly has the same values alone and in an expression without assembly.
func TestFastFunctions(t *testing.T) {
	for _, name := range []string{"rbf", "matern32", "matern52"} {
		fast := newModel(t, name, 2, 1, 6, 9)
		if _, is := fast.Stationary(); !is {
			t.Errorf("%s has no assembly", name)
		}
		// In a product with 1, the tree computes the values.
		slow := newModel(t, name+"*constant", 2, 1, 6, 9)
		if _, is := slow.Stationary(); is {
			t.Errorf("a product with %s has assembly", name)
		}
		copy(slow.nodes[0][0].Value, fast.nodes[0][0].Value)
		copy(slow.nodes[0][1].Value, fast.nodes[0][1].Value)
		slow.nodes[1][0].Value[0] = 1
		a := make([]float64, 54)
		b := make([]float64, 54)
		fast.Kuf(a, 0, fast.z.Value, fast.x.Value)
		slow.Kuf(b, 0, fast.z.Value, fast.x.Value)
		if !slices.Equal(a, b) {
			t.Errorf("%s is %v, in a product %v", name, a, b)
		}
		for i, f := range functions {
			if f.Describe().Name == name {
				checkDefinition(t, functions[i], fast, a)
			}
		}
	}
}

// checkDefinition compares the assembly with Value.
func checkDefinition(t *testing.T, f Function, c *model, values []float64) {
	t.Helper()
	p := [][]float64{c.nodes[0][0].Value, c.nodes[0][1].Value}
	for m := range c.z.Rows {
		for i := range c.x.Cols {
			want := f.Value(c.z.Row(m), []float64{c.x.Row(0)[i], c.x.Row(1)[i]}, p)
			if got := values[m*c.x.Cols+i]; math.Abs(got-want) > 1e-14 {
				t.Errorf("%s: %v by assembly, %v by its definition", f.Describe().Name, got, want)
			}
		}
	}
}

func TestStarts(t *testing.T) {
	tape := autodiff.NewTape()
	c := NewCovariance(tape, bound(t, "rbf(0,1) + periodic(2, period=0.5)*linear(0)", 3), 2, false)
	c.Start(3, func(column int) float64 { return float64(column + 1) })
	want := map[string]string{
		"rbf.lengthscales": "[1 1]", "rbf.variance": "[1.5 1.5]", "periodic.lengthscales": "[3 3]",
		"periodic.variance": "[1.5 1.5]", "periodic.period": "[0.5 0.5]", "linear.variance": "[1 1]",
		"linear.offset": "[0 0]",
	}
	for _, p := range c.Parameters(param.Positive{}) {
		if got := fmt.Sprint(p.Node.Value); got != want[p.Name] {
			t.Errorf("%s starts at %s, want %s", p.Name, got, want[p.Name])
		}
		if _, free := p.Transform.(param.Identity); free != (p.Name == "linear.offset") {
			t.Errorf("%s has the transform %T", p.Name, p.Transform)
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("no parameters %v", want)
	}
}

// GPs with different kernels have the covariances of each kernel alone, also between samples of points, and
// their own parameters.
func TestKernelsOfGPs(t *testing.T) {
	texts := []string{"matern32", "periodic(0) + linear", "rbf(1)"}
	c := newModel(t, strings.Join(texts, " & "), 2, 3, 5, 6)
	kuf := c.RecordKuf(c.tape, c.z, c.x)
	kuu := c.RecordKuu(c.tape, c.z, 0.25)
	diagonal := c.RecordDiagonal(c.tape, c.x)
	blocks := c.RecordBlocks(c.tape, c.x, 2)
	if c.Frozen().RecordKuf(c.tape, c.z, c.x).At(2)[0] != 0 {
		t.Error("the tape has been replayed")
	}
	frozen := c.Frozen().RecordKuf(c.tape, c.z, c.x)
	forward(t, c.tape)
	named := c.Covariance.Parameters(param.Positive{})
	for k, text := range texts {
		alone := newModel(t, text, 2, 1, 5, 6)
		for _, p := range alone.Covariance.Parameters(param.Positive{}) {
			want := fmt.Sprintf("gp%d.%s", k, p.Name)
			if named[0].Name != want {
				t.Errorf("parameter %s, want %s", named[0].Name, want)
			}
			copy(p.Node.Value, named[0].Node.Value)
			named = named[1:]
		}
		want := []*autodiff.Node{alone.RecordKuf(alone.tape, alone.z, alone.x),
			alone.RecordKuu(alone.tape, alone.z, 0.25), alone.RecordBlocks(alone.tape, alone.x, 2)}
		ofPoint := alone.RecordDiagonal(alone.tape, alone.x)
		forward(t, alone.tape)
		for i, got := range [][]float64{kuf.At(k), kuu.At(k), blocks.Value[k*3*4 : (k+1)*3*4]} {
			if !slices.Equal(got, want[i].Value) {
				t.Errorf("%s: matrix %d is %v, alone %v", text, i, got, want[i].Value)
			}
		}
		if !slices.Equal(frozen.At(k), kuf.At(k)) {
			t.Errorf("%s: frozen %v", text, frozen.At(k))
		}
		for i, v := range diagonal.Row(k) {
			if v != ofPoint.Row(0)[i%ofPoint.Cols] {
				t.Errorf("%s: k(x, x) is %v, alone %v", text, diagonal.Row(k), ofPoint.Value)
			}
		}
		if !slices.Equal(c.Lengths(k), alone.Lengths(0)) {
			t.Errorf("%s: lengths %v, alone %v", text, c.Lengths(k), alone.Lengths(0))
		}
	}
	terms := c.Terms()
	if len(named) > 0 || len(terms) != 2 || terms[1].String() != "linear" || terms[1].Concerns(0) ||
		!terms[1].Concerns(1) || !c.Concerns(2) {
		t.Errorf("%d more parameters, terms %v", len(named), terms)
	}
	scale := c.Scale(1, c.x.Value)
	sum := terms[0].Scale(1, c.x.Value) + terms[1].Scale(1, c.x.Value)
	if math.Abs(sum-scale) > 1e-12 {
		t.Errorf("the terms have the scale %v, their sum %v", sum, scale)
	}
	c.Start(2, func(int) float64 { return 3 })
	first := c.Quantities()[0]
	if first.Name != "gp0.variance" || first.Node.Value[0] != 2 || !c.Fits(3) || c.Fits(2) {
		t.Errorf("the first quantity is %+v", first)
	}
}

// The unknowns of a kernel are all parameters but the scales of the whole kernel and of products.
func TestUnknowns(t *testing.T) {
	for text, want := range map[string]string{
		"rbf":                      "lengthscales",
		"rq(alpha=3)":              "lengthscales alpha~lognormal(log 3, 1)",
		"linear":                   "variance[1] offset[0] offset[1]",
		"constant":                 "",
		"white + rbf(0)*linear(1)": "rbf.lengthscales rbf.variance linear.offset",
		"(rbf + constant)*(matern12 + rq)": "rbf.lengthscales constant.variance matern12.lengthscales " +
			"rq.lengthscales rq.variance rq.alpha~lognormal(log 1, 1)",
		"linear(0,offset=2)": "linear.offset~normal(2, 1)",
	} {
		k := bound(t, text, 2)
		c := NewCovariance(autodiff.NewTape(), k, 1, false)
		c.Start(1, func(int) float64 { return 1 })
		var got []string
		for _, u := range c.Unknowns() {
			name := u.Name
			if u.Column >= 0 {
				name += fmt.Sprintf("[%d]", u.Column)
			}
			if strings.Contains(want, name+"~") {
				name += "~" + u.Prior.String()
			}
			if u.Lengthscale != strings.HasSuffix(u.Name, lengthscales) || *u.Value != u.Prior.Start {
				t.Errorf("%s: %+v", text, u)
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != want || k.NumUnknowns(2) != len(got) {
			t.Errorf("%s has the unknowns %v, a number of %d, want %s", text, got, k.NumUnknowns(2), want)
		}
	}
}

// Every parameter declares a prior.
func TestParametersDeclarePriors(t *testing.T) {
	for _, f := range functions {
		for _, p := range f.Parameters() {
			if !(p.Spread > 0) {
				t.Errorf("%s of %s has no prior", p.Name, f.Describe().Name)
			}
		}
	}
}

// The density of a prior integrates to 1 and has the quantiles of the draws.
func TestPriors(t *testing.T) {
	r := stats.Stream(3, "priors", 0)
	for _, p := range []Prior{{Start: 0.5, Spread: 0.8}, {Start: -2, Spread: 0.8, Real: true}} {
		const step, draws = 1e-3, 20000
		const levels = 4
		limits := [levels]float64{p.Start - 0.3, p.Start - 0.1, p.Start, p.Start + 0.4}
		var below [levels]float64
		var total float64
		for x := p.Start - 20; x < p.Start+200; x += step {
			mass := step * math.Exp(p.LogDensity(x))
			total += mass
			for i, limit := range limits {
				if x < limit {
					below[i] += mass
				}
			}
		}
		if math.Abs(total-1) > 1e-3 {
			t.Errorf("%v integrates to %v", p, total)
		}
		var counts [levels]float64
		for range draws {
			x := p.Draw(r)
			for i, limit := range limits {
				if x < limit {
					counts[i]++
				}
			}
		}
		for i, count := range counts {
			sd := math.Sqrt(below[i] * (1 - below[i]) / draws)
			if math.Abs(count/draws-below[i]) > 4*sd+1e-3 {
				t.Errorf("%v: %v of the draws are below %v, want %v", p, count/draws, limits[i], below[i])
			}
		}
	}
}

func TestParseEach(t *testing.T) {
	for text, want := range map[string]string{
		`rbf & linear("R&D")`: "",
		"rbf & ":              `at the end of "rbf & ": want a kernel`,
		"rbf & rbf(2)":        `at character 11, "2)": there is no column 2`,
		"rbf + & linear":      `at character 7, "& linear": want a kernel`,
		"rbf & perodic & rq":  `at character 7, "perodic & rq": want a kernel`,
	} {
		k, err := ParseEach(text)
		if err == nil {
			_, err = k.Bind(2, []string{"R&D", "age"})
		}
		if want == "" {
			if err != nil || len(k.each) != 2 || k.Of(1).String() != `linear("R&D")` {
				t.Errorf("%s: %v, %v", text, k.each, err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"rbf":                               "rbf",
		" rbf ( 0 , 1 ) ":                   "rbf(0,1)",
		"rbf(0,1) + periodic(2)*linear(0)":  "rbf(0,1) + periodic(2)*linear(0)",
		"(rbf+(white+rq))*(matern12*rbf())": "(rbf + white + rq)*matern12*rbf",
		`linear("c d", b, offset=-1e+0)`:    "linear(c d,b)",
		"constant(variance=2)":              "constant",
	} {
		k, err := Parse(text)
		if err != nil || k.root.String() != want {
			t.Errorf("%q is %v (%v), want %q", text, k.root, err, want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	names := []string{"age", "body mass"}
	for text, want := range map[string]string{
		"":                      `at the end of "": want a kernel: rbf`,
		"perodic(0)":            `at character 1, "perodic(0)": want a kernel: rbf`,
		"rbf + ":                `at the end of "rbf + ": want a kernel`,
		"rbf rbf":               `at character 5, "rbf": want + or * or the end`,
		"rbf(0":                 `at the end of "rbf(0": want , or )`,
		"(rbf":                  `at the end of "(rbf": want )`,
		"rbf(,)":                `at character 5, ",)": want a column`,
		"rbf(0,)":               `at character 7, ")": want a column`,
		"rbf*constant(1)":       `at character 14, "1)": constant takes no columns`,
		`rbf("age)`:             `at character 5, "\"age)": the name has no closing quote`,
		"rbf(2)":                `at character 5, "2)": there is no column 2: columns are 0 to 1`,
		"  rbf(2)":              `at character 7, "2)": there is no column 2: columns are 0 to 1`,
		"rbf(-1)":               `at character 5, "-1)": there is no column "-1"; columns: age, b`,
		"rbf(0) + linear(ag)":   `at character 17, "ag)": there is no column "ag"; columns: age, b`,
		"rbf(age,0)":            `at character 9, "0)": column 0 is given twice`,
		"rbf(period=1)":         `at character 5, "period=1)": rbf has no parameter of this name`,
		"rq(alpha=x)":           `at character 10, "x)": want a number`,
		"rq(alpha=1!!)":         `at character 10, "1!!)": want a number`,
		"rq(alpha=!)":           `at character 10, "!)": want a number`,
		"rq!":                   `at character 1, "rq!": want a kernel`,
		"rq(alpha=1 !!)":        `at character 12, "!!)": want , or )`,
		"rq(alpha=0!)":          `at character 10, "0!)": want a number above 1e-05`,
		"rq(alpha=0)":           `at character 10, "0)": want a number above 1e-05`,
		"rbf*averylongfunction": `at character 5, "averylongfuncti…": want`,
		"rbf*averylongfunctio":  `at character 5, "averylongfunctio": want`,
	} {
		k, err := Parse(text)
		if err == nil {
			k, err = k.Bind(len(names), names)
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v (%v), want %s", text, k, err, want)
		}
	}
	k, err := Parse(`rbf("body mass", 0)`)
	if err == nil {
		k, err = k.Bind(len(names), names)
	}
	if err != nil || !slices.Equal(k.leaves[0].active, []int{1, 0}) {
		t.Errorf("columns %v, %v", k.leaves, err)
	}
	k, err = k.Bind(2, nil)
	if err == nil || !strings.Contains(err.Error(), "columns of a hidden layer have numbers, 0 to 1") {
		t.Errorf("%v, %v", k, err)
	}
}

// For any text, Parse returns an error or a kernel whose String it can parse again.
func FuzzParse(f *testing.F) {
	for _, text := range append(expressions(), `linear("a b",c,offset=-1e+0)`, "((rbf)", "rbf(0,,1)") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := Parse(text)
		if err != nil {
			if at := err.(*SyntaxError).At; at < 0 || at > len(text) {
				t.Errorf("position %d of %q", at, text)
			}
			return
		}
		if again, err := Parse(k.String()); err != nil || again.root.String() != k.root.String() {
			t.Errorf("%q is %v, then %v (%v)", text, k, again, err)
		}
		k.Bind(3, []string{"a", "b", "c"})
	})
}

// A number with "!" holds its parameter, in the text of every kernel of a layer; others keep their
// transforms. Printing keeps the mark.
func TestHeldParametersOfExpressions(t *testing.T) {
	positive := param.Positive{Lower: 1e-6}
	for text, want := range map[string]string{
		"rbf":                                  "",
		"rbf(variance=1)":                      "",
		"rbf(variance=1!)":                     "variance=1",
		"rbf(0, lengthscales=2 !, variance=3)": "rbf.lengthscales=2",
		"rbf(variance=1!) + white(variance=1e-3)":      "rbf.variance=1",
		"rbf + rbf(variance=1e-3!)":                    "rbf2.variance=0.001",
		"linear(offset=-1e+0!)*periodic(period=2e+0!)": "linear.offset=-1 periodic.period=2",
		"rbf(variance=2!) & matern52(lengthscales=3!)": "gp0.variance=2 gp1.lengthscales=3",
	} {
		k, err := ParseEach(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := ParseEach(k.String())
		if err != nil || again.String() != text || again.Holds() != (want != "") {
			t.Errorf("%s prints as %s (%v), and holds parameters: %v", text, k, err, again.Holds())
		}
		k, err = again.Bind(2, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := NewCovariance(autodiff.NewTape(), k, 2, false)
		c.Start(1, func(int) float64 { return 1 })
		var held []string
		for _, p := range c.Parameters(positive) {
			if _, is := p.Transform.(param.Held); is {
				held = append(held, fmt.Sprintf("%s=%g", p.Name, p.Node.Value[0]))
			}
		}
		if got := strings.Join(held, " "); got != want {
			t.Errorf("%s holds %q, want %q", text, got, want)
		}
	}
}
