package gprn

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// golden is the common part of the oracle cases of both families.
type golden struct {
	Config struct {
		N, P, Q, K, D int
		KernelF       string `json:"kernel_f"`
		KernelW       string `json:"kernel_w"`
		Jitter        float64
	}
	Data struct{ X, Y, Xtest [][]float64 }
}

// goldenKernel is a kernel in an oracle case, or the gradient with respect to its parameters.
type goldenKernel struct {
	Variance    float64
	Lengthscale []float64
}

// goldenState is a mean-field posterior, or a gradient with respect to it.
type goldenState struct {
	KernelF  goldenKernel    `json:"kernel_f"`
	KernelW  goldenKernel    `json:"kernel_w"`
	NoiseVar float64         `json:"noise_var"`
	MuF      [][]float64     `json:"mu_f"`
	SigmaF   [][][]float64   `json:"Sigma_f"`
	MuW      [][][]float64   `json:"mu_w"`
	SigmaW   [][][][]float64 `json:"Sigma_w"`
}

type goldenParts struct {
	LogLik   float64 `json:"expected_log_lik"`
	PriorF   float64 `json:"expected_log_prior_f"`
	PriorW   float64 `json:"expected_log_prior_w"`
	EntropyF float64 `json:"entropy_f"`
	EntropyW float64 `json:"entropy_w"`
}

type goldenPrediction struct {
	FMean [][]float64   `json:"f_mean"`
	FVar  [][]float64   `json:"f_var"`
	WMean [][][]float64 `json:"w_mean"`
	WVar  [][][]float64 `json:"w_var"`
	YMean [][]float64   `json:"y_mean"`
	YCov  [][][]float64 `json:"y_cov"`
}

type goldenMeanField struct {
	golden
	Params goldenState
	Expect struct {
		Objective float64
		Parts     goldenParts
		Updates   []struct {
			Factor string
			I, J   int
			Mu     []float64
			Sigma  [][]float64
			ELBO   float64
		}
		Predict       goldenPrediction
		AfterSweeps   []float64 `json:"elbo_after_sweeps"`
		AfterOneSweep struct {
			goldenState
			Objective float64
			Parts     goldenParts
			Predict   goldenPrediction
			Grad      goldenState
		} `json:"after_one_sweep"`
	}
	Grad goldenState
}

// priorOf returns a prior of a case.
func (c *golden) priorOf(t *testing.T, name, kind string, k goldenKernel, d *data) *prior {
	t.Helper()
	return newPrior(name, familytest.Kernel(t, kind, d.d), d, c.Config.Jitter, k.Variance,
		slices.Clone(k.Lengthscale), true)
}

// data returns the data of a case.
func (c *golden) data() *data { return newData(denseOf(c.Data.X), denseOf(c.Data.Y)) }

// network returns the network of a case, with the means and variances of the latent functions.
// Updates read nothing else.
func (c *goldenMeanField) network(t *testing.T) *network {
	t.Helper()
	d := c.data()
	m, err := newNetwork(d, c.Config.Q, c.Params.NoiseVar,
		[]*prior{c.priorOf(t, "latent", c.Config.KernelF, c.Params.KernelF, d)},
		c.priorOf(t, "weight", c.Config.KernelW, c.Params.KernelW, d))
	if err != nil {
		t.Fatal(err)
	}
	m.latents[0].refresh()
	m.weight.refresh()
	for j, f := range m.f {
		copy(f.mean, c.Params.MuF[j])
		copy(f.variance, diagonal(c.Params.SigmaF[j]))
	}
	return m
}

// sweptFromStart returns the network after one sweep from the state of the case, whose weight
// functions have separate covariances.
func (c *goldenMeanField) sweptFromStart(t *testing.T) *network {
	t.Helper()
	m := c.network(t)
	shared := make([][]float64, len(m.w))
	for at, w := range m.w {
		copy(w.mean, c.Params.MuW[at/m.q][at%m.q])
		shared[at], w.variance = w.variance, diagonal(c.Params.SigmaW[at/m.q][at%m.q])
	}
	m.setResiduals()
	if err := m.update(m.groups[:m.q]); err != nil {
		t.Fatal(err)
	}
	for at, w := range m.w {
		w.variance = shared[at]
	}
	if err := m.update(m.groups[m.q:]); err != nil {
		t.Fatal(err)
	}
	m.setTerms()
	return m
}

func denseOf(rows [][]float64) *mat.Dense {
	return mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
}

func diagonal(a [][]float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i][i]
	}
	return out
}

// reference is the bound computed from its definition, with arbitrary covariances.
type reference struct {
	m              *network
	muF, muW       [][]float64
	sigmaF, sigmaW []*mat.Dense // [Q], [P*Q]
}

func (c *goldenMeanField) reference(m *network, s *goldenState) *reference {
	r := &reference{m: m, muF: slices.Clone(s.MuF)}
	for _, a := range s.SigmaF {
		r.sigmaF = append(r.sigmaF, denseOf(a))
	}
	for i := range s.MuW {
		for j := range s.MuW[i] {
			r.muW = append(r.muW, s.MuW[i][j])
			r.sigmaW = append(r.sigmaW, denseOf(s.SigmaW[i][j]))
		}
	}
	return r
}

// logDet returns log|a| by LU.
func logDet(a mat.Matrix) float64 {
	var lu mat.LU
	lu.Factorize(a)
	value, _ := lu.LogDet()
	return value
}

// priorAndEntropy returns E log N(g; 0, K) and the entropy of N(mu, sigma), summed over functions.
func priorAndEntropy(p *prior, mu [][]float64, sigma []*mat.Dense) (expected, entropy float64) {
	n := p.data.n
	k := mat.NewDense(n, n, p.k)
	var inverse, product mat.Dense
	if err := inverse.Inverse(k); err != nil {
		panic(err)
	}
	for i := range mu {
		product.Mul(&inverse, sigma[i])
		v := mat.NewVecDense(n, mu[i])
		expected -= 0.5 *
			(logDet(k) + mat.Trace(&product) + mat.Inner(v, &inverse, v) + float64(n)*math.Log(2*math.Pi))
		entropy += 0.5 * (logDet(sigma[i]) + float64(n)*math.Log(2*math.Pi*math.E))
	}
	return expected, entropy
}

// parts returns the terms of the bound.
func (r *reference) parts() goldenParts {
	var out goldenParts
	m := r.m
	for j := range m.q {
		own, entropy := priorAndEntropy(m.latents[j%len(m.latents)], r.muF[j:j+1], r.sigmaF[j:j+1])
		out.PriorF += own
		out.EntropyF += entropy
	}
	out.PriorW, out.EntropyW = priorAndEntropy(m.weight, r.muW, r.sigmaW)
	for i := range m.p {
		y, seen := m.targets(i)
		for n := range m.n {
			if seen[n] == 0 {
				continue
			}
			mean, spread := 0.0, 0.0
			for j := range m.q {
				f := r.muF[j][n]
				vf := r.sigmaF[j].At(n, n)
				w := r.muW[i*m.q+j][n]
				vw := r.sigmaW[i*m.q+j].At(n, n)
				mean += w * f
				spread += (w*w+vw)*(f*f+vf) - w*w*f*f
			}
			out.LogLik -= 0.5 * (math.Log(2*math.Pi*m.noise[0]) + ((y[n]-mean)*(y[n]-mean)+spread)/m.noise[0])
		}
	}
	return out
}

func (p goldenParts) sum() float64 { return p.LogLik + p.PriorF + p.PriorW + p.EntropyF + p.EntropyW }

// sigma returns the covariance of a group from its definition, with explicit inverses.
func (m *network) sigma(g *group) *mat.Dense {
	var out mat.Dense
	if err := out.Inverse(mat.NewDense(m.n, m.n, g.prior.k)); err != nil {
		panic(err)
	}
	for n, p := range g.precision {
		out.Set(n, n, out.At(n, n)+p/m.noise[0])
	}
	if err := out.Inverse(&out); err != nil {
		panic(err)
	}
	return &out
}

// referenceOf returns the reference for the current state of a network.
func referenceOf(m *network) *reference {
	r := &reference{m: m, muW: make([][]float64, m.p*m.q), sigmaW: make([]*mat.Dense, m.p*m.q)}
	for k, g := range m.groups {
		sigma := m.sigma(g)
		for _, f := range g.members {
			if k < m.q {
				r.muF = append(r.muF, f.mean)
				r.sigmaF = append(r.sigmaF, sigma)
			} else {
				r.muW[f.output*m.q+f.latent], r.sigmaW[f.output*m.q+f.latent] = f.mean, sigma
			}
		}
	}
	return r
}

func TestMeanFieldOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "gprn_mf") {
		var c goldenMeanField
		oracletest.Decode(t, file.Text, &c)
		t.Run(file.Name+"/updates", func(t *testing.T) { checkUpdates(t, &c) })
		t.Run(file.Name+"/start", func(t *testing.T) { checkAnyState(t, &c) })
		t.Run(file.Name+"/swept", func(t *testing.T) { checkSwept(t, &c) })
	}
}

func checkValue(t *testing.T, what string, got, want float64) {
	t.Helper()
	oracletest.Close(t, what, []float64{got}, []float64{want}, oracletest.ValueTolerance)
}

// checkUpdates compares every coordinate update, the bound after each update, and the bound after
// sweeps.
func checkUpdates(t *testing.T, c *goldenMeanField) {
	m := c.sweptFromStart(t)
	r := c.reference(m, &c.Params)
	checkValue(t, "ELBO at the start", r.parts().sum(), c.Expect.AfterSweeps[0])
	for k, want := range c.Expect.Updates {
		at := want.J
		f := m.f[want.J]
		g := m.groups[want.J]
		mu := r.muF
		sigma := r.sigmaF
		if want.Factor == "w" {
			at = want.I*m.q + want.J
			f = m.w[at]
			g = m.groups[m.q+want.J]
			mu = r.muW
			sigma = r.sigmaW
		}
		mu[at], sigma[at] = f.mean, m.sigma(g)
		oracletest.Close(t, "mu", f.mean, want.Mu, oracletest.ValueTolerance)
		oracletest.Close(t, "Sigma", sigma[at].RawMatrix().Data, slices.Concat(want.Sigma...),
			oracletest.ValueTolerance)
		oracletest.Close(t, "variance", f.variance, diagonal(want.Sigma), oracletest.ValueTolerance)
		checkValue(t, "ELBO after update "+strconv.Itoa(k+1), r.parts().sum(), want.ELBO)
	}
	for k, want := range c.Expect.AfterSweeps[1:] {
		if k > 0 {
			if err := m.sweep(); err != nil {
				t.Fatal(err)
			}
		}
		checkValue(t, "ELBO after sweep "+strconv.Itoa(k+1), m.bound(), want)
	}
}

// checkAnyState compares the bound and its gradient at a state with arbitrary covariances. A
// network stores only what the likelihood needs, so the test computes the rest from its definition.
func checkAnyState(t *testing.T, c *goldenMeanField) {
	m := c.network(t)
	for at, w := range m.w {
		copy(w.mean, c.Params.MuW[at/m.q][at%m.q])
		w.variance = diagonal(c.Params.SigmaW[at/m.q][at%m.q])
	}
	r := c.reference(m, &c.Params)
	checkParts(t, r.parts(), c.Expect.Parts)
	checkValue(t, "objective", r.parts().sum(), c.Expect.Objective)
	m.setResiduals()
	m.setTerms()
	checkValue(t, "expected log-likelihood", m.terms[termLogLik], c.Expect.Parts.LogLik)

	m.differentiateLogLik()
	oracletest.Close(t, "noise", m.dNoise, []float64{c.Grad.NoiseVar}, oracletest.GradientTolerance)
	for j, f := range m.f {
		checkMoments(t, m.latents[0], f, m.groups[j].change, r.sigmaF[j], c.Grad.MuF[j], c.Grad.SigmaF[j])
	}
	for at, w := range m.w {
		checkMoments(t, m.weight, w, m.groups[m.q+at%m.q].change, r.sigmaW[at], c.Grad.MuW[at/m.q][at%m.q],
			c.Grad.SigmaW[at/m.q][at%m.q])
	}
	checkKernel(t, m.latents[0], r.muF, r.sigmaF, c.Grad.KernelF)
	checkKernel(t, m.weight, r.muW, r.sigmaW, c.Grad.KernelW)
}

func checkParts(t *testing.T, got, want goldenParts) {
	t.Helper()
	oracletest.Close(t, "parts", []float64{got.LogLik, got.PriorF, got.PriorW, got.EntropyF, got.EntropyW},
		[]float64{want.LogLik, want.PriorF, want.PriorW, want.EntropyF, want.EntropyW},
		oracletest.ValueTolerance)
}

// checkMoments compares the gradients with respect to a mean and a covariance: the likelihood terms
// plus -K^-1 mu and (sigma^-1 - K^-1)/2.
func checkMoments(
	t *testing.T, p *prior, f *function, change []float64, sigma *mat.Dense, mu []float64, want [][]float64,
) {
	t.Helper()
	n := len(mu)
	var prior, got mat.Dense
	var pull mat.VecDense
	if prior.Inverse(mat.NewDense(n, n, p.k)) != nil || got.Inverse(sigma) != nil {
		t.Fatal("a matrix is singular")
	}
	pull.MulVec(&prior, mat.NewVecDense(n, f.mean))
	gradient := make([]float64, n)
	for i := range gradient {
		gradient[i] = f.gradient[i] - pull.AtVec(i)
	}
	oracletest.Close(t, "gradient of a mean", gradient, mu, oracletest.GradientTolerance)
	got.Sub(&got, &prior)
	got.Scale(0.5, &got)
	for i, v := range change {
		got.Set(i, i, got.At(i, i)+v)
	}
	oracletest.Close(t, "gradient of a covariance", got.RawMatrix().Data, slices.Concat(want...),
		oracletest.GradientTolerance)
}

// checkKernel compares the gradient with respect to a kernel, eq. 29.
func checkKernel(t *testing.T, p *prior, mu [][]float64, sigma []*mat.Dense, want goldenKernel) {
	t.Helper()
	n := p.data.n
	var inverse, sum, outer mat.Dense
	k := mat.NewDense(n, n, p.k)
	if err := inverse.Inverse(k); err != nil {
		t.Fatal(err)
	}
	sum.Scale(-float64(len(mu)), k)
	for i := range mu {
		v := mat.NewVecDense(n, mu[i])
		outer.Outer(1, v, v)
		sum.Add(&sum, &outer)
		sum.Add(&sum, sigma[i])
	}
	sum.Mul(&inverse, &sum)
	sum.Mul(&sum, &inverse)
	sum.Scale(0.5, &sum)
	p.backward(sum.RawMatrix().Data)
	checkPriorGradient(t, p, want)
}

func checkPriorGradient(t *testing.T, p *prior, want goldenKernel) {
	t.Helper()
	lengthscales, variance := familytest.KernelNodes(t, p.kernel)
	oracletest.Close(t, p.name+" variance", variance.Grad(), []float64{want.Variance},
		oracletest.GradientTolerance)
	oracletest.Close(t, p.name+" lengthscales", lengthscales.Grad(), want.Lengthscale,
		oracletest.GradientTolerance)
}

// checkSwept compares the network after a sweep. The gradient with fixed posterior is the gradient
// of Evaluate without the part through the posterior.
func checkSwept(t *testing.T, c *goldenMeanField) {
	m, want := c.sweptFromStart(t), &c.Expect.AfterOneSweep
	checkValue(t, "objective", m.bound(), want.Objective)
	checkValue(t, "expected log-likelihood", m.terms[termLogLik], want.Parts.LogLik)
	checkValue(t, "latent divergence", -m.terms[termLatent], want.Parts.PriorF+want.Parts.EntropyF)
	checkValue(t, "weight divergence", -m.terms[termWeight], want.Parts.PriorW+want.Parts.EntropyW)
	checkParts(t, referenceOf(m).parts(), want.Parts)

	m.differentiateLogLik()
	for _, g := range m.groups {
		for i, p := range g.precision {
			g.change[i] = -0.5 * p / m.noise[0]
		}
		for _, f := range g.members {
			copy(f.gradient, f.alpha)
		}
	}
	if err := m.backward(); err != nil {
		t.Fatal(err)
	}
	checkPriorGradient(t, m.latents[0], want.Grad.KernelF)
	checkPriorGradient(t, m.weight, want.Grad.KernelW)
	oracletest.Close(t, "noise", m.dNoise, []float64{want.Grad.NoiseVar}, oracletest.GradientTolerance)

	got, err := m.predict(slices.Concat(c.Data.Xtest...))
	if err != nil {
		t.Fatal(err)
	}
	exact := want.Predict.moments()
	oracletest.Close(t, "means of the functions", got.mean, exact.mean, oracletest.ValueTolerance)
	oracletest.Close(t, "variances of the functions", got.variance, exact.variance, oracletest.ValueTolerance)
	for _, p := range []goldenPrediction{want.Predict, c.Expect.Predict} {
		checkOutputs(t, &mixture{p: m.p, q: m.q, noise: m.noise[0], components: []*moments{p.moments()}}, p)
	}
}

// moments returns the moments of all functions.
func (p *goldenPrediction) moments() *moments {
	a := newMoments(0, len(p.FMean[0]))
	a.mean = slices.Concat(p.FMean...)
	a.variance = slices.Concat(p.FVar...)
	for i := range p.WMean {
		a.mean = append(a.mean, slices.Concat(p.WMean[i]...)...)
		a.variance = append(a.variance, slices.Concat(p.WVar[i]...)...)
	}
	return a
}

// covariance returns the covariance of two outputs at a point, by the law of total covariance over
// the components.
func (m *mixture) covariance(i, k, point int) (sum float64) {
	var meanI, meanK, product float64
	share := 1 / float64(len(m.components))
	for _, c := range m.components {
		a, vr := m.output(c, i, point)
		b, _ := m.output(c, k, point)
		meanI, meanK, product = meanI+share*a, meanK+share*b, product+share*a*b
		if i == k {
			sum += share * vr
			continue
		}
		for j := range m.q {
			_, f := c.of(j)
			wi, _ := c.of(m.q + i*m.q + j)
			wk, _ := c.of(m.q + k*m.q + j)
			sum += share * wi[point] * wk[point] * f[point]
		}
	}
	return sum + product - meanI*meanK
}

// checkOutputs compares the closed-form moments of the outputs, and the moments of draws.
func checkOutputs(t *testing.T, m *mixture, want goldenPrediction) {
	t.Helper()
	const draws = 60000
	got := m.draw(draws, 1)
	mean := make([]float64, len(got.mean))
	vr := make([]float64, len(got.mean))
	got.Moments(mean, vr)
	oracletest.Close(t, "y_mean", mean, slices.Concat(want.YMean...), oracletest.ValueTolerance)
	got.Gaussians.Moments(mean, make([]float64, len(mean)))
	for point, cov := range want.YCov {
		for i := range cov {
			at := point*m.p + i
			scale := math.Sqrt(cov[i][i])
			checkValue(t, "variance", vr[at], cov[i][i])
			if d := mean[at] - want.YMean[point][i]; math.Abs(d) > 6*scale/math.Sqrt(draws) {
				t.Errorf("the mean of the mixture is off by %v of %v", d, scale)
			}
			for k := range cov {
				checkValue(t, "y_cov", m.covariance(i, k, point), cov[i][k])
				// The product of two outputs has a standard deviation of a few variances.
				off := covarianceOf(got.Gaussians, mean, point, i, k) - cov[i][k]
				if math.Abs(off) > 30*scale*math.Sqrt(cov[k][k])/math.Sqrt(draws) {
					t.Errorf("point %d: the mixture's covariance of outputs %d and %d is off by %v of %v",
						point, i, k, off, cov[i][k])
				}
			}
		}
	}
}

// covarianceOf returns the covariance of two outputs of a mixture, including noise.
func covarianceOf(g *predictive.Gaussians, mean []float64, point, i, k int) (sum float64) {
	for s, w := range g.Weights {
		at := s*g.N + point
		sum += w *
			(g.Covariance[(at*g.P+i)*g.P+k] +
				(g.Mean[at*g.P+i]-mean[point*g.P+i])*(g.Mean[at*g.P+k]-mean[point*g.P+k]))
		if i == k {
			sum += w * g.Noise[s*g.P+i]
		}
	}
	return sum
}
