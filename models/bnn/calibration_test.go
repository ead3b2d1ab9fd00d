package bnn

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/models/family"
	"dgplab/models/familytest"
)

// Simulation-based calibration (Talts, Betancourt, Simpson, Vehtari, Gelman, "Validating Bayesian
// Inference Algorithms with Simulation-Based Calibration", 2018, arXiv:1804.06788): if networks and
// variances are drawn from the prior and data are drawn given these, the rank of the true value
// among posterior samples is uniform. The tested quantities are invariant under permutations of
// units.
func TestTrajectoriesAreCalibrated(t *testing.T) {
	if testing.Short() {
		t.Skip("many posteriors")
	}
	const (
		replications, points = 144, 8
		kept                 = 11 // ranks 0 to 11
	)
	set := map[string]string{
		"hidden_width": "2", "noise_shape": "4", "noise_rate": "1", "weights_shape": "6", "weights_rate": "6",
		"burn_in": "80", "kept": "11", "thinning": "6", "leapfrog_steps": "16",
	}
	names := []string{"noise", "variance of the weights", "function at 0.3", "function at -1.5", "log joint"}
	counts := make([][kept + 1]float64, len(names))
	r := rand.New(rand.NewPCG(11, 12))
	for seed := range uint64(replications) { // each with its own draws
		data := family.Data{X: mat.NewDense(points, 1, nil), Y: mat.NewDense(points, 1, nil)}
		data.X.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, data.X)
		m := newCalibrated(t, set, data, seed)
		truth := drawPrior(m.joint, r)
		noise := math.Exp(truth[len(truth)-1])
		for i := range points {
			data.Y.Set(i, 0, forward(m.joint, data.X.RawRowView(i))[0]+math.Sqrt(noise)*r.NormFloat64())
		}
		m = newCalibrated(t, set, data, seed)
		familytest.Steps(t, m, 80+kept*6)
		of := quantities(t, m.joint, truth)
		var ranks [5]int
		for _, sample := range m.PredictionSamples(kept) {
			for k, v := range quantities(t, m.joint, sample) {
				if v < of[k] {
					ranks[k]++
				}
			}
		}
		for k, rank := range ranks {
			counts[k][rank]++
		}
	}
	for k, name := range names {
		var chi2 float64
		const want = replications / (kept + 1.)
		for _, c := range counts[k] {
			chi2 += (c - want) * (c - want) / want
		}
		if p := (distuv.ChiSquared{K: kept}).Survival(chi2); p < 1e-3 {
			t.Errorf("%s: ranks %v are not uniform, p %.1g", name, counts[k], p)
		}
	}
}

// newCalibrated returns chains for the given seed.
func newCalibrated(t *testing.T, set map[string]string, data family.Data, seed uint64) *Chains {
	t.Helper()
	m, err := buildTrajectories(familytest.Values(t, familytest.Find(Families(), "bnn-hmc"), set), data, seed)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Chains)
}

// drawPrior sets the parameters of a joint to a draw from the prior and returns the free
// parameters.
func drawPrior(j *joint, r *rand.Rand) []float64 {
	variance := func(shape, rate float64) float64 {
		return 1 / (distuv.Gamma{Alpha: shape, Beta: rate, Src: r}).Rand()
	}
	free := j.Set.Free
	n := len(free)
	prior := variance(6, 6)
	for i := range n - 2 {
		free[i] = math.Sqrt(prior) * r.NormFloat64()
	}
	free[n-2] = math.Log(prior)
	free[n-1] = math.Log(variance(4, 1))
	j.Set.Forward()
	return free
}

// quantities returns the noise variance, the variance of the weights, two function values and the
// log joint at the given free parameters.
func quantities(t *testing.T, j *joint, free []float64) []float64 {
	t.Helper()
	copy(j.Set.Free, free)
	j.Set.Forward()
	value, err := j.Evaluate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return []float64{j.noise.Value[0], j.prior.Value[0], forward(j, []float64{0.3})[0],
		forward(j, []float64{-1.5})[0], value}
}
