package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// fakeEngine is an Engine with the data sets of kittest, two families with some of their hyperparameters, and
// sweeps in memory.
type fakeEngine struct {
	*kittest.Engine
	states   map[string]*sweeps.State
	list     []sweeps.Entry
	estimate sweeps.Estimate
	startErr error

	started []sweeps.Options
	grids   []sweeps.Grid
	sweeps  []*fakeSweep
	looks   int // number of OpenSweep calls
	// compares counts comparisons. wanted is the argument of the last comparison. Comparisons fail with
	// compareErr if it is set.
	compares   int
	wanted     compare.ReportOptions
	compareErr error
	plans      int
	// fetched are the downloaded data sets; downloads fail with fetchErr.
	fetched  []string
	fetchErr error
	// tasks are the tasks of all sweeps, calls the requests to Slurm, which fail with slurmErr.
	tasks    *sweeps.Tasks
	calls    []string
	slurmErr error
}

// Fetch downloads nothing.
func (e *fakeEngine) Fetch(_ context.Context, name string, report func(datasets.Progress)) error {
	e.fetched = append(e.fetched, name)
	report(datasets.Progress{Name: name, Files: 1})
	return e.fetchErr
}

func (e *fakeEngine) AskTasks(context.Context, *sweeps.State) (*sweeps.Tasks, error) {
	return e.tasks, nil
}

func (e *fakeEngine) CancelTasks(context.Context, *sweeps.State) (int, error) {
	e.calls = append(e.calls, "cancel")
	return 3, e.slurmErr
}

func (e *fakeEngine) ResubmitSweep(context.Context, *sweeps.State) (*sweeps.Plan, error) {
	e.calls = append(e.calls, "submit")
	return &sweeps.Plan{Submission: sweeps.Submission{Cells: 3}}, e.slurmErr
}

func newFakeEngine() *fakeEngine {
	return &fakeEngine{
		Engine:   kittest.NewEngine(),
		states:   map[string]*sweeps.State{},
		estimate: sweeps.Estimate{Runs: 6, Seconds: 5400},
	}
}

func (e *fakeEngine) Families() []models.Spec {
	list := []models.Hyperparameter{
		{Name: "layers", Section: family.ModelSection, First: true, Kind: family.Int, Default: "3", Min: 1,
			Max: 10, Help: "layers, the output layer included"},
		{Name: "width", Section: family.ModelSection, First: true, Kind: family.IntList, Default: "5", Min: 1,
			Max: 64, Help: "GPs of each hidden layer: one number for all, or one each"},
		{Name: "inducing", Section: family.ModelSection, First: true, Kind: family.Int, Default: "128",
			Min: 1, Max: 4096, Help: "inducing points M of every layer"},
		{Name: "kernel", Section: family.KernelSection, First: true, Kind: family.Choice, Default: "rbf",
			Choices: []string{"rbf", "matern32", "matern52"}, Help: "covariance function"},
		{Name: "learning_rate", Section: family.InferenceSection, First: true, Kind: family.Float,
			Default: "0.005", MinOpen: true, Max: 1, Help: "of Adam, at the start"},
	}
	mask := models.Hyperparameter{
		Name:    "mask",
		Section: family.ModelSection,
		Kind:    family.Text,
		Default: "star",
		Help:    "blocks that may be non-zero",
	}
	return []models.Spec{
		{Name: "mean-field", Hyperparameters: list}, {Name: "star", Hyperparameters: list},
		{Name: "mask", Hyperparameters: append(slices.Clip(list[1:]), mask)},
	}
}

func (e *fakeEngine) PreviewSweep(_ context.Context, grid sweeps.Grid, name string) (*sweeps.State, error) {
	e.plans++
	cells, err := grid.Cells()
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = grid.DefaultName(cells)
	}
	if s, ok := e.states[name]; ok {
		return s, nil
	}
	return stateOf(name, grid, cells), nil
}

// stateOf returns a state in which all cells are waiting.
func stateOf(name string, grid sweeps.Grid, cells []sweeps.Cell) *sweeps.State {
	s := &sweeps.State{
		Name:    name,
		Dir:     "/runs/.sweeps/" + name,
		Created: time.Date(2026, 11, 21, 9, 30, 0, 0, time.Local),
		Grid:    grid,
		Phase:   sweeps.Over,
	}
	for _, c := range cells {
		s.Cells = append(s.Cells, sweeps.CellState{Cell: c, Status: sweeps.Waiting})
	}
	return s
}

func (e *fakeEngine) InspectSweep(ctx context.Context, _ *sweeps.State) (sweeps.Estimate, error) {
	return e.estimate, ctx.Err()
}

func (e *fakeEngine) StartSweep(
	ctx context.Context, grid sweeps.Grid, o sweeps.Options,
) (kit.SweepRun, error) {
	e.started = append(e.started, o)
	e.grids = append(e.grids, grid)
	if e.startErr != nil {
		return nil, e.startErr
	}
	state, err := e.PreviewSweep(ctx, grid, o.Name)
	if err != nil {
		return nil, err
	}
	return e.begin(state, o), nil
}

func (e *fakeEngine) ResumeSweep(_ context.Context, name string, o sweeps.Options) (kit.SweepRun, error) {
	e.started = append(e.started, o)
	if e.startErr != nil {
		return nil, e.startErr
	}
	state, err := e.OpenSweep(name)
	if err != nil {
		return nil, err
	}
	return e.begin(state, o), nil
}

func (e *fakeEngine) begin(s *sweeps.State, o sweeps.Options) *fakeSweep {
	going := *s
	going.Phase, going.Jobs = sweeps.Going, o.Jobs
	f := &fakeSweep{name: s.Name, state: &going, done: make(chan struct{})}
	e.sweeps = append(e.sweeps, f)
	return f
}

func (e *fakeEngine) OpenSweep(name string) (*sweeps.State, error) {
	e.looks++
	if s, ok := e.states[name]; ok {
		return s, nil
	}
	return nil, fmt.Errorf("unknown sweep %s", name)
}

func (e *fakeEngine) ListSweeps() ([]sweeps.Entry, error) { return e.list, nil }

// CompareSweep compares the runs of a sweep. Their directories must be in DGPLAB_RUNS.
func (e *fakeEngine) CompareSweep(name string, w compare.ReportOptions) (*compare.Report, error) {
	e.compares, e.wanted = e.compares+1, w
	if e.compareErr != nil {
		return nil, e.compareErr
	}
	var runs []rundir.Info
	for _, c := range e.states[name].Cells {
		if c.Run == "" {
			continue
		}
		info, err := rundir.Find(c.Run)
		if err != nil {
			return nil, err
		}
		runs = append(runs, info)
	}
	return compare.NewReport(runs, w)
}

// fakeSweep is a sweep with states set by the test.
type fakeSweep struct {
	name  string
	state *sweeps.State
	asked []string
	done  chan struct{}
}

func (f *fakeSweep) Name() string          { return f.name }
func (f *fakeSweep) Latest() *sweeps.State { return f.state }
func (f *fakeSweep) Done() <-chan struct{} { return f.done }
func (f *fakeSweep) Pause()                { f.ask("pause", sweeps.Resting) }
func (f *fakeSweep) Continue()             { f.ask("continue", sweeps.Going) }
func (f *fakeSweep) Cancel()               { f.ask("cancel", sweeps.Stopping) }
func (f *fakeSweep) RetryFailed()          { f.ask("retry", sweeps.Going) }

func (f *fakeSweep) ask(what string, phase sweeps.Phase) {
	f.asked = append(f.asked, what)
	s := *f.state
	s.Phase = phase
	f.state = &s
}

// end publishes the last state and closes Done.
func (f *fakeSweep) end() {
	s := *f.state
	s.Phase = sweeps.Over
	f.state = &s
	close(f.done)
}

// someGrid returns a grid of two data sets, two families, three numbers of inducing points and two
// seeds.
func someGrid() sweeps.Grid {
	return sweeps.Grid{
		Datasets: []string{"steps", "mountaincar"},
		Families: []string{"mean-field", "star"}, Seeds: []uint64{0, 1},
		Set: []sweeps.Axis{{Name: "inducing", Values: []string{"32", "64", "128"}},
			{Name: "steps", Values: []string{"2000"}}},
	}
}

// middle returns a half-completed sweep: the first cells are done, one has failed, two are running, one is
// stopped, and the others are waiting.
func middle(t testing.TB) *sweeps.State {
	t.Helper()
	g := someGrid()
	cells, err := g.Cells()
	if err != nil {
		t.Fatal(err)
	}
	s := stateOf("abl", g, cells)
	for i := range s.Cells {
		c := &s.Cells[i]
		if i > 20 {
			break
		}
		c.Run, c.Steps = fmt.Sprintf("20261121-093%03d-fake-run", i), 2000
		switch {
		case i < 16:
			finish(c)
		case i == 16:
			c.Status = sweeps.Failed
			c.Step = 713
			c.Err = errors.New("layer 2, step 713: covariance of the inducing outputs is not positive " +
				"definite at jitter 0.01")
		case i < 19:
			c.Status = sweeps.Running
			c.Step = 100*i - 1000
			c.Seconds = 12
			c.Remaining = 90 * time.Second
		case i == 19:
			c.Status, c.Step = sweeps.Stopped, 400
		default:
			c.Run = ""
		}
	}
	return s
}

// finish sets the scores of a cell as a function of its configuration.
func finish(c *sweeps.CellState) {
	m := map[string]float64{"32": 5, "64": 6, "128": 7}[c.Config.Set["inducing"]]
	v := -2 + 0.2*m + 0.05*float64(c.Config.Seed)*m
	if c.Config.Family == "star" {
		v += 0.3
	}
	if c.Config.Dataset == "mountaincar" {
		v -= 3
	}
	rmse := rundir.Number(math.Exp(-v))
	crps := rmse / 2
	c.Status, c.Step, c.Seconds = sweeps.Done, 2000, 20*m
	c.Summary = &rundir.Summary{
		Stop: rundir.StopSteps, Step: 2000, Seconds: c.Seconds, BestVal: rundir.Number(v + 0.1),
		BestStep: 1900, Objective: rundir.Number(-900 + 10*m),
		Test: &rundir.Metrics{
			N:        200,
			Samples:  100,
			LogLik:   rundir.Number(v),
			NLL:      rundir.Number(-v),
			RMSE:     &rmse,
			CRPS:     &crps,
			Coverage: map[string]rundir.Number{"50": 0.5, "90": 0.9, "95": 0.95},
		},
	}
}

// harness holds the two screens and their test host. One of the screens is in front.
type harness struct {
	*kittest.Host
	engine   *fakeEngine
	grid     *Grid
	progress *Progress
	// published compares with the tables of papers.
	published *Published
}

func newHarness(t testing.TB, w, h int) *harness {
	t.Helper()
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	d := &harness{Host: kittest.NewHost(), engine: newFakeEngine()}
	d.grid, d.progress, d.published = New(d, d.engine)
	d.grid.cores = 4
	d.Screen = d.grid
	d.Size(w, h)
	return d
}

// Sweeps returns the sweeps of the engine.
func (d *harness) Sweeps() (list []kit.SweepRun) {
	for _, s := range d.engine.sweeps {
		list = append(list, s)
	}
	return list
}

// both passes a message to both screens, as the program does, and runs their commands.
func (d *harness) both(cmd func() any) {
	msg := cmd()
	first, _ := d.grid.Update(msg)
	second, _ := d.progress.Update(msg)
	d.Perform(first)
	d.Perform(second)
}

// front brings a screen to the front.
func (d *harness) front(s kit.Screen, w, h int) {
	d.Screen = s
	d.Size(w, h)
}

// lastVisit returns the last call of Go.
func (d *harness) lastVisit(t testing.TB) kittest.Visit {
	t.Helper()
	if len(d.Visits) == 0 {
		t.Fatal("Go was not called")
	}
	return d.Visits[len(d.Visits)-1]
}
