package ep

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
	"dgplab/models/stats"
)

// goldenGP, goldenLayers, goldenState and golden are the contents of an oracle case.
type goldenGP struct {
	Z           [][]float64
	Variance    float64
	Lengthscale []float64
	T1          []float64
	T2          [][]float64
}

type goldenLayers struct {
	Layers []struct {
		GPs      []goldenGP `json:"gps"`
		NoiseVar *float64   `json:"noise_var"`
	}
}

type goldenState struct {
	M []float64   `json:"m"`
	V [][]float64 `json:"V"`
}

type golden struct {
	Config struct {
		N, B       int
		Likelihood string
		OutputCov  string `json:"output_cov"`
		Jitter     float64
	}
	Data struct {
		X, Y         [][]float64
		XTest, YTest [][]float64
	}
	Params, Grad goldenLayers
	Expect       struct {
		Objective float64
		Parts     struct {
			PhiPosterior float64   `json:"phi_posterior"`
			PhiCavity    float64   `json:"phi_cavity"`
			PhiPrior     float64   `json:"phi_prior"`
			LogZ         []float64 `json:"log_z"`
		}
		CavityLayers []struct{ Mean, Var [][]float64 } `json:"cavity_layers"`
		Cavity       [][]goldenState
		Posterior    [][]goldenState
		YCov         [][][]float64 `json:"y_cov"`
		Predict      *struct {
			FMean      [][]float64   `json:"f_mean"`
			FVar       [][]float64   `json:"f_var"`
			YCov       [][][]float64 `json:"y_cov"`
			LogDensity []float64     `json:"log_density"`
			ProbPlus   []float64     `json:"prob_plus"`
		}
		FITC      *float64    `json:"fitc_log_marginal_likelihood"`
		MeanPost  []float64   `json:"posterior_mean"`
		CovPost   [][]float64 `json:"posterior_cov"`
		Gap       float64
		Diagonal  *float64  `json:"objective_if_diagonal"`
		DiagonalZ []float64 `json:"log_z_if_diagonal"`
	}
}

// built is the stack of a case, with the leaves for T1 and T2.
type built struct {
	*energy
	t1, t2 []*autodiff.Node
}

// build returns the energy of a case.
func build(c *golden, correlated bool) *built {
	b := &built{}
	t := autodiff.NewTape()
	s := &stack{tape: t, inputs: len(c.Data.X[0]), correlated: correlated}
	for _, from := range c.Params.Layers {
		own := &layer{}
		for _, p := range from.GPs {
			m := len(p.Z)
			d := len(p.Lengthscale)
			g := newGP(t, "a GP", c.Config.N, m, d, c.Config.Jitter)
			copy(g.Z.Value, slices.Concat(p.Z...))
			copy(g.Lengthscales.Value, p.Lengthscale)
			g.Variance.Value[0] = p.Variance
			t1 := t.Variable(1, m, 1)
			t2 := t.Variable(1, m, m)
			copy(t1.Value, p.T1)
			copy(t2.Value, slices.Concat(p.T2...))
			g.setFactor(t, t.MatMul(g.root, t1, autodiff.TransA),
				t.MatMul(t.MatMul(g.root, t2, autodiff.TransA), g.root))
			g.posterior.complete(t)
			b.t1 = append(b.t1, t1)
			b.t2 = append(b.t2, t2)
			own.gps = append(own.gps, g)
		}
		if from.NoiseVar != nil {
			own.noise = t.Variable(1, 1, 1)
			own.noise.Value[0] = *from.NoiseVar
		}
		s.layers = append(s.layers, own)
	}
	var l likelihood.Likelihood = likelihood.Gaussian{}
	if c.Config.Likelihood == "bernoulli" {
		l = likelihood.NewBernoulli()
	}
	b.energy = newEnergy(s, l, c.Config.N, len(c.Data.X), len(c.Data.Y[0]))
	copy(b.pass.x.Value, columns(c.Data.X))
	copy(b.y.Value, columns(c.Data.Y))
	return b
}

// columns returns rows [n][d] transposed, as [d][n].
func columns(rows [][]float64) []float64 {
	out := make([]float64, 0, len(rows)*len(rows[0]))
	for d := range rows[0] {
		for _, row := range rows {
			out = append(out, row[d])
		}
	}
	return out
}

func value(t *testing.T, what string, got, want []float64) {
	t.Helper()
	oracletest.Close(t, what, got, want, oracletest.ValueTolerance)
}

// TestOracles checks energies, their terms and all gradients, cavities, posteriors and predictions.
func TestOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "aep") {
		t.Run(c.Name, func(t *testing.T) {
			var g golden
			oracletest.Decode(t, c.Text, &g)
			full := g.Config.OutputCov == "full"
			b := build(&g, full)
			b.check(t, &g)
			b.checkStates(t, &g)
			b.predict(t, &g)
			if !full {
				return
			}
			diagonal := build(&g, false)
			diagonal.run(t)
			value(t, "diagonal", diagonal.value.Value, []float64{*g.Expect.Diagonal})
			value(t, "diagonal log Z", diagonal.logZ.Value, g.Expect.DiagonalZ)
		})
	}
}

func (b *built) run(t *testing.T) {
	t.Helper()
	if err := b.tape.Forward(); err != nil {
		t.Fatal(err)
	}
}

// check compares the energy, its terms and its gradients.
func (b *built) check(t *testing.T, g *golden) {
	t.Helper()
	b.run(t)
	value(t, "objective", b.value.Value, []float64{g.Expect.Objective})
	value(t, "log Z", b.logZ.Value, g.Expect.Parts.LogZ)
	var prior, cavity, posterior float64
	b.eachGP(func(_, _ int, gp *gp) {
		l := gp.logRoot.Value[0]
		prior = prior + l
		cavity = cavity + l + gp.cavity.phi.Value[0]
		posterior = posterior + l + gp.posterior.phi.Value[0]
	})
	parts := g.Expect.Parts
	value(t, "phi", []float64{prior, cavity, posterior},
		[]float64{parts.PhiPrior, parts.PhiCavity, parts.PhiPosterior})
	b.tape.Backward(b.value)
	at := 0
	for l, want := range g.Grad.Layers {
		for k, w := range want.GPs {
			gp := b.layers[l].gps[k]
			for _, entry := range []struct {
				what string
				node *autodiff.Node
				want []float64
			}{
				{"Z", gp.Z, slices.Concat(w.Z...)}, {"lengthscale", gp.Lengthscales, w.Lengthscale},
				{"variance", gp.Variance, []float64{w.Variance}}, {"T1", b.t1[at], w.T1},
				{"T2", b.t2[at], slices.Concat(w.T2...)},
			} {
				oracletest.Close(t, "gradient of "+entry.what, entry.node.Grad(), entry.want,
					oracletest.GradientTolerance)
			}
			at++
		}
		if want.NoiseVar != nil {
			oracletest.Close(t, "gradient of noise_var", b.layers[l].noise.Grad(), []float64{*want.NoiseVar},
				oracletest.GradientTolerance)
		}
	}
}

// moments returns the mean and the covariance of u in a state.
func (s *state) moments() (m, v []float64) {
	g := s.gp
	n := g.inducing
	l := g.root.Value
	m = make([]float64, n)
	v = make([]float64, n*n)
	for i := range n {
		for k := range i + 1 {
			m[i] += l[i*n+k] * s.a.Value[k]
		}
		for j := range n {
			for k := range i + 1 {
				for q := range j + 1 {
					v[i*n+j] += l[i*n+k] * s.c.Value[k*n+q] * l[j*n+q]
				}
			}
		}
	}
	return m, v
}

// checkStates compares cavities and posteriors, and the moments of the layers under the cavities.
func (b *built) checkStates(t *testing.T, g *golden) {
	t.Helper()
	b.eachGP(func(l, k int, gp *gp) {
		for _, entry := range []struct {
			what string
			s    *state
			want goldenState
		}{{"cavity", gp.cavity, g.Expect.Cavity[l][k]},
			{"posterior", gp.posterior, g.Expect.Posterior[l][k]}} {
			m, v := entry.s.moments()
			value(t, entry.what+" mean", m, entry.want.M)
			value(t, entry.what+" covariance", v, slices.Concat(entry.want.V...))
		}
	})
	for l, want := range g.Expect.CavityLayers {
		value(t, "mean", b.pass.layers[l].mean.Value, columns(want.Mean))
		vr := slices.Clone(b.pass.layers[l].vr.Value)
		if noise := b.layers[l].noise; l == len(b.layers)-1 && noise != nil {
			for i := range vr {
				vr[i] += noise.Value[0]
			}
		}
		value(t, "variance", vr, columns(want.Var))
	}
}

// predict compares predictions, which use the posterior.
func (b *built) predict(t *testing.T, g *golden) {
	t.Helper()
	want := g.Expect.Predict
	tape := autodiff.NewTape()
	p := b.record(tape, len(g.Data.XTest), func(g *gp) *state { return g.posterior })
	copy(p.x.Value, columns(g.Data.XTest))
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
	mean := p.last().mean.Value
	vr := p.last().vr.Value
	value(t, "f_mean", mean, columns(want.FMean))
	value(t, "f_var", vr, columns(want.FVar))
	n := len(g.Data.XTest)
	if want.ProbPlus != nil {
		for i, w := range want.ProbPlus {
			value(t, "prob_plus", []float64{stats.CDF(mean[i] / math.Sqrt(1+vr[i]))}, []float64{w})
		}
		return
	}
	for i, w := range want.YCov {
		for a := range w {
			for c := range a {
				value(t, "y_cov", []float64{p.last().covariance.Value[(a*(a-1)/2+c)*n+i]}, []float64{w[a][c]})
			}
		}
	}
}

// TestFITCOracles compares the energy with the marginal likelihood of FITC: both are equal for
// copies of one point, and the energy is higher for distinct points.
func TestFITCOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "aep_fitc") {
		var g struct {
			EqualPoints    golden `json:"equal_points"`
			DistinctPoints golden `json:"distinct_points"`
		}
		oracletest.Decode(t, c.Text, &g)
		for name, part := range map[string]*golden{"equal": &g.EqualPoints, "distinct": &g.DistinctPoints} {
			t.Run(name, func(t *testing.T) {
				var head golden
				oracletest.Decode(t, c.Text, &head)
				part.Config = head.Config
				b := build(part, false)
				b.check(t, part)
				m, v := b.layers[0].gps[0].posterior.moments()
				value(t, "posterior mean", m, part.Expect.MeanPost)
				value(t, "posterior covariance", v, slices.Concat(part.Expect.CovPost...))
				value(t, "gap", []float64{b.value.Value[0] - *part.Expect.FITC}, []float64{part.Expect.Gap})
				if above := b.value.Value[0] > *part.Expect.FITC+1e-9; above != (name == "distinct") {
					t.Errorf("above the FITC value: %v", above)
				}
			})
		}
	}
}
