package sweep

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/chart"
)

// watching returns the screen of the half-completed sweep, trained by this program.
func watching(t testing.TB, w, h int) (*harness, *fakeSweep) {
	t.Helper()
	d := newHarness(t, w, h)
	d.engine.states["abl"] = middle(t)
	s := d.engine.begin(d.engine.states["abl"], sweeps.Options{Jobs: 2})
	d.front(d.progress, w, h)
	d.progress.Open(showSweep{"abl"})
	return d, s
}

// recorded returns the screen of the same sweep when it is not running.
func recorded(t testing.TB, w, h int) *harness {
	t.Helper()
	d := newHarness(t, w, h)
	d.engine.states["abl"] = middle(t)
	d.front(d.progress, w, h)
	d.Perform(d.progress.Open(showSweep{"abl"}))
	return d
}

func TestPausingAndStopping(t *testing.T) {
	d, s := watching(t, 120, 40)
	if view := d.View(); !strings.Contains(view, " left ") {
		t.Fatalf("the remaining time is missing:\n%s", view)
	}
	d.Keys(" ")
	d.Send(stateTakenMsg{d.progress.gen})
	if view := d.View(); !slices.Equal(s.asked, []string{"pause"}) || !strings.Contains(view, "‖ paused") ||
		strings.Contains(view, " left ") {
		t.Fatalf("asked %v:\n%s", s.asked, view)
	}
	d.Keys(" ", "R", "s")
	if !slices.Equal(s.asked, []string{"pause", "continue", "retry"}) || d.Asked == nil {
		t.Fatalf("requests %v, question %v", s.asked, d.Asked)
	}
	d.Asked.Yes()
	if s.asked[len(s.asked)-1] != "cancel" {
		t.Errorf("asked %v", s.asked)
	}
	s.end()
	d.Send(sweepEndedMsg{s})
	if d.progress.live != nil || d.progress.state.Phase != sweeps.Over ||
		d.Note != "sweep abl: 16 of 24 runs done, 2 running, 4 waiting, 1 stopped, 1 failed" {
		t.Errorf("live %v, note %q", d.progress.live, d.Note)
	}
	if n := d.progress.beside(nil); n != 0 {
		t.Errorf("%d runs are going", n)
	}
	if got := Farewell(s); len(got) != 2 || got[1] != "  resume with: dgplab sweep --resume abl" {
		t.Errorf("%q", got)
	}
}

func TestResumingFromTheFiles(t *testing.T) {
	d := recorded(t, 120, 40)
	if d.engine.looks != 1 || d.progress.state == nil {
		t.Fatalf("%d looks", d.engine.looks)
	}
	d.Keys("s")
	if d.Note != "this sweep is not running here" {
		t.Errorf("note %q", d.Note)
	}
	cmd := d.Keys(" ")
	msg := cmd()
	if o := d.engine.started[0]; o.Retry || o.Jobs != 1 {
		t.Errorf("resumed with %+v", o)
	}
	d.Send(msg)
	if d.progress.live == nil || d.lastVisit(t).To != kit.SweepProgress {
		t.Errorf("live %v, visits %v", d.progress.live, d.Visits)
	}

	d = recorded(t, 120, 40)
	d.Keys("R")()
	if o := d.engine.started[0]; !o.Retry {
		t.Errorf("retried with %+v", o)
	}

	// Only failed cells are left.
	d = recorded(t, 120, 40)
	for i := range d.progress.state.Cells {
		if c := &d.progress.state.Cells[i]; c.Status != sweeps.Failed {
			finish(c)
		}
	}
	d.Keys(" ")
	if !strings.Contains(d.Note, "R: retry failed cells") || len(d.engine.started) > 0 {
		t.Errorf("note %q", d.Note)
	}
	finish(&d.progress.state.Cells[16])
	d.Keys(" ")
	if !strings.Contains(d.Note, "all cells are done") {
		t.Errorf("note %q", d.Note)
	}
	d.Keys("R")
	if d.Note != "no cell has failed" {
		t.Errorf("note %q", d.Note)
	}
}

// Another sweep is shown from its first cell on, and the same sweep where it was.
func TestShowingAnotherSweep(t *testing.T) {
	d := recorded(t, 120, 40)
	p := d.progress
	for name, want := range map[string]int{"abl": 3, "other": 0} {
		p.show("abl")
		p.cell, p.top = 3, 3
		if p.show(name); p.cell != want || p.top != want {
			t.Errorf("%s begins with the cells %d and %d, want %d", name, p.cell, p.top, want)
		}
	}
}

// A sweep of another process is read periodically and cannot be controlled.
func TestAnotherProcess(t *testing.T) {
	d := newHarness(t, 120, 40)
	s := middle(t)
	s.Phase = sweeps.Going
	d.engine.states["abl"] = s
	d.front(d.progress, 120, 40)
	d.Send(d.progress.Open(showSweep{"abl"})())
	if !strings.Contains(d.View(), "running in another process") {
		t.Errorf("frame\n%s", d.View())
	}
	for _, key := range []string{" ", "R"} {
		d.Keys(key)
		if d.Note != "another process is running this sweep" {
			t.Errorf("%q: note %q", key, d.Note)
		}
	}
	cmd := d.Send(stateTakenMsg{d.progress.gen})
	d.Send(cmd())
	if d.engine.looks != 2 {
		t.Errorf("%d looks", d.engine.looks)
	}
	d.Send(stateTakenMsg{d.progress.gen - 1})
	if d.engine.looks != 2 {
		t.Error("an outdated message is answered")
	}
	due := stateTakenMsg{d.progress.gen}
	d.progress.Leave()
	if d.Send(due) != nil {
		t.Error("files are read while another screen is in front")
	}
	again := d.progress.Open(nil)
	if again == nil {
		t.Fatal("files are not read on return")
	}
	first := d.Send(again()) != nil
	if second := d.Send(sweepOpenedMsg{gen: due.gen, state: s}) != nil; !first || second {
		t.Errorf("reads again after a requested message: %v, after an outdated message: %v",
			first, second)
	}
}

func TestMissingSweep(t *testing.T) {
	d := newHarness(t, 80, 24)
	d.front(d.progress, 80, 24)
	if view := d.View(); !strings.Contains(view, "No sweep is open") {
		t.Errorf("frame\n%s", view)
	}
	d.Keys(" ", "enter", "R", "o", "x", "l", "down", "a")
	d.Perform(d.progress.Open(showSweep{"gone"}))
	if view := d.View(); !strings.Contains(view, "unknown sweep gone") {
		t.Errorf("frame\n%s", view)
	}
	d.Send(sweepOpenedMsg{gen: d.progress.gen - 1, err: errors.New("stale")})
	if strings.Contains(d.View(), "stale") {
		t.Error("an outdated message is shown")
	}
}

func TestCellsAndTheirRuns(t *testing.T) {
	d, _ := watching(t, 120, 40)
	d.Keys("down", "down", "enter")
	if v := d.lastVisit(t); v.To != kit.Dash ||
		v.Payload.(kit.Watch).Runs[0] != d.progress.state.Cells[2].Run {
		t.Errorf("went %v", v)
	}
	d.Keys("A")
	if v := d.lastVisit(t); v.To != kit.Dash || len(v.Payload.(kit.Watch).Runs) < 2 {
		t.Errorf("all runs: %+v", v)
	}
	n := len(d.Visits)
	d.Keys("end", "enter")
	if d.Note != "this cell has no run yet" || len(d.Visits) != n {
		t.Errorf("note %q, visits %v", d.Note, d.Visits)
	}
	for _, c := range []struct {
		key  string
		want int
	}{{"down", 23}, {"home", 0}, {"up", 0}, {"pgdown", 23}, {"end", 23}} {
		d.Keys(c.key)
		if d.progress.cell != c.want {
			t.Errorf("%s: cell %d, want %d", c.key, d.progress.cell, c.want)
		}
		d.View() // View sets the number of cells per page.
	}
	d.Keys("a")
	if v := d.lastVisit(t); v.To != kit.Sweep || v.Payload.(fillGrid).name != "abl" {
		t.Errorf("went %v", v)
	}
}

func TestPlot(t *testing.T) {
	d, _ := watching(t, 120, 40)
	p := d.progress
	b := p.plot()
	if b.XName != "inducing" || b.YName != "test LL" || b.Best != chart.Highest ||
		b.Categories != nil || len(b.Series) != 2 {
		t.Fatalf("%+v", b)
	}
	// The plot is by steps, for the data set of the selected cell. The first point has two seeds of
	// mean-field with inducing=32.
	point := b.Series[0].Points[0]
	if b.Series[0].Label != "mean-field" || point.X != 32 || point.N != 2 ||
		math.Abs(point.Mean-(-1+0.125)) > 1e-12 || math.Abs(point.SE-0.125) > 1e-12 {
		t.Errorf("%+v", b.Series[0])
	}
	d.Keys("l")
	if !p.plot().LogX {
		t.Error("the axis is linear")
	}
	p.cell = 8 // mountaincar
	if b := p.plot(); math.Abs(b.Series[0].Points[0].Mean-(-4)) > 1e-12 || b.Series[0].Points[0].N != 1 {
		t.Errorf("%+v", b.Series[0])
	}
	d.Keys("o", "o", "O")
	if b := p.plot(); b.YName != "NLL" || b.Best != chart.Lowest {
		t.Errorf("%s, best %v", b.YName, b.Best)
	}
	for _, want := range []string{"seed", "dataset", "family", "inducing"} {
		d.Keys("x")
		if b := p.plot(); b.XName != want ||
			(b.Categories != nil) != (want == "dataset" || want == "family") {
			t.Errorf("%s: %+v", want, b)
		}
	}
	p.look.axis = rundir.FamilyField
	d.Keys("l")
	if d.Note != "family is not numeric" || p.plot().LogX {
		t.Errorf("note %q", d.Note)
	}
	for i := range p.state.Cells {
		p.state.Cells[i].Status = sweeps.Waiting
	}
	if b := p.plot(); len(b.Series) != 0 {
		t.Errorf("%+v", b)
	}
}

// The cells and the scores mark settings that successive halving pruned, and the plot omits them. The
// selected cell chooses the data set of the curves, which show one line for each setting. They replace the
// plot until it has results for two values, and afterwards at the press of a key.
func TestLiveCurves(t *testing.T) {
	d, s := watching(t, 120, 40)
	p := d.progress
	if p.showsCurves() {
		t.Error("curves of runs without a validation")
	}
	state := *s.Latest()
	state.Cells = slices.Clone(state.Cells)
	for i := range state.Cells {
		state.Cells[i].Curve = []rundir.Point{{Step: 10, ValLogLik: -3}, {Step: 20, ValLogLik: math.NaN()},
			{Step: 30, ValLogLik: -2 - float64(i)}}
	}
	p.state = &state
	if p.showsCurves() {
		t.Error("the plot has results, and no key was pressed")
	}
	d.Keys("v")
	c := p.curve()
	if !p.showsCurves() || len(c.Groups) == 0 || !strings.Contains(d.View(), "validation LL") {
		t.Fatalf("no curves after v: %+v", c)
	}
	first := c.Groups[0]
	if want := "mean-field inducing=32"; first.Label != want || len(first.Members) != 2 ||
		!slices.Equal(first.Members[0].X, []float64{10, 30}) ||
		!slices.Equal(first.Members[0].Y, []float64{-3, -2}) {
		t.Errorf("the first group is %+v, want two seeds of %s", first, want)
	}
	d.Keys("v")
	if p.showsCurves() {
		t.Error("v does not return to the plot")
	}
	for i := range state.Cells {
		state.Cells[i].Status, state.Cells[i].Summary = sweeps.Running, nil
	}
	if !p.showsCurves() {
		t.Error("without results the plot does not give way to the curves")
	}
}

func TestPrunedSettings(t *testing.T) {
	d := newHarness(t, 120, 40)
	s := middle(t)
	s.Grid.Halving, s.Grid.Rungs = 3, 3
	for i := range s.Cells {
		c := &s.Cells[i]
		finish(c)
		c.Rung = 3
		if c.Config.Set["inducing"] == "32" {
			c.Status, c.Rung = sweeps.Pruned, 2
		}
	}
	d.engine.states["abl"] = s
	d.front(d.progress, 120, 40)
	d.Perform(d.progress.Open(showSweep{"abl"}))
	view := d.View()
	for _, want := range []string{
		"■ pruned", "without pruned settings", "* pruned: fewer steps",
		"16 of 24 runs done, 8 pruned",
	} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q:\n%s", want, view)
		}
	}
	for _, series := range d.progress.plot().Series {
		for _, point := range series.Points {
			if point.X == 32 {
				t.Errorf("the plot has a pruned setting: %+v", series)
			}
		}
	}
	if text := d.progress.PlainText(); !strings.Contains(text, "2/3") {
		t.Errorf("the cells have no rungs:\n%s", text)
	}
	d.Keys("tab", "tab")
	if text := d.progress.PlainText(); !strings.Contains(text, "0/2 at rung 2") {
		t.Errorf("the scores have no rungs:\n%s", text)
	}
	if text := d.progress.cellScore(&s.Cells[0], d.progress.metric()); !strings.HasSuffix(text, "*") {
		t.Errorf("the score of a pruned run is %q", text)
	}
}

// A key excludes a distant baseline from the range of the plot.
func TestPlotWithoutBaseline(t *testing.T) {
	d, _ := watching(t, 120, 40)
	d.Keys("B")
	if !strings.Contains(d.Note, "no run with the baseline linear") || d.progress.look.off {
		t.Errorf("without a baseline: %q", d.Note)
	}
	for i := range d.progress.state.Cells {
		if c := &d.progress.state.Cells[i]; c.Config.Family == "star" {
			c.Config.Family = models.BaselineFamily
		}
	}
	off := func() (n int) {
		for _, s := range d.progress.plot().Series {
			for _, p := range s.Points {
				if p.Off != (s.Label == models.BaselineFamily) {
					n++
				}
			}
		}
		return n
	}
	all := off()
	d.Keys("B")
	if all == 0 || off() != 0 {
		t.Errorf("%d points of the baseline are in the range, then %d", all, off())
	}
}

func TestPlainText(t *testing.T) {
	d, _ := watching(t, 120, 40)
	for i, want := range []string{
		"steps        star              64     1  ✗ failed     713\n", "test LL by inducing\n",
		"steps        star              64   1/2   -0.5000 (-)",
	} {
		d.progress.focus = panel(i)
		if text := d.progress.PlainText(); !strings.Contains(text, want) || strings.Contains(text, "\x1b") ||
			strings.Contains(text, " \n") {
			t.Errorf("panel %d: no %q in\n%s", i, want, text)
		}
	}
}

// A sweep counts its running cells beside another sweep, and not beside itself.
func TestRunsBesideASweep(t *testing.T) {
	d, s := watching(t, 80, 24)
	if n := d.progress.beside(nil); n != 2 {
		t.Errorf("%d runs train beside nothing, want the 2 of the sweep", n)
	}
	if n := d.progress.beside(s); n != 0 {
		t.Errorf("%d runs train beside the only sweep", n)
	}
}

func TestMouse(t *testing.T) {
	d, _ := watching(t, 120, 40)
	d.View()
	d.Click(10, 8)
	if d.progress.cell != 4 || d.progress.focus != panelCells {
		t.Errorf("cell %d, focus %d", d.progress.cell, d.progress.focus)
	}
	d.Wheel(10, 8, 1)
	if d.progress.cell != 5 {
		t.Errorf("cell %d", d.progress.cell)
	}
	d.Click(100, 8)
	if d.progress.focus != panelPlot {
		t.Errorf("focus %d", d.progress.focus)
	}
	d.front(d.grid, 120, 40)
	d.View()
	d.Click(10, 4)
	if d.grid.form.Row() != rundir.SplitField {
		t.Errorf("row %s", d.grid.form.Row())
	}
	d.front(d.progress, 80, 24)
	d.Click(20, 2)
	if d.progress.focus != panelScores {
		t.Errorf("focus %d", d.progress.focus)
	}
}

func TestKeepAndRestore(t *testing.T) {
	d, _ := watching(t, 80, 24)
	d.Keys("o", "x", "l")
	state, err := json.Marshal(d.progress.Keep())
	if err != nil {
		t.Fatal(err)
	}
	other, _ := watching(t, 80, 24)
	other.progress.Restore([]byte("nonsense"))
	other.progress.Restore(state)
	if other.progress.look != d.progress.look || other.progress.look == (look{}) {
		t.Errorf("%+v, want %+v", other.progress.look, d.progress.look)
	}
}

// TestStateWords checks the words for the state of a sweep, which indicate the available actions.
func TestStateWords(t *testing.T) {
	d, _ := watching(t, 120, 40)
	for _, c := range []struct {
		want   string
		phase  sweeps.Phase
		live   bool
		change func(*sweeps.CellState)
	}{
		{"paused", sweeps.Resting, true, nil}, {"stopping", sweeps.Stopping, true, nil},
		{"running", sweeps.Going, true, nil}, {"running in another process", sweeps.Going, false, nil},
		{"not running", sweeps.Over, false, nil}, {"done", sweeps.Over, false, finish},
		{"ended with failures", sweeps.Over, false, func(c *sweeps.CellState) {
			if c.Status != sweeps.Failed {
				finish(c)
			}
		}},
	} {
		live := d.progress.live
		d.progress.state = middle(t)
		d.progress.state.Phase = c.phase
		if !c.live {
			d.progress.live = nil
		}
		for i := range d.progress.state.Cells {
			if c.change != nil {
				c.change(&d.progress.state.Cells[i])
			}
		}
		if _, word, _ := d.progress.stateSign(); word != c.want {
			t.Errorf("%q, want %q", word, c.want)
		}
		d.progress.live = live
	}
}

// tab and shift+tab cycle through the parts of the screen.
func TestFocusOfTheProgress(t *testing.T) {
	d, _ := watching(t, 120, 40)
	first := d.progress.focus
	for range numPanels - 1 {
		d.Keys("tab")
		if d.progress.focus == first {
			t.Fatal("tab skips a part")
		}
	}
	last := d.progress.focus
	d.Keys("tab")
	if d.progress.focus != first {
		t.Errorf("after the last part tab focuses %d", d.progress.focus)
	}
	d.Keys("shift+tab")
	if d.progress.focus != last {
		t.Errorf("shift+tab focuses %d, want %d", d.progress.focus, last)
	}
}

// The list of cells scrolls only as far as the selected cell needs, and leaves room for its error.
func TestScrollingCells(t *testing.T) {
	d, _ := watching(t, 120, 40)
	p := d.progress
	for _, c := range []struct{ cell, h, top, page int }{
		{0, 11, 0, 10}, {9, 11, 0, 10}, {10, 11, 1, 10}, {23, 11, 14, 10}, {20, 11, 14, 10},
		{13, 11, 13, 10}, {13, 40, 0, 39}, {5, 3, 4, 2}, {5, 2, 4, 2}, {5, 1, 5, 1},
		{16, 6, 12, 5}, {16, 7, 14, 3}, // The error has three lines.
	} {
		p.cell = c.cell
		lines := p.cellRows(30, c.h)
		if p.top != c.top || p.page != c.page || len(lines) != c.h {
			t.Errorf("cell %d in %d lines: %d cells from %d in %d lines, want %d from %d", c.cell, c.h,
				p.page, p.top, len(lines), c.page, c.top)
		}
	}
}

// Runs that have not ended count by their steps.
func TestCompletedShare(t *testing.T) {
	d, _ := watching(t, 120, 40)
	s := d.progress.state
	want := (16 + (713+700+800+400)/2000.) / 24
	if got := d.progress.share(); math.Abs(got-want) > 1e-12 {
		t.Errorf("%g of the work is done, want %g", got, want)
	}
	s.Cells[19].Step = 9000
	if got := d.progress.share(); math.Abs(got-want-1600/2000./24) > 1e-12 {
		t.Errorf("with more steps than planned: %g", got)
	}
	for cell, want := range map[int]string{0: "2,000", 16: "713", 17: "35 %", 23: ""} {
		if got := d.progress.stepText(&s.Cells[cell]); got != want {
			t.Errorf("cell %d has done %q, want %q", cell, got, want)
		}
	}
}

// The progress bar names the runs that share the cores.
func TestSharedCores(t *testing.T) {
	d, _ := watching(t, 120, 40)
	p := d.progress
	for _, c := range []struct {
		jobs, cores int
		other       bool
		want        string
	}{
		{0, 2, false, ""}, {1, 1, false, "1 worker"}, {2, 2, false, "2 workers"},
		{2, 1, false, "2 workers on 1 core"}, {2, 3, true, "2 workers and 1 run"},
		{2, 2, true, "2 workers and 1 run on 2 cores"},
	} {
		p.state.Jobs, p.cores, d.Started = c.jobs, c.cores, nil
		if c.other {
			d.Started = []kit.Run{kittest.NewRun("x", nil)}
		}
		if got := p.jobsText(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	p.live = nil
	if got := p.jobsText(); got != "" {
		t.Errorf("a sweep of another process: %q", got)
	}
}
