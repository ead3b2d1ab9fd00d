package dgp

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
)

// modelCase is the part of an oracle case that describes a deep GP and a minibatch.
type modelCase struct {
	Family string `json:"family"`
	Layers []struct {
		Kernel struct {
			Type         string    `json:"type"`
			Variance     float64   `json:"variance"`
			Lengthscales []float64 `json:"lengthscales"`
		} `json:"kernel"`
		Z    [][]float64 `json:"Z"`
		Mean struct {
			Type string      `json:"type"`
			W    [][]float64 `json:"W"`
		} `json:"mean"`
		NumGPs int `json:"num_gps"`
	} `json:"layers"`
	Jitter     float64 `json:"jitter"`
	Likelihood struct {
		Type     string   `json:"type"`
		Variance *float64 `json:"variance"`
	} `json:"likelihood"`
	NTotal float64         `json:"N_total"`
	Mask   [][]bool        `json:"mask"`
	X      [][]float64     `json:"X"`
	Y      [][]float64     `json:"Y"`
	Eps    [][][][]float64 `json:"eps"`
	EpsFM  [][]float64     `json:"eps_fM"`
}

// deepGPNumbers holds the expected values of an oracle case.
type deepGPNumbers struct {
	modelCase
	MuM      []float64   `json:"mu_M"`
	LS       [][]float64 `json:"L_S"`
	MuWhite  []float64   `json:"mu_white"`
	LSWhite  [][]float64 `json:"L_S_white"`
	ELBO     float64     `json:"elbo"`
	ELL      float64     `json:"expected_log_lik"`
	KL       float64     `json:"kl"`
	Terms    [][]float64 `json:"exp_log_lik_terms"`
	Outs     []layerOut  `json:"layers_out"`
	Grad     gradient    `json:"grad"`
	GradWhit gradient    `json:"grad_white"`
}

type layerOut struct {
	MuHat    [][][]float64   `json:"mu_hat"`
	SigmaHat [][][][]float64 `json:"Sigma_hat"`
	F        [][][]float64   `json:"f"`
	MuTilde  [][][]float64   `json:"mu_tilde"`
	STilde   [][][][]float64 `json:"S_tilde_row"`
	Mean     [][][]float64   `json:"mean"`
	Var      [][][]float64   `json:"var"`
}

type gradient struct {
	Layers []struct {
		Variance     float64     `json:"kernel_variance"`
		Lengthscales []float64   `json:"kernel_lengthscales"`
		Z            [][]float64 `json:"Z"`
	} `json:"layers"`
	MuM                []float64   `json:"mu_M"`
	LS                 [][]float64 `json:"L_S"`
	MuWhite            []float64   `json:"mu_white"`
	LSWhite            [][]float64 `json:"L_S_white"`
	LikelihoodVariance *float64    `json:"likelihood_variance"`
}

// architecture converts a case. It fails the test on unknown values.
func (c *modelCase) architecture(t *testing.T) *Architecture {
	t.Helper()
	arch := &Architecture{Likelihood: likelihood.Gaussian{}, Jitter: c.Jitter, FullCov: true,
		SampleInducing: c.Family == "fc_sampled"}
	var widths []int
	for l, layer := range c.Layers {
		out := Layer{
			Kernel: familytest.Kernel(t, layer.Kernel.Type, len(layer.Z[0])),
			Inputs: len(layer.Z[0]),
			GPs:    layer.NumGPs,
			M:      len(layer.Z),
		}
		switch layer.Mean.Type {
		case "zero":
		case "identity":
			out.Mean.Identity = true
		case "linear":
			out.Mean.W = flat(layer.Mean.W)
		default:
			t.Fatalf("layer %d: unknown mean function %q", l, layer.Mean.Type)
		}
		arch.Layers = append(arch.Layers, out)
		widths = append(widths, layer.NumGPs)
	}
	switch c.Likelihood.Type {
	case "gaussian":
	case "bernoulli":
		arch.Likelihood = likelihood.NewBernoulli()
	default:
		t.Fatalf("unknown likelihood %q", c.Likelihood.Type)
	}
	arch.Pattern = c.pattern(t, widths)
	return arch
}

// pattern returns the pattern of the family and checks it against the case.
func (c *modelCase) pattern(t *testing.T, widths []int) *Pattern {
	t.Helper()
	patterns := map[string]func([]int) *Pattern{
		"svgp": MeanField, "mf": MeanField, "sghmc": MeanField, "": MeanField, "natgrad_per_gp": MeanField,
		"star": StripesAndArrow,
		"fc":   FullyCoupled, "fc_sampled": FullyCoupled, "natgrad_joint": FullyCoupled,
		"mask": func(widths []int) *Pattern { return FromMask(widths, c.Mask) },
	}
	p := patterns[c.Family](widths)
	for i := range c.Mask {
		for j := 0; j <= i; j++ {
			if p.Has(i, j) != c.Mask[i][j] {
				t.Fatalf("block (%d, %d) of L_S: %v in the pattern, %v in the case",
					i, j, p.Has(i, j), c.Mask[i][j])
			}
		}
	}
	return p
}

// evaluation returns the model of the case with all values set except q(f_M).
func (c *modelCase) evaluation(t *testing.T, arch *Architecture) *Evaluation {
	t.Helper()
	samples := len(c.Eps)
	if c.EpsFM != nil {
		samples = len(c.EpsFM)
	}
	e := NewEvaluation(arch, len(c.X), max(samples, 1))
	for l, layer := range c.Layers {
		p := e.Layer(l)
		copy(p.Z, flat(layer.Z))
		copy(p.Lengthscales, layer.Kernel.Lengthscales)
		p.Variance[0] = layer.Kernel.Variance
	}
	if c.Likelihood.Variance != nil {
		e.Noise()[0] = *c.Likelihood.Variance
	}
	e.SetData(flat(c.X), flat(c.Y), c.NTotal)
	fillEps(c.Eps, len(c.Layers)-1, e.Eps)
	m := arch.Layers[0].M
	for r, row := range c.EpsFM {
		for k, v := range row {
			e.EpsInducing()[(k/m*len(c.EpsFM)+r)*m+k%m] = v
		}
	}
	return e
}

// fillEps copies draws, [R][L-1][B][T_l], to the draws of each hidden layer, [T_l][R][B].
func fillEps(draws [][][][]float64, hidden int, of func(l int) []float64) {
	for l := range hidden {
		for r := range draws {
			for b, row := range draws[r][l] {
				for k, v := range row {
					of(l)[(k*len(draws)+r)*len(draws[r][l])+b] = v
				}
			}
		}
	}
}

// setPosterior copies stacked means and the dense factor to the evaluation.
func setPosterior(e *Evaluation, arch *Architecture, mu []float64, ls [][]float64) {
	for l, start := 0, 0; l < len(arch.Layers); l++ {
		q := e.Layer(l).QMu
		copy(q, mu[start:start+len(q)])
		start += len(q)
	}
	eachBlock(arch, func(i, j int) {
		block, m := e.QSqrt(i, j), arch.Layers[0].M
		for r := range m {
			copy(block[r*m:(r+1)*m], ls[i*m+r][j*m:(j+1)*m])
		}
	})
}

// eachBlock calls visit for each block of L_S that can be non-zero.
func eachBlock(arch *Architecture, visit func(i, j int)) {
	for i := range arch.Pattern.NumGPs() {
		for j := 0; j <= i; j++ {
			if arch.Pattern.Has(i, j) {
				visit(i, j)
			}
		}
	}
}

// deepGPCase checks the objective, its terms, the marginals and the gradients, with q(f_M) and its
// whitened form as the parameters.
func deepGPCase(t *testing.T, raw []byte) {
	var c deepGPNumbers
	oracletest.Decode(t, raw, &c)
	for _, unwhitened := range []bool{false, true} {
		t.Run(fmt.Sprintf("unwhitened=%v", unwhitened), func(t *testing.T) {
			arch := c.architecture(t)
			arch.Unwhitened = unwhitened
			e := c.evaluation(t, arch)
			mu, ls, want := c.MuWhite, c.LSWhite, c.GradWhit
			if unwhitened {
				mu, ls, want = c.MuM, c.LS, c.Grad
				want.MuWhite, want.LSWhite = want.MuM, want.LS
			}
			setPosterior(e, arch, mu, ls)
			terms, err := e.Run()
			if err != nil {
				t.Fatal(err)
			}
			oracletest.Close(t, "elbo", []float64{terms.ELBO}, []float64{c.ELBO}, oracletest.ValueTolerance)
			oracletest.Close(t, "expected_log_lik", []float64{terms.ExpectedLogLik}, []float64{c.ELL},
				oracletest.ValueTolerance)
			oracletest.Close(t, "kl", []float64{terms.KL}, []float64{c.KL}, oracletest.ValueTolerance)
			oracletest.Close(t, "exp_log_lik_terms", terms.PerPoint, flat(c.Terms), oracletest.ValueTolerance)
			for l := range c.Outs {
				checkMarginals(t, e, arch, l, &c)
			}
			e.Differentiate()
			checkGradients(t, e, arch, want)
		})
	}
	// The covariance of the outputs affects only the marginals: without it the bound and its
	// gradients are the same.
	arch := c.architecture(t)
	arch.FullCov = false
	e := c.evaluation(t, arch)
	setPosterior(e, arch, c.MuWhite, c.LSWhite)
	terms, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	oracletest.Close(t, "elbo without full covariance", []float64{terms.ELBO}, []float64{c.ELBO},
		oracletest.ValueTolerance)
	e.Differentiate()
	checkGradients(t, e, arch, c.GradWhit)
}

// checkMarginals compares the moments of one layer for all samples and points.
func checkMarginals(t *testing.T, e *Evaluation, arch *Architecture, l int, c *deepGPNumbers) {
	t.Helper()
	m, want, width := e.Marginals(l), c.Outs[l], arch.Layers[l].GPs
	below := 0
	for _, layer := range arch.Layers[:l+1] {
		below += layer.GPs
	}
	each := func(name string, want []float64, per int, at func(k, r, b int) float64) {
		t.Helper()
		if want == nil {
			return
		}
		var got []float64
		for r := range e.Samples() {
			for b := range c.X {
				for k := range per {
					got = append(got, at(k, r, b))
				}
			}
		}
		oracletest.Close(t, fmt.Sprintf("layers_out[%d].%s", l, name), got, want, oracletest.ValueTolerance)
	}
	if arch.SampleInducing {
		each("mean", flat(flat(want.Mean)), width, m.SampledMean)
		each("var", flat(flat(want.Var)), width, func(_, r, b int) float64 { return m.SampledVariance(r, b) })
	} else {
		each("mu_hat", flat(flat(want.MuHat)), width, m.MuHat)
		each("mu_tilde", flat(flat(want.MuTilde)), width, m.MuTilde)
		each("Sigma_hat", flat(flat(flat(want.SigmaHat))), width*width, func(k, r, b int) float64 {
			return m.SigmaHat(k/width, k%width, r, b)
		})
		each("S_tilde_row", flat(flat(flat(want.STilde))), width*below, func(k, r, b int) float64 {
			return m.STilde(k/below, k%below, r, b)
		})
	}
	if want.F != nil {
		each("f", flat(flat(want.F)), width, m.Sample)
	}
}

// checkGradients compares the gradients of all parameters. Only the free entries of L_S are
// compared.
func checkGradients(t *testing.T, e *Evaluation, arch *Architecture, want gradient) {
	t.Helper()
	var mu []float64
	for l := range arch.Layers {
		g, w := e.LayerGradient(l), want.Layers[l]
		name := fmt.Sprintf("grad.layers[%d].", l)
		oracletest.Close(t, name+"kernel_variance", g.Variance, []float64{w.Variance},
			oracletest.GradientTolerance)
		oracletest.Close(t, name+"kernel_lengthscales", g.Lengthscales, w.Lengthscales,
			oracletest.GradientTolerance)
		oracletest.Close(t, name+"Z", g.Z, flat(w.Z), oracletest.GradientTolerance)
		mu = append(mu, g.QMu...)
	}
	oracletest.Close(t, "grad.mu", mu, want.MuWhite, oracletest.GradientTolerance)
	oracletest.Close(t, "grad.L_S", denseRows(arch, e.QSqrtGradient), flat(want.LSWhite),
		oracletest.GradientTolerance)
	if want.LikelihoodVariance != nil {
		oracletest.Close(t, "grad.likelihood_variance", e.NoiseGradient(),
			[]float64{*want.LikelihoodVariance}, oracletest.GradientTolerance)
	}
}

// denseRows returns the lower triangular entries of the blocks as a dense matrix, [TM][TM].
func denseRows(arch *Architecture, blocks func(i, j int) []float64) []float64 {
	m := arch.Layers[0].M
	side := arch.Pattern.NumGPs() * m
	out := make([]float64, side*side)
	eachBlock(arch, func(i, j int) {
		b := blocks(i, j)
		for r := range m {
			for c := range m {
				if i > j || c <= r {
					out[(i*m+r)*side+j*m+c] = b[r*m+c]
				}
			}
		}
	})
	return out
}

// flat concatenates the rows of a nested list.
func flat[T any](rows [][]T) []T {
	var out []T
	for _, row := range rows {
		out = append(out, row...)
	}
	return out
}

// denseOf returns the rows as a matrix.
func denseOf(rows [][]float64) *mat.Dense {
	return mat.NewDense(len(rows), len(rows[0]), flat(rows))
}
