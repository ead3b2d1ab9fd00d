package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/predictive"
	"dgplab/models/view"
	"dgplab/session/config"
	"dgplab/session/memory"
	"dgplab/session/rundir"
)

// fakeModel is linear regression by noisy gradient ascent with momentum. Small as it is, it does everything
// that a real model does: it also derives its random numbers from seed and step.
type fakeModel struct {
	world  *fakeWorld
	data   models.Data
	seed   uint64
	step   []float64 // [1]
	weight []float64 // [D]
	moment []float64 // [D]
	noise  []float64 // [1], variance
	// schedule of the step size; its shape is empty unless the world has a decay.
	schedule infer.Schedule
}

// fakeWorld is an environment with a fake family, fake data and a fake clock, and settings for
// their behaviour.
type fakeWorld struct {
	phases func(step int) string // nil for no phases
	decay  float64               // share of the steps over which the step size falls
	clock  atomic.Int64          // nanoseconds
	// onStep is called in Step with the number of the current step. An error fails the step.
	onStep  func(step int) error
	onState func() // called when the state of a model is read
	// onNew replaces the creation of a model.
	onNew func() (models.Model, error)
	// onBuild is called with the number of the new model. An error replaces the model.
	onBuild func(model int) error
	// stepCost and diagnoseCost are added to the clock.
	stepCost, diagnoseCost time.Duration
	loadErr, predictErr    error
	onRestored             func(step int) error // called with the step of the restored model
	viewsErr, posteriorErr error
	chains                 *view.Chains
	ahead                  int // added to the number of steps that models have done
	onLoad                 func(ctx context.Context)
	onPredict              func(samples int)
	shift                  float64    // changes the data
	records                sync.Mutex // guards diagnosed and built, because a world may have several runs
	diagnosed              []int      // steps at which diagnostics were computed
	built                  int        // number of models
	noTest                 bool
	components             int // maximum number of mixture components; 0 means 1, which is fast
	convergesAt            int // step; 0 for never
	endlessAt              int // step that ends only when it is cancelled; 0 for none
	inEndless              chan struct{}
	training               map[string]family.Default // the family's own defaults
	full                   bool                      // no memory is free
	collapsed              bool                      // the only layer has collapsed
	bias, gain             func(step int) float64    // added to predictions and objective; nil for none
}

func (w *fakeWorld) pass(d time.Duration) { w.clock.Add(int64(d)) }

func (w *fakeWorld) now() time.Time { return time.Unix(1700000000, w.clock.Load()) }

var fakeSpec = models.Spec{
	Name: "fake", Title: "A fake family",
	Accepts: family.Accepts{Regression: true, Binary: true, Outputs: true},
	Objective: family.Objective{
		Name: "fake objective", Kind: family.Surrogate, Noisy: true,
		Terms:  []family.Reading{family.ExpectedLogLik, family.KL},
		Gauges: []family.Reading{infer.LearningRate},
	},
	Hyperparameters: []models.Hyperparameter{
		{Name: "rate", Kind: family.Float, Default: "0.01", Min: 0, Max: 1, MinOpen: true,
			Help: "learning rate"},
	},
	Size: func(v models.Values, n, d, p int) (models.Size, error) {
		if len(v) != 1 {
			return models.Size{}, fmt.Errorf("the family got %d values", len(v))
		}
		return models.Size{Variational: d, Parameters: d + 1, StepFLOPs: float64(4 * n * d)}, nil
	},
}

func (w *fakeWorld) environment() environment {
	return environment{
		Registry: config.Registry{
			Family: func(name string) (models.Spec, error) {
				if name != "fake" {
					return models.Spec{}, errors.New("no such family")
				}
				spec := fakeSpec
				spec.Training = w.training
				spec.New = func(v models.Values, data models.Data, seed uint64) (models.Model, error) {
					_, d := data.X.Dims()
					w.records.Lock()
					w.built++
					built := w.built
					w.records.Unlock()
					if w.onBuild != nil {
						if err := w.onBuild(built); err != nil {
							return nil, err
						}
					}
					if w.onNew != nil {
						return w.onNew()
					}
					m := &fakeModel{world: w, data: data, seed: seed, step: make([]float64, 1),
						weight: make([]float64, d), moment: make([]float64, d), noise: []float64{1}}
					m.schedule.Rate = 0.01
					if w.decay > 0 {
						m.schedule.Shape = infer.StableDecay
						m.schedule.Length, m.schedule.DecayShare = data.Steps, w.decay
					}
					return m, nil
				}
				return spec, nil
			},
			Dataset: func(name string) (string, error) {
				if name != "line" {
					return "", errors.New("no such data set")
				}
				return name, nil
			},
			CheckSplit: func(text string) error {
				if !strings.HasPrefix(text, "interpolation:") {
					return errors.New("no such split")
				}
				return nil
			},
		},
		load: func(ctx context.Context, _ datasets.Source) (*datasets.Dataset, error) {
			if w.onLoad != nil {
				w.onLoad(ctx)
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return w.dataset(), w.loadErr
		},
		prepare: w.prepare,
		memory: memory.NewLedger(func() float64 {
			if w.full {
				return 0
			}
			return 1e9
		}),
		now: w.now,
	}
}

func (w *fakeWorld) dataset() *datasets.Dataset {
	const n, d = 200, 3
	rng := rand.New(rand.NewPCG(7, 7))
	ds := &datasets.Dataset{
		Name:     "line",
		Title:    "A line",
		Targets:  []string{"y"},
		X:        mat.NewDense(n, d, nil),
		Y:        mat.NewDense(n, 1, nil),
		Warnings: []table.Note{{Text: "made up"}},
	}
	for i := range n {
		y := w.shift
		for j := range d {
			x := rng.NormFloat64()
			ds.X.Set(i, j, x)
			y += float64(j+1) * x
		}
		ds.Y.Set(i, 0, y+0.1*rng.NormFloat64())
	}
	return ds
}

func (w *fakeWorld) prepare(ds *datasets.Dataset, d division) (*datasets.Prepared, string, error) {
	if d.split == "" {
		d.split = "interpolation:0"
	}
	cut := func(from, to int) datasets.Part {
		if from == to {
			return datasets.Part{}
		}
		x := mat.DenseCopyOf(ds.X.Slice(from, to, 0, 3))
		y := mat.DenseCopyOf(ds.Y.Slice(from, to, 0, 1))
		targets := mat.DenseCopyOf(y)
		targets.Scale(2, y)
		return datasets.Part{X: x, Y: y, Inputs: x, Targets: targets}
	}
	held := int(math.Round(160 * d.validation))
	p := &datasets.Prepared{Train: cut(0, 160-held), Validation: cut(160-held, 160), Test: cut(160, 200)}
	if w.noTest {
		p.Test = datasets.Part{}
	}
	p.Scaling.TargetMean, p.Scaling.TargetSD = []float64{0}, []float64{2}
	p.Scaling.InputMean, p.Scaling.InputSD = []float64{0, 0, 0}, []float64{1, 1, 1}
	return p, d.split, nil
}

func (m *fakeModel) Step(ctx context.Context) (models.Report, error) {
	step := int(m.step[0]) + 1
	if step == m.world.endlessAt {
		close(m.world.inEndless)
		<-ctx.Done()
		return models.Report{}, ctx.Err()
	}
	m.world.pass(m.world.stepCost)
	if m.world.onStep != nil {
		if err := m.world.onStep(step); err != nil {
			return models.Report{}, err
		}
	}
	rng := rand.New(rand.NewPCG(m.seed, uint64(step)))
	n, d := m.data.X.Dims()
	var fit, penalty float64
	gradient := make([]float64, d)
	for range 16 {
		i := rng.IntN(n)
		r := m.data.Y.At(i, 0) - mat.Dot(m.data.X.RowView(i), mat.NewVecDense(d, m.weight))
		fit -= r * r / 2
		for j := range d {
			gradient[j] += r * m.data.X.At(i, j) / 16
		}
	}
	for j := range d {
		m.moment[j] = 0.9*m.moment[j] + gradient[j]
		m.weight[j] += m.schedule.At(step) * m.moment[j]
		penalty += m.weight[j] * m.weight[j] / 2
	}
	m.noise[0] = 0.99*m.noise[0] + 0.01*0.05
	m.step[0]++
	report := models.Report{
		Phase:     m.world.phase(step),
		Objective: fit - penalty,
		Terms:     []float64{fit, penalty},
		Gauges:    []float64{m.schedule.At(step)},
	}
	if m.world.decay > 0 {
		report.Phase = m.schedule.Phase(step)
	}
	if m.world.gain != nil {
		report.Objective += m.world.gain(step)
	}
	if step%50 == 0 {
		report.Rescues = 1
	}
	report.Converged = step == m.world.convergesAt
	return report, nil
}

func (m *fakeModel) Predict(x *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	if m.world.onPredict != nil {
		m.world.onPredict(samples)
	}
	if m.world.predictErr != nil {
		return nil, m.world.predictErr
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	bias := 0.0
	if m.world.bias != nil {
		bias = m.world.bias(m.StepsDone())
	}
	n, d := x.Dims()
	samples = min(samples, max(m.world.components, 1))
	mix := &predictive.Gaussians{
		S:     samples,
		N:     n,
		P:     1,
		Noise: predictive.SharedNoise(m.noise[0], samples, 1),
	}
	for range samples {
		mix.Weights = append(mix.Weights, 1/float64(samples))
		for i := range n {
			mean := mat.Dot(x.RowView(i), mat.NewVecDense(d, m.weight))
			mix.Mean = append(mix.Mean, mean+bias+0.01*rng.NormFloat64())
			mix.Var = append(mix.Var, 0.01)
		}
	}
	return mix, nil
}

// phase returns the phase of a step.
func (w *fakeWorld) phase(step int) string {
	if w.phases == nil {
		return ""
	}
	return w.phases(step)
}

func (m *fakeModel) RateSchedule() *infer.Schedule { return &m.schedule }

func (m *fakeModel) State() []models.Array {
	if m.world.onState != nil {
		m.world.onState()
	}
	return []models.Array{{Name: "step", Data: m.step}, {Name: "weight", Data: m.weight},
		{Name: "moment", Data: m.moment}, {Name: "noise", Data: m.noise}}
}

func (m *fakeModel) Notes() []string    { return []string{"a note of the model"} }
func (m *fakeModel) StepsDone() int     { return int(m.step[0]) + m.world.ahead }
func (m *fakeModel) NumParameters() int { return len(m.weight) + 1 }
func (m *fakeModel) Hyper() []models.Quantity {
	return []models.Quantity{{Name: "likelihood.variance", Value: m.noise}}
}

func (m *fakeModel) Restored() error {
	if m.world.onRestored == nil {
		return nil
	}
	return m.world.onRestored(int(m.step[0]))
}

func (m *fakeModel) Posterior(*mat.Dense) (family.Arrays, error) {
	return family.Arrays{}, m.world.posteriorErr
}

func (m *fakeModel) Views(seed uint64) (view.Views, error) {
	m.world.records.Lock()
	m.world.diagnosed = append(m.world.diagnosed, int(m.step[0]))
	m.world.records.Unlock()
	m.world.pass(m.world.diagnoseCost)
	if m.world.viewsErr != nil {
		return view.Views{}, m.world.viewsErr
	}
	weight := slices.Clone(m.weight)
	return view.Views{
		Blocks: &view.Blocks{Parts: []view.Part{{Size: 1, Cells: 1}}, Log10: weight[:1]},
		Units: []view.Units{{Lengthscales: weight,
			Units: []view.Unit{{Curves: []view.Rounded{weight}, Collapsed: m.world.collapsed}}}},
		Chains: m.world.chains,
	}, nil
}

// unusable lists ways to make the models of a world unusable, with the resulting error.
var unusable = map[string]struct {
	spoil func(w *fakeWorld)
	want  string
}{
	"no model": {func(w *fakeWorld) {
		w.onNew = func() (models.Model, error) { return nil, errors.New("too small") }
	}, "too small"},
	"a model that rejects its state": {func(w *fakeWorld) {
		w.onRestored = func(int) error { return errors.New("not finite") }
	},
		"restore the model: not finite"},
	"a model at another step": {func(w *fakeWorld) { w.ahead = 2 }, "is at step"},
}

// newWorld sets DGPLAB_RUNS to an empty folder and returns a fake world.
func newWorld(t *testing.T) *fakeWorld {
	t.Helper()
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	return &fakeWorld{stepCost: time.Millisecond}
}

// withEnvironment sets the environment of a run.
func withEnvironment(env environment) Option { return func(o *options) { o.env = env } }

func fakeConfig(set ...string) rundir.Config {
	c := rundir.Config{Dataset: "line", Family: "fake", Seed: 3, Set: map[string]string{"steps": "60"}}
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		c.Set[name] = value
	}
	return c
}

func (w *fakeWorld) start(t *testing.T, c rundir.Config) *Run {
	t.Helper()
	r, err := Start(context.Background(), c, withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// startPaused starts a run that pauses after a step, and returns it when it has paused.
func (w *fakeWorld) startPaused(t *testing.T, c rundir.Config, step int, opts ...Option) *Run {
	t.Helper()
	var r *Run
	started := make(chan struct{})
	w.onStep = func(n int) error {
		<-started
		if n == step {
			r.Pause()
		}
		return nil
	}
	r, err := Start(context.Background(), c, append(opts, withEnvironment(w.environment()))...)
	if err != nil {
		t.Fatal(err)
	}
	close(started)
	until(t, r, func(s *Snapshot) bool { return s.State == rundir.Paused })
	return r
}

// wait waits for the end of the run and checks its reason.
func wait(t *testing.T, r *Run, want rundir.Stop) *Snapshot {
	t.Helper()
	s := r.Wait()
	if s.State != rundir.Ended || s.Stop != want || (s.Err != nil) != (want == rundir.StopFailed) {
		t.Fatalf("state %s, stop %s, error %v; want stop %s", s.State, s.Stop, s.Err, want)
	}
	return s
}
