package deep

import (
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
)

// factorKey is the name of lower triangular factors in oracle cases.
const factorKey = "q_L"

// keyOf returns the name of a layer parameter in oracle cases.
func keyOf(name string) string {
	if name == "q_sqrt" {
		return factorKey
	}
	return name
}

// lowerTriangles returns the gradient of lower triangular factors, with zeros above the diagonal.
func lowerTriangles(n *autodiff.Node) []float64 {
	g := append([]float64(nil), n.Grad()...)
	for k := range g {
		if k%n.Cols > k/n.Cols%n.Rows {
			g[k] = 0
		}
	}
	return g
}

// sharedLayers returns the layers of a dspp or ppgpr case.
func sharedLayers(t *autodiff.Tape, c tree) (layers []layer.Layer) {
	config := c.at("config")
	dims := config.at("dims").ints()
	inducing := config.at("M").ints()
	for l, m := range inducing {
		layers = append(layers, layer.NewGlobal(t, layer.GlobalConfig{
			Kernel: familytest.Kernel(c.t, config.at("kernel").text(), dims[l]),
			Inputs: dims[l], Outputs: dims[l+1], Inducing: m,
			ARD:        len(c.at("params.layers", l, "kernel.lengthscale", 0).numbers()) > 1,
			LinearMean: config.at("linear_mean").node.(bool) && l < len(inducing)-1,
			Diagonal:   config.at("cov").text() == "diag", Jitter: config.at("jitter").number(),
		}))
	}
	return layers
}

func TestSharedOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "dspp", "ppgpr") {
		t.Run(c.Name, func(t *testing.T) {
			var node any
			oracletest.Decode(t, c.Text, &node)
			g := newGolden(tree{t, node}, sharedLayers)
			g.config.Form = likelihood.LogExpected
			g.check()
		})
	}
}

// sparse is the sparse GP of an oracle case, with a separate kernel for each output. If white is
// set, the parameters of q(u) are whitened.
type sparse struct {
	tree
	global *layer.Global
	white  bool
	noise  *autodiff.Node
	tape   *autodiff.Tape
	*objective
}

// newSparse returns the sparse GP of a case, with the given number of outputs and inducing inputs
// Z. O holds the orthogonal inducing inputs, if any.
func newSparse(c tree, spec tree, outputs int, z, o []float64, white bool) *sparse {
	tape := autodiff.NewTape()
	inputs := len(c.at("X", 0).numbers())
	g := layer.NewGlobal(tape,
		layer.GlobalConfig{Kernel: familytest.Kernel(c.t, spec.at("type").text(), inputs),
			Inputs: inputs, Outputs: outputs,
			Inducing: len(z) / inputs, Orthogonal: len(o) / inputs, ARD: true, Whiten: white,
			Jitter: c.at("jitter").number()})
	copy(g.Z.Value, z)
	if g.O != nil {
		copy(g.O.Value, o)
	}
	lengthscales, variance := familytest.KernelNodes(c.t, g.Kernels)
	for t := range outputs {
		variance.Value[t] = spec.at("variance").number()
		copy(lengthscales.Row(t), spec.at("lengthscales").numbers())
	}
	s := &sparse{tree: c, global: g, white: white, tape: tape}
	st := &stack{tape: tape, inputs: inputs, layers: []layer.Layer{g}}
	config := Config{Beta: 1, Likelihood: likelihood.Gaussian{}}
	if c.at("likelihood.type").text() == "bernoulli" {
		config.Likelihood = likelihood.NewBernoulli()
	} else {
		s.noise = likelihood.NewParameters(tape, config.Likelihood)
		s.noise.Value[0] = c.at("likelihood.variance").number()
		st.observation = s.noise
	}
	x := c.at("X").matrix()
	b, _ := x.Dims()
	s.objective = newObjective(st, config, c.at("N_total").int(), b, 1)
	for i, v := range c.at("X").numbers() {
		s.x.Value[i%inputs*b+i/inputs] = v
	}
	for i, v := range c.at("Y").numbers() {
		s.y.Value[i%outputs*b+i/outputs] = v
	}
	return s
}

// run evaluates the objective and its gradients and compares the values.
func (s *sparse) run() {
	s.t.Helper()
	if err := s.tape.Forward(); err != nil {
		s.t.Fatal(err)
	}
	s.tape.Backward(s.value)
	s.close("elbo", s.value.Value, s.at("elbo"), false)
	s.close("expected_log_lik", s.scaled.Value, s.at("expected_log_lik"), false)
	s.close("kl", s.kl.Value, s.at("kl"), false)
	if s.noise != nil {
		s.close("noise", s.noise.Grad(), s.at(s.gradients(), "likelihood_variance"), true)
	}
}

// gradients returns the key of the gradients for the parametrisation.
func (s *sparse) gradients() string {
	if s.white {
		return "grad_white"
	}
	return "grad"
}

func (s *sparse) close(what string, got []float64, want tree, gradient bool) {
	s.t.Helper()
	tolerance := oracletest.ValueTolerance
	if gradient {
		tolerance, what = oracletest.GradientTolerance, "gradient of "+what
	}
	oracletest.Close(s.t, what, got, want.numbers(), tolerance)
}

// sum returns the sum of the rows of v, [rows][n]: the gradient of a parameter that all outputs of
// a case share.
func sum(v []float64, n int) []float64 {
	out := make([]float64, n)
	for i, x := range v {
		out[i%n] += x
	}
	return out
}

// runBoth runs a test in both parametrisations.
func runBoth(t *testing.T, kind string, run func(c tree, white bool)) {
	for _, c := range oracletest.Cases(t, kind) {
		for _, white := range []bool{false, true} {
			name := c.Name
			if white {
				name += " whitened"
			}
			t.Run(name, func(t *testing.T) {
				var node any
				oracletest.Decode(t, c.Text, &node)
				run(tree{t, node}, white)
			})
		}
	}
}

func TestOrthogonalOracles(t *testing.T) {
	runBoth(t, "solve_gp", func(c tree, white bool) {
		s := newSparse(c, c.at("kernel"), 1, c.at("Z").numbers(), c.at("O").numbers(), white)
		from := c
		if white {
			from = c.at("white")
		}
		for k, name := range []string{"u", "v"} {
			copy(s.global.Q[k].Mu.Value, from.at("m_"+name).numbers())
			copy(s.global.Q[k].Factor.Value, from.at("L_"+name).numbers())
		}
		s.run()
		s.close("f_mean", s.last().Mean.Value, c.at("f_mean"), false)
		s.close("f_var", s.last().Var.Value, c.at("f_var"), false)
		g := c.at(s.gradients())
		for k, name := range []string{"u", "v"} {
			q := s.global.Q[k]
			s.close("kl_"+name, q.KL.Value, c.at("kl_"+name), false)
			s.close("m_"+name, q.Mu.Grad(), g.at("m_"+name), true)
			s.close("L_"+name, lowerTriangles(q.Factor), g.at("L_"+name), true)
		}
		s.close("Z", s.global.Z.Grad(), g.at("Z"), true)
		s.close("O", s.global.O.Grad(), g.at("O"), true)
		lengthscales, variance := familytest.KernelNodes(c.t, s.global.Kernels)
		s.close("variance", variance.Grad(), g.at("kernel_variance"), true)
		s.close("lengthscales", lengthscales.Grad(), g.at("kernel_lengthscales"), true)
	})
}

// Without orthogonal inducing inputs the layer is the sparse GP of models/dgp, so the test uses the
// cases of that package.
func TestSparseOracles(t *testing.T) {
	runBoth(t, "svgp", func(c tree, white bool) {
		spec := c.at("layers", 0)
		outputs := spec.at("num_gps").int()
		s := newSparse(c, spec.at("kernel"), outputs, spec.at("Z").numbers(), nil, white)
		q, m := s.global.Q[0], s.global.Z.Rows
		mu, factor := "mu_M", "L_S"
		if white {
			mu, factor = "mu_white", "L_S_white"
		}
		copy(q.Mu.Value, c.at(mu).numbers())
		copyBlocks(q.Factor, c.at(factor).numbers())
		s.run()
		g := c.at(s.gradients())
		own := g.at("layers", 0)
		s.close("Z", s.global.Z.Grad(), own.at("Z"), true)
		lengthscales, variance := familytest.KernelNodes(c.t, s.global.Kernels)
		s.close("variance", sum(variance.Grad(), 1), own.at("kernel_variance"), true)
		s.close("lengthscales", sum(lengthscales.Grad(), s.global.Config.Inputs),
			own.at("kernel_lengthscales"), true)
		s.close(mu, q.Mu.Grad(), g.at(mu), true)
		want := autodiff.NewTape().Constant(outputs, m, m)
		copyBlocks(want, g.at(factor).numbers())
		oracletest.Close(c.t, "gradient of "+factor, lowerTriangles(q.Factor), want.Value,
			oracletest.GradientTolerance)
	})
}

// copyBlocks sets dst, [T][M][M], to the blocks on the diagonal of a matrix.
func copyBlocks(dst *autodiff.Node, src []float64) {
	m, side := dst.Rows, dst.Batch*dst.Rows
	for t := range dst.Batch {
		for i := range m {
			copy(dst.At(t)[i*m:(i+1)*m], src[(t*m+i)*side+t*m:])
		}
	}
}
