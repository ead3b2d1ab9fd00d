package likelihood

import (
	"math"
	"math/rand/v2"
	"testing"
)

func close(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// moment returns the integral of x^k exp(-x^2), which is Gamma((k+1)/2) for even k.
func moment(k int) float64 {
	if k%2 == 1 {
		return 0
	}
	return math.Gamma(float64(k+1) / 2)
}

func TestGaussHermiteIsExactOnPolynomials(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 20, 99, 100, 200} {
		nodes, weights := GaussHermite(n)
		for k := 0; k < min(2*n, 40); k++ {
			var sum, size float64
			for i, x := range nodes {
				term := weights[i] * math.Pow(x, float64(k))
				sum += term
				size += math.Abs(term)
			}
			if math.Abs(sum-moment(k)) > 2e-13*size {
				t.Errorf("n=%d: moment %d is %v, want %v", n, k, sum, moment(k))
			}
		}
	}
}

// The constants come from Newton steps on the same recurrence in 60 decimal digits.
func TestGaussHermiteOutermost(t *testing.T) {
	nodes, weights := GaussHermite(100)
	close(t, "node", nodes[99], 13.4064873381449101385, 1e-15)
	close(t, "weight", weights[99]*1e79, 5.90806786503120681527, 1e-12)
	for i := range nodes {
		if nodes[i] != -nodes[99-i] || weights[i] != weights[99-i] {
			t.Errorf("points %d and %d are not symmetric", i, 99-i)
		}
		if !(weights[i] > 0) || (i > 0 && nodes[i] <= nodes[i-1]) {
			t.Errorf("point %d: %v, %v", i, nodes[i], weights[i])
		}
	}
}

func TestGaussHermiteRefuses(t *testing.T) {
	for _, n := range []int{0, -1, 201} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d points accepted", n)
				}
			}()
			GaussHermite(n)
		}()
	}
}

// problem returns n random targets, means and variances; variances range over
// many decades.
func problem(rng *rand.Rand, n int, classes bool) (y, mean, vr []float64) {
	y, mean, vr = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range y {
		mean[i] = 2 * rng.NormFloat64()
		vr[i] = math.Exp(2 * rng.NormFloat64())
		y[i] = rng.NormFloat64()
		if classes {
			y[i] = math.Copysign(1, y[i])
		}
	}
	return y, mean, vr
}

func TestGradientsAgainstCentralDifferences(t *testing.T) {
	const n, h, noise = 40, 1e-5, 0.37
	for name, l := range map[string]Likelihood{"gaussian": Gaussian{}, "bernoulli": NewBernoulli(), "bernoulli 7": NewBernoulliPoints(7)} {
		t.Run(name, func(t *testing.T) {
			y, mean, vr := problem(rand.New(rand.NewPCG(1, 2)), n, !l.HasNoise())
			terms, dMean, dVar := make([]float64, n), make([]float64, n), make([]float64, n)
			dNoise := l.VariationalExpectations(terms, dMean, dVar, y, mean, vr, noise)

			at := func(shiftMean, shiftVar, shiftNoise float64) []float64 {
				m, v := make([]float64, n), make([]float64, n)
				for i := range m {
					m[i], v[i] = mean[i]+shiftMean, vr[i]*(1+shiftVar)
				}
				out := make([]float64, n)
				l.VariationalExpectations(out, make([]float64, n), make([]float64, n), y, m, v, noise+shiftNoise)
				return out
			}
			up, down := at(h, 0, 0), at(-h, 0, 0)
			vUp, vDown := at(0, h, 0), at(0, -h, 0)
			nUp, nDown := at(0, 0, h), at(0, 0, -h)
			var numericNoise float64
			for i := range terms {
				close(t, "dMean", dMean[i], (up[i]-down[i])/(2*h), 1e-8)
				close(t, "dVar", vr[i]*dVar[i], (vUp[i]-vDown[i])/(2*h), 1e-8)
				numericNoise += (nUp[i] - nDown[i]) / (2 * h)
			}
			close(t, "dNoise", dNoise, numericNoise, 1e-8)
		})
	}
}

// For a Gaussian f, the derivatives of an expectation are expectations of the
// derivatives (Bonnet; Price): an independent check of 100 points against the
// trapezoidal rule, which converges geometrically on the whole line.
func TestBernoulliAgainstTrapezoidalRule(t *testing.T) {
	l := NewBernoulli()
	for _, c := range [][3]float64{{1, 0, 1}, {-1, 0.3, 0.01}, {1, -4, 2}, {-1, 6, 9}, {1, 20, 1}, {-1, 20, 0.5}} {
		y, mean, vr := c[:1], c[1:2], c[2:]
		var term, dMean, dVar [1]float64
		l.VariationalExpectations(term[:], dMean[:], dVar[:], y, mean, vr, 0)
		sd := math.Sqrt(vr[0])
		var want float64
		const step = 1.0 / 64
		for z := -12.0; z <= 12; z += step {
			f := mean[0] + sd*z
			p := 0.5 * math.Erfc(-y[0]*f/math.Sqrt2)
			want += step * math.Exp(-0.5*z*z) / math.Sqrt(2*math.Pi) * math.Log(p)
		}
		close(t, "expectation", term[0], want, 1e-9)
	}
}

func TestBernoulliVanishingVariance(t *testing.T) {
	l := NewBernoulli()
	for _, mean := range []float64{-30, -2, 0, 1.5, 9} {
		var below, above [3][1]float64
		y, m := []float64{-1}, []float64{mean}
		l.VariationalExpectations(below[0][:], below[1][:], below[2][:], y, m, []float64{flat * (1 - 1e-9)}, 0)
		l.VariationalExpectations(above[0][:], above[1][:], above[2][:], y, m, []float64{flat * (1 + 1e-9)}, 0)
		for k, what := range []string{"term", "dMean", "dVar"} {
			close(t, what, below[k][0], above[k][0], 1e-9)
		}
		l.VariationalExpectations(below[0][:], below[1][:], below[2][:], y, m, []float64{0}, 0)
		close(t, "at zero", below[0][0], math.Log(0.5*math.Erfc(mean/math.Sqrt2)), 1e-12)
	}
}

func TestPredictions(t *testing.T) {
	y, mean, vr := []float64{1, -1, -1}, []float64{0.4, 0.4, 60}, []float64{0.5, 0.5, 2}
	var density, prob [3]float64
	l := NewBernoulli()
	l.PredictLogDensity(density[:], y, mean, vr, 0)
	l.PredictProb(prob[:], mean, vr)
	close(t, "probability", prob[0], 0.5*math.Erfc(-0.4/math.Sqrt(3)), 1e-15)
	close(t, "sum", math.Exp(density[0])+math.Exp(density[1]), 1, 1e-15)
	// Far out, log Phi(-z) is -z^2/2 - log(z sqrt(2 pi)) - 1/z^2 up to 5/(2 z^4); here z^2 = 1200.
	close(t, "tail", density[2], -600-0.5*math.Log(1200*2*math.Pi)-1.0/1200, 1e-8)

	Gaussian{}.PredictLogDensity(density[:1], []float64{1}, []float64{0.25}, []float64{0.5}, 1.5)
	close(t, "gaussian", density[0], -0.5*math.Log(4*math.Pi)-0.75*0.75/4, 1e-15)
}

func TestNoAllocation(t *testing.T) {
	const n = 16
	y, mean, vr := problem(rand.New(rand.NewPCG(3, 4)), n, true)
	terms, dMean, dVar := make([]float64, n), make([]float64, n), make([]float64, n)
	for name, l := range map[string]Likelihood{"gaussian": Gaussian{}, "bernoulli": NewBernoulli()} {
		if a := testing.AllocsPerRun(10, func() { l.VariationalExpectations(terms, dMean, dVar, y, mean, vr, 0.1) }); a != 0 {
			t.Errorf("%s: %v allocations a call", name, a)
		}
	}
}

func BenchmarkBernoulli(b *testing.B) {
	const n = 2560
	y, mean, vr := problem(rand.New(rand.NewPCG(5, 6)), n, true)
	terms, dMean, dVar := make([]float64, n), make([]float64, n), make([]float64, n)
	l := NewBernoulli()
	for b.Loop() {
		l.VariationalExpectations(terms, dMean, dVar, y, mean, vr, 0)
	}
}
