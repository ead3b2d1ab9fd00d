package family

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/view"
	"dgplab/viz/golden"
)

// TestRandomSettings compares what random settings, kernels, likelihoods and inputs give with recorded
// checksums.
func TestRandomSettings(t *testing.T) {
	var sums golden.Sums
	r := rand.New(rand.NewPCG(1, 31))
	for range 800 {
		writeSettings(sums.Group("settings"), r)
		writeKernels(sums.Group("kernels"), r)
		writeTargets(sums.Group("targets"), r)
	}
	for range 60 {
		writeLines(t, sums.Group("lines"), r)
	}
	w := sums.Group("lists")
	list := slices.Concat(LikelihoodHyperparameters(), ConvergenceHyperparameters())
	for _, scope := range []KernelScope{PerLayer | PerGP, PerGP, PerLayer} {
		list = append(list, KernelHyperparameter("kernel", "help", scope))
	}
	for _, h := range list {
		h.Check = nil
		fmt.Fprintf(w, "%+v %s %s %v\n", h, h.When, h.Kind, h.Kind.Number())
	}
	for n := 1; n < 1e6; n *= 3 {
		points, columns := PredictionSize(n)
		fmt.Fprintf(w, "%d %.6g %.6g\n", n, points, columns)
	}
	sums.Check(t, "settings")
}

// pick returns a random element.
func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

// writeSettings writes the treatment of values of hyperparameters of all kinds.
func writeSettings(w io.Writer, r *rand.Rand) {
	value := func() string {
		words := strings.Fields(`1 2 10 0 -1 0.5 1e3 1e6 on Off true yes no a b rbf 2,3 0.1,2 x NaN Inf 1,
			16,8,4`)
		return pick(r, append(words, "1, 2,4", "", " 5 ")...)
	}
	list := []Hyperparameter{{Name: "layers", Kind: Int, Default: pick(r, "1", "2", "3"), Min: 1, Max: 10}}
	for kind := Int; kind <= Expression; kind++ {
		h := Hyperparameter{Name: kind.String(), Kind: kind,
			Default: pick(r, "1", "2", "16,8", "on", "a", "0.5"),
			Min:     float64(r.IntN(2)), Max: float64(2 + r.IntN(20)), MinOpen: r.IntN(2) == 0,
			Choices: []string{"a", "b"}, PerLayer: r.IntN(2) == 0, PerHiddenLayer: r.IntN(4) == 0}
		if kind > Int && r.IntN(2) == 0 {
			h.When = &Condition{Name: Kind(r.IntN(int(kind))).String(), Is: []string{"1", "on", "a", value()}}
		}
		if h.Validate(h.Default) != nil {
			h.Default = map[Kind]string{Int: "2", Float: "2", Bool: "off", Choice: "b", IntList: "2",
				FloatList: "2,2"}[kind]
		}
		text := value()
		fmt.Fprintln(w, h.Validate(text), h.Canonical(text), h.Allowed(), h.When)
		list = append(list, h)
	}
	set := map[string]string{}
	for range r.IntN(4) {
		set[pick(r, append(Names(list), "other")...)] = value()
	}
	v, err := Resolve(list, set)
	fmt.Fprintln(w, v, err)
	if err == nil {
		fmt.Fprintln(w, Applicable(list, v), v.Int("layers"), v.Int("int"), v.Float("float"), v.Bool("bool"),
			v.Ints("int-list"), v.Floats("float-list"), v.Text("choice"))
		widths, err := Expand("int-list", v.Ints("int-list"), v.Int("layers"), "layers")
		fmt.Fprintln(w, widths, err)
	}
	half := Hyperparameter{Name: "inducing", AtMostHalf: r.IntN(3) > 0}
	fmt.Fprintln(w, half.DefaultFor(r.IntN(300), pick(r, "100", "50,128", "1")))
}

// writeKernels writes the kernels of layers.
func writeKernels(w io.Writer, r *rand.Rand) {
	text := pick(r, "rbf", "matern32", "linear", "nothing", "rbf(0", "")
	for range r.IntN(3) {
		text += pick(r, " | ", " & ", " + ", "*", "|")
		text += pick(r, "rbf", "rbf(1)", "rbf(age)", "periodic(0)", "white")
	}
	layers := 1 + r.IntN(3)
	inputs := make([]int, layers)
	widths := make([]int, layers)
	for l := range inputs {
		inputs[l] = 1 + r.IntN(3)
		widths[l] = 1 + r.IntN(2)
	}
	d := Data{X: mat.NewDense(1, inputs[0], nil), Inputs: []string{"age", "size"}}
	v := Values{"kernel": text}
	for _, scope := range []KernelScope{OneKernel, PerGP, PerLayer, PerGP | PerLayer} {
		h := KernelHyperparameter("kernel", "help", scope)
		fmt.Fprintln(w, h.Validate(text), h.Explain(text))
	}
	one, err := d.Kernel(v, "kernel")
	fmt.Fprintln(w, one, err)
	list, err := d.Kernels(v, "kernel", inputs)
	fmt.Fprintln(w, list, err, CheckKernels("kernel", list, widths))
	counts, err := KernelParameters(v, "kernel", inputs, r.IntN(2) == 0)
	fmt.Fprintln(w, counts, err)
}

// writeTargets writes the likelihoods of random targets, and which targets families accept.
func writeTargets(w io.Writer, r *rand.Rand) {
	all := task.All()
	t := all[r.IntN(len(all))]
	targets := 1 + r.IntN(2)
	y := mat.NewDense(2, targets, []float64{1, 2, 3, 4}[:2*targets])
	if r.IntN(4) == 0 {
		y.Set(1, 0, math.NaN())
	}
	a := Accepts{r.IntN(4) > 0, r.IntN(4) > 0, r.IntN(4) > 0, r.IntN(4) > 0, r.IntN(2) == 0, r.IntN(2) == 0}
	fmt.Fprintln(w, a.Check(t, y))
	v := Values{}
	if r.IntN(3) > 0 {
		names := append(slices.Clone(ConjugateLikelihoods), "poisson", "student-t", "logit", "x")
		v = Values{"likelihood": pick(r, names...), "epsilon": "0.01"}
	}
	d := Data{X: mat.NewDense(2, 1, nil), Y: y, Task: t, Classes: 2 + r.IntN(3)}
	l, err := d.Likelihood(v, 0.5)
	fmt.Fprintf(w, "%T %v\n", l, err)
	latents, err := d.Latents(v)
	fmt.Fprintln(w, latents, err)
	if err != nil {
		return
	}
	var starts []float64
	for _, p := range l.Parameters() {
		starts = append(starts, p.Start)
	}
	for _, q := range LikelihoodQuantities(l, starts) {
		fmt.Fprintf(w, "%s %.9g\n", q.Name, q.Value)
	}
	fmt.Fprintf(w, "%T\n", d.DefaultLikelihood(0.5))
}

// writeLines writes lines along columns, and the parts of functions along them.
func writeLines(t *testing.T, w io.Writer, r *rand.Rand) {
	t.Helper()
	var d Data
	columns := 1 + r.IntN(10)
	inputs := 0
	categorical := r.IntN(2) == 0
	for range columns {
		c := view.Column{Input: inputs, Width: 1}
		if categorical && r.IntN(2) == 0 {
			levels := 2 + r.IntN(2)
			c.Width = levels
			c.Category = &view.Category{}
			for k := range levels {
				c.Category.Names = append(c.Category.Names, strconv.Itoa(k))
				code := make([]float64, levels)
				code[k] = 1.5
				c.Codes = append(c.Codes, code)
			}
			c.Held = r.IntN(levels)
		}
		inputs += c.Width
		d.Columns = append(d.Columns, c)
	}
	if !categorical {
		d.Columns = nil
	}
	const n = 5
	d.X = mat.NewDense(n, inputs, nil)
	lengths := make([]float64, inputs)
	for k := range inputs {
		lengths[k] = float64(1 + r.IntN(4))
		for i := range n {
			d.X.Set(i, k, math.Round(100*r.NormFloat64())/100)
		}
	}
	fmt.Fprintln(w, d.Numbers())
	fmt.Fprintf(w, "%.6f\n", d.Held())
	fmt.Fprintf(w, "%.6f\n", d.HoldCategories(d.X).RawMatrix().Data)
	for _, l := range append(d.Lines(lengths), d.Line(lengths), d.Over(0, 4, 0.3)) {
		fmt.Fprintf(w, "%d %d %d %.6f %.6f\n", l.Column.Input, l.Column.Width, len(l.Grid), l.Grid, l.Points)
	}
	text := pick(r, "rbf", "rbf + linear(0)", "rbf*linear + white", "rbf + matern32 & linear")
	k, err := kernel.ParseEach(text)
	if err == nil {
		k, err = k.Bind(inputs, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := kernel.NewCovariance(autodiff.NewTape(), k, 2, true)
	c.Start(1, func(column int) float64 { return lengths[column] })
	x := mat.DenseCopyOf(d.X.T()).RawMatrix().Data
	parts := d.Parts(c, x, func(k *kernel.Covariance, line view.Line) *view.Functions {
		f := &view.Functions{Input: line.Column.Input, Grid: line.Grid}
		for gp := range 2 {
			mean := view.Rounded{k.Scale(gp, x)}
			f.Items = append(f.Items, view.Function{Name: fmt.Sprint("f ", gp), Mean: mean})
		}
		return f
	})
	for _, f := range parts.Lines() {
		for _, item := range f.Items {
			fmt.Fprintf(w, "%d %s %.6f %.6f\n", f.Input, item.Name, item.Mean, item.Share)
		}
	}
}
