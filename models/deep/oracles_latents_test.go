package deep

import (
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// weighted is the stack of an oracle case with latent variables.
type weighted struct {
	tree
	stack    *stack
	layers   []*layer.Global
	mean, sd *autodiff.Node // of a q(w) for each point, or nil with an encoder
}

// marginal is a layer that draws the samples of a point independently.
type marginal struct{ *layer.Global }

func (m marginal) RecordJoint(t *autodiff.Tape, in *autodiff.Node, _ int) layer.Moments {
	return m.Record(t, in, nil)
}

// newWeighted returns the stack of a case with its parameters.
func newWeighted(c tree) *weighted {
	tape := autodiff.NewTape()
	config := c.at("config")
	inputs := config.at("D0").int()
	width := config.at("Dw").int()
	g := &weighted{tree: c, stack: &stack{tape: tape, inputs: inputs, observation: tape.Variable(1, 1, 1)}}
	g.stack.observation.Value[0] = c.at("params.noise_var").number()
	if config.has("sample_jitter") {
		g.stack.jitter = config.at("sample_jitter").number()
	}
	d := inputs + width
	for l, outputs := range config.at("T").ints() {
		own := c.at("params.layers", l)
		mean := config.at("mean_functions", l)
		current := layer.NewGlobal(tape, layer.GlobalConfig{
			Kernel: familytest.Kernel(c.t, own.at("kernel.type").text(), d),
			Inputs: d, Outputs: outputs, Inducing: config.at("M").int(), ARD: true,
			LinearMean: mean.at("type").text() == "linear", Whiten: true,
			Jitter: config.at("jitter").number(),
		})
		lengthscales, variance := familytest.KernelNodes(c.t, current.Kernels)
		for t := range outputs {
			copy(lengthscales.Row(t), own.at("kernel.lengthscales").numbers())
			variance.Value[t] = own.at("kernel.variance").number()
		}
		copy(current.Z.Value, own.at("Z").numbers())
		copy(current.Q[0].Mu.Value, own.at("q_mu").numbers())
		copy(current.Q[0].Factor.Value, own.at("q_sqrt").numbers())
		if current.MeanW != nil {
			copy(current.MeanW.Value, mean.at("W").numbers())
		}
		g.layers = append(g.layers, current)
		if config.at("hidden_draws").text() == "independent" {
			g.stack.layers = append(g.stack.layers, marginal{current})
		} else {
			g.stack.layers = append(g.stack.layers, current)
		}
		d = outputs
	}
	params := c.at("params")
	g.stack.latents = &latents{width: width}
	if params.has("encoder") {
		g.stack.encoder = g.newEncoder(params.at("encoder"))
		g.stack.latents.posterior = g.stack.encoder.record
		return g
	}
	b := config.at("B").int()
	g.mean = tape.Variable(1, width, b)
	g.sd = tape.Variable(1, width, b)
	fill(g.mean, params.at("latent.mean"))
	fill(g.sd, params.at("latent.std"))
	g.stack.latents.posterior = func(*autodiff.Tape, *autodiff.Node, *autodiff.Node) (m, sd *autodiff.Node) {
		return g.mean, g.sd
	}
	return g
}

// newEncoder returns the encoder of a case, whose weights are [in][out].
func (g *weighted) newEncoder(c tree) *encoder {
	e := &encoder{&autodiff.Perceptron{Slope: autodiff.Linear}}
	for l := range c.at("W").node.([]any) {
		b := c.at("b", l).numbers()
		w := g.stack.tape.Variable(1, len(b), len(c.at("W", l).node.([]any)))
		fill(w, c.at("W", l))
		bias := g.stack.tape.Variable(1, len(b), 1)
		copy(bias.Value, b)
		e.net.W = append(e.net.W, w)
		e.net.B = append(e.net.B, bias)
	}
	return e
}

// fill sets a node [1][rows][cols] from numbers [cols][rows].
func fill(n *autodiff.Node, c tree) {
	for i, v := range c.numbers() {
		n.Value[i%n.Rows*n.Cols+i/n.Rows] = v
	}
}

// transposed returns the gradient of a node [1][rows][cols] as [cols][rows].
func transposed(n *autodiff.Node) []float64 {
	g := n.Grad()
	out := make([]float64, len(g))
	for i := range out {
		out[i] = g[i%n.Rows*n.Cols+i/n.Rows]
	}
	return out
}

// check compares the objective, its parts and its gradient. For a single sample, the KL of q(w) is
// in closed form, and the case has the objective and the gradient under other keys.
func (g *weighted) check() {
	config := g.at("config")
	b := config.at("B").int()
	k := config.at("K").int()
	o := newObjective(g.stack, Config{Beta: 1, Likelihood: likelihood.Gaussian{}},
		config.at("N").int(), b, k)
	fill(o.x, g.at("data.X"))
	fill(o.y, g.at("data.Y"))
	load := func(eps *autodiff.Node, draws tree, order func(point, sample, row int) tree) {
		for i := range eps.Value {
			row, sample, point := i/eps.Cols, i%eps.Cols/b, i%b
			eps.Value[i] = order(point, sample, row).number()
		}
	}
	for l, eps := range o.eps {
		if l == 0 {
			w := g.at("random.w")
			load(eps, w, func(point, sample, row int) tree { return w.at(point, sample, row) })
			continue
		}
		draws := g.at("random.layers", l-1)
		load(eps, draws, func(point, sample, row int) tree { return draws.at(point, row, sample) })
	}
	if err := g.stack.tape.Forward(); err != nil {
		g.t.Fatal(err)
	}
	g.stack.tape.Backward(o.value)
	value := func(what string, got []float64, want tree) {
		g.t.Helper()
		oracletest.Close(g.t, what, got, want.numbers(), 10*oracletest.ValueTolerance)
	}
	expect := g.at("expect")
	gradients := g.at("grad")
	if k > 1 {
		value("objective", o.value.Value, expect.at("objective"))
		value("point", o.logLik.Value, expect.at("point"))
		value("hidden", hidden(o, k), expect.at("hidden"))
	} else {
		value("objective", o.value.Value, expect.at("vi_objective"))
		gradients = g.at("grad_vi")
	}
	value("kl", o.kl.Value, expect.at("kl"))
	gradient := func(what string, got []float64, want tree) {
		g.t.Helper()
		oracletest.Close(g.t, "gradient of "+what, got, want.numbers(), oracletest.GradientTolerance)
	}
	gradient("noise", g.stack.observation.Grad(), gradients.at("noise_var"))
	for l, current := range g.layers {
		want := gradients.at("layers", l)
		lengthscales, variance := familytest.KernelNodes(g.t, current.Kernels)
		gradient("variance", sum(variance.Grad(), 1), want.at("kernel.variance"))
		gradient("lengthscales", sum(lengthscales.Grad(), lengthscales.Cols), want.at("kernel.lengthscales"))
		gradient("Z", current.Z.Grad(), want.at("Z"))
		gradient("q_mu", current.Q[0].Mu.Grad(), want.at("q_mu"))
		gradient("q_sqrt", lowerTriangles(current.Q[0].Factor), want.at("q_sqrt"))
	}
	if g.mean != nil {
		gradient("mean", transposed(g.mean), gradients.at("latent.mean"))
		gradient("std", transposed(g.sd), gradients.at("latent.std"))
		return
	}
	for l, w := range g.stack.encoder.net.W {
		gradient("W", transposed(w), gradients.at("encoder.W", l))
		gradient("b", g.stack.encoder.net.B[l].Grad(), gradients.at("encoder.b", l))
	}
}

// hidden returns the samples of the hidden layers, [B][K][T] for each.
func hidden(o *objective, k int) (list []float64) {
	for _, in := range o.in[1:] {
		list = append(list, byPoint(in, o.b, k)...)
	}
	return list
}

// checkPredictions compares the mixture at the test inputs.
func (g *weighted) checkPredictions() {
	random := g.at("random.predict")
	s := len(random.at("w").node.([]any))
	x := g.at("data.Xtest")
	n := len(x.node.([]any))
	p := g.stack.record(autodiff.NewTape(), n, s, nil)
	fill(p.x, x)
	for l, eps := range p.eps {
		draws := random.at("w")
		if l > 0 {
			draws = random.at("layers", l-1)
		}
		for i := range eps.Value {
			eps.Value[i] = draws.at(i%eps.Cols/n, i%n, i/eps.Cols).number()
		}
	}
	if err := p.tape.Forward(); err != nil {
		g.t.Fatal(err)
	}
	mixture := p.mixture(n)
	mixture.SetColumns(0, p.last().Mean.Value, p.last().Var.Value)
	mixture.Noise = predictive.SharedNoise(g.stack.observation.Value[0], s, mixture.P)
	mean := make([]float64, n*mixture.P)
	vr := make([]float64, n*mixture.P)
	density := make([]float64, n)
	mixture.Moments(mean, vr)
	mixture.LogDensity(density, g.at("data.Ytest").numbers())
	want := g.at("expect.predict")
	for name, got := range map[string][]float64{
		"f_mean": mixture.Mean, "f_var": mixture.Var, "mean": mean, "var": vr, "log_density": density,
	} {
		oracletest.Close(g.t, name, got, want.at(name).numbers(), 10*oracletest.ValueTolerance)
	}
}

func TestLatentOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "iw") {
		t.Run(c.Name, func(t *testing.T) {
			var node any
			oracletest.Decode(t, c.Text, &node)
			g := newWeighted(tree{t, node})
			g.check()
			g.checkPredictions()
		})
	}
}
