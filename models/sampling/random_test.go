package sampling

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/predictive"
	"dgplab/models/view"
	"dgplab/viz/golden"
)

// TestRandomDraws compares diagnoses of random chains, smoothed weights, kept samples and the steps of all
// samplers with recorded results.
func TestRandomDraws(t *testing.T) {
	var d golden.Digest
	r := rand.New(rand.NewPCG(1, 26))
	d.Begin("chains")
	for range 60 {
		addDiagnosis(t, &d, r)
	}
	d.Begin("weights")
	for range 60 {
		addWeights(t, &d, r)
	}
	d.Begin("reservoirs")
	for range 20 {
		room := 2 * (1 + r.IntN(5))
		kept := NewReservoir(room, 1+r.IntN(3), 1)
		for step := 1; step < 1+r.IntN(200); step++ {
			kept.Add(step, []float64{float64(step)})
		}
		for _, sample := range kept.Samples() {
			d.AddNumbers("samples", sample...)
		}
		d.AddNumbers("samples", float64(kept.Distance()))
		kept.numbers[r.IntN(reservoirNumbers)] = float64(r.IntN(3*room) - room)
		if kept.Restored() != nil {
			d.AddNumbers("refused", kept.numbers...)
		}
	}
	d.Begin("samplers")
	for k := range 18 {
		g := newGaussian(t, targetMean, targetPrecision)
		draws := NewDraws(uint64(k))
		burnIn := 10 * (k % 3)
		var sampler infer.Method
		switch k / 6 {
		case 0:
			sampler = NewHMC(3, HMCOptions{StepSize: []float64{0.01, 0.3, 2}[k%3], Leapfrogs: 1 + k%4,
				Jitter: 0.3 * float64(k%2), BurnIn: burnIn, Target: 0.8}, draws)
		case 1:
			sampler = NewSGHMC(3, SGHMCOptions{StepSize: 0.05, Friction: 0.1 + 0.2*float64(k%2),
				Points: 1 + k, BurnIn: burnIn}, draws)
		default:
			sampler = NewSGLD([]float64{0.01, 0.02, 0.05}, Decay{Start: float64(1 + k%4), Steps: 20}, draws)
		}
		name := fmt.Sprintf("%T", sampler)
		for step := range 40 {
			move, err := sampler.Step(t.Context(), g, uint64(step))
			if err != nil {
				t.Fatal(err)
			}
			d.AddNumbers(name, append(slices.Clone(move.Gauges), move.Objective)...)
			d.AddNumbers(name, g.x...)
		}
		for _, array := range sampler.State() {
			d.AddNumbers(name, array.Data...)
		}
	}
	d.Begin("models")
	for k := range 8 {
		method := methods[[]string{"hmc", "sgld"}[k%2]]
		phases := Phases{BurnIn: 7 * (k % 3), Kept: 2 + k, Thinning: 1 + k%2}
		m, _ := newModel(t, 1+k%3, phases, method(phases.BurnIn))
		for step := range 30 {
			report, err := m.Step(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d.AddNumbers("reports", append(slices.Concat(report.Terms, report.Gauges), report.Objective,
				float64(report.Rescues), float64(len(report.Phase)))...)
			if step%10 == 0 {
				addModel(t, &d, m.Model, 1+step)
			}
		}
	}
	d.Begin("elliptical slices")
	for range 10 {
		addSlices(t, &d, r)
	}
	d.Check(t, "draws")
}

// addModel adds the kept samples of a model, a selection of them, its view and its state.
func addModel(t *testing.T, d *golden.Digest, m *Model, most int) {
	t.Helper()
	var out family.Arrays
	m.ExportChains(&out)
	d.AddNumbers("samples", out.Tensors[0].Data...)
	addIntegers(d, "samples", len(out.Missing), m.Chains(), m.StepsDone(), m.NumParameters())
	for _, list := range [][][]float64{m.AllDraws(), m.PredictionSamples(most), m.Draws(0)} {
		for _, sample := range list {
			d.AddNumbers("samples", sample...)
		}
	}
	quantities := []Quantity{{Name: "first"}, {Name: "sum"}}
	v, err := m.View(quantities, func(values, free []float64) error {
		values[0], values[1] = free[0], free[0]+free[1]
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if v.Draws > 0 {
		broken := errors.New("no values")
		_, err = m.View(quantities, func(_, _ []float64) error { return broken })
		if !errors.Is(err, broken) {
			t.Errorf("values with an error: %v", err)
		}
	}
	for _, q := range v.Quantities {
		d.AddNumbers("view", float64(q.Mean), float64(q.SD), float64(q.Rhat))
	}
	addIntegers(d, "view", v.Draws, v.Chains, v.Distance)
	if v.Complete {
		d.AddNumbers("view", float64(most))
	}
	for _, array := range m.State() {
		d.AddNumbers("state", array.Data...)
		addIntegers(d, "state", int(crc32.ChecksumIEEE([]byte(array.Name))))
	}
	if err := m.Restored(); err != nil {
		t.Error(err)
	}
}

// addDiagnosis adds the statistics and the view of random chains, which may be correlated, apart, skewed,
// constant, short or not finite.
func addDiagnosis(t *testing.T, d *golden.Digest, r *rand.Rand) {
	t.Helper()
	chains := 1 + r.IntN(4)
	n := []int{1, 3, 4, 5, 9, 20, 41, 100, 300}[r.IntN(9)]
	kinds := []view.QuantityKind{view.Hyperparameter, view.FunctionValue, view.InducingOutput, view.Weight}
	quantities := make([]Quantity, []int{1, 3, 60}[r.IntN(3)])
	for i := range quantities {
		memory := r.Float64()
		apart := float64(r.IntN(2)) * r.Float64()
		skew := r.IntN(3)
		q := Quantity{Name: fmt.Sprint("q", i), Kind: kinds[r.IntN(4)]}
		for range chains {
			draws := make([]float64, n)
			shift := apart * r.NormFloat64()
			last := r.NormFloat64()
			for k := range draws {
				last = memory*last + math.Sqrt(1-memory*memory)*r.NormFloat64()
				draws[k] = shift + last
				switch skew {
				case 1:
					draws[k] = math.Exp(draws[k])
				case 2:
					draws[k] = math.Round(2 * draws[k])
				}
			}
			q.Draws = append(q.Draws, draws)
		}
		switch r.IntN(20) {
		case 0:
			q.Draws[0][n/2] = math.NaN()
		case 1:
			for _, draws := range q.Draws {
				for k := range draws {
					draws[k] = 3
				}
			}
		}
		s := Diagnose(q.Draws)
		d.AddNumbers("statistics", s.Rhat, s.RhatBulk, s.RhatFolded, s.RhatSplit, s.ESSBulk, s.ESSTail,
			s.ESSQ05, s.ESSQ95, s.ESSMean, s.Mean, s.SD, s.MCSEMean)
		shape := ShapeOf(q.Draws)
		d.AddNumbers("shapes", shape.Skewness, shape.Kurtosis, shape.P)
		quantities[i] = q
	}
	v := View(quantities, 2)
	if err := v.Check(); err != nil {
		t.Error(err)
	}
	for _, q := range v.Quantities {
		d.AddNumbers("view", float64(q.Mean), float64(q.MCSE), float64(q.Rhat), float64(q.Normal))
		if q.Kept == nil {
			continue
		}
		d.AddNumbers("kept", float64(q.Kept.Every))
		for c := range q.Kept.Draws {
			d.AddNumbers("kept", q.Kept.Draws[c]...)
			d.AddNumbers("autocorrelations", q.Kept.Autocorrelation[c]...)
			addIntegers(d, "ranks", q.Kept.Ranks[c]...)
		}
	}
	summary := v.Summary()
	addIntegers(d, "view", summary.Tested, summary.Unmixed, len(summary.Worst), v.Draws, v.Chains, v.Distance)
	d.AddNumbers("view", float64(summary.Rhat), float64(summary.ESSBulk), float64(summary.ESSTail))
	for _, n := range summary.Normality {
		addIntegers(d, "view", n.Tested, n.Rejected, len(n.Kind))
		d.AddNumbers("view", float64(n.MinP))
	}
	addIntegers(d, "orders", v.WorstFirst()...)
	addIntegers(d, "orders", v.LeastNormalFirst()...)
	addIntegers(d, "orders", v.WithDraws()...)
	for _, q := range Functions(1+r.IntN(2), 1+r.IntN(3), n) {
		addIntegers(d, "names", int(crc32.ChecksumIEEE([]byte(q.Name))))
	}
}

// addIntegers adds integers.
func addIntegers(d *golden.Digest, name string, list ...int) {
	for _, v := range list {
		d.AddNumbers(name, float64(v))
	}
}

// addWeights adds smoothed importance weights, some of which have long tails or are equal, and predictions
// without the points.
func addWeights(t *testing.T, d *golden.Digest, r *rand.Rand) {
	t.Helper()
	logs := make([]float64, []int{3, 10, 24, 25, 26, 60, 400}[r.IntN(7)])
	tail := 3 * r.Float64()
	for i := range logs {
		logs[i] = tail * r.NormFloat64()
		if r.IntN(9) == 0 {
			logs[i] = 1
		}
	}
	d.AddNumbers("k", reliableK(len(logs)))
	d.AddNumbers("k", Smooth(logs))
	d.AddNumbers("weights", logs...)
	const n = 4
	draws := 6 + r.IntN(30)
	components := draws * (1 + r.IntN(2))
	m := predictive.NewGaussians(make([]float64, components), n, 1)
	m.Noise = predictive.SharedNoise(0.1, components, 1)
	densities := make([]float64, draws*n)
	for i := range m.Mean {
		m.Mean[i] = r.NormFloat64()
		m.Var[i] = r.Float64()
		m.Weights[i/n] = 1 / float64(components)
	}
	for i := range densities {
		densities[i] = 2 * r.NormFloat64()
	}
	left, err := LeaveOneOut(t.Context(), m, components, densities)
	if err != nil {
		t.Fatal(err)
	}
	d.AddNumbers("k", append(left.K, float64(left.Draws), left.ReliableK)...)
	for _, part := range left.Parts {
		d.AddNumbers("weights", part.(*predictive.Gaussians).Weights...)
	}
}

// addSlices adds the positions of elliptical slice sampling.
func addSlices(t *testing.T, d *golden.Digest, r *rand.Rand) {
	t.Helper()
	sharp := 1 + 20*r.Float64()
	e := EllipticalSlice{Uniform: r.Float64, LogLik: func(f []float64) (float64, error) {
		return -sharp * (f[0] - 1) * (f[0] - 1) * (1 + f[1]*f[1]), nil
	}, Proposed: func(angle, logLik float64) { d.AddNumbers("proposals", angle, logLik) }}
	f := []float64{1, 0.5}
	var mean []float64
	if r.IntN(2) == 0 {
		mean = []float64{0.5, -0.5}
	}
	logLik, err := e.LogLik(f)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		var n int
		draw := []float64{r.NormFloat64(), r.NormFloat64()}
		logLik, n, err = e.Step(f, mean, draw, make([]float64, 2), logLik)
		if err != nil {
			t.Fatal(err)
		}
		d.AddNumbers("positions", append(f, float64(n), logLik)...)
	}
}
