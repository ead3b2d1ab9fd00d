package deep

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// tree is a node of the nested lists and objects of an oracle case.
type tree struct {
	t    *testing.T
	node any
}

// at returns the node at a path of keys and indices.
func (c tree) at(path ...any) tree {
	c.t.Helper()
	for _, step := range path {
		switch key := step.(type) {
		case int:
			c.node = c.node.([]any)[key]
		case string:
			for _, part := range strings.Split(key, ".") {
				object, ok := c.node.(map[string]any)
				if ok {
					c.node, ok = object[part]
				}
				if !ok {
					c.t.Fatalf("missing %s", key)
				}
			}
		}
	}
	return c
}

func (c tree) has(key string) bool { _, ok := c.node.(map[string]any)[key]; return ok }

func (c tree) numbers() []float64 { return oracletest.Flatten(c.node) }
func (c tree) text() string       { return c.node.(string) }
func (c tree) number() float64    { return c.node.(float64) }
func (c tree) int() int           { return int(c.node.(float64)) }

func (c tree) ints() []int {
	var list []int
	for _, v := range c.numbers() {
		list = append(list, int(v))
	}
	return list
}

// matrix returns a list of rows as a matrix.
func (c tree) matrix() *mat.Dense {
	values := c.numbers()
	rows := len(c.node.([]any))
	return mat.NewDense(rows, len(values)/rows, values)
}

// golden is the stack of an oracle case.
type golden struct {
	tree
	config Config
	stack  *stack
	n, s   int // N, S
}

// newGolden returns the stack of a case with its parameters. build creates the layers.
func newGolden(c tree, build func(t *autodiff.Tape, c tree) []layer.Layer) *golden {
	g := &golden{tree: c, n: c.at("config.N").int(), s: 1}
	config := c.at("config")
	tape := autodiff.NewTape()
	g.config = Config{Beta: 1, Likelihood: likelihood.Gaussian{}}
	g.stack = &stack{tape: tape, inputs: len(c.at("data.X", 0).numbers()), layers: build(tape, c)}
	if config.has("S") {
		g.s = config.at("S").int()
	}
	if config.has("beta") {
		g.config.Beta = config.at("beta").number()
	}
	if config.has("rule") {
		rule := config.at("rule").text()
		if rule != "AR1" {
			g.stack.rule = OfMeans
		}
		if rule == "AR2PP" {
			g.config.Form = likelihood.LogExpected
		}
	}
	if config.has("likelihood") && config.at("likelihood").text() == "bernoulli" {
		g.config.Likelihood = likelihood.NewBernoulli()
	} else {
		g.stack.observation = tape.Variable(1, 1, 1)
		copy(g.stack.observation.Value, c.at("params.noise_var").numbers())
	}
	params := c.at("params")
	if params.has("quad_logits") {
		q := newQuadrature(tape, g.stack.layers, g.s)
		g.stack.quadrature = q
		copy(q.logits.Value, params.at("quad_logits").numbers())
		for l, points := range q.points {
			copy(points.Value, params.at("quad_xi", l).numbers())
		}
	}
	for l, current := range g.stack.layers {
		for _, p := range current.Parameters() {
			values := g.layerOf("params", l).at(keyOf(p.Name)).numbers()
			if len(values) != p.Node.Len() {
				c.t.Fatalf("%s of layer %d has %d numbers, want %d", p.Name, l, p.Node.Len(), len(values))
			}
			copy(p.Node.Value, values)
		}
	}
	return g
}

// layerOf returns the entry of layer l under a key. Cases with one layer have no list of layers.
func (g *golden) layerOf(key string, l int) tree {
	if part := g.at(key); !part.has("layers") {
		return part
	}
	return g.at(key, "layers", l)
}

// load sets the inputs and draws of a pass from the case.
func (g *golden) load(p *pass, inputs, draws string) {
	x := g.at("data", inputs).matrix()
	for b := range p.b {
		for d := range p.x.Rows {
			p.x.Value[d*p.b+b] = x.At(b, d)
		}
	}
	for l, eps := range p.eps {
		for b := range p.b {
			for s := range p.s {
				for d, v := range g.at("random", draws, l, b, s).numbers() {
					eps.Value[d*eps.Cols+s*p.b+b] = v
				}
			}
		}
	}
}

// byPoint returns a node [1][rows][S*B] as [B][S][rows]. If the node has only B columns, they are
// repeated for every sample.
func byPoint(n *autodiff.Node, b, s int) []float64 {
	var out []float64
	for point := range b {
		for sample := range s {
			for r := range n.Rows {
				out = append(out, n.Row(r)[(sample*b+point)%n.Cols])
			}
		}
	}
	return out
}

// check compares the objective, its terms, the gradients and the predictions with the case.
func (g *golden) check() {
	t := g.t
	x := g.at("data.X").matrix()
	b, _ := x.Dims()
	o := newObjective(g.stack, g.config, g.n, b, g.s)
	g.load(o.pass, "X", "eps")
	for i, v := range g.at("data.y").numbers() {
		p := o.y.Rows
		o.y.Value[i%p*b+i/p] = v
	}
	if err := g.stack.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	value := func(what string, got []float64, want tree) {
		t.Helper()
		oracletest.Close(t, what, got, want.numbers(), oracletest.ValueTolerance)
	}
	expect := g.at("expect")
	value("objective", o.value.Value, expect.at("objective"))
	value("ell", o.logLik.Value, expect.at("ell"))
	if expect.has("weights") {
		weights := make([]float64, o.s)
		for s, lw := range o.logWeights.Value {
			weights[s] = math.Exp(lw)
		}
		value("weights", weights, expect.at("weights"))
	}
	if expect.has("kl_total") {
		value("kl_total", o.kl.Value, expect.at("kl_total"))
	}
	g.checkLayers(o, value)

	g.stack.tape.Backward(o.value)
	gradient := func(what string, n *autodiff.Node, want tree) {
		t.Helper()
		oracletest.Close(t, "gradient of "+what, n.Grad(), want.numbers(), oracletest.GradientTolerance)
	}
	for l, current := range g.stack.layers {
		for _, p := range current.Parameters() {
			want := g.layerOf("grad", l).at(keyOf(p.Name))
			if keyOf(p.Name) == factorKey {
				oracletest.Close(t, "gradient of "+p.Name, lowerTriangles(p.Node), want.numbers(),
					oracletest.GradientTolerance)
				continue
			}
			gradient(p.Name, p.Node, want)
		}
	}
	if g.stack.observation != nil {
		gradient("noise", g.stack.observation, g.at("grad.noise_var"))
	}
	if q := g.stack.quadrature; q != nil {
		gradient("quad_logits", q.logits, g.at("grad.quad_logits"))
		for l, points := range q.points {
			gradient("quad_xi", points, g.at("grad.quad_xi", l))
		}
	}
	g.checkPredictions(value)
}

// checkLayers compares the moments, inducing points and KL of each layer.
func (g *golden) checkLayers(o *objective, value func(what string, got []float64, want tree)) {
	for l, m := range o.moments {
		want := g.layerOf("expect", l)
		samples := 1
		if want.has("F_in") {
			samples = o.s
			value("F_in", byPoint(o.in[l], o.b, o.s), want.at("F_in"))
		}
		value("mean", byPoint(m.Mean, o.b, samples), want.at("mean"))
		value("var", byPoint(m.Var, o.b, samples), want.at("var"))
		if m.Inferred == nil {
			value("kl", g.stack.layers[l].(*layer.Global).Q[0].KL.Value, want.at("kl"))
			continue
		}
		groups := m.Inferred.Z.Cols / o.b
		if want.has("infer_input") {
			value("infer_input", byPoint(o.seen[l], o.b, groups), want.at("infer_input"))
		}
		value("Z", byPoint(m.Inferred.Z, o.b, groups), want.at("Z"))
		value("q_mu", byPoint(m.Inferred.Mean, o.b, groups), want.at("q_mu"))
		if want.has("q_std") {
			value("q_std", byPoint(m.Inferred.Spread, o.b, groups), want.at("q_std"))
		}
		kl := make([]float64, o.b) // the mean over the samples of each point
		for c, v := range m.KL.Value {
			kl[c%o.b] += v / float64(groups)
		}
		value("kl", kl, want.at("kl"))
	}
}

// checkPredictions compares the predictive distribution at the test inputs.
func (g *golden) checkPredictions(value func(what string, got []float64, want tree)) {
	x := g.at("data.Xtest").matrix()
	want := g.at("expect.predict")
	n, _ := x.Dims()
	tape := autodiff.NewTape()
	p := g.stack.record(tape, n, g.s, nil)
	g.load(p, "Xtest", "eps_test")
	if err := tape.Forward(); err != nil {
		g.t.Fatal(err)
	}
	mixture := p.mixture(n)
	mixture.SetColumns(0, p.last().Mean.Value, p.last().Var.Value)
	if g.stack.observation == nil {
		probabilities := make([]float64, 2*n)
		probit := predictive.Probit{
			S:       mixture.S,
			N:       n,
			Weights: mixture.Weights,
			Mean:    mixture.Mean,
			Var:     mixture.Var,
		}
		probit.Probabilities(probabilities)
		plus := make([]float64, n)
		for i := range plus {
			plus[i] = probabilities[2*i+1]
		}
		value("prob_plus", plus, want.at("prob_plus"))
		return
	}
	mixture.Noise = predictive.SharedNoise(g.stack.observation.Value[0], mixture.S, mixture.P)
	size := n * mixture.P
	y := g.at("data.ytest").numbers()
	mean := make([]float64, size)
	vr := make([]float64, size)
	density := make([]float64, n)
	crps := make([]float64, size)
	mixture.Moments(mean, vr)
	value("y_mean", mean, want.at("y_mean"))
	value("y_var", vr, want.at("y_var"))
	mixture.LogDensity(density, y)
	value("log_density", density, want.at("log_density"))
	mixture.CRPS(crps, y)
	value("crps", crps, want.at("crps"))
}

// amortized returns the layers of an avdgp or idsgp case.
func amortized(t *autodiff.Tape, c tree) (layers []layer.Layer) {
	config := c.at("config")
	name := config.at("kernel").text()
	base := layer.LocalConfig{Hidden: 2, Jitter: config.at("jitter").number()}
	if !config.has("dims") {
		base.Inputs = config.at("D").int()
		base.Outputs = 1
		base.Kernel = familytest.Kernel(c.t, name, base.Inputs)
		base.Inducing = config.at("M").int()
		base.Full = config.at("cov").text() == "chol"
		base.ARD = len(c.at("params.kernel.lengthscale", 0).numbers()) > 1
		if config.at("inference").text() == "single" {
			base.Inference = layer.ByNetwork
		}
		return []layer.Layer{layer.NewLocal(t, base, layer.Start{Variance: 1, Lengthscale: 1, Spread: 1})}
	}
	dims := config.at("dims").ints()
	inducing := config.at("M").ints()
	for l, m := range inducing {
		own := base
		own.Inputs = dims[l]
		own.Kernel = familytest.Kernel(c.t, name, own.Inputs)
		own.Outputs = dims[l+1]
		own.Inducing = m
		own.Index = l
		own.ARD = len(c.at("params.layers", l, "kernel.lengthscale", 0).numbers()) > 1
		own.LinearMean = config.at("linear_mean").node.(bool) && l < len(inducing)-1
		layers = append(layers, layer.NewLocal(t, own, layer.Start{Variance: 1, Lengthscale: 1, Spread: 1}))
	}
	return layers
}

func TestAmortizedOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "avdgp", "idsgp") {
		t.Run(c.Name, func(t *testing.T) {
			var node any
			oracletest.Decode(t, c.Text, &node)
			newGolden(tree{t, node}, amortized).check()
		})
	}
}
