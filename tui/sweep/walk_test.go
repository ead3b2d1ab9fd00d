package sweep

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"dgplab/session/reproduce"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// randomState returns a sweep of a random grid in a random state.
func randomState(t testing.TB, w *kittest.Walk) *sweeps.State {
	t.Helper()
	some := func(list ...string) []string { return list[:1+w.IntN(len(list))] }
	g := sweeps.Grid{Datasets: some("steps", "mountaincar"), Families: some("star", "mean-field", "linear"),
		Set: []sweeps.Axis{{Name: "inducing", Values: some("32", "64", "128")},
			{Name: "steps", Values: []string{"2000"}}}}
	if w.IntN(2) == 0 {
		g.Set = append(g.Set, sweeps.Axis{Name: "learning_rate", Values: some("0.005", "0.05")})
	}
	for seed := range uint64(1 + w.IntN(3)) {
		g.Seeds = append(g.Seeds, seed)
	}
	cells, err := g.Cells()
	if err != nil {
		t.Fatal(err)
	}
	s := stateOf("abl", g, cells)
	done := w.IntN(len(s.Cells) + 1)
	rungs := w.IntN(3) == 0
	for i := range s.Cells {
		c := &s.Cells[i]
		if rungs {
			c.Rung = 1 + w.IntN(2)
		}
		c.Run, c.Steps, c.Step = fmt.Sprintf("20261121-093%03d-fake-run", i), 2000, w.IntN(2000)
		n := w.IntN(12)
		switch {
		case i < done && n > 0:
			finish(c)
			c.Seconds *= math.Exp(w.NormFloat64())
			c.Summary.Test.LogLik += rundir.Number(0.3 * w.NormFloat64())
			if w.IntN(9) == 0 {
				c.Summary.Test.LogLik = rundir.Number(math.NaN())
			}
			if n == 1 {
				c.Status, c.Rung = sweeps.Pruned, 1+w.IntN(2)
			}
		case i < done:
			c.Status = sweeps.Failed
			c.Err = errors.New("layer 2, step 713: covariance of the inducing outputs is not " +
				"positive definite")
		case n < 4:
			c.Status, c.Seconds = sweeps.Running, 12*w.ExpFloat64()
			c.Remaining = time.Duration(w.ExpFloat64() * float64(time.Hour))
		case n < 6:
			c.Status = sweeps.Stopped
		default:
			c.Run, c.Step = "", 0
		}
	}
	if w.IntN(3) == 0 {
		s.Phase = sweeps.Going
	}
	return s
}

// randomTasks returns tasks of a sweep on Slurm.
func randomTasks(w *kittest.Walk) *sweeps.Tasks {
	t := &sweeps.Tasks{Running: w.IntN(3), Pending: w.IntN(3), Nodes: []string{"n1", "n2"},
		Jobs: []string{"7"}, Reasons: []string{"waits for free cores or memory (Resources)"}}
	if w.IntN(4) == 0 {
		t = &sweeps.Tasks{Err: errors.New("squeue: command not found")}
	}
	return t
}

// progressWalk returns a walk over the screen of a sweep. Its events continue, end and replace the sweep.
func progressWalk(t *testing.T, seed uint64) *kittest.Walk {
	t.Helper()
	d := newHarness(t, 120, 40)
	w := kittest.NewWalk(d.Host, seed)
	d.front(d.progress, 120, 40)
	d.engine.compareErr = errors.New("no run directories") // Another walk compares.
	live := func() {
		s := randomState(t, w)
		d.engine.states["abl"] = s
		f := d.engine.begin(s, sweeps.Options{Jobs: 1 + w.IntN(3)})
		d.engine.sweeps = []*fakeSweep{f}
		w.Run(d.progress.Open(showSweep{"abl"}))
	}
	recorded := func() {
		d.engine.sweeps = nil
		s := randomState(t, w)
		s.Submitted = w.IntN(2) == 0
		d.engine.states["abl"], d.engine.tasks = s, randomTasks(w)
		w.Run(d.progress.Open(showSweep{"abl"}))
	}
	last := func() *fakeSweep {
		if f, ok := d.progress.live.(*fakeSweep); ok {
			return f
		}
		return nil
	}
	tick := func() { w.Deliver(stateTakenMsg{d.progress.gen}) }
	w.Events = []func(){
		live, recorded, tick, tick,
		func() {
			if f := last(); f != nil && d.progress.state != nil {
				s := randomState(t, w)
				s.Phase = f.state.Phase
				f.state = s
				tick()
			}
		},
		func() {
			if f := last(); f != nil && kit.Going(f) {
				f.end()
				w.Deliver(sweepEndedMsg{f})
			}
		},
		func() {
			s := d.progress.state
			if s != nil {
				d.engine.tasks = randomTasks(w)
				tick()
			}
		},
		func() {
			d.engine.startErr = []error{nil, errors.New("the sweep is locked")}[w.IntN(2)]
			d.engine.slurmErr = []error{nil, errors.New("scancel: failed")}[w.IntN(2)]
		},
		func() {
			delete(d.engine.states, "abl")
			tick()
		},
	}
	if seed%2 == 0 {
		live()
	} else {
		recorded()
	}
	return w
}

// gridWalk returns a walk over the form of a sweep.
func gridWalk(t *testing.T, seed uint64) *kittest.Walk {
	t.Helper()
	d := newHarness(t, 120, 40)
	w := kittest.NewWalk(d.Host, seed)
	w.Scripts = []string{
		"down down 0..2", "down 3,4", "home steps,mountaincar", "tab down enter", "end 2", "ctrl+u 32,64",
		"down down down 32,0", "down down down star,mask", "ctrl+u interpolation:0..2", "ctrl+a x",
		"pgdown ,128", "ctrl+o",
	}
	d.engine.list = []sweeps.Entry{{Name: "steps-star-inducing-3f09a1", State: middle(t)},
		{Name: "abl", State: randomState(t, w)}, {Name: "other", State: randomState(t, w)},
		{Name: "broken", Err: errors.New("sweep.json: unexpected end of JSON input")}}
	due := func() { w.Deliver(kit.PreviewDueMsg[plan]{Gen: d.grid.plan.Gen}) }
	field := func() {
		fields := d.grid.form.Fields()
		d.grid.part = partForm
		d.grid.form.GoTo(fields[w.IntN(len(fields))].Name)
		for _, key := range []string{"ctrl+u", "3", "2", ",", "6", "4", ";", "8", "backspace"}[:w.IntN(10)] {
			w.Press(key)
		}
		due()
	}
	w.Events = []func(){
		due, due, field, field, field,
		func() {
			d.engine.estimate = sweeps.Estimate{Runs: w.IntN(30), Seconds: math.Exp(4*w.NormFloat64() + 7),
				Unknown: w.IntN(3), Timed: w.IntN(3), Longest: 1e4 * w.ExpFloat64(),
				Memory: 1e9 * w.ExpFloat64(), Notes: []string{"steps: 500 rows"}[w.IntN(2):],
				Warnings: []string{"steps: few rows"}[w.IntN(2):]}
		},
		func() {
			d.engine.list = append(d.engine.list[:w.IntN(len(d.engine.list)+1)],
				sweeps.Entry{Name: "new", State: randomState(t, w)})[w.IntN(2):]
			w.Run(d.grid.listSweeps())
		},
		func() {
			c := base
			c.Seed = uint64(w.IntN(9))
			w.Run(d.grid.Open(kit.Fill{Config: c}))
		},
		func() { w.Run(d.grid.Open(fillGrid{randomState(t, w).Grid, "abl"})) },
		func() { d.engine.startErr = []error{nil, errors.New("the sweep is locked")}[w.IntN(2)] },
		func() {
			w.Deliver(sweepStartedMsg{err: errors.New("locked")})
			w.Run(d.progress.began(sweepStartedMsg{err: errors.New("locked")}))
		},
		func() {
			typed := d.grid.form.Value(d.grid.form.Row())
			w.Deliver(kit.CompletedMsg{Owner: d.grid, Completion: kit.Completion{Typed: typed, To: "steps",
				Names: []string{"steps", "star"}[w.IntN(2):]}})
		},
		func() { d.Started = []kit.Run{kittest.NewRun("x", nil)}[w.IntN(2):] },
		func() { d.grid.part = part(w.IntN(int(numParts))) },
	}
	w.Run(d.grid.Open(kit.Fill{Config: base}))
	return w
}

// comparedWalk returns a walk over the comparison of a sweep.
func comparedWalk(t *testing.T, seed uint64) *kittest.Walk {
	t.Helper()
	d := comparedHarness(t, 120, 40)
	w := kittest.NewWalk(d.Host, seed)
	w.Scripts = []string{"2", "tab tab down A", "tab o o", "1 2"}
	w.Events = []func(){
		func() { d.progress.comparing.focus = section(w.IntN(int(numSections))) },
		func() {
			d.engine.compareErr = []error{nil, nil, errors.New("no runs")}[w.IntN(3)]
			w.Run(d.progress.compareAgain())
		},
	}
	return w
}

// publishedWalk returns a walk over the experiments.
func publishedWalk(t *testing.T, seed uint64) *kittest.Walk {
	t.Helper()
	d, e := publishedHarness(t, 120, 40, unchanged)
	w := kittest.NewWalk(d.Host, seed)
	fail := func(err *error) func() {
		return func() { *err = []error{nil, ErrNoData, errors.New("permission denied")}[w.IntN(3)] }
	}
	w.Events = []func(){
		func() {
			if d.published.plan.Running {
				w.Deliver(kit.PreviewDueMsg[*reproduce.Plan]{Gen: d.published.plan.Gen})
			}
		},
		fail(&e.listErr), fail(&e.measureErr), fail(&e.planErr), fail(&e.startErr),
		func() { e.done = w.IntN(3) },
		func() { w.Deliver(sweepStartedMsg{err: ErrReproduced}) },
	}
	return w
}

// Random keys over random sweeps never panic, and every frame fills the screen exactly.
func TestRandomWalks(t *testing.T) {
	for _, walk := range []struct {
		name         string
		begin        func(*testing.T, uint64) *kittest.Walk
		seeds, steps int
	}{
		{"form", gridWalk, 4, 70}, {"sweep", progressWalk, 6, 70}, {"comparison", comparedWalk, 2, 60},
		{"published", publishedWalk, 2, 60},
	} {
		for seed := range uint64(walk.seeds) {
			what := fmt.Sprintf("%s %2d", walk.name, seed)
			w := walk.begin(t, seed)
			w.Omits = []string{"(*work).began"} // It waits for the end of a sweep.
			w.Take(t, what, walk.steps)
		}
	}
}
