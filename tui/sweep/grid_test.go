package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/form"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// row selects a field by name.
func (d *harness) row(t testing.TB, name string) *form.Field {
	t.Helper()
	d.grid.form.GoTo(name)
	field := d.grid.form.Current()
	if field == nil {
		t.Fatalf("no field %s", name)
	}
	return field
}

// typed types text into a field.
func (d *harness) typed(t testing.TB, name, text string) {
	t.Helper()
	d.row(t, name).Input = kit.NewLine("")
	d.Keys("right")
	d.Keys(strings.Split(text, "")...)
	d.wait()
	if got := d.grid.form.Value(name); got != strings.TrimSpace(text) {
		t.Fatalf("%s is %q after typing %q", name, got, text)
	}
}

// wait ends the delay after the last change and runs the resulting commands.
func (d *harness) wait() { d.Perform(d.Send(kit.PreviewDueMsg[plan]{Gen: d.grid.plan.Gen})) }

// open opens the form without the delay.
func (d *harness) open(payload any) {
	d.grid.Open(payload)
	d.Perform(d.grid.listSweeps())
	d.wait()
}

// base is the initial configuration.
var base = rundir.Config{
	Dataset: "steps",
	Family:  "star",
	Split:   "interpolation:3",
	Seed:    4,
	Set:     map[string]string{"inducing": "32", "width": "2,3"},
}

func TestGridBeginsWithAConfiguration(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	want := sweeps.Grid{
		Datasets: []string{"steps"}, Families: []string{"star"},
		Splits: []string{"interpolation:3"}, Seeds: []uint64{4},
		Set: []sweeps.Axis{{Name: "width", Values: []string{"2,3"}},
			{Name: "inducing", Values: []string{"32"}}},
	}
	if got := d.grid.form.grid(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if d.grid.plan.Known.state == nil || len(d.grid.plan.Known.state.Cells) != 1 || d.engine.plans != 1 {
		t.Errorf("plan %+v after %d inspections", d.grid.plan.Known.state, d.engine.plans)
	}
}

func TestTypingValues(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	d.typed(t, rundir.DatasetField, "steps,mountaincar")
	d.typed(t, rundir.SplitField, "interpolation:0..2")
	d.typed(t, rundir.SeedField, "0..1")
	d.typed(t, "inducing", "32,64,128")
	d.typed(t, "width", "2;3,4")
	d.typed(t, jobsField, "2")
	if got := len(d.grid.plan.Known.state.Cells); got != 2*3*2*3*2 {
		t.Errorf("the plan has %d cells", got)
	}
	if view := d.View(); !strings.Contains(view, "72 runs") || !strings.Contains(view, "3 values") ||
		!strings.Contains(view, "with 2 runs in parallel if there are enough cores") {
		t.Errorf("screen:\n%s", view)
	}
}

// Letters are keys of the screen on all rows, with and without choices, until a row is being edited. Enter
// ends the editing.
func TestLettersAreKeysUntilEditing(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	letters := func(when string) {
		t.Helper()
		for _, key := range []string{"b", "q", "?", ","} {
			if _, taken := d.grid.Typed(kittest.Press(key)); taken || d.grid.Types([]rune(key)[0]) {
				t.Errorf("%s on the row %q is typed %s", key, d.grid.form.Row(), when)
			}
		}
	}
	for range 40 {
		letters("before editing")
		d.Keys("down")
	}
	d.row(t, rundir.FamilyField)
	d.Keys("ctrl+n")
	letters("after a family was added")
	d.Keys("right", ",", "s", "v", "g", "p")
	if got := d.grid.form.Value(rundir.FamilyField); !strings.HasSuffix(got, ",svgp") {
		t.Errorf("family is %q after typing ,svgp", got)
	}
	d.Keys("enter")
	letters("after enter")
}

func TestChangingFamiliesKeepsWhatWasTyped(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	d.typed(t, "layers", "2,3")
	d.typed(t, rundir.FamilyField, "star,mask")
	if d.grid.form.Field("layers") != nil {
		t.Error("layers can be set, although mask does not have them")
	}
	if r := d.grid.form.Field("inducing"); r == nil || r.Value() != "32" ||
		d.grid.form.Current().Name != rundir.FamilyField {
		t.Errorf("inducing %+v, at %s", r, d.grid.form.Current().Name)
	}
	d.Keys("left", "left", "left", "left", "left")
	d.Keys("x")
	if got := d.grid.form.Value(rundir.FamilyField); got != "starx,mask" {
		t.Errorf("typed inside the text: %q", got)
	}
	d.typed(t, rundir.FamilyField, "mean-field")
	if r := d.grid.form.Field("layers"); r == nil || r.Value() != "2,3" {
		t.Error("layers are forgotten")
	}
}

func TestAddKnownValues(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	for _, c := range []struct{ row, want string }{
		{rundir.DatasetField, "steps,mountaincar"}, {rundir.FamilyField, "star,mean-field"},
		{"kernel", "rbf,matern32"}, {"early_stopping", "on,off"},
	} {
		d.row(t, c.row)
		d.Keys("ctrl+n")
		if got := d.grid.form.Value(c.row); got != c.want {
			t.Errorf("%s: %q, want %q", c.row, got, c.want)
		}
	}
	d.row(t, "early_stopping")
	d.Keys("ctrl+n")
	if d.Note != "all values of early_stopping are listed" {
		t.Error(d.Note)
	}
	d.row(t, "inducing")
	d.Keys("ctrl+n")
	if d.Note != "type the values of inducing" {
		t.Error(d.Note)
	}
	d.Keys("ctrl+u")
	if got := d.grid.form.Value("inducing"); got != "128" {
		t.Errorf("the default is %q", got)
	}
}

func TestInvalidValues(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	for _, c := range []struct{ row, text, want string }{
		{"inducing", "32,0", "0: want a whole number"},
		{"inducing", "9..1", "the last number is less"},
		{"inducing", "", "want at least one value"},
		{rundir.FamilyField, "star,nothing", "nothing: want one of mean-field, star, mask"},
		{rundir.SplitField, "half", "want standard:K"},
		{rundir.SeedField, "-1", "whole number"},
		{nameField, "a b", "invalid sweep name"},
		{jobsField, "0", "want a whole number"},
	} {
		r := d.row(t, c.row)
		before := r.Value()
		r.Input = kit.NewLine(c.text)
		d.grid.plan.Schedule()
		d.wait()
		d.grid.form.GoTo(rundir.DatasetField)
		d.Keys("enter")
		if !strings.Contains(d.Note, c.want) || d.grid.form.Current().Name != c.row ||
			len(d.engine.started) > 0 {
			t.Errorf("%s=%q: note %q on %s", c.row, c.text, d.Note, d.grid.form.Current().Name)
		}
		if d.grid.plan.Err == nil || d.grid.plan.Known != nil {
			t.Errorf("%s=%q: plan %+v", c.row, c.text, d.grid.plan)
		}
		d.grid.form.Current().Input = kit.NewLine(before)
	}
	// Some errors are found only when the data sets are loaded.
	d.typed(t, rundir.DatasetField, "steps,boston")
	d.Keys("enter")
	if !strings.Contains(d.Note, "boston") || len(d.engine.started) > 0 {
		t.Errorf("note %q", d.Note)
	}
}

func TestStartSweep(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	d.typed(t, rundir.SeedField, "0..1")
	d.typed(t, jobsField, "2")
	cmd := d.Keys("enter")
	if cmd == nil || !d.grid.starting || d.Keys("enter") != nil {
		t.Fatal("no sweep is started, or two are")
	}
	d.both(func() any { return cmd() })
	if len(d.engine.started) != 1 || d.engine.started[0].Jobs != 2 ||
		d.engine.started[0].Name != d.grid.plan.Known.state.Name || len(d.engine.grids[0].Seeds) != 2 {
		t.Fatalf("started %+v with %+v", d.engine.started, d.engine.grids)
	}
	if d.lastVisit(t).To != kit.SweepProgress || d.progress.live != kit.SweepRun(d.engine.sweeps[0]) ||
		d.grid.starting {
		t.Errorf("visits %v, live %v", d.Visits, d.progress.live)
	}
	if n := d.progress.beside(nil); n != 1 {
		t.Errorf("%d runs are busy", n)
	}
	// Starting the sweep again shows it.
	if cmd := d.Keys("enter"); cmd != nil || len(d.engine.started) != 1 ||
		d.lastVisit(t).Payload != (showSweep{d.engine.sweeps[0].name}) {
		t.Errorf("%d starts, visits %v", len(d.engine.started), d.Visits)
	}

	d.engine.startErr = errors.New("the disk is full")
	d.typed(t, rundir.SeedField, "0..2")
	cmd = d.Keys("enter")
	d.both(func() any { return cmd() })
	if d.Note != "cannot start: the disk is full" || d.grid.starting {
		t.Errorf("note %q", d.Note)
	}
}

func TestEarlierSweeps(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.engine.list = []sweeps.Entry{
		{Name: "abl", State: middle(t)}, {Name: "broken",
			Err: errors.New("sweep.json: unexpected end of JSON input")},
	}
	d.open(nil)
	d.Keys("tab", "down", "enter")
	if !strings.Contains(d.Note, "unexpected end") {
		t.Errorf("note %q", d.Note)
	}
	d.Keys("up", "enter")
	if v := d.lastVisit(t); v.To != kit.SweepProgress || v.Payload != (showSweep{"abl"}) {
		t.Errorf("went %v", v)
	}
	d.engine.list = slices.Insert(d.engine.list, 0, sweeps.Entry{Name: "new", State: middle(t)})
	d.open(nil)
	if d.grid.chosen != 1 {
		t.Errorf("another sweep is selected: %d", d.grid.chosen)
	}
	if text := d.grid.PlainText(); !strings.Contains(text,
		"abl  16/24 1 failed  2026-11-21 09:30\nbroken  unreadable") {
		t.Errorf("copied %q", text)
	}
}

func TestStalePlansAreDropped(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.grid.Open(kit.Fill{Config: base})
	old := d.grid.plan.Gen
	d.typed(t, rundir.SeedField, "0..3")
	d.Send(kit.PreviewedMsg[plan]{Gen: old, Err: errors.New("stale")})
	d.Send(kit.PreviewDueMsg[plan]{Gen: old})
	if d.grid.plan.Err != nil || d.engine.plans != 1 || len(d.grid.plan.Known.state.Cells) != 4 {
		t.Errorf("%d plans, %+v", d.engine.plans, d.grid.plan)
	}
	// An outdated inspection is cancelled.
	cmd := d.Send(kit.PreviewDueMsg[plan]{Gen: d.grid.plan.Gen})
	d.grid.plan.Schedule()
	if msg := cmd().(kit.PreviewedMsg[plan]); !errors.Is(msg.Err, context.Canceled) {
		t.Errorf("%+v", msg)
	}
}

// formOf is the inverse of grid.
func TestFormOfASweep(t *testing.T) {
	d := newHarness(t, 120, 40)
	splits := someGrid()
	splits.Splits = []string{"interpolation:0", "interpolation:1", "interpolation:2"}
	targets := someGrid()
	targets.Datasets = []string{"/data/prices.csv"}
	targets.Targets, targets.Columns.Ignore = []string{"price", "rent"}, []string{"size"}
	for _, g := range []sweeps.Grid{splits, targets} {
		d.open(fillGrid{g, "abl"})
		if got := d.grid.form.grid(); !reflect.DeepEqual(got, g) {
			t.Errorf("%+v\nwant %+v", got, g)
		}
		if o := d.grid.form.options(); o.Name != "abl" {
			t.Errorf("%+v", o)
		}
	}
}

// The remark on shared cores counts the workers and the other runs.
func TestSharedCoresAreReported(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	d.typed(t, rundir.SeedField, "0..9")
	d.typed(t, jobsField, "4")
	if view := d.View(); strings.Contains(view, "training runs share") {
		t.Fatalf("remark although there are enough cores:\n%s", view)
	}
	run := kittest.NewRun("a", nil)
	d.Started = append(d.Started, run)
	if view := d.View(); !strings.Contains(view,
		"! 5 training runs share 4 cores: each is slower; 1 already running") {
		t.Fatalf("no remark on shared cores:\n%s", view)
	}
	run.Close()
	d.typed(t, jobsField, "7")
	// The fake engine has six runs left.
	if view := d.View(); !strings.Contains(view, "! 6 training runs share 4 cores: each is slower ") {
		t.Fatalf("no remark on shared cores:\n%s", view)
	}

	w, s := watching(t, 200, 40)
	w.progress.cores = 2
	if view := w.View(); !strings.Contains(view, " 2 workers ") {
		t.Errorf("frame\n%s", view)
	}
	w.Started = append(w.Started, kittest.NewRun("b", nil))
	if view := w.View(); !strings.Contains(view, "2 workers and 1 run on 2 cores") {
		t.Errorf("frame\n%s", view)
	}
	s.end()
}

// The baseline has a single field.
func TestGridWithTheBaseline(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	if g := d.grid.form.grid(); g.Baseline {
		t.Fatalf("the baseline is on: %+v", g)
	}
	d.row(t, baselineField)
	d.Keys("right")
	g := d.grid.form.grid()
	if again := formOf(g, ""); !g.Baseline || again.Typed(baselineField) != "on" {
		t.Errorf("the baseline is off: %+v", g)
	}
}

// The form has fields for a random draw and for successive halving. A form opened with a sweep keeps the seed
// of its draw.
func TestGridWithRungs(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	for field, text := range map[string]string{
		rundir.SeedField: "4,5", "layers": "2,3", "inducing": "8,16,32", randomField: "5", halvingField: "2",
	} {
		d.row(t, field).Input = kit.NewLine(text)
	}
	d.wait()
	g := d.grid.form.grid()
	if g.Random != 5 || g.RandomSeed != 4 || g.Halving != 2 || g.Rungs != 0 {
		t.Errorf("typed: %+v", g)
	}
	g.Rungs = 3
	f := formOf(g, "")
	f.list(d.engine)
	f.GoTo(rundir.SeedField)
	f.Current().Input = kit.NewLine("7")
	again := f.grid()
	if again.Random != 5 || again.RandomSeed != 4 || again.Halving != 2 || again.Rungs != 3 {
		t.Errorf("opened again: %+v", again)
	}
	d.row(t, halvingField).Input = kit.NewLine("1")
	if field, err := d.grid.form.FirstBad(); err == nil || field.Name != halvingField {
		t.Errorf("a factor of 1: %v", err)
	}
}

// Tab completes the last of several data sets or paths. ctrl+o picks a file, which is appended.
func TestFilesOfAGrid(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "rows.csv"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	d.typed(t, rundir.DatasetField, "steps,"+dir+"/r")
	if word, _ := d.grid.Available(kit.ActNextPart); word != "complete" {
		t.Errorf("tab says %q", word)
	}
	d.Perform(d.Keys("tab"))
	if got := d.grid.form.grid().Datasets; d.grid.part != partForm ||
		!slices.Equal(got, []string{"steps", dir + "/rows.csv"}) {
		t.Errorf("completed to %q", got)
	}
	d.Perform(d.Keys("tab"))
	if d.grid.part != partList {
		t.Error("tab without a completion does not move on")
	}
	d.Keys("shift+tab")
	d.row(t, "inducing")
	d.Perform(d.Keys("ctrl+o"))
	if view := d.View(); !d.grid.picker.IsOpen() || !strings.Contains(view, "rows.csv") ||
		!strings.Contains(view, "parent folder") {
		t.Errorf("screen:\n%s", view)
	}
	kittest.CheckFrame(t, "picking", d.View(), 120, 40)
	d.Perform(d.Keys("enter")) // the most recent file
	if got := d.grid.form.grid().Datasets; d.grid.picker.IsOpen() ||
		!slices.Equal(got, []string{"steps", dir + "/rows.csv"}) {
		t.Errorf("picked %q", got)
	}
	d.Perform(d.Keys("ctrl+o"))
	d.Keys("esc")
	if d.grid.picker.IsOpen() || d.Backs > 0 {
		t.Error("esc does not close only the picker")
	}
	d.Perform(d.Keys("ctrl+o"))
	x, y := d.Find(t, "rows.csv")
	d.Wheel(x, y, 1)
	d.Wheel(x, y, -1)
	d.Perform(d.Click(x, y)) // the selected row
	if got := d.grid.form.grid().Datasets; d.grid.picker.IsOpen() ||
		!slices.Equal(got, []string{"steps", dir + "/rows.csv"}) {
		t.Errorf("clicked %q", got)
	}
	x, y = d.Find(t, gridTabs[partList])
	if d.Wheel(x, y, 1); d.grid.part == partList {
		t.Error("the wheel on a tab selects a part")
	}
	if d.Click(x, y); d.grid.part != partList {
		t.Error("a click on a tab selects no part")
	}
}

// esc reverts typed values before it leaves the screen.
func TestUndoInAGrid(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	d.row(t, "inducing")
	d.Keys("6", "4")
	if got := d.grid.form.Value("inducing"); got != "64" {
		t.Fatalf("typed %q", got)
	}
	d.Keys("esc")
	if got := d.grid.form.Value("inducing"); got != "32" || d.Backs > 0 {
		t.Errorf("after esc the text is %q; esc went back %d times", got, d.Backs)
	}
	d.Keys("esc")
	if d.Backs != 1 {
		t.Error("esc does not go back")
	}
}

// The mouse selects fields and earlier sweeps, and scrolls them.
func TestMouseInAGrid(t *testing.T) {
	d := newHarness(t, 120, 40)
	for i := range 60 {
		d.engine.list = append(d.engine.list, sweeps.Entry{
			Name:  fmt.Sprintf("sweep-%02d", i),
			State: middle(t),
		})
	}
	d.open(nil)
	x, y := d.Find(t, "sweep-02")
	d.Click(x, y)
	if d.grid.part != partList || d.grid.earlier[d.grid.chosen].Name != "sweep-02" {
		t.Errorf("a click selects part %d, sweep %d", d.grid.part, d.grid.chosen)
	}
	for range 3 {
		d.Wheel(x, y, 1)
	}
	if view := d.View(); strings.Contains(view, "sweep-01 ") || d.grid.chosen != 2 {
		t.Errorf("the wheel does not scroll, or selects %d:\n%s", d.grid.chosen, view)
	}
	d.Click(d.Find(t, "sweep-10"))
	if got := d.grid.earlier[d.grid.chosen].Name; got != "sweep-10" {
		t.Errorf("after scrolling, a click selects %s", got)
	}
	x, y = d.Find(t, "learning_rate")
	d.Click(x, y)
	if d.grid.part != partForm || d.grid.form.Row() != "learning_rate" {
		t.Errorf("a click selects part %d, field %s", d.grid.part, d.grid.form.Row())
	}
	d.Keys("enter") // starts this sweep instead of opening another
	if !d.grid.starting || len(d.Visits) > 0 {
		t.Errorf("enter in the form: starting %v, visits %v", d.grid.starting, d.Visits)
	}
	if view := d.View(); !strings.Contains(view, "starting…") {
		t.Errorf("no start on the screen:\n%s", view)
	}
	// On a narrow screen only one part is visible, and a click on a tab shows the other.
	d.Size(60, 20)
	d.grid.part = partForm
	x, y = d.Find(t, gridTabs[partList])
	d.Click(x, y)
	if d.grid.part != partList {
		t.Errorf("a click on a tab selects part %d:\n%s", d.grid.part, d.View())
	}
}

// TestEntryTexts checks the texts for the states of sweeps in the list.
func TestEntryTexts(t *testing.T) {
	state := func(change func(s *sweeps.State)) *sweeps.Entry {
		s := middle(t)
		change(s)
		return &sweeps.Entry{Name: "abl", State: s}
	}
	all := func(s *sweeps.State) {
		for i := range s.Cells {
			finish(&s.Cells[i])
		}
	}
	for want, e := range map[string]*sweeps.Entry{
		"16/24 1 failed": state(func(*sweeps.State) {}),
		"16/24 running":  state(func(s *sweeps.State) { s.Phase = sweeps.Going }),
		"24/24 done":     state(all),
		"23/24, 1 pruned": state(func(s *sweeps.State) {
			all(s)
			s.Cells[3].Status = sweeps.Pruned
		}),
		"16/24":      state(func(s *sweeps.State) { s.Cells[16].Status = sweeps.Stopped }),
		"unreadable": {Name: "abl", Err: errors.New("damaged")},
	} {
		if got := entryTexts(e)[1]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	d := newHarness(t, 120, 40)
	d.open(nil)
	if view := d.View(); !strings.Contains(view, "No sweeps yet.") {
		t.Errorf("no sweeps:\n%s", view)
	}
	d.Keys("tab", "enter")
	if d.Note != "no sweeps yet" {
		t.Errorf("note %q", d.Note)
	}
	d.grid.listed.Err = errors.New("permission denied")
	if view := d.View(); !strings.Contains(view, "Cannot list sweeps: permission denied") {
		t.Errorf("an error:\n%s", view)
	}
}
