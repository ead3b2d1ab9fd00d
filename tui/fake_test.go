package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
)

// fakeRun is a run whose snapshots are made by the test. Requests are counted.
type fakeRun struct {
	dir    string
	latest atomic.Pointer[session.Snapshot]
	done   chan struct{}

	mu       sync.Mutex
	asked    []string
	files    map[string][]byte
	stopEnds bool // being stopped or cancelled ends the run at once
}

func newFakeRun(s *session.Snapshot) *fakeRun {
	r := &fakeRun{dir: "/runs/fake", done: make(chan struct{}), files: map[string][]byte{}, stopEnds: true}
	r.latest.Store(s)
	return r
}

func (r *fakeRun) ID() string                { return "fake-1" }
func (r *fakeRun) Dir() string               { return r.dir }
func (r *fakeRun) Latest() *session.Snapshot { return r.latest.Load() }
func (r *fakeRun) Pause()                    { r.ask("pause"); r.state(session.Paused) }
func (r *fakeRun) Continue()                 { r.ask("continue"); r.state(session.Training) }
func (r *fakeRun) Checkpoint()               { r.ask("checkpoint") }
func (r *fakeRun) Diagnose()                 { r.ask("diagnose") }
func (r *fakeRun) Done() <-chan struct{}     { return r.done }

func (r *fakeRun) Stop() {
	r.ask("stop")
	r.end()
}

func (r *fakeRun) cancel() {
	r.ask("cancel")
	r.end()
}

func (r *fakeRun) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.done:
	default:
		if r.stopEnds {
			s := *r.latest.Load()
			s.State, s.Stop = session.Ended, session.StopAsked
			r.latest.Store(&s)
			close(r.done)
		}
	}
}

func (r *fakeRun) WriteFile(name string, write func(io.Writer) error) (string, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[name] = b.Bytes()
	return filepath.Join(r.dir, name), nil
}

func (r *fakeRun) ask(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, what)
}

// count returns how often something was asked for.
func (r *fakeRun) count(what string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, a := range r.asked {
		if a == what {
			n++
		}
	}
	return n
}

func (r *fakeRun) state(to session.State) {
	s := *r.latest.Load()
	s.State = to
	r.latest.Store(&s)
}

// fakeEngine hands out fake runs and remembers what it was asked.
type fakeEngine struct {
	mu       sync.Mutex
	runs     []*fakeRun
	configs  []session.Config
	inspects int
	startErr error
	cached   map[string]bool
	fetched  chan error // what a download ends with
	make     func(session.Config) *fakeRun
}

func newFakeEngine() *fakeEngine {
	return &fakeEngine{cached: map[string]bool{}, fetched: make(chan error, 1), make: func(c session.Config) *fakeRun {
		return newFakeRun(training(c, 1240))
	}}
}

func (e *fakeEngine) Catalogue() []dataInfo {
	e.mu.Lock()
	defer e.mu.Unlock()
	return []dataInfo{
		{Name: "steps", Title: "A noisy step function in one dimension", N: 500, D: 1, P: 1, Cached: true},
		{Name: "mountaincar", Title: "Value function of the mountain-car problem", N: 2000, D: 2, P: 1, Cached: true, Default: true},
		{Name: "boston", Title: "Boston housing prices", Kind: datasets.Fetchable, N: 506, D: 13, P: 1, Bytes: 51234, Cached: e.cached["boston"]},
	}
}

func (e *fakeEngine) Families() []spec {
	return []spec{
		{Name: "mean-field", Title: "Mean-field deep GP", Summary: "One Gaussian for each GP, independent of all others."},
		{Name: "star", Title: "Stripes-and-arrow deep GP", Summary: "Couples every layer to the last one and GPs of the same index to each other."},
	}
}

func (e *fakeEngine) Hyperparameters(name string) ([]hyperparameter, error) {
	list := []hyperparameter{
		{Name: "layers", Kind: family.Int, Default: "2", Min: 1, Max: 10, Help: "layers of GPs", Paper: "3"},
		{Name: "widths", Kind: family.IntList, Default: "5", Min: 1, Max: 1000, Help: "GPs in each inner layer"},
		{Name: "rate", Kind: family.Float, Default: "0.005", Min: 0, MinOpen: true, Max: 1, Help: "learning rate of Adam"},
		{Name: "kernel", Kind: family.Choice, Default: "rbf", Choices: []string{"rbf", "matern32", "matern52"}, Help: "covariance function"},
		{Name: "early_stopping", Kind: family.Bool, Default: "on", Help: "stop when validation gets no better"},
		{Name: "steps", Kind: family.Int, Default: "20000", Min: 1, Max: 1e9, Help: "steps of the optimiser"},
	}
	if name == "star" {
		list = append(list, hyperparameter{Name: "mask", Kind: family.Text, Default: "arrow", Help: "pattern of blocks"})
	}
	return list, nil
}

func (e *fakeEngine) Validate(c session.Config) error {
	if c.Split == "nonsense" {
		return errors.New("split=nonsense: want standard:K, interpolation:SEED or extrapolation:SEED")
	}
	return nil
}

func (e *fakeEngine) Inspect(ctx context.Context, c session.Config) (plan, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inspects++
	return plan{N: 1620, NumValidation: 180, NumTest: 200, D: 2, P: 1, Variational: 123456, Parameters: 125000}, ctx.Err()
}

func (e *fakeEngine) Start(ctx context.Context, c session.Config) (run, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.configs = append(e.configs, c)
	if e.startErr != nil {
		return nil, e.startErr
	}
	r := e.make(c)
	context.AfterFunc(ctx, r.cancel)
	e.runs = append(e.runs, r)
	return r, nil
}

func (e *fakeEngine) Fetch(ctx context.Context, name string, report func(fetchProgress)) error {
	report(fetchProgress{Name: name, File: "data.txt", Files: 3, FilesDone: 1, Bytes: 51234, BytesDone: 20000, Attempt: 1})
	select {
	case err := <-e.fetched:
		if err == nil {
			e.mu.Lock()
			e.cached[name] = true
			e.mu.Unlock()
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// training returns a snapshot of a run at a step, with everything in it.
func training(c session.Config, step int) *session.Snapshot {
	s := &session.Snapshot{
		ID: "fake-1", State: session.Training, Config: c, N: 1620, NumValidation: 180, NumTest: 200, D: 2, P: 1,
		Parameters: 125000, Variational: 123456, Step: step, Steps: 20000, Seconds: float64(step) * 0.0285,
		StepsPerSecond: 35.1, Remaining: 9 * time.Minute, ValPoints: 180, BestVal: math.NaN(), CheckpointStep: 1000,
		Hyper:   []models.Quantity{{Name: "likelihood.variance", Value: []float64{0.0123}}},
		Rescues: 1, Dir: "/runs/fake",
	}
	for i := 1; i <= step; i += max(step/400, 1) {
		x := float64(i)
		p := session.Point{Step: i, Seconds: x * 0.0285, ValLogLik: math.NaN(),
			Objective: -4000*math.Exp(-x/200) - 900 + 150*math.Sin(x*7.3)*math.Cos(x*3.1)}
		p.KL = 30 * (1 - math.Exp(-x/100))
		p.ExpectedLogLik = p.Objective + p.KL
		if len(s.Curve)%5 == 0 {
			p.ValLogLik = -1.2 - 2*math.Exp(-x/300) + 0.05*math.Sin(x)
			if !(p.ValLogLik <= s.BestVal) {
				s.BestVal, s.BestStep = p.ValLogLik, i
			}
		}
		s.Curve = append(s.Curve, p)
	}
	s.Last = models.Report{Objective: -912.4, ExpectedLogLik: -882.1, KL: 30.3, LearningRate: 0.005, GradientNorm: 12.5}
	s.Diagnostics = &session.Diagnostics{Step: step - step%100, Covariance: fakeMap(), Layers: fakeLayers()}
	return s
}

// fakeMap is the map of two layers of three GPs and one of one.
func fakeMap() *blockMap {
	m := &blockMap{GPs: []int{3, 3, 1}, M: 64, Cells: 8}
	side := 7 * m.Cells
	m.Log10 = make([]float64, side*side)
	for i := range side {
		for j := range side {
			a, b := i/m.Cells, j/m.Cells
			v := math.Inf(-1)
			if a == b || a == 6 || b == 6 || a%3 == b%3 {
				v = -1 - 0.3*math.Abs(float64(i%m.Cells-j%m.Cells)) - 0.5*math.Abs(float64(a-b))
			}
			m.Log10[i*side+j] = v
		}
	}
	return m
}

func fakeLayers() []layerSamples {
	var layers []layerSamples
	for _, gps := range []int{3, 3, 1} {
		l := layerSamples{Lengthscales: []float64{0.8, 1.7}, Variance: 1.3}
		for g := range 40 {
			l.Grid = append(l.Grid, -2+float64(g)/10)
		}
		for t := range gps {
			gp := models.GPSamples{Mean: 0.1 * float64(t), SD: 0.9, Min: -2.2, Max: 2.4, Share: 0.4, Collapsed: t == 2,
				Histogram: []int{1, 4, 9, 20, 31, 40, 28, 17, 8, 2}}
			for c := range 4 {
				var y []float64
				for _, x := range l.Grid {
					y = append(y, math.Sin(2*x+float64(t))+0.1*float64(c))
				}
				gp.Curves = append(gp.Curves, y)
			}
			l.GPs = append(l.GPs, gp)
			row := make([]float64, gps)
			for u := range row {
				row[u] = math.Exp(-math.Abs(float64(t - u)))
			}
			l.Correlation = append(l.Correlation, row)
		}
		layers = append(layers, l)
	}
	return layers
}

// ended returns a snapshot of a run that stopped.
func ended(c session.Config, why session.Stop) *session.Snapshot {
	s := training(c, 1240)
	s.State, s.Stop = session.Ended, why
	rmse, crps := 2.91, 1.52
	s.Test = &session.Metrics{N: 200, Samples: 100, LogLik: -2.41, NLL: 2.41, RMSE: &rmse, CRPS: &crps,
		Coverage: map[string]float64{"50": 0.52, "90": 0.91, "95": 0.955}}
	if why == session.StopFailed {
		s.Test, s.Err = nil, errors.New("layer 1, step 1240: covariance of the inducing outputs is not positive definite at jitter 0.01")
	}
	return s
}

// nan is what was not measured.
func nan() float64 { return math.NaN() }

// safeBuffer is a buffer that a program writes while a test reads.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
