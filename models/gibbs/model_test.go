package gibbs

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/kernel"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
	"dgplab/models/stats"
)

// settings lists every kind of model, with few steps.
var settings = []familytest.Setting{
	familytest.NewSetting("dgp-ess", "layers", "1", "chains", "2"),
	familytest.NewSetting("dgp-ess", "prior_mean", "inputs", "kernel", "matern32"),
	familytest.NewSetting("dgp-ess", "layers", "3", "width", "1", "kernel", "rbf"),
	familytest.NewSetting("dgp-ess", "width", "3", "nugget", "fixed", "nugget_value", "1e-4"),
	familytest.NewSetting("dgp-ess", "kernel", "rbf(0) + linear*matern12(1) + white(variance=0.01) | rq"),
	familytest.NewSetting("dgp-ess", "kernel", "matern52 & periodic(0) + constant | linear", "chains", "2"),
}

var few = []string{"burn_in", "4", "kept", "6", "thinning", "1"}

func untrained(t *testing.T, s familytest.Setting, data family.Data) *Model {
	t.Helper()
	s = s.With(few...)
	return familytest.New(t, s.Spec(Families()), data, s.Set, 0).(*Model)
}

func TestResume(t *testing.T) {
	data := familytest.Wave(15, 1)
	for _, s := range settings {
		build := func() family.Model { return untrained(t, s, data) }
		familytest.Resumes(t, s.String(), build, data.X, 12, 2, 7)
	}
}

// The log joint that a sweep updates equals the log joint evaluated at the final position.
func TestLogJointOfSweeps(t *testing.T) {
	data := familytest.Wave(12, 1)
	for _, s := range settings {
		m := untrained(t, s, data)
		sweep := newSweep(m.joint, 5)
		for step := range uint64(8) {
			move, err := sweep.Step(t.Context(), nil, step)
			if err != nil {
				t.Fatal(err)
			}
			terms := slices.Clone(m.joint.Terms())
			want, err := m.joint.Evaluate(nil)
			if err != nil || math.Abs(move.Objective-want) > 1e-8*math.Abs(want) ||
				math.Abs(terms[0]+terms[1]-want) > 1e-8*math.Abs(want) {
				t.Fatalf("%s: step %d: %v, sum of %v; evaluated %v, %v",
					s, step, move.Objective, terms, want, err)
			}
		}
	}
}

// booth is the function in the vignette of deepgp: a wave followed by a line. The published root
// mean square errors with 1, 2 and 3 layers are 0.063, 0.057 and 0.090.
func booth(x float64) float64 {
	if x > 0.58 {
		return 5*x - 4.9
	}
	return math.Sin(6*math.Pi*x) + math.Cos(12*math.Pi*x)
}

func TestBooth(t *testing.T) {
	const n = 20
	x := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		at := float64(i) / (n - 1)
		x.Set(i, 0, at)
		y.Set(i, 0, booth(at))
	}
	test := mat.NewDense(100, 1, nil)
	for i := range 100 {
		test.Set(i, 0, float64(i)/99)
	}
	mean, sd := moments(y)
	standardised := mat.NewDense(n, 1, nil)
	for i := range n {
		standardised.Set(i, 0, (y.At(i, 0)-mean)/sd)
	}
	steps := 600
	if testing.Short() {
		steps = 300
	}
	for layers, most := range map[string]float64{"1": 0.08, "2": 0.09, "3": 0.13} {
		s := familytest.NewSetting("dgp-ess", "layers", layers, "nugget", "fixed", "nugget_value", "1e-6")
		m := familytest.New(t, s.Spec(Families()), family.Data{X: x, Y: standardised},
			familytest.Merged(s.Set, map[string]string{"burn_in": "200", "kept": "100", "thinning": "4"}), 0)
		familytest.Steps(t, m, steps)
		out, err := m.Predict(test, 100, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, 100)
		variance := make([]float64, 100)
		out.(predictive.Regression).Moments(got, variance)
		var sum float64
		for i, v := range got {
			off := mean + sd*v - booth(test.At(i, 0))
			sum += off * off / 100
		}
		rmse := math.Sqrt(sum)
		t.Logf("%s layers: RMSE %.3f", layers, rmse)
		if !(rmse < most) {
			t.Errorf("%s layers: RMSE %.3f, want at most %.3f", layers, rmse, most)
		}
	}
}

// moments returns the mean and standard deviation of a column.
func moments(y *mat.Dense) (mean, sd float64) {
	n, _ := y.Dims()
	for i := range n {
		mean += y.At(i, 0) / float64(n)
	}
	for i := range n {
		sd += (y.At(i, 0) - mean) * (y.At(i, 0) - mean) / float64(n)
	}
	return mean, math.Sqrt(sd)
}

// Simulation-based calibration draws parameters from the prior, targets given the parameters, and
// chains given the targets. The ranks of the parameters among the draws must be uniform (Talts,
// Betancourt, Simpson, Vehtari, Gelman, "Validating Bayesian inference algorithms with
// simulation-based calibration", 2018, arXiv:1804.06788). The posterior does not depend on the
// scale of the targets, so tau2 = 1 serves as its draw from the improper prior.
func TestSimulationBasedCalibration(t *testing.T) {
	t.Run("theta", func(t *testing.T) { checkCalibration(t, 400, 12, "matern52", "matern52") })
	// All parameters of other kernels are sampled.
	t.Run("parameters", func(t *testing.T) { checkCalibration(t, 120, 12, "rq", "matern52 + linear") })
}

// checkCalibration checks the ranks for the given kernels of the hidden function and the targets.
func checkCalibration(t *testing.T, simulations, thinning int, hidden, last string) {
	t.Helper()
	if testing.Short() {
		simulations /= 4
	}
	const n, draws, bins = 6, 15, 4
	counts := map[string][]int{}
	kernels := []kernel.Kernel{familytest.Kernel(t, hidden, 1), familytest.Kernel(t, last, 1)}
	for k := range simulations {
		r := stats.Stream(uint64(k), "calibration", 0)
		j := simulated(t, n, kernels, r)
		truth, names := quantitiesOf(j)
		s := newSweep(j, uint64(k))
		ranks := make([]int, len(truth))
		for step := range draws * thinning {
			if _, err := s.run(context.Background(), stream{s.streams.At(uint64(step))}); err != nil {
				t.Fatal(err)
			}
			if (step+1)%thinning != 0 {
				continue
			}
			now, _ := quantitiesOf(j)
			for i, v := range now {
				if v < truth[i] {
					ranks[i]++
				}
			}
		}
		for i, rank := range ranks {
			name := names[i]
			if counts[name] == nil {
				counts[name] = make([]int, bins)
			}
			counts[name][rank*bins/(draws+1)]++
		}
	}
	for name, list := range counts {
		familytest.UniformRanks(t, name, list, simulations)
	}
}

// quantitiesOf returns the quantities whose ranks are counted, and their names.
func quantitiesOf(j *joint) (values []float64, names []string) {
	w := j.hidden[0]
	values = slices.Concat(j.nugget, j.kernel[1][0], j.kernel[0][0], []float64{math.Abs(w[0] - w[len(w)-1])})
	names = slices.Concat([]string{"nugget"}, j.labels(1), j.labels(0), []string{"distance of hidden values"})
	return values, names
}

// simulated returns a joint of n points with all parameters drawn from the prior and targets drawn
// given them.
func simulated(t *testing.T, n int, kernels []kernel.Kernel, r *rand.Rand) *joint {
	t.Helper()
	layers := len(kernels)
	c := config{inputs: 1, layers: layers, width: 1,
		priors: defaultPriors(layers, true), sampleNugget: true, y: make([]float64, n)}
	for l := range layers {
		c.correlations = append(c.correlations,
			[]correlation{newCorrelation(kernels[l], 1, c.priors.theta[l])})
	}
	for i := range n {
		c.x = append(c.x, float64(i)/float64(n-1))
	}
	j, err := newJoint(c, 1, c.x)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.disperse(r); err != nil {
		t.Fatal(err)
	}
	at := c.x
	for l := range layers {
		nugget, to := jitter, j.y
		if l < layers-1 {
			to = j.hidden[l]
		} else {
			nugget = j.nugget[0]
		}
		of := c.correlations[l][0]
		_, err := of.factor(j.root, j.covariance, at, 1, j.kernel[l][0], nugget, "simulation")
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float64, n)
		stats.Normals(z, r)
		for i := range n {
			to[i] = 0
			for k := range i + 1 {
				to[i] += j.root[i*n+k] * z[k]
			}
		}
		at = to
	}
	return j
}

// The first layer keeps its factors between sweeps. They must belong to the current values of its kernels,
// also for a kernel without values.
func TestKeptFactors(t *testing.T) {
	for _, k := range []string{"matern52", "rbf(lengthscales=0.5) + rq", "constant"} {
		setting := familytest.NewSetting("dgp-ess", "layers", "3", "width", "2", "kernel", k)
		m := untrained(t, setting, familytest.Wave(9, 1))
		for range 20 {
			if _, err := m.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			j := m.joint
			fresh := make([]float64, j.n()*j.n())
			for i := range j.width {
				values := j.kernel[0][i]
				got, err := j.innerFactor(0, i, j.x, j.inputs, values)
				if err != nil {
					t.Fatal(err)
				}
				_, err = j.correlations[0][i].factor(fresh, j.covariance, j.x, j.inputs, values, jitter, "")
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, fresh) {
					t.Fatalf("%s: the factor of function %d does not belong to its values", k, i)
				}
			}
		}
	}
}

// The first chain starts at the starting values, which an expression can give, and the others start at
// draws from the priors.
func TestStarts(t *testing.T) {
	setting := familytest.NewSetting("dgp-ess", "width", "2", "chains", "3", "nugget_value", "0.02",
		"kernel", "matern32(lengthscales=0.5) & rbf(lengthscales=0.5) | rq(1, alpha=3) + rbf")
	m := untrained(t, setting, familytest.Wave(9, 1))
	want := [][][]float64{{{0.25}, {0.5}}, {{0.01, 3, 0.01, 0.5}}}
	for l, functions := range m.joint.kernel {
		for i, values := range functions {
			oracletest.Close(t, "starting values", values, want[l][i], 1e-14)
		}
	}
	positions := m.PredictionSamples(3)
	first := m.joint.at(positions[0])
	if math.Abs(first.nugget[0]-0.02) > 1e-15 {
		t.Errorf("the nugget starts at %v", first.nugget)
	}
	const drawn = 1 + 2 + 4 // the nugget and the values of both layers
	for k, v := range positions[1][:drawn] {
		if v == positions[0][k] || v == positions[2][k] {
			t.Errorf("value %d starts at %v in several chains", k, v)
		}
	}
	again := untrained(t, setting, familytest.Wave(9, 1))
	if !slices.Equal(again.PredictionSamples(3)[2], positions[2]) {
		t.Error("the starts depend on more than the seed")
	}
}

// Joint draws of functions have the moments of predictions.
func TestDrawsAgreeWithPredictions(t *testing.T) {
	data := familytest.Wave(15, 1)
	for _, s := range settings {
		m := untrained(t, s, data)
		familytest.Steps(t, m, 10)
		x := mat.DenseCopyOf(data.X.Slice(0, 4, 0, 2))
		for i := range 4 {
			x.Set(i, 0, x.At(i, 0)+0.3)
		}
		samples := m.PredictionSamples(maxViewSamples)
		out, err := m.mixture(x, samples)
		if err != nil {
			t.Fatal(err)
		}
		clear(out.Noise)
		mean := make([]float64, 4)
		variance := make([]float64, 4)
		out.Moments(mean, variance)
		const repeats = 100
		means := make([]float64, 4)
		list, err := m.DrawFunctions(x, repeats*len(samples), 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			for i, v := range f[0] {
				means[i] += v / float64(len(list))
			}
		}
		for i, v := range means {
			if z := (v - mean[i]) / math.Sqrt((variance[i]+1e-6)/float64(len(list))); math.Abs(z) > 4 {
				t.Errorf("%s: mean of draws at point %d is %.1f standard errors off", s, i, z)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	wave := familytest.Wave(8, 1)
	for _, c := range []struct {
		data family.Data
		set  map[string]string
		want string
	}{
		{familytest.Wave(maxPoints+1, 1), nil, "at most 500 points, not 501"},
		{wave, map[string]string{"prior_mean": "inputs", "width": "3"}, "needs width=2"},
	} {
		spec := Families()[0]
		_, err := spec.New(familytest.Values(t, spec, c.set), c.data, 1)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
}

// A sweep that is cancelled or fails leaves the chain unchanged.
func TestSweepFails(t *testing.T) {
	m := untrained(t, settings[1], familytest.Wave(12, 1))
	before := slices.Clone(m.joint.set.Free)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newSweep(m.joint, 1)
	if _, err := s.Step(ctx, nil, 0); err == nil || !slices.Equal(before, m.joint.set.Free) {
		t.Errorf("cancelled: %v", err)
	}
	familytest.Faults{}.Every(t, "log joint", func(context.Context) error {
		_, err := m.joint.Evaluate(nil)
		return err
	}, nil)
	m.joint.y[0] = math.NaN()
	m.joint.x[3] = math.NaN()
	if _, err := s.Step(t.Context(), nil, 0); err == nil || !slices.Equal(before, m.joint.set.Free) {
		t.Errorf("inputs that are not finite: %v", err)
	}
	if _, err := m.joint.Evaluate(before); err == nil {
		t.Error("a gradient was promised")
	}
}

// If all targets are equal, predictions are finite and have almost no variance.
func TestEqualTargets(t *testing.T) {
	flat := familytest.Wave(8, 1)
	flat.Y.Zero()
	for _, s := range settings {
		m := untrained(t, s, flat)
		familytest.Steps(t, m, 10)
		out, err := m.mixture(flat.X, m.PredictionSamples(10))
		if err != nil {
			t.Fatal(err)
		}
		if mean, variance := out.Mean[3], out.Var[3]; mean != 0 || !(variance <= minScale) {
			t.Errorf("%s: mean %g, variance %g", s, mean, variance)
		}
	}
}

// An expression with the values of a function that has assembly must have its correlations and predictions.
func TestCorrelationOfExpressions(t *testing.T) {
	data := familytest.Wave(9, 1)
	var predicted [][]float64
	for _, text := range []string{"matern52", "matern52*constant"} {
		m := untrained(t, familytest.NewSetting("dgp-ess", "kernel", text), data)
		familytest.Steps(t, m, 8)
		out, err := m.mixture(data.X, m.PredictionSamples(4))
		if err != nil {
			t.Fatal(err)
		}
		predicted = append(predicted, slices.Concat(out.Mean, out.Var, out.Noise))
	}
	for i, v := range predicted[0] {
		if w := predicted[1][i]; !(math.Abs(v-w) <= 1e-6*math.Max(1, math.Abs(v))) {
			t.Fatalf("number %d of the predictions is %v, want %v", i, w, v)
		}
	}
}

// The shapes and rates are the defaults of deepgp 1.2.3, except for three noisy layers; see defaultPriors.
func TestDefaultPriors(t *testing.T) {
	for k, want := range [][]gamma{
		{{1.2, 4}}, {{1.2, 2}, {1.2, 1}}, {{1.2, 2}, {1.2, 2}, {1.2, 1}},
		{{1.5, 2.6}}, {{1.5, 0.975}, {1.5, 0.65}}, {{1.5, 0.975}, {1.5, 0.325}, {1.5, 0.65}},
	} {
		got := defaultPriors(k%3+1, k < 3)
		same := func(a, b gamma) bool { return a.shape == b.shape && math.Abs(a.rate-b.rate) < 1e-12 }
		if !slices.EqualFunc(got.theta, want, same) || got.nugget != (gamma{1.01, 10}) {
			t.Errorf("%d layers, noisy: %v: %v, want %v", k%3+1, k < 3, got, want)
		}
	}
}

// The noise and the scale of a model are means over its samples.
func TestMeansOfHyperparameters(t *testing.T) {
	m := untrained(t, settings[1], familytest.Wave(12, 1))
	familytest.Steps(t, m, 8)
	samples := m.PredictionSamples(100)
	var noise, scale float64
	for _, free := range samples {
		p, err := newPredictor(&m.joint.config, m.joint.at(free))
		if err != nil {
			t.Fatal(err)
		}
		noise += p.position.nugget[0] * p.scale / float64(len(samples))
		scale += p.scale / float64(len(samples))
	}
	got := m.Hyper()
	if len(samples) < 2 || math.Abs(got[0].Value[0]/noise-1) > 1e-12 ||
		math.Abs(got[1].Value[0]/scale-1) > 1e-12 {
		t.Errorf("%d samples: %+v, want %v and %v", len(samples), got[:2], noise, scale)
	}
}
