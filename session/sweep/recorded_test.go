package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/memory"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/rundir/rundirtest"
	"dgplab/session/slurm"
	"dgplab/viz/golden"
)

// randomGrid returns a small grid. Most are valid.
func randomGrid(f *golden.Filler) Grid {
	for {
		g := anyGrid(f)
		cells, err := g.Cells()
		if f.IntN(4) == 0 || err == nil && g.checkEffect(cells) == nil {
			return g
		}
	}
}

// anyGrid returns a small grid, which can be invalid.
func anyGrid(f *golden.Filler) Grid {
	g := Grid{
		Datasets: golden.Pick(f, []string{"steps"}, []string{"steps", "impact"}, []string{"letters"}, nil),
		Families: golden.Pick(f, []string{"svgp"}, []string{"svgp", "gp"}, []string{"mean-field", "svgp"},
			[]string{"bnn-hmc"}, []string{models.BaselineFamily, "svgp"}),
		Seeds: golden.Pick(f, []uint64{0}, []uint64{0, 1}, []uint64{3, 1}),
		Splits: golden.Pick(f, nil, nil, []string{"interpolation:0", "random811:1"},
			[]string{"standard:0"}),
		Baseline: f.IntN(3) == 0,
	}
	for _, axis := range []Axis{
		{Name: "inducing", Values: golden.Pick(f, []string{"4", "6"}, []string{"4", "8", "16"},
			[]string{"4", "04"})},
		{Name: "steps", Values: []string{"12"}},
		{Name: "validation", Values: golden.Pick(f, []string{"0.1"}, []string{"0", "0.2"})},
		{Name: "optimizer", Values: golden.Pick(f, []string{"adam", "natgrad"}, []string{"adam"}, nil)},
		{Name: "natgrad_step", Values: []string{"0.1", "0.01"}},
		{Name: "inducing", Values: []string{"5"}, Family: "svgp"},
		{Name: "layers", Values: golden.Pick(f, []string{"1", "2"}, []string{"x"}), Family: "mean-field"},
		{Name: rundir.WarmStartSetting, Values: []string{"svgp"}},
		{Name: "unknown", Values: []string{"1"}},
	} {
		often := 3
		switch axis.Name {
		case "unknown", rundir.WarmStartSetting:
			often = 20
		}
		if f.IntN(often) == 0 {
			g.Set = append(g.Set, axis)
		}
	}
	switch f.IntN(8) {
	case 0:
		g.Preset = golden.Pick(f, "lindinger2020", "default", "none")
	case 1:
		g.Random, g.RandomSeed = golden.Pick(f, 1, 2, 3, 50, -1), uint64(f.IntN(3))
	case 2, 3, 4:
		g.Halving, g.Rungs = golden.Pick(f, 2, 2, 3, 1, 0), golden.Pick(f, 0, 0, 2, 3, 1, 30)
	case 5:
		g.Methods = []Method{{Family: "svgp", Set: map[string]string{"inducing": golden.Pick(f, "4", "x")}},
			{Family: "svgp", Preset: golden.Pick(f, "", "none"), Set: map[string]string{"inducing": "8"}},
			{Family: "gp"}}
		if f.IntN(4) > 0 {
			g.Families, g.Set = nil, nil
		}
	}
	return g
}

// keysOf returns the keys of cells in one line.
func keysOf(cells []Cell) string {
	var keys []string
	for _, c := range cells {
		keys = append(keys, c.Key+" ("+c.setting+")")
	}
	return strings.Join(keys, "; ")
}

// randomRuns returns the runs of some cells of a sweep, and some others.
func randomRuns(f *golden.Filler, g Grid, cells []Cell) []rundir.Info {
	var runs []rundir.Info
	for _, c := range cells {
		for range golden.Pick(f, 0, 1, 1, 1, 2) {
			var info rundir.Info
			f.Fill(&info)
			info.ID, info.Config = fmt.Sprint("run", len(runs)), c.Config.Clone()
			info.Sweep = golden.Pick(f, "a", "a", "a", "a", "b")
			info.Steps = golden.Pick(f, 0, 120, 120)
			info.Values = models.Values{"steps": "120"}
			info.Err = nil
			if f.IntN(10) == 0 {
				info.State, info.Err = rundir.Broken, errors.New("unreadable")
			}
			if info.Summary != nil {
				info.Summary.Config = info.Config
				info.Summary.Step = golden.Pick(f, 120, 60, 30, rundir.RungSteps(120, g.Part(1)))
				info.Summary.Seconds = float64(f.IntN(1000)) / 4
			}
			runs = append(runs, info)
		}
	}
	return runs
}

// describeCells returns the progress of the cells of a sweep.
func describeCells(s *State) string {
	var b strings.Builder
	for i := range s.Cells {
		c := &s.Cells[i]
		fmt.Fprintf(&b, "%s %d %v %q %d/%d %.4g %v %.4g; ", c.Status, c.Rung, c.out, c.Run, c.Step,
			c.Steps, c.Seconds, c.Err, c.Speed())
	}
	return b.String()
}

// checkState adds everything that follows from the state of a sweep.
func checkState(t *testing.T, f *golden.Filler, sums *golden.Sums, s *State) {
	t.Helper()
	sums.Add("cells", describeCells(s))
	sums.Add("counts", fmt.Sprint(counts(s), s.Complete(), len(s.Left(true)), keysOf(s.Left(false))))
	for _, jobs := range []int{0, 1, 3} {
		s.Jobs, s.Phase = jobs, golden.Pick(f, Going, Going, Over)
		sums.Add("remaining", fmt.Sprintf("%.6g", s.Remaining().Seconds()))
	}
	sums.Add("axes", fmt.Sprint(s.Axes(), s.Varied(), s.Settings(), metric.Keys(s.Measured()),
		metric.Keys(s.Main())))
	groups := s.Groups(golden.Pick(f, s.Settings(), s.Varied(), []string{rundir.SeedField}))
	for _, g := range groups {
		done, improving := s.Done(g)
		pruned, rung := s.PrunedCells(g)
		sums.Add("groups", fmt.Sprint(g, done, improving, pruned, rung))
	}
	rows := s.Rows()
	for i := range rows {
		sums.AddRounded(t, "rows", rows[i])
	}
	if len(s.Cells) > 0 {
		part := s.Only([]Cell{s.Cells[len(s.Cells)-1].Cell, s.Cells[0].Cell})
		sums.Add("parts", describeCells(part))
	}
	p := &Placements{Cells: make([]*Placement, len(s.Cells))}
	for i := range p.Cells {
		if f.IntN(3) > 0 {
			p.Cells[i] = &Placement{Place: golden.Pick(f, Places()...)}
		}
	}
	sums.Add("parts", describeCells(s.Idle(p)))
	sums.Add("parts", describeCells(s.Idle(nil)))
	for _, place := range Places() {
		sums.Add("parts", fmt.Sprint(place, p.Count(place)))
	}
	for _, b := range s.brackets() {
		sums.Add("brackets", fmt.Sprint(b.dataset, b.split, b.rung, b.settings, b.cells, s.ended(b)))
	}
	for i := range s.Cells {
		sums.Add("brackets", fmt.Sprint(s.atRung(&s.Cells[i]), s.Target(&s.Cells[i])))
	}
}

// TestRecordedGrids compares the cells of random grids, their names and their progress with recorded
// checksums.
func TestRecordedGrids(t *testing.T) {
	isolate(t)
	f := rundirtest.NewFiller(10)
	var sums golden.Sums
	for range 100 {
		g := randomGrid(f)
		cells, err := g.Cells()
		sums.Add("grids", fmt.Sprint(keysOf(cells), err))
		if len(g.Datasets) > 0 {
			n, err := g.Combinations()
			sums.Add("grids", fmt.Sprint(n, err))
		}
		if err != nil {
			continue
		}
		sums.Add("grids", fmt.Sprint(g.checkEffect(cells), g.DefaultName(cells)))
		g = g.completed(cells)
		sums.Add("rungs", fmt.Sprint(g.Datasets, g.Rungs, g.RungsText(), g.Part(1), g.Part(2), g.Part(0)))
		s := &State{Name: "a", Grid: g}
		runs := randomRuns(f, g, cells)
		s.take(cells, runs)
		checkState(t, f, &sums, s)
		if g.Halving == 0 {
			continue
		}
		for _, b := range s.brackets() {
			d := Decision{Dataset: b.dataset, Split: b.split, Rung: 1, Kept: 1}
			for _, setting := range b.settings {
				d.Ranking = append(d.Ranking, Ranked{Setting: setting})
			}
			if f.IntN(3) > 0 {
				s.Decisions = append(s.Decisions, d)
			}
		}
		s.take(cells, runs)
		checkState(t, f, &sums, s)
	}
	sums.Check(t, "grids")
}

// TestRecordedTexts compares the parsing of random values, names and amounts of memory with recorded
// checksums.
func TestRecordedTexts(t *testing.T) {
	f := golden.NewFiller(11)
	var sums golden.Sums
	for range 600 {
		var text strings.Builder
		for range 1 + f.IntN(6) {
			text.WriteString(golden.Pick(f, "1", "5", "12", "0..3", "standard:0..2", "a..b", "3..1",
				"0..2000", "../x.csv", ",", ",", ",", ";", " ", "(0,1)", ")", "(", "x", "=", ".", "-", "é",
				"..", ":"))
		}
		values, err := Expand(text.String())
		sums.Add("values", fmt.Sprintf("%q %q %v", text.String(), values, err))
		if err == nil {
			again, err := Expand(Join(values))
			sums.Add("joined", fmt.Sprintf("%q %q %v", Join(values), again, err))
		}
		seeds, err := Seeds(text.String())
		sums.Add("seeds", fmt.Sprint(seeds, err))
		axis, err := ParseAxis(golden.Pick(f, "", "inducing", "svgp.inducing", " a ") +
			golden.Pick(f, "=", "=", "") + text.String())
		sums.Add("axes", fmt.Sprintf("%+v %q %v", axis, axis.Title(), err))
		name := golden.Pick(f, "", "a", "A.b", "-", ".") + strings.Repeat(text.String(), f.IntN(4))
		sums.Add("names", fmt.Sprint(CheckName(name), plain(name), word(text.String())))
		need := golden.Pick(f, 1e6, 3e8, 9.9e9, 0)
		o := slurm.Options{
			Mem:  golden.Pick(f, "", "0", "100", "2G", "500M", "1t", "900k", "x", "-1", "1.5G"),
			Pack: golden.Pick(f, 0, 1, 4), Time: golden.Pick(f, "", "", "30"),
		}
		e := Estimate{Runs: f.IntN(4), Unknown: f.IntN(2), Longest: float64(f.IntN(9000)), Memory: need,
			Seconds: float64(f.IntN(9000))}
		bytes, known := memoryOf(o.Mem)
		full, err := Estimated(o, e, f.IntN(3) == 0)
		sums.Add("estimates", fmt.Sprintf("%.6g %v %s %s %d %v %v", bytes, known, full.Mem, full.Time,
			full.Pack, err, e.Time(f.IntN(5))))
	}
	sums.Check(t, "texts")
}

// TestRecordedSchedules compares the order in which the runs of random sweeps begin, and their states, with
// recorded checksums. Runs end in a random order and in random ways.
func TestRecordedSchedules(t *testing.T) {
	f := rundirtest.NewFiller(12)
	var sums golden.Sums
	for round := range 24 {
		isolate(t)
		g := smallGrid()
		if round%2 == 0 {
			g = halvingGrid(2+f.IntN(6), golden.Pick(f, 2, 3))
			g.Rungs = golden.Pick(f, 0, 2, 3)
			g.Baseline = f.IntN(3) == 0
			g.Seeds = golden.Pick(f, []uint64{0}, []uint64{0, 1})
		}
		group := fmt.Sprint("sweep ", round%8)
		w := newFakeWorld()
		unscored := golden.Pick(f, 0., 0, 1, 3)
		unread := golden.Pick(f, 0., 0, 0, 0, 2)
		w.score = func(c *CellState, until int) (float64, error) {
			x, err := inducingScore(c, until)
			switch {
			case err == nil && x == unscored:
				return math.NaN(), nil
			case err == nil && x == unread:
				return 0, errDisk
			}
			return float64(int(7*x+float64(until))%5) + float64(c.Config.Seed)/10, err
		}
		for attempt := range 3 {
			o := Options{Name: "a", Jobs: f.IntN(4), Retry: attempt > 0 && f.IntN(2) == 0}
			if attempt == 1 && round%4 == 1 { // Tasks on other machines may train the cells.
				dir, err := rundir.OpenFolder(folderName, "a", listsName)
				if err != nil {
					t.Fatal(err)
				}
				dir.Close()
			}
			if attempt > 0 {
				w.startErr = golden.Pick(f, nil, nil, nil, errDisk)
				w.resumeErr = golden.Pick(f, nil, nil, nil, errDisk, fmt.Errorf("%w", rundir.ErrRunning))
			}
			s, err := start(context.Background(), g, o, w.marked())
			if err != nil {
				t.Fatal(err)
			}
			playSweep(t, f, &sums, group, w, s, attempt == 0)
		}
	}
	sums.Check(t, "schedules")
}

// marked returns a world in which resumed runs have trained for more than 100 seconds, each for another
// time.
func (w *fakeWorld) marked() world {
	marked := w.world()
	resume := marked.resume
	count := 100.0
	marked.resume = func(ctx context.Context, id string, part int) (job, error) {
		run, err := resume(ctx, id, part)
		if j, ok := run.(*fakeJob); ok {
			count++
			j.mu.Lock()
			j.latest.Seconds = count
			j.mu.Unlock()
		}
		return run, err
	}
	return marked
}

// noticed reports whether a sweep has noticed that a run ended, which had trained for some seconds. The run
// can be active again.
func noticed(s *State, id string, seconds float64) bool {
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Run == id {
			return c.Status != Running || c.Seconds > 100 && c.Seconds != seconds
		}
	}
	return true
}

// playSweep ends the runs of a sweep at random until it is over or, with interrupt, cancelled.
func playSweep(
	t *testing.T, f *golden.Filler, sums *golden.Sums, group string, w *fakeWorld, s *Sweep, interrupt bool,
) {
	var active []*fakeJob
	first := s.Latest()
	eventually(t, "the first runs", func() bool { return first.Phase == Over || s.Latest() != first })
	for ends := 0; ; ends++ {
		for more := true; more; {
			select {
			case j := <-w.begun:
				sums.Add(group, fmt.Sprint("begin ", j.id, keyOf(j.config), j.part, j.resumed))
				active = append(active, j)
			default:
				more = false
			}
		}
		if len(active) == 0 || interrupt && ends > 4 && f.IntN(6) == 0 {
			break
		}
		if f.IntN(8) == 0 {
			s.Pause()
			eventually(t, "the pause", func() bool { return s.Latest().Phase == Resting })
			for _, j := range active {
				sums.Add(group, fmt.Sprint(j.isPaused()))
			}
			s.Continue()
			eventually(t, "the end of the pause", func() bool { return s.Latest().Phase == Going })
			for _, j := range active {
				sums.Add(group, fmt.Sprint(j.isPaused()))
			}
		}
		i := f.IntN(len(active))
		j := active[i]
		active = append(active[:i], active[i+1:]...)
		seconds := j.Latest().Seconds
		switch f.IntN(10) {
		case 0:
			j.fail(errDisk)
		case 1:
			j.end(rundir.StopEarly)
		case 2:
			j.end(rundir.StopAsked)
		case 3:
			j.fail(new(memory.Error))
		default:
			j.arrive()
		}
		eventually(t, "the end of a run", func() bool { return noticed(s.Latest(), j.id, seconds) })
		last := s.Latest()
		sums.Add(group, describeCells(last)+fmt.Sprint(last.Decisions, last.Jobs, last.Remaining()))
	}
	s.Cancel()
	last := s.Wait()
	for len(w.begun) > 0 {
		<-w.begun
	}
	sums.Add(group, describeCells(last)+fmt.Sprint(last.Phase, last.Decisions, last.Remaining()))
}

// TestRecordedEstimates compares the estimates of random grids after some runs with recorded checksums.
func TestRecordedEstimates(t *testing.T) {
	isolate(t)
	for i, name := range []string{"svgp", "svgp", "mean-field"} {
		c := rundir.Config{Dataset: "steps", Family: name, Set: map[string]string{}}
		objective := family.Objective{Name: "ELBO"}
		file := &rundir.ConfigFile{Config: c, Values: models.Values{}, ObjectiveIs: objective}
		w, err := rundir.Create(file, time.Unix(1.7e9, 0))
		if err != nil {
			t.Fatal(err)
		}
		err = w.SaveSummary(&rundir.Summary{
			Format: rundir.SummaryFormat, ID: file.ID, Stop: rundir.StopSteps, Config: c, Values: file.Values,
			ObjectiveIs: objective, StepFLOPs: 1e5 * float64(1+9*i),
			StepsPerSecond: rundir.Number(300 / (1 + i)),
		})
		if err := errors.Join(err, w.CloseLog(), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	f := golden.NewFiller(19)
	var sums golden.Sums
	in := &session.Inspector{AllowMemory: true}
	for range 40 {
		g := randomGrid(f)
		g.Random, g.Splits = 0, golden.Pick(f, nil, []string{"interpolation:0", "interpolation:1"})
		if len(g.Datasets) == 0 {
			g.Datasets = []string{"steps"}
		}
		s, err := Preview(g, "a")
		if err != nil {
			sums.Add("errors", err.Error())
			continue
		}
		for i := range s.Cells {
			s.Cells[i].Status = golden.Pick(f, Waiting, Waiting, Waiting, Failed, Done)
		}
		retry := f.IntN(2) == 0
		e, err := Inspect(t.Context(), in, s, retry)
		sums.Add("errors", fmt.Sprint(err))
		sums.AddRounded(t, "estimates", []any{e, e.Longest, e.Memory, e.Time(2)})
		sums.Add("notes", fmt.Sprintf("%q %q", e.Notes, e.Warnings))
		for _, u := range e.untimed {
			sums.Add("unknown", fmt.Sprint(u.cell.Key, u.cells))
		}
		for _, c := range s.Cells {
			sums.AddRounded(t, "cells", e.Of(c.Cell))
		}
	}
	sums.Check(t, "estimates")
}
