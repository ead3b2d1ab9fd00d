package browse

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

func TestNotes(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.do("down", " ", " ", "t", "o", "l", "d", "enter") // the second and the third
	if !slices.Contains(d.engine.runs[1].Notes.Tags, "old") ||
		!slices.Equal(d.engine.runs[2].Notes.Tags, []string{"old"}) || d.Note != "2 runs tagged" {
		t.Errorf("%v, %v, %q", d.engine.runs[1].Notes, d.engine.runs[2].Notes, d.Note)
	}
	d.do("t", "ctrl+u", "n", "e", "w", "enter")
	if !slices.Equal(d.engine.runs[2].Notes.Tags, []string{"new"}) ||
		!slices.Contains(d.engine.runs[1].Notes.Tags, "paper") ||
		slices.Contains(d.engine.runs[1].Notes.Tags, "old") {
		t.Errorf("%v, %v", d.engine.runs[1].Notes, d.engine.runs[2].Notes)
	}
	d.Keys("U", "home", "down")
	d.do("r", "ctrl+u", "x", " ", "y", "enter")
	d.do("w", " ", `\`, "n", "z", "enter")
	if n := d.engine.runs[1].Notes; n.Name != "x y" || n.Note != "as in Appendix G\nbut for the steps \nz" {
		t.Errorf("%+v", n)
	}
	// Leaving the prompt or entering the same text changes nothing.
	before := d.engine.runs[1].Notes
	for _, keys := range [][]string{{"r", "q", "esc"}, {"w", "enter"}, {"t", "enter"}} {
		if cmd := d.Keys(keys...); cmd != nil {
			t.Errorf("%v has a command", keys)
		}
	}
	if !reflect.DeepEqual(before, d.engine.runs[1].Notes) {
		t.Errorf("%+v became %+v", before, d.engine.runs[1].Notes)
	}
	d.engine.runs = d.engine.runs[:1]
	d.do("r", "a", "enter")
	if !strings.Contains(d.Note, "no run") {
		t.Errorf("a removed run: %q", d.Note)
	}
}

// The error names the run that cannot be deleted.
func TestDeleteTrainingRun(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Started = []kit.Run{kittest.NewRun(d.engine.runs[0].ID, nil)}
	d.do("d")
	if len(d.engine.runs) != 6 ||
		!strings.Contains(d.Note, "stop it on the dashboard first: 1121-101500…cc0003 is training") {
		t.Errorf("%q", d.Note)
	}
	d.Started[0].(*kittest.Run).Close()
	d.do("d")
	if !strings.Contains(d.Note, "in use by a running process") {
		t.Errorf("%q", d.Note)
	}
}

func TestDeleteAndUndo(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.do("d")
	if len(d.engine.runs) != 6 || !strings.Contains(d.Note, "in use by a running process") {
		t.Errorf("a running run: %q", d.Note)
	}
	d.do("down", " ", " ", "d")
	if len(d.engine.runs) != 4 || len(d.browse.marks) != 0 ||
		d.chosenID() != "20261120-180000-table-star-ff0001" ||
		d.Note != "2 runs moved to the trash; u: undo" {
		t.Errorf("%d runs, %q, %s is selected", len(d.engine.runs), d.Note, d.chosenID())
	}
	d.do("d")
	d.do("u")
	d.do("u")
	if len(d.engine.runs) != 6 || len(d.engine.trash) != 0 || d.Note != "2 runs restored" {
		t.Errorf("%d runs, %q", len(d.engine.runs), d.Note)
	}
	d.Keys("u")
	if !strings.Contains(d.Note, "nothing to undo") {
		t.Errorf("%q", d.Note)
	}
	// Runs that could not be restored can be restored later.
	d.do("d")
	trash := d.engine.trash
	d.engine.trash = nil
	d.do("u")
	d.engine.trash = trash
	d.do("u")
	if len(d.engine.trash) != 0 {
		t.Error("the run stayed in the trash")
	}
}

func TestOpening(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys("enter")
	d.Keys("down", " ", " ", "enter")
	want := []kittest.Visit{
		{To: kit.Dash, Payload: kit.Watch{Runs: []string{"20261121-101500-energy-star-cc0003"}}},
		{To: kit.Dash,
			Payload: kit.Watch{
				Runs: []string{"20261121-094607-boston-star-3150b4",
					"20261121-094600-boston-mean-field-77aa01"},
			}},
	}
	if !reflect.DeepEqual(d.Visits, want) {
		t.Errorf("%+v", d.Visits)
	}
	d.Keys("U", "end", "enter")
	if len(d.Visits) != 2 || !strings.Contains(d.Note, "unexpected end") {
		t.Errorf("a broken run: %+v, %q", d.Visits, d.Note)
	}
	d.Keys("esc")
	if d.Backs != 1 {
		t.Error("esc does not go back")
	}
}

func TestResumeAndLike(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	for _, tt := range []struct{ keys, want string }{{"home", "is running"}} {
		d.Keys(tt.keys, "R")
		if len(d.Starts) > 0 || !strings.Contains(d.Note, tt.want) {
			t.Errorf("%s: %+v, %q", tt.keys, d.Starts, d.Note)
		}
	}
	// A run that has done its 2,000 steps is trained further.
	d.Keys("down", "R")
	if len(d.Starts) != 1 || d.Starts[0].Resume != "20261121-094607-boston-star-3150b4" ||
		d.Starts[0].Steps != 3000 {
		t.Errorf("%+v", d.Starts)
	}
	d.Keys("down", "down", "R")
	if len(d.Starts) != 2 || d.Starts[1].Resume != "20261120-180000-table-star-ff0001" ||
		d.Starts[1].Steps != 0 {
		t.Errorf("%+v", d.Starts)
	}
	d.Keys("n", "N", "a")
	c := d.browse.current().Config
	c.Set = d.browse.current().Values
	fill := kit.Fill{Config: c, Parent: d.chosenID()}
	if want := []kittest.Visit{{To: kit.Setup}, {To: kit.Setup, Payload: fill},
		{To: kit.Sweep, Payload: fill}}; !reflect.DeepEqual(d.Visits, want) {
		t.Errorf("%+v", d.Visits)
	}
}

// F opens the form for a fork that starts from the parameters of the selected run. This counts as a change.
func TestForkFromParameters(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys("down", "F")
	if d.browse.form == nil || d.browse.form.changes()[rundir.WarmStartSetting] != d.chosenID() {
		t.Errorf("%+v", d.browse.form)
	}
}

func TestFork(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys("down", "f", "enter")
	if d.browse.form.err == nil || len(d.engine.forks) > 0 {
		t.Error("a fork without a change")
	}
	// While the form is open, letters do not act on runs.
	d.Keys("end", "pgdown", "pgdown", "up", "right", "d", "U", "q", "esc")
	if form := d.browse.form; form == nil || len(form.changes()) > 0 {
		t.Error("esc does not undo typing")
	}
	d.Keys("esc")
	if d.browse.form != nil || len(d.engine.runs) != 6 {
		t.Error("esc does not leave the form")
	}
	d.Keys("f")
	form := d.browse.form
	form.GoTo("rate")
	d.Keys("ctrl+e", "backspace", "7", "x")
	form.GoTo("dataset")
	d.Keys("ctrl+a", "delete", "backspace", "end")
	form.Field("dataset").Input.SetValue("gone.csv")
	d.Send(d.Keys("enter")())
	if form.err == nil || form.starting ||
		!reflect.DeepEqual(d.engine.forks, []map[string]string{{"rate": "0.007", "dataset": "gone.csv"}}) {
		t.Errorf("%v, %v", form.err, d.engine.forks)
	}
	d.Keys("ctrl+u")
	d.Send(d.Keys("enter")())
	if len(d.Starts) != 1 || d.Starts[0].Parent != form.parent.ID ||
		d.Starts[0].Config.Set["rate"] != "0.007" || !form.starting {
		t.Fatalf("%+v", d.Starts)
	}
	d.Send(kit.RunStartedMsg{Asked: d.Starts[0], Err: errors.New("four runs are going")})
	if form.err == nil || form.starting || d.browse.form == nil {
		t.Errorf("the fork could not be started: %v", form.err)
	}
	d.Send(d.Keys("enter")())
	d.Send(kit.RunStartedMsg{Asked: d.Starts[1], Run: kittest.NewRun("x", nil)})
	if d.browse.form != nil {
		t.Error("the form stays")
	}
	d.Keys("down", "down", "down", "down", "f")
	if d.browse.form != nil || !strings.Contains(d.Note, "is unreadable") {
		t.Errorf("a broken run: %q", d.Note)
	}
}

// Another family has other fields. Common values are kept.
func TestForkToAnotherFamily(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys("down", "down", "f")
	form := d.browse.form
	if form.Field("mask") != nil || form.Field("rate").Base != "0.01" {
		t.Fatalf("%+v", form.Fields())
	}
	form.Field("layers").Input.SetValue("7")
	form.GoTo("family")
	d.Keys(" ")
	if form.Field("mask") == nil || form.Field("rate").Base != "0.01" ||
		form.Field("layers").Value() != "7" || form.Field("mask").Changed() {
		t.Errorf("%v", form.changes())
	}
	if want := map[string]string{"family": "star", "layers": "7"}; !maps.Equal(form.changes(), want) {
		t.Errorf("%v", form.changes())
	}
}

// The form of a fork shows column settings only if the data set is a file.
func TestForksOfFilesHaveColumns(t *testing.T) {
	d := newHarness(someRuns(), 120, 40)
	d.Keys("down", "down", "f")
	form := d.browse.form
	has := func() bool { return form.Field("targets") != nil && form.Field("columns") != nil }
	form.GoTo("dataset")
	if has() {
		t.Error("a data set that is not a file has columns")
	}
	d.Keys("h", ".", "c", "s", "v")
	if !has() {
		t.Error("a file has no columns")
	}
}

// In the form of a fork, tab completes the path of a file, a data set and the parent run. It moves down if
// there is nothing to complete. ctrl+o picks a file.
func TestFilesOfAFork(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "rows.csv"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d := newHarness(someRuns(), 120, 40)
	d.Keys("down", "f")
	form := d.browse.form
	paste := func(text string) { d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}) }
	form.GoTo("dataset")
	paste(dir + "/r")
	if !strings.Contains(d.View(), "tab complete") {
		t.Errorf("the footer:\n%s", d.View())
	}
	d.Perform(d.Keys("tab"))
	if got := form.Value("dataset"); got != dir+"/rows.csv" || form.Row() != "dataset" {
		t.Errorf("completed to %s, now on %s", got, form.Row())
	}
	d.Perform(d.Keys("tab"))
	if form.Row() != "targets" {
		t.Errorf("tab selects %s", form.Row())
	}
	d.Perform(d.Keys("ctrl+o"))
	if view := d.View(); form.Row() != "dataset" || !strings.Contains(view, "Pick a file") ||
		!strings.Contains(view, "rows.csv") {
		t.Errorf("on %s:\n%s", form.Row(), view)
	}
	kittest.CheckFrame(t, "picking", d.View(), 120, 40)
	d.Keys("esc")
	if d.browse.form == nil || d.browse.picking() {
		t.Error("esc does not close only the picker")
	}
	d.Keys("ctrl+u")
	paste(dir + "/")
	d.Perform(d.Keys("ctrl+o"))
	if !strings.Contains(d.View(), "recent") {
		t.Errorf("no files of other runs in\n%s", d.View())
	}
	d.Perform(d.Keys("r", "o", "w", "s", "enter"))
	if got := form.Value("dataset"); got != dir+"/rows.csv" || d.browse.picking() {
		t.Errorf("picked %s", got)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip("no home folder")
	}
	paste("~/x.csv")
	if got := form.changes()["dataset"]; got != filepath.Join(home, "x.csv") {
		t.Errorf("~ becomes %s", got)
	}
}

// A message about several runs reports both the successful and the failed changes.
func TestPartialFailure(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.do(" ", " ", "d") // The first one is running.
	if want := "1 run moved to the trash; u: undo; " +
		"20261121-101500-energy-star-cc0003: "; len(d.engine.runs) != 5 ||
		!strings.HasPrefix(d.Note, want) {
		t.Errorf("%d runs, %q, want %q", len(d.engine.runs), d.Note, want)
	}
}

// The dashboard shows a limited number of runs.
func TestOpeningTooMany(t *testing.T) {
	var runs []rundir.Info
	for i := range kit.MostWatched + 1 {
		runs = append(runs, ended(fmt.Sprintf("20261121-%06d-a-star-aa", i), "a", "star", 0))
	}
	d := newHarness(runs, 80, 24)
	for range runs[1:] {
		d.Keys(" ")
	}
	d.Keys("enter")
	if len(d.Visits) != 1 || len(d.Visits[0].Payload.(kit.Watch).Runs) != kit.MostWatched {
		t.Fatalf("%d visits, %q", len(d.Visits), d.Note)
	}
	if len(d.browse.marks) != 0 {
		t.Errorf("%d runs are still marked", len(d.browse.marks))
	}
	d.Keys("home")
	for range runs {
		d.Keys(" ")
	}
	d.Keys("enter")
	if want := "101 runs are marked; the dashboard shows at most 100"; len(d.Visits) != 1 || d.Note != want {
		t.Errorf("%d visits, %q, want %q", len(d.Visits), d.Note, want)
	}
}

// An action on marked runs asks for confirmation if the filter hides some of them.
func TestHiddenMarks(t *testing.T) {
	d := newHarness(someRuns(), 120, 24)
	d.Keys(" ", " ", " ", "/", "s", "t", "a", "r", "enter")
	hidden := 0
	for _, id := range d.browse.marks {
		if run := d.browse.find(id); run.Config.Family != "star" {
			hidden++
		}
	}
	if hidden == 0 || len(d.browse.marks) != 3 {
		t.Fatalf("%d of %v are hidden", hidden, d.browse.marks)
	}
	if want := fmt.Sprintf("3 marked, %d hidden by the filter", hidden); !strings.Contains(d.View(), want) {
		t.Errorf("no %q in\n%s", want, d.View())
	}
	before := len(d.engine.runs)
	d.Keys("enter")
	if want := fmt.Sprintf("Open 3 marked runs? The filter hides %d of them.", hidden); d.Asked == nil ||
		d.Asked.Text != want || len(d.Visits) > 0 {
		t.Fatalf("question %+v, visits %v, want %q", d.Asked, d.Visits, want)
	}
	d.Asked = nil
	d.Keys("d")
	if d.Asked == nil || !strings.HasPrefix(d.Asked.Text, "Delete 3 marked runs?") ||
		len(d.engine.runs) != before {
		t.Fatalf("question %+v, %d of %d runs are left", d.Asked, len(d.engine.runs), before)
	}
	d.Asked = nil
	d.Keys("enter")
	d.Asked.Yes()
	if len(d.Visits) != 1 || len(d.Visits[0].Payload.(kit.Watch).Runs) != 3 || len(d.browse.marks) > 0 {
		t.Errorf("visits %v, marks %v", d.Visits, d.browse.marks)
	}
}

// A fork with an invalid value is not started. The form selects the field and names it.
func TestForkWithInvalidValue(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys("down", "f")
	form := d.browse.form
	form.Field("rate").Input.SetValue("fast")
	if cmd := d.Keys("enter"); cmd != nil || form.err == nil ||
		!strings.HasPrefix(form.err.Error(), "rate: ") ||
		form.Row() != "rate" || len(d.engine.forks) > 0 || form.starting {
		t.Errorf("on %s: %v", form.Row(), form.err)
	}
	// shift+tab and tab move between the fields.
	d.Keys("shift+tab")
	if form.Row() == "rate" {
		t.Error("shift+tab does not move")
	}
	d.Keys("tab")
	if form.Row() != "rate" {
		t.Errorf("tab moves to %s", form.Row())
	}
}

// While a fork is starting, enter does not start another, and a form that was closed in the meantime does not
// start a fork.
func TestForkIsStartedOnce(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys("down", "F")
	cmd := d.Keys("enter")
	if cmd == nil || d.Keys("enter") != nil || !strings.Contains(d.View(), "starting…") {
		t.Fatalf("not starting once:\n%s", d.View())
	}
	// The start of another run is not the start of the fork.
	d.Send(kit.RunStartedMsg{Asked: kit.Start{Parent: "another"}, Err: errors.New("four runs are going")})
	if d.browse.form.err != nil || !d.browse.form.starting {
		t.Errorf("another run: %v", d.browse.form.err)
	}
	d.Keys("esc", "esc")
	if d.browse.form != nil {
		t.Fatal("esc does not close the form")
	}
	d.Send(cmd())
	if len(d.Starts) > 0 {
		t.Errorf("a closed form starts %+v", d.Starts)
	}
}

// A fork with another preset has all values of the preset.
func TestForkWithAnotherPreset(t *testing.T) {
	d := newHarness(someRuns(), 120, 60)
	d.Keys("down", "down", "f")
	form := d.browse.form
	form.GoTo(rundir.PresetField)
	d.Keys(" ")
	want := map[string]string{
		rundir.PresetField: "paper2020", "layers": "3", "widths": "5", "kernel": "rbf", "rate": "0.01",
		"optimizer": "adam", "jitter": "1e-6",
	}
	changes := form.changes()
	for name, value := range want {
		if changes[name] != value {
			t.Errorf("%s=%s, want %s", name, changes[name], value)
		}
	}
	if !strings.Contains(d.View(), "a paper") {
		t.Errorf("no source of the preset:\n%s", d.View())
	}
	// If the family does not have the preset of the parent, the default preset is used.
	runs := someRuns()
	runs[2].Config.Preset = "gone"
	d = newHarness(runs, 120, 60)
	d.Keys("down", "down", "f")
	if got := d.browse.form.preset; got != rundir.DefaultPreset {
		t.Errorf("preset %s", got)
	}
	// A family that this program does not have remains the value of the field.
	runs[2].Config.Family = "gone"
	d = newHarness(runs, 120, 60)
	d.Keys("down", "down", "f")
	if field := d.browse.form.Field(rundir.FamilyField); !slices.Contains(field.Choices, "gone") ||
		field.Value() != "gone" || !slices.Contains(field.Choices, "star") {
		t.Errorf("family %s of %v", field.Value(), field.Choices)
	}
}

// In the form of a fork, a click selects a field and the wheel scrolls.
func TestMouseInTheFork(t *testing.T) {
	d := newHarness(someRuns(), 120, 24)
	d.Keys("down", "f", "down")
	form := d.browse.form
	var x, y int
	for i, line := range strings.Split(d.View(), "\n") {
		if before, _, found := strings.Cut(line, "dataset "); found && i > 3 {
			x, y = kit.Cells(before), i
		}
	}
	d.Click(x, y)
	if form.Row() != rundir.DatasetField {
		t.Errorf("a click on line %d selects %s:\n%s", y, form.Row(), d.View())
	}
	before := d.View()
	d.Wheel(x, y, 1)
	if d.View() == before {
		t.Errorf("the wheel does not scroll:\n%s", before)
	}
}
