package sweep

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/reproduce"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
)

// Engine is the interface of the screens to the rest of the program.
type Engine interface {
	Catalogue() []datasets.Info
	Fetch(ctx context.Context, name string, report func(datasets.Progress)) error
	Families() []models.Spec
	// PreviewSweep is sweeps.Preview, and InspectSweep is sweeps.Inspect without failed cells.
	PreviewSweep(ctx context.Context, grid sweeps.Grid, name string) (*sweeps.State, error)
	InspectSweep(ctx context.Context, s *sweeps.State) (sweeps.Estimate, error)
	// StartSweep and ResumeSweep are sweeps.Start and sweeps.Resume.
	StartSweep(ctx context.Context, grid sweeps.Grid, o sweeps.Options) (kit.SweepRun, error)
	ResumeSweep(ctx context.Context, name string, o sweeps.Options) (kit.SweepRun, error)
	// OpenSweep and ListSweeps are sweeps.Open and sweeps.List.
	OpenSweep(name string) (*sweeps.State, error)
	ListSweeps() ([]sweeps.Entry, error)
	// AskTasks, CancelTasks and ResubmitSweep are sweeps.AskTasks, sweeps.CancelTasks and sweeps.Resubmit.
	AskTasks(ctx context.Context, s *sweeps.State) (*sweeps.Tasks, error)
	CancelTasks(ctx context.Context, s *sweeps.State) (tasks int, err error)
	ResubmitSweep(ctx context.Context, s *sweeps.State) (*sweeps.Plan, error)
	// CompareSweep compares the runs of a sweep; see compare.NewReport.
	CompareSweep(name string, w compare.ReportOptions) (*compare.Report, error)
	// ListExperiments is reproduce.List of all runs, and MeasureExperiment the table of one experiment.
	ListExperiments() ([]reproduce.Entry, error)
	MeasureExperiment(id string) (*reproduce.Table, error)
	// PlanExperiment plans the runs of an experiment that are missing and have not failed; see
	// reproduce.Experiment.Plan.
	PlanExperiment(ctx context.Context, id string) (*reproduce.Plan, error)
	// StartExperiment trains the missing runs of an experiment, split by split. It returns
	// ErrReproduced if there are none, and ErrNoData if no data set is downloaded.
	StartExperiment(ctx context.Context, id string, jobs int) (kit.SweepRun, error)
}

// Errors of Engine.StartExperiment if no run is missing, and if no data set is downloaded.
var (
	ErrReproduced = errors.New("all runs of the experiment exist")
	ErrNoData     = errors.New("no data set of the experiment is downloaded")
)

// work is shared by the screens.
type work struct {
	host   kit.Host
	engine Engine
	theme  *kit.Theme
	// jobs is the last typed number of workers.
	jobs int
	// starting is set while a sweep is being started.
	starting bool
	// cores is the number of cores.
	cores int
}

// New returns the screens.
func New(host kit.Host, e Engine) (*Grid, *Progress, *Published) {
	w := &work{host: host, engine: e, theme: host.Theme(), jobs: 1, cores: session.Cores()}
	g := &Grid{work: w}
	g.fill(sweeps.Grid{}, "")
	return g, &Progress{work: w, page: 1}, &Published{work: w}
}

// going returns the running sweep with a name, or nil if there is none.
func (w *work) going(name string) kit.SweepRun {
	for _, s := range w.host.Sweeps() {
		if s.Name() == name && kit.Going(s) {
			return s
		}
	}
	return nil
}

// start requests a sweep of a grid.
func (w *work) start(grid sweeps.Grid, o sweeps.Options) tea.Cmd {
	return w.begin(func(ctx context.Context) (kit.SweepRun, error) {
		return w.engine.StartSweep(ctx, grid, o)
	})
}

// resume requests to resume a sweep.
func (w *work) resume(name string, o sweeps.Options) tea.Cmd {
	return w.begin(func(ctx context.Context) (kit.SweepRun, error) {
		return w.engine.ResumeSweep(ctx, name, o)
	})
}

func (w *work) begin(begin func(context.Context) (kit.SweepRun, error)) tea.Cmd {
	if w.starting {
		return nil
	}
	w.starting = true
	ctx := w.host.Context()
	return func() tea.Msg {
		s, err := begin(ctx)
		return sweepStartedMsg{s, err}
	}
}

// began waits for the end of a started sweep, or reports the error.
func (w *work) began(msg sweepStartedMsg) tea.Cmd {
	w.starting = false
	if msg.err != nil {
		return w.host.Say(kit.Bad, "cannot start: "+msg.err.Error())
	}
	return func() tea.Msg {
		<-msg.sweep.Done()
		return sweepEndedMsg{msg.sweep}
	}
}

// beside returns the number of other training runs, outside the sweep s.
func (w *work) beside(s kit.SweepRun) (n int) {
	for _, other := range w.host.Sweeps() {
		if other != s {
			n += kit.Training(other)
		}
	}
	for _, r := range w.host.Runs() {
		if kit.Going(r) {
			n++
		}
	}
	return n
}
