package likelihood

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"dgplab/models/predictive"
	"dgplab/models/stats"
)

// cdf returns the distribution function of a target at y by the kernel of a likelihood.
func cdf(l predictive.Observation, y float64, mean, vr, params []float64) (p float64) {
	if l.Discrete() && y < 0 {
		return 0
	}
	var k predictive.Kernel
	l.Kernel(&k, y, mean, vr, params)
	for j, weight := range k.Weight {
		p += weight * stats.CDF((k.At[j]-mean[0])/math.Sqrt(vr[0]+k.Var[min(j, len(k.Var)-1)]))
	}
	return p
}

// cdfByQuadrature returns the distribution function of a target by adaptive quadrature over a latent
// function: for counts up to 100 as a sum of probabilities.
func cdfByQuadrature(l predictive.Observation, y float64, mean, vr, params []float64) (p float64) {
	if l.Discrete() && y <= 100 {
		for count := 0.0; count <= y; count++ {
			p += math.Exp(l.LogDensity(count, mean, vr, params))
		}
		return p
	}
	var in *integral
	var below func(f float64) float64
	switch l := l.(type) {
	case Heteroscedastic:
		in = overNoise(y, mean, vr, params)
		below = func(f float64) float64 {
			return stats.CDF((y - mean[0]) / math.Sqrt(math.Max(vr[0]+rate(f), leastNoise)))
		}
		in.edges = in.edges[:0]
		for t := -float64(reach); t <= reach; t += 0.5 {
			in.edges = append(in.edges, t)
		}
	case observed: // Student's t
		in = newIntegral(l.distribution, y, mean[0], vr[0], params)
		below = func(f float64) float64 {
			z, nu := (y-f)/params[0], params[1]
			return 0.5 + math.Copysign(0.5*mathext.RegIncBeta(0.5, 0.5*nu, z*z/(nu+z*z)), z)
		}
		in.edges = append(in.edges[:0], -reach, 0, reach)
	case Poisson:
		in = newIntegral(l.distribution, y, mean[0], vr[0], params)
		below = func(f float64) float64 { return mathext.GammaIncRegComp(y+1, rate(f+params[0])) }
		// The rules overlook the step of a large count in panels that are much broader.
		peak := (in.Peak(y, params) - in.mean) / in.sd
		in.edges = append(in.edges[:0], -reach, reach)
		for width := 30.0; width > 1e-3; width /= 2 {
			for _, at := range [2]float64{peak - width/in.sd, peak + width/in.sd} {
				in.edges = append(in.edges, math.Min(math.Max(at, -reach), reach))
			}
		}
	}
	defer integrals.Put(in)
	if in.sd == 0 {
		return below(in.mean)
	}
	return in.split(func(in *integral, t float64, out *sums) {
		*out = sums{below(in.mean+in.sd*t) * stats.PDF(t)}
	}, 1e-13)[0]
}

// Distribution functions by kernels must agree with adaptive quadrature for narrow and broad latent
// functions, rare and huge counts, small and large dispersions, and heavy and light tails.
func TestKernels(t *testing.T) {
	const tolerance = 1e-12
	for _, c := range []struct {
		of      Declaration
		params  [][]float64
		targets []float64
	}{
		{poisson, [][]float64{{0}, {1.5}}, []float64{0, 1, 2, 20, 300, 1e4, 1e6}},
		{negativeBinomial, [][]float64{{1e-6, 0}, {0.1, 0.5}, {1, 0}, {20, 0}}, []float64{0, 1, 2, 20}},
		{studentT, [][]float64{{0.5, 2.01}, {0.5, 7}, {0.1, 300}}, []float64{-1e3, -2, 0, 0.3, 40}},
		{heteroscedastic, [][]float64{{0}, {-8}}, []float64{-1e3, -2, 0, 0.3, 40}},
	} {
		l := c.of.New(Setup{Noise: 1}).(predictive.Observation)
		for _, params := range c.params {
			for _, y := range c.targets {
				for _, sd := range []float64{0, 1e-3, 0.1, 0.5, 1, 3, 12} {
					for _, away := range []float64{-4, 0, 0.5, 3} {
						// The target is at a moderate probability.
						mean := []float64{away * math.Max(sd, 0.1), away}
						vr := []float64{sd * sd, sd * sd}
						switch {
						case l.Discrete():
							mean[0] += math.Log(y+0.5) - params[len(params)-1]
						case l.Latents() == 1:
							mean[0] += y
						default:
							vr[0] = 0.3 * math.Abs(away)
						}
						got := cdf(l, y, mean, vr, params)
						want := cdfByQuadrature(l, y, mean, vr, params)
						if !(math.Abs(got-want) <= tolerance) {
							t.Errorf("%s with %v: P(y <= %v) is %v, want %v, for latent mean %v, sd %v",
								c.of.Name, params, y, got, want, mean, sd)
						}
					}
				}
			}
		}
	}
}

// Without a latent variance, the negative binomial of dispersion 1 is the geometric distribution: at most y
// has the probability 1 - (m/(1+m))^(y+1).
func TestKernelOfGeometric(t *testing.T) {
	l := negativeBinomial.New(Setup{}).(predictive.Observation)
	for _, y := range []float64{0, 3, 1e3, 1e6, 1e9} {
		for _, log := range []float64{-20, -1, 3, 13.8, 21} {
			want := -math.Expm1(-(y + 1) * math.Log1p(math.Exp(-log)))
			got := cdf(l, y, []float64{log}, []float64{0}, []float64{1, 0})
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("P(y <= %v) is %v, want %v, for log mean %v", y, got, want, log)
			}
		}
	}
}

// The probability of a count is the increase of the distribution function, however large the count and the
// variance of its logarithm.
func TestKernelIncreasesByProbability(t *testing.T) {
	for _, d := range []Declaration{poisson, negativeBinomial} {
		l := d.New(Setup{}).(predictive.Observation)
		params := starts(d.New(Setup{}))
		for _, y := range []float64{0, 1, 7, 400, 1e5, 1e6} {
			for _, sd := range []float64{0, 0.01, 0.5, 5, 20} {
				mean, vr := []float64{math.Log(y+2) - params[len(params)-1]}, []float64{sd * sd}
				less := 0.0
				if y > 0 {
					less = cdf(l, y-1, mean, vr, params)
				}
				want := math.Exp(l.LogDensity(y, mean, vr, params))
				if got := cdf(l, y, mean, vr, params) - less; math.Abs(got-want) > 1e-12 {
					t.Errorf("%s: P(y = %v) is %v, want %v, for a latent sd of %v", d.Name, y, got, want, sd)
				}
			}
		}
	}
}

// BenchmarkCompound measures the scores and four quantiles of 1,000 points with 100 samples.
func BenchmarkCompound(b *testing.B) {
	const points, samples = 1000, 100
	for _, d := range likelihoods {
		l := d.New(Setup{Noise: 0.3, Targets: []float64{1, 4, 20}})
		if _, is := l.(predictive.Observation); !is {
			continue
		}
		for _, sd := range []float64{0.05, 1, 5} {
			b.Run(fmt.Sprint(d.Name, ", latent sd ", sd), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				weights := slices.Repeat([]float64{1.0 / samples}, samples)
				latent := predictive.NewGaussians(weights, points, l.Latents())
				for i := range latent.Mean {
					latent.Mean[i] = r.NormFloat64()
				}
				for i := range latent.Var {
					latent.Var[i] = sd * sd * (0.5 + r.Float64())
				}
				m := l.Observe(latent, starts(l)).(*predictive.Compound)
				y := make([]float64, points)
				for i := range y {
					y[i] = targetsOf(d.Tasks[0])[r.IntN(len(targetsOf(d.Tasks[0])))]
				}
				quantiles := make([]float64, 4*points)
				for b.Loop() {
					var tally predictive.Tally
					tally.Add(m, y, y, predictive.Units{})
					m.Quantiles(quantiles, []float64{0.025, 0.25, 0.75, 0.975})
				}
			})
		}
	}
}
