package likelihood

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models/predictive"
)

// targetsOf returns targets of a task: ordinary ones first, then extreme ones.
func targetsOf(of task.Task) []float64 {
	switch of {
	case task.Binary:
		return []float64{-1, 1}
	case task.Multiclass:
		return []float64{0, 2, 1}
	case task.Count:
		return []float64{0, 1, 3, 20, 1e6}
	}
	return []float64{-1.3, 0, 0.7, 40, -1e6}
}

// each runs a subtest for both expectations of every likelihood of the list.
func each(t *testing.T, run func(t *testing.T, d Declaration, l Likelihood, of expectation)) {
	for _, d := range likelihoods {
		l := d.New(Setup{Noise: 0.3, Classes: 3, Epsilon: 1e-3, Targets: []float64{1, 4, 2}})
		t.Run(d.Name+", E log p", func(t *testing.T) { run(t, d, l, l.VariationalExpectations) })
		t.Run(d.Name+", log E p", func(t *testing.T) { run(t, d, l, l.LogExpectation) })
	}
}

// starts returns the initial parameters.
func starts(l Likelihood) (values []float64) {
	for _, p := range l.Parameters() {
		values = append(values, p.Start)
	}
	return values
}

// Derivatives with respect to means, variances and parameters must equal central differences, and
// sums over rows must equal the derivatives by row.
func TestDerivativesOfAll(t *testing.T) {
	const h = 1e-5
	each(t, func(t *testing.T, d Declaration, l Likelihood, of expectation) {
		r := rand.New(rand.NewPCG(1, 2))
		params := starts(l)
		k := l.Latents()
		for _, y := range targetsOf(d.Tasks[0])[:2] {
			for _, scale := range []float64{0.05, 0.7, 3} {
				mean := make([]float64, k)
				vr := make([]float64, k)
				for j := range mean {
					mean[j] = r.NormFloat64()
					vr[j] = scale * (0.5 + r.Float64())
				}
				got := of.of([]float64{y}, mean, vr, params, len(params))
				check := func(what string, v []float64, j int, derivative float64) {
					at := v[j]
					v[j] = at + h
					up := of.of([]float64{y}, mean, vr, params, 0).terms[0]
					v[j] = at - h
					down := of.of([]float64{y}, mean, vr, params, 0).terms[0]
					v[j] = at
					close(t, fmt.Sprint(what, " ", j, " at ", y, mean, vr), derivative, (up-down)/(2*h), 2e-7)
				}
				for j := range mean {
					check("mean", mean, j, got.dMean[j])
					check("variance", vr, j, got.dVar[j])
				}
				for q := range params {
					check("parameter", params, q, got.dParams[q])
				}
				three := []float64{y, math.NaN(), y}
				means := slices.Repeat(mean, 3)
				vrs := slices.Repeat(vr, 3)
				all := of.of(three, means, vrs, params, 3*len(params))
				sum := of.of(three, means, vrs, params, len(params))
				for q := range params {
					row := all.dParams[3*q : 3*q+3]
					close(t, "row", row[0], got.dParams[q], 1e-13)
					if row[1] != 0 || row[2] != row[0] {
						t.Errorf("derivatives by row %v", row)
					}
					close(t, "sum", sum.dParams[q], row[0]+row[2], 1e-12)
				}
			}
		}
	})
}

// No target, moment or parameter, however extreme, may give NaN or an infinite number, and E log p
// must not exceed log E p.
func TestExtremes(t *testing.T) {
	for _, d := range likelihoods {
		t.Run(d.Name, func(t *testing.T) {
			l := d.New(Setup{Noise: 0.3, Classes: 3, Epsilon: 1e-3, Targets: []float64{1, 4, 2}})
			k := l.Latents()
			for _, free := range []float64{-20, -3, 0, 20} {
				params := starts(l)
				for q, p := range l.Parameters() {
					if free != 0 {
						p.Transform.Forward(params[q:q+1], []float64{free})
					}
				}
				for _, y := range targetsOf(d.Tasks[0]) {
					for _, m := range []float64{-40, 0, 15} {
						for _, v := range []float64{0, 1e-12, 1e-3, 1, 1e3} {
							mean := slices.Repeat([]float64{m}, k)
							vr := slices.Repeat([]float64{v}, k)
							mean[0] += 0.1
							at := fmt.Sprint(" at ", y, " ", m, " ", v, " ", params)
							low := finite(t, "E log p"+at, l.VariationalExpectations, y, mean, vr, params)
							high := finite(t, "log E p"+at, l.LogExpectation, y, mean, vr, params)
							if !(low <= high+1e-8*math.Max(1, math.Abs(high))) {
								t.Errorf("E log p %v exceeds log E p %v%s", low, high, at)
							}
							checkPrediction(t, l, at, y, mean, vr, params)
						}
					}
				}
			}
		})
	}
}

// finite checks that an expectation and its derivatives are finite and returns the expectation.
func finite(t *testing.T, what string, of expectation, y float64, mean, vr, params []float64) float64 {
	t.Helper()
	got := of.of([]float64{y}, mean, vr, params, len(params))
	for _, v := range slices.Concat(got.terms, got.dMean, got.dVar, got.dParams) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s: %+v", what, got)
			break
		}
	}
	return got.terms[0]
}

// checkPrediction checks that the numbers of a prediction are not NaN and probabilities are from 0 to 1.
func checkPrediction(t *testing.T, l Likelihood, at string, y float64, mean, vr, params []float64) {
	t.Helper()
	m, is := l.Observe(&predictive.Gaussians{S: 1, N: 1, P: l.Latents(), Weights: []float64{1}, Mean: mean,
		Var: vr}, params).(*predictive.Compound)
	if !is {
		return
	}
	mu, variance := m.Observation.Moments(mean, vr, params)
	p := cdf(m.Observation, y, mean, vr, params)
	draw := m.Observation.Draw(rand.New(rand.NewPCG(1, 1)), mean, params)
	if math.IsNaN(mu) || !(variance >= 0) || !(p >= -1e-12 && p <= 1+1e-12) || math.IsNaN(draw) {
		t.Errorf("moments %v, %v, probability %v, draw %v%s", mu, variance, p, draw, at)
	}
}

// The probability above a limit agrees with draws of the target, within four standard errors, and with the
// distribution function.
func TestAboveFollowsDraws(t *testing.T) {
	const draws = 40000
	for _, d := range likelihoods {
		l := d.New(Setup{Noise: 0.3, Classes: 3, Targets: []float64{1, 4, 2}})
		latent := predictive.NewGaussians([]float64{1}, 1, l.Latents())
		for i := range latent.Mean {
			latent.Mean[i], latent.Var[i] = 0.4*float64(i), 0.3
		}
		m, is := l.Observe(latent, starts(l)).(*predictive.Compound)
		if !is {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			f := make([]float64, l.Latents())
			targets := make([]float64, draws)
			for i := range targets {
				for j := range f {
					f[j] = latent.Mean[j] + math.Sqrt(latent.Var[j])*r.NormFloat64()
				}
				targets[i] = m.Observation.Draw(r, f, m.Params[0])
			}
			var got [1]float64
			for _, limit := range []float64{math.Inf(-1), -0.5, 0, 0.5, 2, 5.5, math.Inf(1)} {
				m.Above(got[:], []float64{limit})
				above := 0.0
				for _, y := range targets {
					if y > limit {
						above++
					}
				}
				share := above / draws
				if off := math.Abs(share - got[0]); !(off <= 4*math.Sqrt(got[0]*(1-got[0])/draws)+1e-12) {
					t.Errorf("above %v: %v, and %v of %d draws", limit, got[0], share, draws)
				}
			}
		})
	}
}

// Quantiles must invert the CDF, draws must follow it, and the estimate of the CRPS must agree with
// the integral of the squared difference of distribution functions.
func TestCompounds(t *testing.T) {
	for _, d := range likelihoods {
		l := d.New(Setup{Noise: 0.3, Classes: 3, Targets: []float64{1, 4, 2}})
		latent := predictive.NewGaussians([]float64{0.25, 0.75}, 1, l.Latents())
		for i := range latent.Mean {
			latent.Mean[i], latent.Var[i] = 0.4*float64(i), 0.3
		}
		m, is := l.Observe(latent, starts(l)).(*predictive.Compound)
		if !is {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			var at, pit, crps [1]float64
			for _, level := range []float64{0.01, 0.3, 0.5, 0.9} {
				m.Quantiles(at[:], []float64{level})
				m.PIT(pit[:], at[:])
				if !m.Discrete() {
					close(t, "level", pit[0], level, 1e-9)
				} else if p := cdfOf(m, at[0]); !(p >= level) || !(cdfOf(m, at[0]-1) < level) {
					t.Errorf("quantile %v is %v", level, at[0])
				}
			}
			const y = 1
			m.CRPS(crps[:], []float64{y})
			step := 0.02
			if m.Discrete() {
				step = 1
			}
			var want float64
			for x := -30.0; x < 60; x += step {
				p := cdfOf(m, x)
				if x >= y-1e-9 {
					p--
				}
				want += step * p * p
			}
			if !(math.Abs(crps[0]-want) < 0.1*want) {
				t.Errorf("CRPS %v, want %v", crps[0], want)
			}
		})
	}
}

// cdfOf returns the distribution function of the only target of a mixture of two components.
func cdfOf(m *predictive.Compound, y float64) (p float64) {
	k := m.Observation.Latents()
	for s, w := range m.Weights {
		p += w * cdf(m.Observation, y, m.Mean[s*k:(s+1)*k], m.Var[s*k:(s+1)*k], m.Params[0])
	}
	return p
}

// Limits of a likelihood must equal another likelihood: Student's t with many degrees of freedom and
// a noise without variation equal Gaussian, and a negative binomial without dispersion equals Poisson.
func TestLimits(t *testing.T) {
	const n = 5
	y, mean, vr := problem(rand.New(rand.NewPCG(4, 5)), n, false)
	var counts, pairs, pairVars []float64
	for i := range y {
		vr[i] = math.Min(vr[i], 1)
		counts = append(counts, math.Abs(math.Round(3*y[i])))
		pairs = append(pairs, mean[i], math.Log(0.49))
		pairVars = append(pairVars, vr[i], 0)
	}
	setup := Setup{Noise: 1}
	for _, c := range []struct {
		of, limit                    Declaration
		ofParams, limitParams        []float64
		y, mean, vr                  []float64
		tolerance, derivativeSpacing float64
	}{
		{studentT, gaussian, []float64{0.7, 1e9}, []float64{0.49}, y, mean, vr, 1e-7, 1},
		{heteroscedastic, gaussian, []float64{0}, []float64{0.49}, y, pairs, pairVars, 1e-12, 2},
		{negativeBinomial, poisson, []float64{1e-11, 0.2}, []float64{0.2}, counts, mean, vr, 1e-6, 1},
	} {
		of := c.of.New(setup)
		limit := c.limit.New(setup)
		for k, form := range []expectation{of.VariationalExpectations, of.LogExpectation} {
			other := expectation(limit.VariationalExpectations)
			if k == 1 {
				other = limit.LogExpectation
			}
			got := form.of(c.y, c.mean, c.vr, c.ofParams, 0)
			want := other.of(c.y, mean, vr, c.limitParams, 0)
			for i := range c.y {
				j := i * int(c.derivativeSpacing)
				close(t, c.of.Name+" term", got.terms[i], want.terms[i], c.tolerance)
				close(t, c.of.Name+" dMean", got.dMean[j], want.dMean[i], c.tolerance)
				close(t, c.of.Name+" dVar", got.dVar[j], want.dVar[i], c.tolerance)
			}
		}
	}
}

// The Kronrod rule and its Gauss rule must be exact for polynomials up to degrees 22 and 13.
func TestKronrod(t *testing.T) {
	for degree := 0; degree <= 22; degree += 2 {
		var whole, gauss float64
		for k, point := range kronrod {
			sides := 2.0
			if k == 0 {
				sides = 1
			}
			whole += sides * point[1] * math.Pow(point[0], float64(degree))
			gauss += sides * point[2] * math.Pow(point[0], float64(degree))
		}
		want := 2 / float64(degree+1)
		close(t, "Kronrod", whole, want, 1e-15)
		if degree <= 13 {
			close(t, "Gauss", gauss, want, 1e-15)
		}
	}
}

// Expectations of all likelihoods must not allocate.
func TestNoAllocationOfAll(t *testing.T) {
	each(t, func(t *testing.T, d Declaration, l Likelihood, of expectation) {
		y := targetsOf(d.Tasks[0])[1:2]
		mean := make([]float64, l.Latents())
		vr := slices.Repeat([]float64{0.5}, l.Latents())
		params := starts(l)
		r := of.of(y, mean, vr, params, len(params))
		if a := testing.AllocsPerRun(10, func() {
			of(r.terms, r.dMean, r.dVar, r.dParams, y, mean, vr, params)
		}); a != 0 {
			t.Errorf("%v allocations a call", a)
		}
	})
}
