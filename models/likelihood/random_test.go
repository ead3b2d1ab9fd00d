package likelihood

import (
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models/predictive"
	"dgplab/viz/golden"
)

// TestRandomTargets compares the expectations, mixtures and predictions of all likelihoods, for random
// targets, moments and parameters, with recorded results.
func TestRandomTargets(t *testing.T) {
	var d golden.Digest
	for i, declared := range likelihoods {
		d.Begin(declared.Name)
		r := rand.New(rand.NewPCG(uint64(i), 22))
		for range 6 {
			classes := 2 + r.IntN(4)
			setup := Setup{Noise: 0.1 + r.Float64(), Classes: classes, Epsilon: 1e-3 * r.Float64(),
				Targets: []float64{1, 4, float64(r.IntN(9)), math.NaN()}}
			l := declared.New(setup)
			addExpectations(&d, r, declared.Tasks[0], l, classes)
			addMixtures(t, &d, r, declared.Tasks[0], l, classes)
			addPredictions(&d, r, declared.Tasks[0], l, classes)
		}
	}
	d.Check(t, "targets")
}

// randomTarget returns a target of a task, some of which are missing or far.
func randomTarget(r *rand.Rand, of task.Task, classes int) float64 {
	if r.IntN(10) == 0 {
		return math.NaN()
	}
	switch of {
	case task.Binary:
		return float64(2*r.IntN(2) - 1)
	case task.Multiclass:
		return float64(r.IntN(classes))
	case task.Count:
		return math.Floor(math.Exp(2 * r.NormFloat64()))
	}
	return r.NormFloat64() * math.Exp(r.NormFloat64())
}

// fillNormals fills a slice with normal numbers.
func fillNormals(dst []float64, r *rand.Rand, mean, sd float64) []float64 {
	for i := range dst {
		dst[i] = mean + sd*r.NormFloat64()
	}
	return dst
}

// fillVariances fills a slice with variances of all magnitudes, some of which are 0.
func fillVariances(dst []float64, r *rand.Rand) []float64 {
	for i := range dst {
		dst[i] = math.Exp(3*r.NormFloat64() - 1)
		if r.IntN(12) == 0 {
			dst[i] = 0
		}
	}
	return dst
}

// fillTargets fills a slice with targets.
func fillTargets(dst []float64, r *rand.Rand, of task.Task, classes int) []float64 {
	for i := range dst {
		dst[i] = randomTarget(r, of, classes)
	}
	return dst
}

// randomParams returns parameters near their starts.
func randomParams(r *rand.Rand, l Likelihood) []float64 {
	params := starts(l)
	for q := range params {
		params[q] *= math.Exp(0.5 * r.NormFloat64())
	}
	return params
}

// addExpectations adds both expectations and their derivatives.
func addExpectations(d *golden.Digest, r *rand.Rand, of task.Task, l Likelihood, classes int) {
	const n = 12
	k := l.Latents()
	y := fillTargets(make([]float64, n), r, of, classes)
	mean := fillNormals(make([]float64, n*k), r, 0, 1.5)
	vr := fillVariances(make([]float64, n*k), r)
	params := randomParams(r, l)
	for _, form := range []expectation{l.VariationalExpectations, l.LogExpectation} {
		for _, size := range []int{0, len(params), n * len(params)} {
			got := form.of(y, mean, vr, params, size)
			d.AddNumbers("expectations", got.terms...)
			d.AddNumbers("expectations", got.dMean...)
			d.AddNumbers("expectations", got.dVar...)
			d.AddNumbers("expectations", got.dParams...)
		}
	}
}

// addMixtures adds the log-likelihood of mixtures of samples and its gradient.
func addMixtures(t *testing.T, d *golden.Digest, r *rand.Rand, of task.Task, l Likelihood, classes int) {
	t.Helper()
	for _, form := range []Form{ExpectedLog, LogExpected} {
		outputs := 1 + r.IntN(3)
		samples := 1 + r.IntN(4)
		points := 1 + r.IntN(6)
		size := outputs * l.Latents() * samples * points
		y := fillTargets(make([]float64, outputs*points), r, of, classes)
		m := NewMixture(l, form, outputs, samples, points)
		terms := make([]float64, points)
		weights := fillNormals(make([]float64, samples), r, -1, 0.5)
		mean := fillNormals(make([]float64, size), r, 0, 1)
		m.Forward(terms, y, mean, fillVariances(make([]float64, size), r), randomParams(r, l), weights)
		g := MixtureGrad{Mean: make([]float64, size), Var: make([]float64, size),
			LogWeights: make([]float64, samples), Params: make([]float64, len(l.Parameters()))}
		m.Backward(g, fillNormals(make([]float64, points), r, 1, 0.5))
		for _, list := range [][]float64{terms, g.Mean, g.Var, g.LogWeights, g.Params} {
			d.AddNumbers("mixtures", list...)
		}
	}
}

// addPredictions adds everything that a prediction tells about its targets.
func addPredictions(d *golden.Digest, r *rand.Rand, of task.Task, l Likelihood, classes int) {
	components := 1 + r.IntN(3)
	points := 1 + r.IntN(4)
	outputs := 1
	if !of.Classes() {
		outputs = 1 + r.IntN(2)
	}
	latent := predictive.NewGaussians(make([]float64, components), points, outputs*l.Latents())
	for s := range latent.Weights {
		latent.Weights[s] = 1 / float64(components)
	}
	fillNormals(latent.Mean, r, 0.3, 1)
	for i := range latent.Var {
		latent.Var[i] = 0.5 * r.Float64()
	}
	params := randomParams(r, l)
	m := l.Observe(latent, params)
	y := fillTargets(make([]float64, points*outputs), r, of, classes)
	values := make([]float64, points*components)
	m.LogDensity(values[:points], y)
	d.AddNumbers("predictions", values[:points]...)
	if mixture, is := m.(predictive.Mixture); is {
		mixture.ComponentLogDensity(values, y)
		d.AddNumbers("predictions", values...)
		at := r.IntN(points)
		mixture.Reweighted(at, latent.Weights).LogDensity(values[:1], y[at*outputs:(at+1)*outputs])
		d.AddNumbers("predictions", values[0])
	}
	units := predictive.Units{Mean: []float64{0.5}, SD: []float64{2}}
	if of == task.Count {
		units = predictive.Units{}
	}
	var tally predictive.Tally
	tally.Add(m, y, units)
	s := tally.Scores()
	d.AddNumbers("predictions", float64(s.N), s.LogLik, s.StdLogLik, s.NLL, s.StdNLL, s.RMSE, s.MAE, s.CRPS,
		s.SMSE, s.StdRMSE, s.StdCRPS, s.ErrorRate, s.Accuracy, s.LogLoss, s.Brier, s.ECE)
	d.AddNumbers("predictions", s.Coverage[:]...)
	for _, o := range s.Outputs {
		d.AddNumbers("predictions", o.LogLik, o.RMSE, o.CRPS)
	}
	regression, is := m.(predictive.Regression)
	if !is {
		return
	}
	size := points * outputs
	moments := make([]float64, 2*size)
	regression.Moments(moments[:size], moments[size:])
	quantiles := make([]float64, 3*size)
	regression.Quantiles(quantiles, []float64{0.02, 0.4, 0.9})
	d.AddNumbers("predictions", moments...)
	d.AddNumbers("predictions", quantiles...)
	for _, score := range []func(dst, y []float64){
		regression.PIT, regression.CRPS, regression.LogDensityByOutput,
	} {
		score(moments[:size], y)
		d.AddNumbers("predictions", moments[:size]...)
	}
}
