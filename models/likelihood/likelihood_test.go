package likelihood

import (
	"math"
	"math/rand/v2"
	"strings"
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

// The constants were computed by Newton steps on the same recurrence with 60 decimal digits.
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

func TestGaussHermitePanics(t *testing.T) {
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

// problem returns n random targets, means and variances; the variances span many decades.
func problem(rng *rand.Rand, n int, classes bool) (y, mean, vr []float64) {
	y = make([]float64, n)
	mean = make([]float64, n)
	vr = make([]float64, n)
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

// closed lists the likelihoods under test by name; the one named Bernoulli has classes.
var closed = map[string]Likelihood{"Gaussian": Gaussian{}, "Bernoulli": NewBernoulli()}

// forms runs a subtest for both expectations of every likelihood.
func forms(t *testing.T, run func(t *testing.T, form expectation, classes bool)) {
	for name, l := range closed {
		classes := strings.HasPrefix(name, "Bernoulli")
		t.Run(name+", E log p", func(t *testing.T) { run(t, l.VariationalExpectations, classes) })
		t.Run(name+", log E p", func(t *testing.T) { run(t, l.LogExpectation, classes) })
	}
}

type expectation func(terms, dMean, dVar, dParams, y, mean, vr, noise []float64)

// result holds the results of an expectation.
type result struct{ terms, dMean, dVar, dParams []float64 }

// of returns the result with the given number of derivatives with respect to noise.
func (f expectation) of(y, mean, vr, noise []float64, derivatives int) result {
	n := len(y)
	r := result{make([]float64, n), make([]float64, len(mean)), make([]float64, len(mean)),
		make([]float64, derivatives)}
	for _, v := range [][]float64{r.terms, r.dMean, r.dVar} { // previous contents must be overwritten
		for i := range v {
			v[i] = 1e9
		}
	}
	for i := range r.dParams {
		r.dParams[i] = 1e9
	}
	f(r.terms, r.dMean, r.dVar, r.dParams, y, mean, vr, noise)
	return r
}

func TestGradientsAgainstCentralDifferences(t *testing.T) {
	const n, h = 40, 1e-5
	forms(t, func(t *testing.T, form expectation, classes bool) {
		y, mean, vr := problem(rand.New(rand.NewPCG(1, 2)), n, classes)
		noise := []float64{0.7}
		at := func(shiftMean, scaleVar, shiftNoise float64) []float64 {
			m := make([]float64, n)
			v := make([]float64, n)
			for i := range m {
				m[i], v[i] = mean[i]+shiftMean, vr[i]*(1+scaleVar)
			}
			return form.of(y, m, v, []float64{noise[0] + shiftNoise}, n).terms
		}
		got := form.of(y, mean, vr, noise, n)
		up := at(h, 0, 0)
		down := at(-h, 0, 0)
		vUp := at(0, h, 0)
		vDown := at(0, -h, 0)
		nUp := at(0, 0, h)
		nDown := at(0, 0, -h)
		for i := range n {
			close(t, "dMean", got.dMean[i], (up[i]-down[i])/(2*h), 1e-8)
			close(t, "dVar", vr[i]*got.dVar[i], (vUp[i]-vDown[i])/(2*h), 1e-8)
			close(t, "dParams", got.dParams[i], (nUp[i]-nDown[i])/(2*h), 1e-8)
		}
	})
}

// A single derivative must be the sum over rows.
func TestSumsOfDerivatives(t *testing.T) {
	const n = 9
	forms(t, func(t *testing.T, form expectation, classes bool) {
		y, mean, vr := problem(rand.New(rand.NewPCG(3, 2)), n, classes)
		rows := form.of(y, mean, vr, []float64{0.37}, n)
		got := form.of(y, mean, vr, []float64{0.37}, 1)
		var sum float64
		for i, d := range rows.dParams {
			sum += d
			if got.terms[i] != rows.terms[i] || got.dMean[i] != rows.dMean[i] || got.dVar[i] != rows.dVar[i] {
				t.Errorf("row %d differs", i)
			}
		}
		close(t, "sum", got.dParams[0], sum, 1e-14)
	})
}

func TestMissingTargetsContributeNothing(t *testing.T) {
	const n = 6
	forms(t, func(t *testing.T, form expectation, classes bool) {
		y, mean, vr := problem(rand.New(rand.NewPCG(5, 2)), n, classes)
		noise := []float64{0.37}
		all := form.of(y[:4], mean[:4], vr[:4], noise, 1)
		y[4] = math.NaN()
		y[5] = math.NaN()
		got := form.of(y, mean, vr, noise, 1)
		for i := 4; i < n; i++ {
			if got.terms[i] != 0 || got.dMean[i] != 0 || got.dVar[i] != 0 {
				t.Errorf("row %d: %v, %v, %v", i, got.terms[i], got.dMean[i], got.dVar[i])
			}
		}
		if got.dParams[0] != all.dParams[0] || form.of(y, mean, vr, noise, n).dParams[5] != 0 {
			t.Errorf("derivative %v, want %v", got.dParams[0], all.dParams[0])
		}
	})
}

// Rows processed together must equal the rule applied row by row, in both tails and for variances
// so small that the series is used.
func TestBernoulliEqualsQuadrature(t *testing.T) {
	y, mean, vr := problem(rand.New(rand.NewPCG(10, 2)), 300, true)
	for i := range mean {
		mean[i] *= 5
	}
	vr[7], vr[8], y[9] = 0, flat/2, math.NaN()
	got := expectation(NewBernoulli().VariationalExpectations).of(y, mean, vr, nil, 0)
	nodes, weights := GaussHermite(bernoulliPoints)
	relative := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	for i := range y {
		var term, dMean, dVar float64
		scale := math.Copysign(math.Sqrt(2*vr[i]), y[i])
		for k, x := range nodes {
			value, first, _ := logProbit(y[i], mean[i]+scale*x)
			w := weights[k] / math.SqrtPi
			if !(w > negligible) {
				continue
			}
			term += w * value
			dMean += w * first
			dVar += w * first * x / scale
		}
		if vr[i] < flat {
			value, first, second := logProbit(y[i], mean[i])
			term, dMean, dVar = value+0.5*vr[i]*second, first, 0.5*second
		}
		if i == 9 {
			term, dMean, dVar = 0, 0, 0
		}
		relative("term", got.terms[i], term)
		relative("dMean", got.dMean[i], dMean)
		close(t, "dVar", got.dVar[i], dVar, 1e-14) // terms may cancel
	}
}

// Mirrored problems must have mirrored results, to the bit.
func TestBernoulliIsSymmetric(t *testing.T) {
	y, mean, vr := problem(rand.New(rand.NewPCG(9, 2)), 20, true)
	mirrored := [2][]float64{make([]float64, 20), make([]float64, 20)}
	for i := range y {
		mirrored[0][i], mirrored[1][i] = -y[i], -mean[i]
	}
	form := expectation(NewBernoulli().VariationalExpectations)
	got := form.of(mirrored[0], mirrored[1], vr, nil, 0)
	want := form.of(y, mean, vr, nil, 0)
	for i := range y {
		if got.terms[i] != want.terms[i] || got.dMean[i] != -want.dMean[i] || got.dVar[i] != want.dVar[i] {
			t.Errorf("row %d differs", i)
		}
	}
}

// For a Gaussian f, derivatives of an expectation are expectations of derivatives (Bonnet; Price).
// The test compares the rule of 100 points with the trapezoidal rule, which converges geometrically
// on the whole line.
func TestBernoulliAgainstTrapezoidalRule(t *testing.T) {
	l := NewBernoulli()
	for _, c := range [][3]float64{{1, 0, 1}, {-1, 0.3, 0.01}, {1, -4, 2}, {-1, 6, 9},
		{1, 20, 1}, {-1, 20, 0.5}} {
		y, mean, vr := c[:1], c[1:2], c[2:]
		var term, dMean, dVar [1]float64
		l.VariationalExpectations(term[:], dMean[:], dVar[:], nil, y, mean, vr, nil)
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

// The change from quadrature to the series at small variances must be continuous.
func TestVanishingVariance(t *testing.T) {
	forms(t, func(t *testing.T, form expectation, _ bool) {
		for _, mean := range []float64{-30, -2, 0, 1.5, 9} {
			y, m, noise := []float64{-1}, []float64{mean}, []float64{0.5}
			below := form.of(y, m, []float64{flat * (1 - 1e-9)}, noise, 1)
			above := form.of(y, m, []float64{flat * (1 + 1e-9)}, noise, 1)
			close(t, "term", below.terms[0], above.terms[0], 1e-9)
			close(t, "dMean", below.dMean[0], above.dMean[0], 1e-9)
			close(t, "dVar", below.dVar[0], above.dVar[0], 1e-7)
			close(t, "dParams", below.dParams[0], above.dParams[0], 1e-7)
		}
	})
	for _, mean := range []float64{-30, -2, 0, 1.5, 9} {
		at := expectation(NewBernoulli().VariationalExpectations).of([]float64{-1},
			[]float64{mean}, []float64{0}, nil, 0)
		close(t, "at zero", at.terms[0], math.Log(0.5*math.Erfc(mean/math.Sqrt2)), 1e-12)
	}
}

func TestPredictiveDensities(t *testing.T) {
	y, mean, vr := []float64{1, -1, -1}, []float64{0.4, 0.4, 60}, []float64{0.5, 0.5, 2}
	classes := expectation(NewBernoulli().LogExpectation).of(y, mean, vr, nil, 0).terms
	close(t, "probability", math.Exp(classes[0]), 0.5*math.Erfc(-0.4/math.Sqrt(3)), 1e-15)
	close(t, "sum", math.Exp(classes[0])+math.Exp(classes[1]), 1, 1e-15)
	// In the tail, log Phi(-z) is -z^2/2 - log(z sqrt(2 pi)) - 1/z^2 up to 5/(2 z^4); here z^2 =
	// 1200.
	close(t, "tail", classes[2], -600-0.5*math.Log(1200*2*math.Pi)-1.0/1200, 1e-8)

	density := expectation(Gaussian{}.LogExpectation).of([]float64{1}, []float64{0.25},
		[]float64{0.5}, []float64{1.5}, 0).terms
	close(t, "gaussian", density[0], -0.5*math.Log(4*math.Pi)-0.75*0.75/4, 1e-15)
}

func TestNoAllocation(t *testing.T) {
	const n = 16
	forms(t, func(t *testing.T, form expectation, _ bool) {
		y, mean, vr := problem(rand.New(rand.NewPCG(3, 4)), n, true)
		r, noise := form.of(y, mean, vr, []float64{0.1}, 1), []float64{0.1}
		if a := testing.AllocsPerRun(10, func() {
			form(r.terms, r.dMean, r.dVar, r.dParams, y, mean, vr, noise)
		}); a != 0 {
			t.Errorf("%v allocations a call", a)
		}
	})
}

func BenchmarkBernoulli(b *testing.B) {
	const n = 3200
	y, mean, vr := problem(rand.New(rand.NewPCG(5, 6)), n, true)
	terms := make([]float64, n)
	dMean := make([]float64, n)
	dVar := make([]float64, n)
	l := NewBernoulli()
	for b.Loop() {
		l.VariationalExpectations(terms, dMean, dVar, nil, y, mean, vr, nil)
	}
}
