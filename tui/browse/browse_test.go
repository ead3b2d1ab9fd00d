package browse

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"dgplab/models"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// shelf is an Engine with runs in memory; families and hyperparameters are those
// of kittest.
type shelf struct {
	*kittest.Engine
	runs, trash []session.RunInfo
	listErr     error
	forks       []map[string]string
}

func (s *shelf) ListRuns() ([]session.RunInfo, error) { return slices.Clone(s.runs), s.listErr }

func (s *shelf) index(list []session.RunInfo, id string) (int, error) {
	i := slices.IndexFunc(list, func(run session.RunInfo) bool { return run.ID == id })
	if i < 0 {
		return i, fmt.Errorf("no run %q", id)
	}
	return i, nil
}

func (s *shelf) Annotate(id string, change func(*session.Notes)) error {
	i, err := s.index(s.runs, id)
	if err == nil {
		change(&s.runs[i].Notes)
	}
	return err
}

func (s *shelf) Trash(id string) error {
	i, err := s.index(s.runs, id)
	if err != nil {
		return err
	}
	if s.runs[i].State == session.RunRunning {
		return fmt.Errorf("%s: %w", id, session.ErrRunning)
	}
	s.trash = append(s.trash, s.runs[i])
	s.runs = slices.Delete(s.runs, i, i+1)
	return nil
}

func (s *shelf) Untrash(id string) error {
	i, err := s.index(s.trash, id)
	if err != nil {
		return err
	}
	s.runs = append(s.runs, s.trash[i])
	s.trash = slices.Delete(s.trash, i, i+1)
	return nil
}

func (s *shelf) Fork(run session.RunInfo, changes map[string]string) (session.Config, error) {
	s.forks = append(s.forks, changes)
	if changes["split"] == "half" {
		return session.Config{}, errors.New(`split "half": want standard:K`)
	}
	c := run.Config
	c.Set = maps.Clone(map[string]string(run.Values))
	maps.Copy(c.Set, changes)
	return c, nil
}

func number(x float64) *float64 { return &x }

// ended is a run with scores.
func ended(id, dataset, family string, logLik float64) session.RunInfo {
	created, _ := time.ParseInLocation("20060102-150405", id[:15], time.Local)
	c := session.Config{Dataset: dataset, Family: family, Split: "standard:0", Seed: 1, Set: map[string]string{"layers": "2"}}
	return session.RunInfo{
		ID: id, State: session.RunEnded, Created: created, Config: c, Step: 2000, Steps: 2000,
		Values: models.Values{"layers": "2", "widths": "5", "rate": "0.005", "kernel": "rbf", "early_stopping": "on", "steps": "2000"},
		Summary: &session.Summary{Stop: session.StopSteps, Seconds: 71.5, Objective: -912.4, KL: 30.3, BestVal: session.Number(logLik + 0.2), BestStep: 610,
			Test: &session.Metrics{N: 51, LogLik: logLik, RMSE: number(2.3241), CRPS: number(1.2), Coverage: map[string]float64{"95": 0.941}}},
	}
}

// someRuns are runs in every state, the newest first.
func someRuns() []session.RunInfo {
	running := ended("20261121-101500-energy-star-cc0003", "energy", "star", 0)
	running.State, running.Summary, running.Step = session.RunRunning, nil, 680
	running.Last = session.Point{Step: 680, Seconds: 24.3, Objective: -1234.5, KL: 12.25}
	best := ended("20261121-094607-boston-star-3150b4", "boston", "star", -2.2764)
	best.Notes = session.Notes{Name: "paper's setting", Tags: []string{"fig3", "paper"}, Note: "as in Appendix G\nbut for the steps"}
	fork := ended("20261121-094600-boston-mean-field-77aa01", "boston", "mean-field", -2.4120)
	fork.Parent, fork.Config.Seed = best.ID, 2
	fork.Values["rate"] = "0.01"
	fork.Config.Set["rate"] = "0.01"
	failed := ended("20261120-180000-table-star-ff0001", "/home/me/work/prices.csv", "star", math.NaN())
	failed.Summary = &session.Summary{Stop: session.StopFailed, Seconds: 3, Error: "layer 2, step 17: K_MM is not positive definite"}
	failed.Step, failed.Resumable = 17, true
	died := ended("20261119-120000-energy-star-dd0001", "energy", "star", 0)
	died.State, died.Summary, died.Step, died.Resumable = session.RunInterrupted, nil, 150, true
	died.Last = session.Point{Step: 150, Seconds: 5, Objective: -2000, KL: 2}
	broken := session.RunInfo{ID: "20261118-broken", State: session.RunBroken, Err: errors.New("config.json: unexpected end of JSON input"),
		Last: session.Point{Seconds: math.NaN(), Objective: math.NaN()}}
	return []session.RunInfo{running, best, fork, failed, died, broken}
}

// desk is a browser in a house of its own.
type desk struct {
	*kittest.House
	browse *Browse
	shelf  *shelf
}

// newDesk returns a browser of w x h cells with a list of runs.
func newDesk(runs []session.RunInfo, w, h int) *desk {
	d := &desk{House: kittest.NewHouse(), shelf: &shelf{Engine: kittest.NewEngine(), runs: runs}}
	d.browse = New(d, d.shelf)
	d.Screen = d.browse
	d.Size(w, h)
	d.refresh()
	return d
}

// refresh reads the list as the tick does.
func (d *desk) refresh() { d.Send(d.browse.relist()()) }

// do presses a key, carries out its command, and reads the list anew. Ticks are
// not waited for.
func (d *desk) do(keys ...string) {
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

func (d *desk) chosenID() string { return d.browse.chosen }

// situations are states of the screen, each reached by keys.
var situations = []struct {
	name string
	runs func() []session.RunInfo
	keys []string
}{
	{"list", someRuns, nil},
	{"empty", func() []session.RunInfo { return nil }, nil},
	{"compared", someRuns, []string{"down", " ", " ", "up"}},
	{"filter", someRuns, []string{"/", "d", "a", "t", "a", "s", "e", "t", ":", "e", "n", "e"}},
	{"filter_wrong", someRuns, []string{"/", "s", "t", "e", "p", ">", "x"}},
	{"filter_complete", someRuns, []string{"/", "t", "e", "s", "t"}},
	{"filter_nothing", someRuns, []string{"/", "n", "o", "n", "e", "enter"}},
	{"fork", someRuns, []string{"down", "f", "down", "down", "down", "down", "down", "backspace", "3"}},
	{"fork_wrong", someRuns, []string{"down", "f", "enter"}},
	{"details", someRuns, []string{"down", "tab"}},
	{"tags", someRuns, []string{"down", "t", " ", "x"}},
}

func TestGoldenFrames(t *testing.T) {
	for _, s := range situations {
		for _, size := range kittest.Sizes {
			d := newDesk(s.runs(), size.W, size.H)
			d.Keys(s.keys...)
			frame := d.View()
			kittest.CheckFrame(t, s.name, frame, size.W, size.H)
			kittest.Golden(t, s.name+"_"+size.Name, frame)
		}
	}
}

// TestEveryFrameFits draws every situation at every size up to 130 x 45.
func TestEveryFrameFits(t *testing.T) {
	stride := 7
	if testing.Short() {
		stride = 31
	}
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(s.runs(), 80, 24)
			d.Keys(s.keys...)
			for w := 1; w <= 130; w++ {
				for h := 1 + w%stride; h <= 45; h += stride {
					d.Size(w, h)
					kittest.CheckFrame(t, s.name, d.View(), w, h)
				}
			}
		})
	}
}

func TestFramesWithoutUnicode(t *testing.T) {
	for _, s := range situations {
		d := newDesk(s.runs(), 80, 24)
		*d.Theme() = *kit.NewTheme(termenv.Ascii, true, kit.ASCII)
		d.Keys(s.keys...)
		for _, size := range kittest.Sizes {
			d.Size(size.W, size.H)
			for i, r := range d.View() {
				if r != '\n' && (r < 32 || r > 126) {
					t.Fatalf("%s at %s: byte %d is %q", s.name, size.Name, i, r)
				}
			}
		}
	}
}

func TestLayoutsTileEverySize(t *testing.T) {
	for w := 1; w <= 130; w++ {
		for h := 1; h <= 45; h++ {
			for focus := range numParts {
				for _, input := range []bool{false, true} {
					l := arrange(w, h, focus, input)
					kittest.CheckTiling(t, "browser", w, h, []kit.Rect{l.header, l.input, l.list, l.details, l.footer})
				}
			}
		}
	}
}

// New data move neither the choice nor the marks; when the chosen run goes, the
// one that took its place is chosen.
func TestSelectionSurvivesRefreshes(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	d.Keys("down", " ")
	want := "20261121-094600-boston-mean-field-77aa01"
	if d.chosenID() != want {
		t.Fatalf("%s is chosen", d.chosenID())
	}
	d.shelf.runs = append([]session.RunInfo{ended("20261122-000000-steps-star-000001", "steps", "star", -1)}, d.shelf.runs...)
	d.refresh()
	if d.chosenID() != want || d.browse.at != 3 || !slices.Equal(d.browse.marks, []string{"20261121-094607-boston-star-3150b4"}) {
		t.Errorf("after a new run %s is chosen, marked are %v", d.chosenID(), d.browse.marks)
	}
	d.shelf.runs = slices.Delete(d.shelf.runs, 2, 4)
	d.refresh()
	if d.chosenID() != "20261120-180000-table-star-ff0001" || len(d.browse.marks) != 0 {
		t.Errorf("after runs went %s is chosen, marked are %v", d.chosenID(), d.browse.marks)
	}
	d.shelf.runs = nil
	d.refresh()
	d.Keys("down", " ", "t", "r", "w", "f", "R", "enter", "i", "right", "a")
	if d.chosenID() != "" || d.browse.prompt != nil || d.browse.form != nil {
		t.Errorf("%q is chosen in an empty list", d.chosenID())
	}
}

// A list that cannot be read is said, and the old one stays.
func TestListingFails(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	d.shelf.listErr = errors.New("permission denied")
	d.refresh()
	if view := d.View(); !strings.Contains(view, "permission denied") || !strings.Contains(view, "paper's setting") {
		t.Error(view)
	}
	stale := d.browse.relist()()
	d.refresh()
	if _, changed := d.browse.Update(stale); changed {
		t.Error("a stale list was taken")
	}
}

func TestProgressOfRunsOfThisProgram(t *testing.T) {
	d := newDesk(someRuns(), 120, 40)
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
	d := newDesk(someRuns(), 120, 40)
	d.Keys("down")
	chosen := d.chosenID()
	for range 8 {
		d.Keys("right")
	}
	if d.browse.look.Sort != "test.log_lik" || !d.browse.look.Descending || label(&d.browse.shown[0]) != "paper's setting" || d.chosenID() != chosen {
		t.Errorf("sorted by %+v, first %s, chosen %s", d.browse.look, d.browse.shown[0].ID, d.chosenID())
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
	// A click on a title sorts, a second one turns round.
	title := strings.Split(d.View(), "\n")[2]
	x := kit.Cells(title[:strings.Index(title, "family")])
	d.Click(x, 2)
	d.Click(x, 2)
	if d.browse.look.Sort != "family" || !d.browse.look.Descending {
		t.Errorf("clicked: %+v", d.browse.look)
	}
}

func TestFiltering(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
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
		t.Errorf("a query that is wrong:\n%s", d.View())
	}
	d.Keys("enter")
	if d.browse.prompt == nil {
		t.Error("a query that is wrong was kept")
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
	// The list can be walked meanwhile.
	d.Keys("down", "enter")
	if d.browse.prompt != nil || d.browse.at != 1 || d.browse.look.Filter != "val.best:*" {
		t.Errorf("row %d, filter %q", d.browse.at, d.browse.look.Filter)
	}
	// A filter that hides the chosen run for a while does not lose it.
	chosen := d.chosenID()
	d.Keys("/", " ", "x", "y")
	if d.chosenID() != "" {
		t.Errorf("%s is chosen of nothing", d.chosenID())
	}
	d.Keys("backspace", "backspace", "backspace")
	if d.chosenID() != chosen {
		t.Errorf("%s is chosen, want %s", d.chosenID(), chosen)
	}
	d.Keys(" ", "x", "y", "esc")
	if d.browse.look.Filter != "val.best:*" || len(d.browse.shown) != 2 {
		t.Errorf("esc left the filter %q", d.browse.look.Filter)
	}
}

func TestNotes(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	d.do("down", " ", " ", "t", "o", "l", "d", "enter") // the second and the third
	if !slices.Contains(d.shelf.runs[1].Notes.Tags, "old") || !slices.Equal(d.shelf.runs[2].Notes.Tags, []string{"old"}) || d.Note != "2 runs tagged" {
		t.Errorf("%v, %v, %q", d.shelf.runs[1].Notes, d.shelf.runs[2].Notes, d.Note)
	}
	d.do("t", "ctrl+u", "n", "e", "w", "enter")
	if !slices.Equal(d.shelf.runs[2].Notes.Tags, []string{"new"}) || !slices.Contains(d.shelf.runs[1].Notes.Tags, "paper") || slices.Contains(d.shelf.runs[1].Notes.Tags, "old") {
		t.Errorf("%v, %v", d.shelf.runs[1].Notes, d.shelf.runs[2].Notes)
	}
	d.Keys("U", "home", "down")
	d.do("r", "ctrl+u", "x", " ", "y", "enter")
	d.do("w", " ", `\`, "n", "z", "enter")
	if n := d.shelf.runs[1].Notes; n.Name != "x y" || n.Note != "as in Appendix G\nbut for the steps \nz" {
		t.Errorf("%+v", n)
	}
	// Leaving and not changing change nothing.
	before := d.shelf.runs[1].Notes
	for _, keys := range [][]string{{"r", "q", "esc"}, {"w", "enter"}, {"t", "enter"}} {
		if cmd := d.Keys(keys...); cmd != nil {
			t.Errorf("%v has a command", keys)
		}
	}
	if !reflect.DeepEqual(before, d.shelf.runs[1].Notes) {
		t.Errorf("%+v became %+v", before, d.shelf.runs[1].Notes)
	}
	d.shelf.runs = d.shelf.runs[:1]
	d.do("r", "a", "enter")
	if !strings.Contains(d.Note, "no run") {
		t.Errorf("a run that is gone: %q", d.Note)
	}
}

func TestDeleteAndUndo(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	d.do("d")
	if len(d.shelf.runs) != 6 || !strings.Contains(d.Note, "written by another process") {
		t.Errorf("a running one: %q", d.Note)
	}
	d.do("down", " ", " ", "d")
	if len(d.shelf.runs) != 4 || len(d.browse.marks) != 0 || d.chosenID() != "20261120-180000-table-star-ff0001" || d.Note != "2 runs moved to the trash; u undoes it" {
		t.Errorf("%d runs, %q, %s is chosen", len(d.shelf.runs), d.Note, d.chosenID())
	}
	d.do("d")
	d.do("u")
	d.do("u")
	if len(d.shelf.runs) != 6 || len(d.shelf.trash) != 0 || d.Note != "2 runs brought back" {
		t.Errorf("%d runs, %q", len(d.shelf.runs), d.Note)
	}
	if d.Keys("u"); !strings.Contains(d.Note, "nothing was deleted") {
		t.Errorf("%q", d.Note)
	}
	// What cannot be brought back can be tried again.
	d.do("d")
	trash := d.shelf.trash
	d.shelf.trash = nil
	d.do("u")
	d.shelf.trash = trash
	d.do("u")
	if len(d.shelf.trash) != 0 {
		t.Error("the run stayed in the trash")
	}
}

func TestOpening(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	d.Keys("enter")
	d.Keys("down", " ", " ", "enter")
	want := []kittest.Visit{
		{To: kit.Dash, Payload: kit.Watch{Runs: []string{"20261121-101500-energy-star-cc0003"}}},
		{To: kit.Dash, Payload: kit.Watch{Runs: []string{"20261121-094607-boston-star-3150b4", "20261121-094600-boston-mean-field-77aa01"}}},
	}
	if !reflect.DeepEqual(d.Went, want) {
		t.Errorf("%+v", d.Went)
	}
	d.Keys("home", " ", "end", "up", "up", " ", " ", "enter")
	if len(d.Went) != 2 || !strings.Contains(d.Note, "at most 4") {
		t.Errorf("five: %+v, %q", d.Went, d.Note)
	}
	d.Keys("U", "end", "enter")
	if len(d.Went) != 2 || !strings.Contains(d.Note, "unexpected end") {
		t.Errorf("a broken one: %+v, %q", d.Went, d.Note)
	}
	d.Keys("esc")
	if d.Backs != 1 {
		t.Error("esc does not go back")
	}
}

func TestResumeAndLike(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	for _, tt := range []struct{ keys, want string }{{"home", "is running"}, {"down", "come to its end"}} {
		if d.Keys(tt.keys, "R"); len(d.Starts) > 0 || !strings.Contains(d.Note, tt.want) {
			t.Errorf("%s: %+v, %q", tt.keys, d.Starts, d.Note)
		}
	}
	d.Keys("down", "down", "R")
	if len(d.Starts) != 1 || d.Starts[0].Resume != "20261120-180000-table-star-ff0001" {
		t.Errorf("%+v", d.Starts)
	}
	d.Keys("n", "N", "a")
	c := d.browse.current().Config
	c.Set = d.browse.current().Values
	fill := kit.Fill{Config: c, Parent: d.chosenID()}
	if want := []kittest.Visit{{To: kit.Setup}, {To: kit.Setup, Payload: fill}, {To: kit.Ablate, Payload: fill}}; !reflect.DeepEqual(d.Went, want) {
		t.Errorf("%+v", d.Went)
	}
}

func TestFork(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	d.Keys("down", "f", "enter")
	if d.browse.form.err == nil || len(d.shelf.forks) > 0 {
		t.Error("a fork without a change")
	}
	// No letter does anything to runs meanwhile.
	d.Keys("end", "pgdown", "pgdown", "up", "d", "U", "q", "esc")
	if d.browse.form != nil || len(d.shelf.runs) != 6 {
		t.Error("esc does not leave the form")
	}
	d.Keys("f")
	form := d.browse.form
	form.at = slices.Index(form.fields, form.field("rate"))
	d.Keys("ctrl+e", "backspace", "7", "x")
	form.at = slices.Index(form.fields, form.field("split"))
	d.Keys("ctrl+a", "delete", "backspace", "end")
	form.field("split").Input.SetValue("half")
	d.Send(d.Keys("enter")())
	if form.err == nil || form.starting || !reflect.DeepEqual(d.shelf.forks, []map[string]string{{"rate": "0.007", "split": "half"}}) {
		t.Errorf("%v, %v", form.err, d.shelf.forks)
	}
	d.Keys("ctrl+u")
	d.Send(d.Keys("enter")())
	if len(d.Starts) != 1 || d.Starts[0].Parent != form.parent.ID || d.Starts[0].Config.Set["rate"] != "0.007" || !form.starting {
		t.Fatalf("%+v", d.Starts)
	}
	d.Send(kit.RunStartedMsg{Asked: d.Starts[0], Err: errors.New("four runs are going")})
	if form.err == nil || form.starting || d.browse.form == nil {
		t.Errorf("it could not be started: %v", form.err)
	}
	d.Send(d.Keys("enter")())
	d.Send(kit.RunStartedMsg{Asked: d.Starts[1], Run: kittest.NewRun("x", nil)})
	if d.browse.form != nil {
		t.Error("the form stays")
	}
	d.Keys("down", "down", "down", "down", "f")
	if d.browse.form != nil || !strings.Contains(d.Note, "cannot be forked") {
		t.Errorf("a broken one: %q", d.Note)
	}
}

// Another family has other fields; values that both have stay.
func TestForkToAnotherFamily(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	d.Keys("down", "down", "f")
	form := d.browse.form
	if form.field("mask") != nil || form.field("rate").Default != "0.01" {
		t.Fatalf("%+v", form.fields)
	}
	form.field("layers").Input.SetValue("7")
	form.at = slices.Index(form.fields, form.field("family"))
	d.Keys(" ")
	if form.field("mask") == nil || form.field("rate").Default != "0.01" || form.field("layers").Value() != "7" || form.field("mask").Changed() {
		t.Errorf("%v", form.changes())
	}
	if want := map[string]string{"family": "star", "layers": "7"}; !maps.Equal(form.changes(), want) {
		t.Errorf("%v", form.changes())
	}
}

func TestKeepAndRestore(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	d.Keys("/", "s", "t", "a", "r", "enter", "i", "down")
	kept := d.browse.Keep()
	if want := (look{"created", false, "star", d.chosenID()}); kept != want {
		t.Errorf("%+v, want %+v", kept, want)
	}
	other := New(d, d.shelf)
	other.Restore([]byte(`{"sort":"split","descending":true,"filter":"family:star","chosen":"20261119-120000-energy-star-dd0001"}`))
	other.Update(other.relist()())
	if other.chosen != "20261119-120000-energy-star-dd0001" || len(other.shown) != 4 || other.look.Sort != "split" {
		t.Errorf("%+v, %s", other.look, other.chosen)
	}
	for _, text := range []string{`{"sort":"nothing","filter":"a:b"}`, `[`, `{"sort":3}`} {
		fresh := New(d, d.shelf)
		fresh.Restore([]byte(text))
		if fresh.look != (look{Sort: "created", Descending: true}) {
			t.Errorf("%s: %+v", text, fresh.look)
		}
	}
}

func TestMouseAndDetails(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
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
	if d.browse.scroll != 2 {
		t.Errorf("scrolled to %d", d.browse.scroll)
	}
	d.Keys("up", "tab", "down")
	if d.browse.scroll != 0 || d.browse.at != 3 {
		t.Errorf("scroll %d, row %d", d.browse.scroll, d.browse.at)
	}
	var many []session.RunInfo
	for i := range 50 {
		many = append(many, ended(fmt.Sprintf("20261121-%06d-a-star-%06d", i, i), "a", "star", float64(i)))
	}
	d = newDesk(many, 80, 24)
	d.View()
	d.Wheel(10, 5, 1)
	d.Wheel(10, 5, 1)
	if d.browse.at != 4 {
		t.Errorf("the wheel leaves row %d chosen", d.browse.at)
	}
	d.Keys("end")
	if view := d.View(); !strings.Contains(view, "50 of 50") || !strings.Contains(view, "›  ✓ 20261121-000000-a-star") {
		t.Error(view)
	}
}

func TestPlainText(t *testing.T) {
	d := newDesk(someRuns(), 80, 24)
	text := d.browse.PlainText()
	if lines := strings.Split(text, "\n"); len(lines) != 7 || !strings.Contains(lines[0], "RMSE") || !strings.Contains(lines[2], "fig3 paper") || strings.Contains(text, "\x1b") {
		t.Error(text)
	}
	d.Keys("down", "tab")
	if text := d.browse.PlainText(); !strings.Contains(text, "note     as in Appendix G\n") {
		t.Error(text)
	}
}

// Every key of the table does something, whatever is chosen, and none panics.
func TestEveryKeyIsSafe(t *testing.T) {
	for _, runs := range [][]session.RunInfo{nil, someRuns()} {
		for _, b := range bindings {
			for _, rest := range bindings {
				d := newDesk(slices.Clone(runs), 80, 24)
				d.browse.Act(b.Action, tea.KeyMsg{})
				d.Send(kittest.Press(rest.Keys()[0]))
				kittest.CheckFrame(t, string(b.Action), d.View(), 80, 24)
			}
		}
	}
}

// BenchmarkFrame draws the screen with 2,000 runs.
func BenchmarkFrame(b *testing.B) {
	var many []session.RunInfo
	for i := range 2000 {
		many = append(many, ended(fmt.Sprintf("20261121-%06d-a-star-%06d", i, i), "a", "star", float64(i)))
	}
	d := newDesk(many, 200, 60)
	*d.Theme() = *kit.NewTheme(termenv.TrueColor, true, kit.Unicode)
	for b.Loop() {
		d.browse.arrangeRuns()
		d.View()
	}
}
