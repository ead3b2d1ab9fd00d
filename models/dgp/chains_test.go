package dgp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

// smallChains is a setting that runs in milliseconds. Its burn-in is short and longer than the
// window.
var smallChains = familytest.NewSetting("sghmc", "layers", "2", "width", "2", "inducing", "8",
	"batch", "16", "burn_in", "9", "kept", "4", "thinning", "2", "window", "4", "start_spread", "0.5",
	"step_size", "0.05")

// newChains returns chains and checks their number of parameters against the family's Size.
func newChains(t testing.TB, data family.Data, s familytest.Setting) *Chains {
	t.Helper()
	return familytest.New(t, sghmc(), data, s.Set, 1).(*Chains)
}

// chainSettings returns the tested settings of the family.
func chainSettings() map[string]familytest.Setting {
	return map[string]familytest.Setting{
		"two layers": smallChains, "one layer": smallChains.With("layers", "1"),
		"three layers, uneven": smallChains.With("layers", "3", "inducing", "8,5,3", "samples", "2"),
		"three chains":         smallChains.With("chains", "3"),
		"slices":               smallSlices, "slices, one layer": smallSlices.With("layers", "1"),
		"slices, three layers, two chains": smallSlices.With("layers", "3", "inducing", "8,5,3",
			"chains", "2"),
	}
}

// smallSlices is like smallChains with slice sampling.
var smallSlices = familytest.NewSetting("sghmc", "sampler", "ess", "layers", "2", "width", "2",
	"inducing", "8", "burn_in", "9", "kept", "4", "thinning", "2", "window", "4", "start_spread", "0.5")

// TestChainGradients checks the gradients of the log joint with respect to the inducing outputs and
// to the hyperparameters, each on its own tape.
func TestChainGradients(t *testing.T) {
	for name, set := range chainSettings() {
		for kind, data := range map[string]family.Data{
			"values":        familytest.Wave(30, 1),
			"two outputs":   familytest.Wave(30, 2),
			"two classes":   familytest.Signs(familytest.Wave(30, 1)),
			"three classes": familytest.Thirds(familytest.Wave(30, 1)),
		} {
			c := newChains(t, data, set).chains[0]
			c.Draw(20) // after burn-in
			gradient, want := familytest.Gradients(t, c, familytest.Sixth, 1e-3)
			oracletest.Close(t, fmt.Sprint(name, ", ", kind, ": gradient for the inducing outputs"),
				gradient, want, 1e-8)

			c.Draw(3)
			gradient, want = familytest.Gradients(t, &hyperProblem{c}, familytest.Sixth, 1e-3)
			oracletest.Close(t, fmt.Sprint(name, ", ", kind, ": gradient for the hyperparameters"),
				gradient, want, 1e-7)
		}
	}
}

// hyperProblem is the log joint of a chain as a function of the hyperparameters.
type hyperProblem struct{ c *chain }

func (l *hyperProblem) Parameters() *param.Set { return l.c.hyper.Set }
func (l *hyperProblem) Draw(uint64)            {}
func (l *hyperProblem) Evaluate(dFree []float64) (float64, error) {
	return l.c.hyper.EvaluateTape(l.c.hyperBound.tape, l.c.hyperBound.value, dFree)
}

// Interruptions, predictions and views do not affect the chains.
func TestChainsResume(t *testing.T) {
	data := familytest.Wave(40, 1)
	for name, set := range chainSettings() {
		build := func() family.Model { return newChains(t, data, set) }
		familytest.Resumes(t, name, build, data.X, 21, 0, 5, 9, 14)
	}
}

func TestChainsIndependentOfCores(t *testing.T) {
	set := smallChains.With("inducing", "96", "batch", "300", "width", "2", "chains", "3")
	build := func() family.Model { return newChains(t, familytest.Wave(400, 1), set) }
	familytest.Resumes(t, "large batches", build, nil, 12)
}

func TestChainStepsDoNotAllocate(t *testing.T) {
	for name, set := range chainSettings() {
		m := newChains(t, familytest.Wave(40, 1), set.With("burn_in", "40"))
		familytest.Steps(t, m, 5)
		familytest.Allocates(t, name+", burn-in", m, 0)
		familytest.Steps(t, m, 20)
		familytest.Allocates(t, name+", sampling", m, 0)
	}
}

// All chains share the hyperparameters, which change only in burn-in.
func TestHyperparametersChangeOnlyInBurnIn(t *testing.T) {
	m := newChains(t, familytest.Wave(40, 1), smallChains.With("chains", "2"))
	at := func(c *chain) []float64 { return append([]float64(nil), c.hyper.Set.Free...) }
	start := at(m.chains[0])
	familytest.Steps(t, m, 9)
	end := at(m.chains[0])
	same := func(a, b []float64) bool {
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	if same(start, end) || !same(end, at(m.chains[1])) {
		t.Error("hyperparameters did not change in burn-in, or differ between chains")
	}
	if report := familytest.Steps(t, m, 1); report.Phase != "sampling" {
		t.Errorf("phase %q after burn-in", report.Phase)
	}
	familytest.Steps(t, m, 10)
	if !same(end, at(m.chains[0])) {
		t.Error("hyperparameters changed while sampling")
	}
}

// For one layer and Gaussian noise the posterior of the inducing outputs is Gaussian: the posterior
// of the sparse GP with independent residuals. Its precision is I + sum_n a_n a_n^T/s_n, where a_n
// is a whitened kernel column and s_n is the residual prior variance plus the noise. The mean of a
// long chain must match its mean, and the covariance of the chain must match its covariance after a
// correction for the step size.
func TestOneLayerChainsSampleSparsePosterior(t *testing.T) {
	if testing.Short() {
		t.Skip("60,000 steps")
	}
	const each = 1200
	set := familytest.NewSetting("sghmc", "layers", "1", "inducing", "5", "batch", "60", "burn_in", "1500",
		"kept", "10", "step_size", "0.05")
	data := familytest.Wave(60, 1)
	m := newChains(t, data, set)
	familytest.Steps(t, m, 1500)
	mean, covariance := sparsePosterior(t, m, data)
	state := map[string][]float64{}
	for _, a := range m.State() {
		state[a.Name] = a.Data
	}
	widen(covariance, state["chain.0.sghmc.square"], 0.05, 0.05, 60)
	checkMoments(t, m, mean, covariance, each)
}

// The moments of a long chain of slices must match the posterior exactly, up to Monte Carlo error.
func TestOneLayerSlicesSampleSparsePosterior(t *testing.T) {
	each := 400
	if testing.Short() {
		each = 200
	}
	set := familytest.NewSetting("sghmc", "sampler", "ess", "layers", "1", "inducing", "5", "burn_in", "300",
		"kept", "10")
	data := familytest.Wave(60, 1)
	m := newChains(t, data, set)
	familytest.Steps(t, m, 300)
	mean, covariance := sparsePosterior(t, m, data)
	checkMoments(t, m, mean, covariance, each)
}

// checkMoments compares the moments of the next steps of a chain, in 50 batches of the given number of
// steps, with the given moments.
func checkMoments(t *testing.T, m *Chains, mean []float64, covariance *mat.SymDense, each int) {
	t.Helper()
	const batches = 50
	n := len(mean)
	means := make([][batches]float64, n+n*(n+1)/2)
	for batch := range batches {
		for range each {
			familytest.Steps(t, m, 1)
			at := 0
			v := m.chains[0].Set.Free
			for i := range n {
				means[at][batch] += v[i] / float64(each)
				at++
				for j := range i + 1 {
					means[at][batch] += (v[i] - mean[i]) * (v[j] - mean[j]) / float64(each)
					at++
				}
			}
		}
	}
	at := 0
	check := func(what string, want float64) {
		familytest.Agree(t, what, means[at][:], want)
		at++
	}
	for i := range n {
		check(fmt.Sprintf("mean %d", i), mean[i])
		for j := range i + 1 {
			check(fmt.Sprintf("covariance (%d, %d)", i, j), covariance.At(i, j))
		}
	}
}

// sparsePosterior returns the mean and covariance of the whitened inducing outputs of a model with
// one layer and one GP.
func sparsePosterior(t *testing.T, m *Chains, data family.Data) ([]float64, *mat.SymDense) {
	t.Helper()
	nodes, layer := m.post.layers[0], m.arch.Layers[0]
	points, _ := data.X.Dims()
	x := make([]float64, points*layer.Inputs)
	for n := range points {
		for d := range layer.Inputs {
			x[d*points+n] = data.X.At(n, d)
		}
	}
	a := general(make([]float64, layer.M*points), layer.M, points)
	nodes.kernel.Kuf(a.Data, 0, nodes.z.Value, x)
	if err := m.refresh(); err != nil {
		t.Fatal(err)
	}
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(nodes.root.Value, layer.M), a)
	precision := mat.NewSymDense(layer.M, nil)
	linear := mat.NewVecDense(layer.M, nil)
	for i := range layer.M {
		precision.SetSym(i, i, 1)
	}
	for n := range points {
		column := mat.NewVecDense(layer.M, mat.Col(nil, n, mat.NewDense(layer.M, points, a.Data)))
		s := nodes.kernel.Scale(0, x) - mat.Dot(column, column) + m.post.observation.Value[0]
		precision.SymRankOne(precision, 1/s, column)
		linear.AddScaledVec(linear, data.Y.At(n, 0)/s, column)
	}
	var factor mat.Cholesky
	if !factor.Factorize(precision) {
		t.Fatal("the precision is not positive definite")
	}
	covariance := mat.NewSymDense(layer.M, nil)
	mean := mat.NewVecDense(layer.M, nil)
	if err := factor.InverseTo(covariance); err != nil {
		t.Fatal(err)
	}
	if err := factor.SolveVecTo(mean, linear); err != nil {
		t.Fatal(err)
	}
	return mean.RawVector().Data, covariance
}

// widen converts a covariance to the stationary covariance of SGHMC. With eta = (epsilon^2/N) h,
// the stationary covariance is larger by a factor of (2-beta)/(2-beta-a/2) along each eigenvector
// of eta^1/2 A eta^1/2 with eigenvalue a.
func widen(covariance *mat.SymDense, square []float64, epsilon, beta, points float64) {
	n := len(square)
	eta := make([]float64, n)
	for i, g2 := range square {
		eta[i] = math.Sqrt(epsilon * epsilon / points / math.Sqrt(g2))
	}
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			scaled.SetSym(i, j, covariance.At(i, j)/(eta[i]*eta[j]))
		}
	}
	var eigen mat.EigenSym
	eigen.Factorize(scaled, true)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for i := range n {
		for j := range i + 1 {
			var sum float64
			for k, inverse := range eigen.Values(nil) {
				a := 1 / inverse
				sum += inverse * (2 - beta) / (2 - beta - a/2) * vectors.At(i, k) * vectors.At(j, k)
			}
			covariance.SetSym(i, j, sum*eta[i]*eta[j])
		}
	}
}

// Slice sampling of two layers is calibrated: if v, eps and the targets are drawn from the model, the ranks
// of functions of v and eps among the draws of a chain are uniform (Talts et al. 2018, as in package gibbs).
// With Gaussian noise, the last layer is drawn from its posterior; with classes, slices move it as well.
func TestSlicesAreCalibrated(t *testing.T) {
	const n = 6
	t.Run("gaussian", func(t *testing.T) {
		checkCalibration(t, familytest.Wave(n, 1), func(mean, variance float64, rng *rand.Rand) float64 {
			return mean + math.Sqrt(variance+0.05)*rng.NormFloat64()
		})
	})
	t.Run("probit", func(t *testing.T) {
		signs := familytest.Signs(familytest.Wave(n, 1))
		checkCalibration(t, signs, func(mean, variance float64, rng *rand.Rand) float64 {
			return math.Copysign(1, mean+math.Sqrt(variance+1)*rng.NormFloat64())
		})
	})
}

// checkCalibration checks the ranks for the inputs of data. draw draws a target given the moments of the
// function.
func checkCalibration(
	t *testing.T, data family.Data, draw func(mean, variance float64, rng *rand.Rand) float64,
) {
	t.Helper()
	simulations := 400
	if testing.Short() {
		simulations = 100
	}
	const draws, thinning, bins = 15, 8, 4
	n, _ := data.X.Dims()
	set := familytest.NewSetting("sghmc", "sampler", "ess", "layers", "2", "width", "1", "inducing", "3",
		"burn_in", "0", "lengthscale", "0.7", "noise_variance", "0.05")
	var counts [4][bins]int
	names := []string{"v of layer 1", "v of layer 2", "eps", "log-likelihood"}
	for k := range simulations {
		m := newChains(t, data, set.With("kept", "1"))
		c := m.chains[0]
		s := newGPSlices(c, uint64(k))
		if err := c.prepare(); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(k), 5))
		state := make([]float64, c.stateSize())
		for i := range state {
			state[i] = rng.NormFloat64()
		}
		c.setState(state)
		if _, err := s.logLik(); err != nil {
			t.Fatal(err)
		}
		b := c.outputBound
		for i := range n {
			b.y.Value[i] = draw(b.outMean.Value[i], b.outVar.Value[i], rng)
		}
		values := func() [4]float64 {
			logLik, err := s.logLik()
			if err != nil {
				t.Fatal(err)
			}
			first := len(c.Set.Free) / 2
			return [4]float64{c.Set.Free[0], c.Set.Free[first], b.eps[0].Value[2], logLik}
		}
		truth := values()
		var ranks [4]int
		for step := range draws * thinning {
			if _, err := s.Step(t.Context(), c, uint64(step)); err != nil {
				t.Fatal(err)
			}
			if (step+1)%thinning != 0 {
				continue
			}
			for i, v := range values() {
				if v < truth[i] {
					ranks[i]++
				}
			}
		}
		for i, rank := range ranks {
			counts[i][rank*bins/(draws+1)]++
		}
	}
	for i, list := range counts {
		familytest.UniformRanks(t, names[i], list[:], simulations)
	}
}

// The likelihood with the inducing outputs of the last layer integrated out must equal its definition, a
// Gaussian density with the covariance A^T A + D.
func TestLastLayerAgainstDefinition(t *testing.T) {
	set := smallSlices.With("burn_in", "0")
	m := newChains(t, familytest.Wave(15, 2), set)
	familytest.Steps(t, m, 3)
	c := m.chains[0]
	last := newLastLayer(c.outputBound)
	got, err := last.logLik()
	if err != nil {
		t.Fatal(err)
	}
	b := c.outputBound
	a := mat.NewDense(last.m, last.n, nil)
	b.columns[1].unpack(a.RawMatrix().Data)
	var product mat.Dense
	product.Mul(a.T(), a)
	covariance := mat.NewSymDense(last.n, product.RawMatrix().Data)
	for i, residual := range b.residual[1].Value {
		covariance.SetSym(i, i, covariance.At(i, i)+residual+b.post.observation.Value[0])
	}
	var factor mat.Cholesky
	if !factor.Factorize(covariance) {
		t.Fatal("the covariance is not positive definite")
	}
	var want float64
	for p := range 2 {
		y := mat.NewVecDense(last.n, b.y.Row(p))
		var solved mat.VecDense
		if err := factor.SolveVecTo(&solved, y); err != nil {
			t.Fatal(err)
		}
		want -= 0.5 * (mat.Dot(y, &solved) + factor.LogDet() + float64(last.n)*math.Log(2*math.Pi))
	}
	oracletest.Close(t, "log-likelihood", []float64{got}, []float64{want}, 1e-10)
}

// Slice sampling refuses data that are too large, and settings of the other sampler do not apply.
func TestSliceSettings(t *testing.T) {
	spec := sghmc()
	values := familytest.Values(t, spec, smallSlices.Set)
	if _, err := spec.Size(values, maxSliced, 2, 1); err != nil {
		t.Error(err)
	}
	_, err := spec.Size(values, maxSliced+1, 2, 1)
	if err == nil || !strings.Contains(err.Error(), "at most 10000 points, not 10001") {
		t.Errorf("%d points: %v", maxSliced+1, err)
	}
	m := newChains(t, familytest.Wave(40, 1), smallSlices)
	if report := familytest.Steps(t, m, 1); !math.IsNaN(report.Gauges[1]) {
		t.Errorf("gauges %v", report.Gauges)
	}
	if c := m.chains[0]; c.outputBound.b != 40 || c.outputBound.r != 1 {
		t.Errorf("%d points, %d samples", c.outputBound.b, c.outputBound.r)
	}
}

// Predictions have one component per kept sample and fit the data.
func TestChainPredictions(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of steps")
	}
	set := familytest.NewSetting("sghmc", "inducing", "16", "width", "2", "burn_in", "1500", "kept", "20",
		"thinning", "20", "chains", "2", "step_size", "0.03")
	data := familytest.Wave(100, 1)
	m := newChains(t, data, set)
	for _, want := range []int{2, 40} {
		p, err := m.Predict(data.X, 50, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(p.(*predictive.Gaussians).Weights); got%want != 0 || got > 50 {
			t.Errorf("%d components of %d samples", got, want)
		}
		familytest.Steps(t, m, 1900-m.StepsDone())
	}
	familytest.Learns(t, m, data, 0, 40, 0.25) // the noise is 0.1
	labels := familytest.Signs(familytest.Wave(100, 1))
	familytest.Learns(t, newChains(t, labels, set), labels, 1900, 40, 10)
}

// For three classes, the probabilities of a point sum to one, and the predictions are far more
// accurate than a constant prediction of the most frequent class.
func TestChainClassPredictions(t *testing.T) {
	data := familytest.Thirds(familytest.Wave(60, 1))
	m := newChains(t, data, smallChains.With("inducing", "15", "batch", "60", "layers", "1",
		"burn_in", "500", "kept", "10", "thinning", "5"))
	familytest.Steps(t, m, 550)
	p, err := m.Predict(data.X, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	probabilities := make([]float64, 60*3)
	p.(predictive.Classification).Probabilities(probabilities)
	right, sizes := 0, make([]float64, 3)
	for n := range 60 {
		sizes[int(data.Y.At(n, 0))]++
		row := probabilities[3*n : 3*n+3]
		if sum := row[0] + row[1] + row[2]; math.Abs(sum-1) > 1e-9 {
			t.Errorf("point %d: the probabilities sum to %v", n, sum)
		}
		if floats.MaxIdx(row) == int(data.Y.At(n, 0)) {
			right++
		}
	}
	if most := floats.Max(sizes); float64(right) < 1.5*most {
		t.Errorf("%d of 60 classes are right, the largest has %v", right, most)
	}
}

// The covariance block map shows the covariance of the kept samples, unwhitened.
func TestChainCovariance(t *testing.T) {
	m := newChains(t, familytest.Wave(40, 1), smallChains.With("kept", "30", "thinning", "1"))
	if m.covariance() != nil {
		t.Error("covariance without samples")
	}
	familytest.Steps(t, m, 9+30)
	if err := m.refresh(); err != nil {
		t.Fatal(err)
	}
	draws := m.Draws(0)
	outputs := len(draws[0])
	all := mat.NewDense(len(draws), outputs, nil)
	for s, v := range draws {
		f := append([]float64(nil), v...)
		for i := range m.post.NumGPs() {
			own := blas64.Vector{N: m.post.points(i), Inc: 1, Data: f[m.post.starts[i]:]}
			blas64.Trmv(blas.NoTrans, lower(m.post.layers[m.post.layer[i]].root.Value, own.N), own)
		}
		all.SetRow(s, f)
	}
	want := mat.NewSymDense(outputs, nil)
	stat.CovarianceMatrix(want, all, nil)
	got := m.covariance()
	if kept := len(m.PredictionSamples(maxCovarianceSamples)); got.Draws != kept ||
		math.Abs(got.Noise()-2/math.Sqrt(float64(kept))) > 1e-15 {
		t.Errorf("%d draws, noise %v; want %d draws", got.Draws, got.Noise(), kept)
	}
	if got.Side() != outputs {
		t.Fatalf("the map has %d cells, want one for each of %d outputs", got.Side(), outputs)
	}
	for k := range 200 {
		r := rand.New(rand.NewPCG(1, uint64(k)))
		i := r.IntN(outputs)
		j := r.IntN(outputs)
		if w := math.Log10(math.Abs(want.At(i, j))); math.Abs(got.At(i, j)-w) > 1e-6 {
			t.Errorf("cell (%d, %d) is %v, want %v", i, j, got.At(i, j), w)
		}
	}
}

// A gradient that is not finite names its parameter.
func TestNonFiniteGradientOfAChain(t *testing.T) {
	c := newChains(t, familytest.Wave(10, 1), smallChains).chains[0]
	c.hyperGradient[0] = math.Inf(1)
	want := "the gradient of " + c.hyper.Set.NameAt(0) + " is not finite"
	if err := c.checkFinite(1); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// A step on non-finite data leaves chains and hyperparameters unchanged.
func TestNonFiniteDataLeavesChainsUnchanged(t *testing.T) {
	data := familytest.Wave(40, 1)
	data.Y.Set(3, 0, math.Inf(1))
	for _, set := range []familytest.Setting{
		smallChains.With("batch", "40"), smallChains.With("batch", "40", "chains", "2"),
		smallSlices, smallSlices.With("chains", "2", "burn_in", "0"),
	} {
		m := newChains(t, data, set)
		familytest.Unchanged(t, "a failed step", m, func() {
			if _, err := m.Step(t.Context()); err == nil {
				t.Fatal("an infinite target was accepted")
			}
		})
	}
}
