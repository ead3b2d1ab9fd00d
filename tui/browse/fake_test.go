package browse

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// fakeEngine is an Engine with runs in memory, and the families and hyperparameters of kittest.
type fakeEngine struct {
	*kittest.Engine
	runs, trash []rundir.Info
	listErr     error
	curve       []rundir.Point // of every run
	asked       []int          // arguments of ListRuns
	forks       []map[string]string
}

func (s *fakeEngine) ListRuns(most int) ([]rundir.Info, bool, error) {
	s.asked = append(s.asked, most)
	most = min(most, len(s.runs))
	return slices.Clone(s.runs[:most]), most == len(s.runs), s.listErr
}

func (s *fakeEngine) Curve(rundir.Info) []rundir.Point { return s.curve }

func (s *fakeEngine) index(list []rundir.Info, id string) (int, error) {
	i := slices.IndexFunc(list, func(run rundir.Info) bool { return run.ID == id })
	if i < 0 {
		return i, fmt.Errorf("no run %q", id)
	}
	return i, nil
}

func (s *fakeEngine) Annotate(id string, change func(*rundir.Notes)) error {
	i, err := s.index(s.runs, id)
	if err == nil {
		change(&s.runs[i].Notes)
	}
	return err
}

func (s *fakeEngine) Trash(id string) error {
	i, err := s.index(s.runs, id)
	if err != nil {
		return err
	}
	if s.runs[i].State == rundir.Running {
		return fmt.Errorf("%s: %w", id, rundir.ErrRunning)
	}
	s.trash = append(s.trash, s.runs[i])
	s.runs = slices.Delete(s.runs, i, i+1)
	return nil
}

func (s *fakeEngine) Untrash(id string) error {
	i, err := s.index(s.trash, id)
	if err != nil {
		return err
	}
	s.runs = append(s.runs, s.trash[i])
	s.trash = slices.Delete(s.trash, i, i+1)
	return nil
}

func (s *fakeEngine) Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	s.forks = append(s.forks, changes)
	if changes["dataset"] == "gone.csv" {
		return rundir.Config{}, errors.New("gone.csv: no such file")
	}
	c := run.Config
	c.Set = maps.Clone(map[string]string(run.Values))
	maps.Copy(c.Set, changes)
	return c, nil
}

func number(x rundir.Number) *rundir.Number { return &x }

// elbo is the objective of the runs.
var elbo = family.Objective{Name: "ELBO", Kind: family.Bound, Terms: []family.Reading{family.KL}}

func kl(value float64) []rundir.Reading { return []rundir.Reading{{Key: family.KL.Key, Value: value}} }

// ended returns a run that has ended, with scores.
func ended(id, dataset, family string, logLik rundir.Number) rundir.Info {
	created, _ := time.ParseInLocation("20060102-150405", id[:15], time.Local)
	c := rundir.Config{
		Dataset: dataset,
		Family:  family,
		Split:   "standard:0",
		Seed:    1,
		Set:     map[string]string{"layers": "2"},
	}
	return rundir.Info{
		ConfigFile: rundir.ConfigFile{
			ID: id, ObjectiveIs: elbo, Created: created, Config: c,
			Values: models.Values{
				"layers":         "2",
				"widths":         "5",
				"rate":           "0.005",
				"kernel":         "rbf",
				"early_stopping": "on",
				"steps":          "2000",
			},
		},
		State: rundir.Ended, Step: 2000, Steps: 2000,
		Results: &rundir.Summary{Stop: rundir.StopSteps, Step: 2000, Seconds: 71.5, Objective: -912.4,
			ObjectiveIs: elbo, Terms: kl(30.3), BestVal: logLik + 0.2, BestStep: 610,
			Test: &rundir.Metrics{
				N:        51,
				LogLik:   logLik,
				RMSE:     number(2.3241),
				CRPS:     number(1.2),
				Coverage: map[string]rundir.Number{"95": 0.941},
			}},
	}
}

// soFar returns a summary of the results at a report line.
func soFar(p rundir.Point) *rundir.Summary {
	s := &rundir.Summary{ObjectiveIs: elbo}
	s.Take(p)
	return s
}

// someRuns returns runs in every state, newest first.
func someRuns() []rundir.Info {
	running := ended("20261121-101500-energy-star-cc0003", "energy", "star", 0)
	running.State, running.Results, running.Step = rundir.Running, nil, 680
	running.Results = soFar(rundir.Point{Step: 680, Seconds: 24.3, Objective: -1234.5, Readings: kl(12.25)})
	best := ended("20261121-094607-boston-star-3150b4", "boston", "star", -2.2764)
	best.Notes = rundir.Notes{
		Name: "paper's setting",
		Tags: []string{"fig3", "paper"},
		Note: "as in Appendix G\nbut for the steps",
	}
	fork := ended("20261121-094600-boston-mean-field-77aa01", "boston", "mean-field", -2.4120)
	fork.Parent, fork.Config.Seed = best.ID, 2
	fork.Values["rate"] = "0.01"
	fork.Config.Set["rate"] = "0.01"
	best.Config.Targets = []string{"b"}
	best.Config.Columns.Ignore = []string{"id"}
	best.Config.Columns.Missing = "mean"
	best.Results.Warnings = []string{"target b is missing in 3 of 506 rows"}
	best.Results.Notes = []string{"14 columns: 13 numbers, 1 boolean"}
	failed := ended("20261120-180000-table-star-ff0001", "/home/me/work/prices.csv", "star",
		rundir.Number(math.NaN()))
	failed.Results = &rundir.Summary{
		Stop:    rundir.StopFailed,
		Step:    17,
		Seconds: 3,
		Error:   "layer 2, step 17: K_MM is not positive definite",
	}
	failed.Step, failed.Resumable = 17, true
	died := ended("20261119-120000-energy-star-dd0001", "energy", "star", 0)
	died.State = rundir.Interrupted
	died.Results = nil
	died.Step = 150
	died.Resumable = true
	died.Results = soFar(rundir.Point{Step: 150, Seconds: 5, Objective: -2000, Readings: kl(2)})
	broken := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "20261118-broken"}, State: rundir.Broken,
		Err: errors.New("config.json: unexpected end of JSON input")}
	return []rundir.Info{running, best, fork, failed, died, broken}
}

// harness is a browser with its test host.
type harness struct {
	*kittest.Host
	browse *Browse
	engine *fakeEngine
}

// newHarness returns a browser of w x h cells with a list of runs.
func newHarness(runs []rundir.Info, w, h int) *harness {
	d := &harness{Host: kittest.NewHost(), engine: &fakeEngine{Engine: kittest.NewEngine(), runs: runs}}
	d.browse = New(d, d.engine)
	d.Screen = d.browse
	d.Size(w, h)
	d.refresh()
	return d
}

// refresh reads the list like a tick.
func (d *harness) refresh() { d.Send(d.browse.relist()()) }

// do presses keys, runs the resulting command and reads the list again. It does not wait for ticks.
func (d *harness) do(keys ...string) {
	cmd := d.Keys(keys...)
	if cmd == nil {
		return
	}
	if msg := cmd(); msg != nil {
		d.Send(msg)
	}
	note := d.Note
	d.refresh()
	d.Note = note
}

func (d *harness) chosenID() string { return d.browse.chosen }
