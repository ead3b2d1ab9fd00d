package browse

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// New data move neither the selection nor the marks. If the selected run disappears, the run that takes its
// place is selected.
func TestSelectionSurvivesRefreshes(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys("down", " ")
	want := "20261121-094600-boston-mean-field-77aa01"
	if d.chosenID() != want {
		t.Fatalf("%s is chosen", d.chosenID())
	}
	d.engine.runs = append([]rundir.Info{ended("20261122-000000-steps-star-000001", "steps", "star", -1)},
		d.engine.runs...)
	d.refresh()
	if d.chosenID() != want || d.browse.at != 3 ||
		!slices.Equal(d.browse.marks, []string{"20261121-094607-boston-star-3150b4"}) {
		t.Errorf("after a new run %s is selected, marked are %v", d.chosenID(), d.browse.marks)
	}
	d.engine.runs = slices.Delete(d.engine.runs, 2, 4)
	d.refresh()
	if d.chosenID() != "20261120-180000-table-star-ff0001" || len(d.browse.marks) != 0 {
		t.Errorf("after runs were removed %s is selected, marked are %v", d.chosenID(), d.browse.marks)
	}
	d.engine.runs = nil
	d.refresh()
	d.Keys("down", " ", "t", "r", "w", "f", "R", "enter", "i", "right", "a")
	if d.chosenID() != "" || d.browse.prompt != nil || d.browse.form != nil {
		t.Errorf("%q is selected in an empty list", d.chosenID())
	}
}

// The list is not read while another screen is in front, and is read once on return.
func TestNoListingWhileAway(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	due := func() tea.Msg { return listDueMsg{d.browse.gen} }
	if d.Send(due()) == nil {
		t.Fatal("the list is not read while the screen is in front")
	}
	d.browse.Leave()
	if d.Send(due()) != nil {
		t.Error("the list is read while another screen is in front")
	}
	old := due()
	if d.browse.Open(nil) == nil {
		t.Fatal("the list is not read on return")
	}
	if d.Send(old) != nil {
		t.Error("the list is read twice on return")
	}
}

// If the list cannot be read, the error is shown and the old list is kept.
func TestListingFails(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.engine.listErr = errors.New("permission denied")
	d.refresh()
	if view := d.View(); !strings.Contains(view, "permission denied") ||
		!strings.Contains(view, "paper's setting") {
		t.Error(view)
	}
	stale := d.browse.relist()()
	d.refresh()
	if _, changed := d.browse.Update(stale); changed {
		t.Error("an outdated list was shown")
	}
}

func TestProgressOfRunsOfThisProgram(t *testing.T) {
	d := newHarness(someRuns(), 120, 40)
	c := d.browse.shown[0].Config
	s := kittest.Training(c, 1000)
	d.Started = append(d.Started, kittest.NewRun("20261121-101500-energy-star-cc0003", s))
	if !strings.Contains(d.View(), "running 34%") {
		t.Error(d.View())
	}
	d.refresh()
	if !strings.Contains(d.View(), "running 50%") {
		t.Error(d.View())
	}
}

func TestSorting(t *testing.T) {
	d := newHarness(someRuns(), 120, 40)
	d.Keys("down")
	chosen := d.chosenID()
	for range 8 {
		d.Keys("right")
	}
	if d.browse.look.Sort != "log_lik" || !d.browse.look.Descending ||
		label(&d.browse.shown[0]) != "paper's setting" || d.chosenID() != chosen {
		t.Errorf("sorted by %+v, first %s, selected %s", d.browse.look, d.browse.shown[0].ID, d.chosenID())
	}
	if !strings.Contains(d.View(), "test LL↓") {
		t.Error(d.View())
	}
	d.Keys("i")
	if d.browse.look.Descending || d.browse.shown[0].Config.Family != "mean-field" {
		t.Errorf("inverted: %s is first", d.browse.shown[0].ID)
	}
	d.Keys("left")
	if d.browse.look.Sort != "val.best" {
		t.Errorf("sorted by %+v", d.browse.look)
	}
	// A click on a title sorts by that column. A second click reverses the order.
	title := strings.Split(d.View(), "\n")[2]
	x := kit.Cells(title[:strings.Index(title, "family")])
	d.Click(x, 2)
	d.Click(x, 2)
	if d.browse.look.Sort != "family" || !d.browse.look.Descending {
		t.Errorf("clicked: %+v", d.browse.look)
	}
}

func TestFiltering(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	typed := func(text string) {
		for _, r := range text {
			key := string(r)
			d.Keys(key)
		}
	}
	d.Keys("/")
	typed("family:star -boston")
	if len(d.browse.shown) != 3 {
		t.Errorf("%d runs match", len(d.browse.shown))
	}
	typed(" step>x")
	if !strings.Contains(d.View(), "✗") || len(d.browse.shown) == 6 {
		t.Errorf("an invalid query:\n%s", d.View())
	}
	d.Keys("enter")
	if d.browse.prompt == nil {
		t.Error("an invalid query was kept")
	}
	d.Keys("ctrl+u")
	typed("val")
	d.Keys("tab")
	if got := d.browse.prompt.in.Value(); got != "val" { // val.best and validation...
		t.Errorf("completed to %q", got)
	}
	typed(".")
	d.Keys("tab")
	typed("*")
	if got := d.browse.prompt.in.Value(); got != "val.best:*" || len(d.browse.shown) != 2 {
		t.Errorf("completed to %q, %d match", got, len(d.browse.shown))
	}
	// The list can be navigated while the filter is typed.
	d.Keys("down", "enter")
	if d.browse.prompt != nil || d.browse.at != 1 || d.browse.look.Filter != "val.best:*" {
		t.Errorf("row %d, filter %q", d.browse.at, d.browse.look.Filter)
	}
	// If a filter hides the selected run for a while, the run is selected again afterwards.
	chosen := d.chosenID()
	d.Keys("/", " ", "x", "y")
	if d.chosenID() != "" {
		t.Errorf("%s is selected in an empty list", d.chosenID())
	}
	d.Keys("backspace", "backspace", "backspace")
	if d.chosenID() != chosen {
		t.Errorf("%s is selected, want %s", d.chosenID(), chosen)
	}
	d.Keys(" ", "x", "y", "esc")
	if d.browse.look.Filter != "val.best:*" || len(d.browse.shown) != 2 {
		t.Errorf("esc left the filter %q", d.browse.look.Filter)
	}
}

func TestKeepAndRestore(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys("/", "s", "t", "a", "r", "enter", "i", "down")
	kept := d.browse.Keep().(kept)
	if want := (look{"created", false, "star", d.chosenID()}); kept.look != want {
		t.Errorf("%+v, want %+v", kept, want)
	}
	other := New(d, d.engine)
	other.Restore([]byte(`{"sort":"split","descending":true,"filter":"family:star",` +
		`"chosen":"20261119-120000-energy-star-dd0001"}`))
	other.Update(other.relist()())
	if other.chosen != "20261119-120000-energy-star-dd0001" || len(other.shown) != 4 ||
		other.look.Sort != "split" {
		t.Errorf("%+v, %s", other.look, other.chosen)
	}
	for _, text := range []string{`{"sort":"nothing","filter":"a:b"}`, `[`, `{"sort":3}`} {
		fresh := New(d, d.engine)
		fresh.Restore([]byte(text))
		if fresh.look != (look{Sort: "created", Descending: true}) {
			t.Errorf("%s: %+v", text, fresh.look)
		}
	}
}

func TestMouseAndDetails(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	top := func() int { return d.browse.details.Bar().Top }
	d.Click(10, 5) // header, border, titles, then the second row
	if d.browse.at != 2 {
		t.Errorf("row %d", d.browse.at)
	}
	d.Click(10, 20)
	if d.browse.focus != partDetails {
		t.Error("a click does not focus the details")
	}
	d.View()
	d.Wheel(10, 20, 1)
	if top() != 2 {
		t.Errorf("scrolled to %d", top())
	}
	d.Keys("up", "tab", "down")
	if top() != 0 || d.browse.at != 3 {
		t.Errorf("scroll %d, row %d", top(), d.browse.at)
	}
	var many []rundir.Info
	for i := range 50 {
		id := fmt.Sprintf("20261121-%06d-a-star-%06d", i, i)
		many = append(many, ended(id, "a", "star", rundir.Number(i)))
	}
	d = newHarness(many, 80, 24)
	d.View()
	d.Wheel(10, 5, 1)
	d.Wheel(10, 5, 1)
	if d.browse.at != 4 {
		t.Errorf("after the wheel row %d is selected", d.browse.at)
	}
	d.Keys("end")
	if view := d.View(); !strings.Contains(view, "50 of 50") ||
		!strings.Contains(view, "›  ✓ 1121-000000 ") {
		t.Error(view)
	}
}

func TestPlainText(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	text := d.browse.PlainText()
	if lines := strings.Split(text, "\n"); len(lines) != 7 || !strings.Contains(lines[0], "RMSE") ||
		!strings.Contains(lines[2], "fig3 paper") || strings.Contains(text, "\x1b") {
		t.Error(text)
	}
	d.Keys("down", "tab")
	if text := d.browse.PlainText(); !strings.Contains(text, "note     as in Appendix G\n") {
		t.Error(text)
	}
}

// No action panics, whatever is selected.
func TestEveryKeyIsSafe(t *testing.T) {
	if testing.Short() {
		t.Skip("every key after every key")
	}
	for _, runs := range [][]rundir.Info{nil, someRuns()} {
		for _, b := range bindings {
			for _, rest := range bindings {
				d := newHarness(slices.Clone(runs), 80, 24)
				d.browse.Act(b.Action, tea.KeyMsg{})
				d.Send(kittest.Press(rest.Keys()[0]))
				kittest.CheckFrame(t, string(b.Action), d.View(), 80, 24)
			}
		}
	}
}

// The newest of thousands of runs are shown and can be used while the others are being read. The previously
// selected run is selected as soon as it has been read.
func TestNewestRunsFirst(t *testing.T) {
	var runs []rundir.Info
	for i := range firstPage + 50 {
		runs = append(runs, ended(fmt.Sprintf("20250101-%06d-boston-star-aa", 999999-i),
			"boston", "star", -1))
	}
	last := runs[len(runs)-1].ID
	d := newHarness(nil, 120, 40)
	d.browse = New(d, d.engine)
	d.Screen = d.browse
	d.Size(120, 40)
	d.browse.Restore([]byte(`{"Sort":"created","Descending":true,"Chosen":"` + last + `"}`))
	d.engine.runs, d.engine.asked = runs, nil
	rest := d.Send(d.browse.relist()())
	if len(d.browse.shown) != firstPage || !strings.Contains(d.browse.headline(120), "reading more") {
		t.Errorf("%d runs are shown: %q", len(d.browse.shown), d.browse.headline(120))
	}
	if rest == nil {
		t.Fatal("the others are not read")
	}
	d.Send(rest())
	if len(d.browse.shown) != len(runs) || strings.Contains(d.browse.headline(120), "reading") ||
		d.chosenID() != last {
		t.Errorf("%d runs are shown, %s is selected: %q",
			len(d.browse.shown), d.chosenID(), d.browse.headline(120))
	}
	d.refresh()
	if want := []int{firstPage, math.MaxInt, math.MaxInt}; !slices.Equal(d.engine.asked, want) {
		t.Errorf("requested %v runs, want %v", d.engine.asked, want)
	}
}

// Columns in which the runs differ are dropped later than redundant columns, and the list names their sweep.
func TestRedundantColumns(t *testing.T) {
	runs := someRuns()[:3]
	for i := range runs {
		runs[i].Config.Dataset = "boston"
		runs[i].Config.Family = "star"
		runs[i].Config.Seed = uint64(i)
		runs[i].Sweep = ""
	}
	runs[1].Sweep = "lengthscales"
	d := newHarness(runs, 80, 24)
	if view := d.View(); !strings.Contains(view, "seed") || strings.Contains(view, "dataset ") ||
		strings.Contains(strings.Split(view, "\n")[2], "family") {
		t.Errorf("seeds differ, data set and family do not:\n%s", view)
	}
	d.Size(160, 24)
	if view := d.View(); !strings.Contains(view, "sweep") || !strings.Contains(view, "lengthsc") {
		t.Errorf("no sweep:\n%s", view)
	}
}

// The details of an ended run show its alarms.
func TestAlarmsOfAnEndedRun(t *testing.T) {
	run := ended("20261121-094607-boston-star-3150b4", "boston", "star", -2.2764)
	run.Results.Alarms = []rundir.Alarm{{Since: 1000, Text: "the posterior has collapsed to the prior"}}
	if view := newHarness([]rundir.Info{run}, 120, 40).View(); !strings.Contains(view,
		"alarm    the posterior has collapsed to the prior, since step 1,000") {
		t.Errorf("no alarm:\n%s", view)
	}
}

// Outdated messages do not redraw the screen.
func TestOutdatedMessages(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	for _, msg := range []tea.Msg{
		listDueMsg{d.browse.gen - 1}, runsListedMsg{gen: d.browse.gen - 1}, predictTickedMsg{&prediction{}},
		kit.RunStartedMsg{},
	} {
		if cmd, changed := d.browse.Update(msg); cmd != nil || changed {
			t.Errorf("%T: command %v, changed %v", msg, cmd != nil, changed)
		}
	}
	if len(d.browse.all) != 6 {
		t.Errorf("%d runs", len(d.browse.all))
	}
	d.browse.Leave()
	if _, changed := d.browse.Update(listDueMsg{d.browse.gen}); changed {
		t.Error("a periodic reading redraws a hidden screen")
	}
}

// From an order that has no column, sorting moves to the first or the last column.
func TestSortingBeyondColumns(t *testing.T) {
	for key, want := range map[string]string{"right": columns[0].Key, "left": columns[len(columns)-1].Key} {
		d := newHarness(someRuns(), 80, 24)
		d.browse.Restore([]byte(`{"sort":"note"}`))
		if d.browse.look.Sort != "note" {
			t.Fatalf("sorted by %s", d.browse.look.Sort)
		}
		d.Keys(key)
		if d.browse.look.Sort != want {
			t.Errorf("%s sorts by %s, want %s", key, d.browse.look.Sort, want)
		}
	}
	// Going left from the first column leads to the last one.
	d := newHarness(someRuns(), 80, 24)
	d.Keys("left")
	if want := columns[len(columns)-1].Key; d.browse.look.Sort != want {
		t.Errorf("left sorts by %s, want %s", d.browse.look.Sort, want)
	}
	d.Keys("right")
	if d.browse.look.Sort != "created" {
		t.Errorf("right sorts by %s", d.browse.look.Sort)
	}
}

// The space bar marks and unmarks, and selects the next run.
func TestMarking(t *testing.T) {
	d := newHarness(someRuns(), 80, 24)
	d.Keys(" ", " ", " ", "home", "down")
	if word, _ := d.browse.Available(actMark); word != "unmark" {
		t.Errorf("the word of the key is %q", word)
	}
	d.Keys(" ")
	all := someRuns()
	if want := []string{all[0].ID, all[2].ID}; !slices.Equal(d.browse.marks, want) || d.browse.at != 2 {
		t.Errorf("marked are %v, want %v; row %d", d.browse.marks, want, d.browse.at)
	}
	d.Keys("U")
	if _, reason := d.browse.Available(actUnmark); len(d.browse.marks) > 0 || reason != "no run is marked" {
		t.Errorf("marked are %v, %q", d.browse.marks, reason)
	}
}

// TestEmptyList checks the messages for a list that has not been read, has no runs, or has no matching run.
func TestEmptyList(t *testing.T) {
	d := newHarness(nil, 80, 24)
	if view := d.View(); !strings.Contains(view, "no runs yet; n: new run") {
		t.Errorf("no runs:\n%s", view)
	}
	d.Keys("/")
	if !strings.Contains(d.Note, "no runs yet") || d.browse.prompt != nil {
		t.Errorf("a filter without a match: %q", d.Note)
	}
	d.browse = New(d, d.engine)
	d.Screen = d.browse
	d.Size(80, 24)
	if view := d.View(); strings.Count(view, "reading run directories") != 2 {
		t.Errorf("before the first list:\n%s", view)
	}
}
