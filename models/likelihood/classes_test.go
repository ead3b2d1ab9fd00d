package likelihood

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// classesProblem returns n random rows of k classes: the first third are ordinary, the second third
// have some small variances, and the last are far in the tails.
func classesProblem(n, k int) (y, mean, vr []float64) {
	rng := rand.New(rand.NewPCG(9, 4))
	for i := range n {
		y = append(y, float64(rng.IntN(k)))
		for range k {
			m := 2 * rng.NormFloat64()
			v := math.Exp(rng.NormFloat64())
			if 3*i >= n {
				v *= math.Exp(-4 * rng.Float64())
			}
			if 3*i >= 2*n {
				m *= 10
			}
			mean = append(mean, m)
			vr = append(vr, v)
		}
	}
	return y, mean, vr
}

// classesForms runs a subtest for both expectations of every likelihood with 2, 3, 7 and 34
// classes.
func classesForms(t *testing.T, run func(t *testing.T, l Classes, form expectation, k int)) {
	for _, k := range []int{2, 3, 7, 34} {
		for _, d := range likelihoods {
			l, is := d.New(Setup{Classes: k, Epsilon: 1e-3}).(Classes)
			if !is || l.Latents() != k {
				continue
			}
			t.Run(fmt.Sprintf("%s of %d, E log p", d.Name, k), func(t *testing.T) {
				run(t, l, l.VariationalExpectations, k)
			})
			t.Run(fmt.Sprintf("%s of %d, log E p", d.Name, k), func(t *testing.T) {
				run(t, l, l.LogExpectation, k)
			})
		}
	}
}

func TestClassesGradientsAgainstCentralDifferences(t *testing.T) {
	const n, h = 45, 1e-5
	classesForms(t, func(t *testing.T, _ Classes, form expectation, k int) {
		y, mean, vr := classesProblem(max(1, n/k), k)
		got := form.of(y, mean, vr, nil, 0)
		difference := func(v []float64, j int, step float64) float64 {
			at := v[j]
			v[j] = at + step
			up := form.of(y[j/k:j/k+1], mean[j/k*k:(j/k+1)*k], vr[j/k*k:(j/k+1)*k], nil, 0).terms[0]
			v[j] = at - step
			down := form.of(y[j/k:j/k+1], mean[j/k*k:(j/k+1)*k], vr[j/k*k:(j/k+1)*k], nil, 0).terms[0]
			v[j] = at
			return (up - down) / (2 * step)
		}
		for j := range mean {
			close(t, fmt.Sprint("dMean ", j), got.dMean[j], difference(mean, j, h), 1e-7)
			close(t, fmt.Sprint("dVar ", j), vr[j]*got.dVar[j], vr[j]*difference(vr, j, h*vr[j]), 1e-7)
		}
	})
}

func TestClassesWithoutTargets(t *testing.T) {
	classesForms(t, func(t *testing.T, _ Classes, form expectation, k int) {
		y, mean, vr := classesProblem(4, k)
		want := form.of(y, mean, vr, nil, 0)
		y[1] = math.NaN()
		got := form.of(y, mean, vr, nil, 0)
		for j := range mean {
			if j/k == 1 {
				want.dMean[j], want.dVar[j] = 0, 0
			}
			if got.dMean[j] != want.dMean[j] || got.dVar[j] != want.dVar[j] {
				t.Errorf("latent function %d: %v, %v", j, got.dMean[j], got.dVar[j])
			}
		}
		if got.terms[1] != 0 || got.terms[2] != want.terms[2] {
			t.Errorf("terms %v, want %v", got.terms, want.terms)
		}
	})
}

// The probabilities of all classes must sum to 1, and LogExpectation must equal the log
// probabilities of its targets.
func TestProbabilitiesOfClasses(t *testing.T) {
	classesForms(t, func(t *testing.T, l Classes, _ expectation, k int) {
		y, mean, vr := classesProblem(9, k)
		terms := expectation(l.LogExpectation).of(y, mean, vr, nil, 0).terms
		log := make([]float64, k)
		for i := range y {
			l.LogProbabilities(log, mean[i*k:(i+1)*k], vr[i*k:(i+1)*k])
			var sum float64
			for _, v := range log {
				sum += math.Exp(v)
			}
			close(t, "sum of probabilities", sum, 1, 1e-11)
			close(t, "log-probability", log[int(y[i])], terms[i], 0)
		}
	})
}

// expectedLogArgmax is E log p of three classes by quadrature in three dimensions.
func expectedLogArgmax(class int, mean, vr []float64) (sum float64) {
	nodes, weights := GaussHermite(12)
	f := make([]float64, 3)
	zero := make([]float64, 3)
	unused := make([]float64, 3)
	c := newContest(3)
	for i, x := range nodes {
		for j, y := range nodes {
			for k, z := range nodes {
				for d, t := range []float64{x, y, z} {
					f[d] = mean[d] + math.Sqrt(2*vr[d])*t
				}
				c.set(class, f, zero, 1)
				sum += weights[i] * weights[j] * weights[k] / math.Pow(math.Pi, 1.5) * c.value(unused, unused)
			}
		}
	}
	return sum
}

// The expected logarithm of Argmax must be a lower bound with a small gap.
func TestArgmaxLowerBound(t *testing.T) {
	for _, c := range []struct {
		scale, most float64 // scale of the variances, and largest allowed gap of the bound
	}{{1e-6, 0.01}, {0.3, 0.02}, {1, 0.05}, {4, 0.2}} {
		rng := rand.New(rand.NewPCG(2, 8))
		for range 12 {
			mean := make([]float64, 3)
			vr := make([]float64, 3)
			for k := range mean {
				mean[k] = 2 * rng.NormFloat64()
				vr[k] = c.scale * (0.5 + rng.Float64())
			}
			got := expectation(Argmax{3}.VariationalExpectations).of([]float64{1}, mean, vr, nil, 0).terms[0]
			want := expectedLogArgmax(1, mean, vr)
			if loss := want - got; loss < -1e-6 || loss > c.most {
				t.Errorf("variances of about %v: %v for %v", c.scale, got, want)
			}
		}
	}
}

func TestClassesAllocateNothing(t *testing.T) {
	classesForms(t, func(t *testing.T, _ Classes, form expectation, k int) {
		y, mean, vr := classesProblem(6, k)
		r := form.of(y, mean, vr, nil, 0)
		if a := testing.AllocsPerRun(10, func() {
			form(r.terms, r.dMean, r.dVar, nil, y, mean, vr, nil)
		}); a != 0 {
			t.Errorf("%v allocations a call", a)
		}
	})
}

// For one class, the lattice consists of multiples of the inverse golden ratio, shifted by 1/2.
func TestSoftmaxDraws(t *testing.T) {
	z := NewSoftmax(1).z
	for s, u := range []float64{0.11803398874989490, 0.73606797749978980, 0.35410196624968470} {
		close(t, "probability of a draw", math.Erfc(-z[s]/math.Sqrt2)/2, u, 1e-14)
		close(t, "mirror image", z[softmaxDraws/2+s], -z[s], 0)
	}
	if len(z) != softmaxDraws {
		t.Errorf("%d draws", len(z))
	}
}

// Without variance, the probabilities equal the softmax of the means; for small variances they are
// close to it.
func TestSoftmaxWithoutVariance(t *testing.T) {
	l := NewSoftmax(3)
	mean := []float64{700, 699, -900}
	sure := make([]float64, 3)
	near := make([]float64, 3)
	l.LogProbabilities(sure, mean, make([]float64, 3))
	l.LogProbabilities(near, mean, []float64{1e-18, 1e-18, 1e-18})
	for k, want := range []float64{-math.Log1p(math.Exp(-1)), -1 - math.Log1p(math.Exp(-1)),
		-1600 - math.Log1p(math.Exp(-1))} {
		close(t, "log-probability", sure[k], want, 1e-14)
		close(t, "that of a small variance", near[k], want, 1e-7)
	}
}

// The class probabilities of a mixture must be the mixture of its components' probabilities.
func TestClassesMixture(t *testing.T) {
	l := Argmax{3}
	latent := predictive.NewGaussians([]float64{0.25, 0.75}, 2, 3)
	copy(latent.Mean, []float64{1, 0, -1, 500, 0, 0, 2, 0, 0, 400, 0, 0})
	for k := range latent.Var {
		latent.Var[k] = 0.5
	}
	m := l.Observe(latent, nil).(*predictive.Classes)
	prob := make([]float64, 6)
	log := make([]float64, 3)
	m.Probabilities(prob)
	want := make([]float64, 3)
	for s, w := range latent.Weights {
		l.LogProbabilities(log, latent.Mean[6*s:6*s+3], latent.Var[6*s:6*s+3])
		for k, v := range log {
			want[k] += w * math.Exp(v)
		}
	}
	oracletest.Close(t, "probabilities", prob[:3], want, oracletest.ValueTolerance)
	density := make([]float64, 2)
	m.LogDensity(density, []float64{2, 1})
	if math.Abs(density[0]-math.Log(want[2])) > 1e-12 || !(density[1] < -10000) || math.IsInf(density[1], 0) {
		t.Errorf("log probabilities %v", density)
	}
	if n, p := m.Dims(); n != 2 || p != 1 || m.Classes() != 3 {
		t.Errorf("%d points, %d targets, %d classes", n, p, m.Classes())
	}
}
