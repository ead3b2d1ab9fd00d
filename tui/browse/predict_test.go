package browse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// predictEngine is an Engine that predicts on request.
type predictEngine struct {
	*fakeEngine
	asked [][3]string
	begun chan struct{}
	end   chan error
}

func (o *predictEngine) Predict(
	ctx context.Context, id, in, out string, report func(rows int),
) (*probe.Predicted, error) {
	o.asked = append(o.asked, [3]string{id, in, out})
	report(1200)
	close(o.begun)
	rmse := rundir.Number(2.25)
	select {
	case err := <-o.end:
		return &probe.Predicted{
			Run:    id,
			Rows:   3400,
			Scores: &rundir.Metrics{N: 10, LogLik: -1.5, RMSE: &rmse},
		}, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// predicting returns a browser that predicts the rows of a file in the background, and the channel with the
// result.
func predicting(t *testing.T, path string) (*harness, *predictEngine, chan tea.Msg) {
	t.Helper()
	d := newHarness(someRuns(), 120, 40)
	o := &predictEngine{fakeEngine: d.engine, begun: make(chan struct{}), end: make(chan error, 1)}
	d.browse.engine = o
	d.Keys("p", "ctrl+u")
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(path), Paste: true})
	cmd := d.Keys("enter")
	brought := make(chan tea.Msg, 1)
	go func() { brought <- cmd().(tea.BatchMsg)[0]() }()
	<-o.begun
	return d, o, brought
}

func TestPredict(t *testing.T) {
	d, o, brought := predicting(t, "/data/new.csv.gz")
	id := d.chosenID()
	if want := [3]string{id, "/data/new.csv.gz", "/data/new-predicted-" + id + ".csv"}; o.asked[0] != want {
		t.Errorf("request %v, want %v", o.asked[0], want)
	}
	if view := d.View(); !strings.Contains(view, "predicting new.csv.gz with "+id+", 1,200 rows") ||
		!strings.Contains(view, "p cancel") {
		t.Errorf("screen:\n%s", view)
	}
	d.Keys("down") // Other keys still work.
	o.end <- nil
	d.Send(<-brought)
	if want := "3,400 rows of new.csv.gz (LL -1.500, RMSE 2.250) predicted: new-predicted-" +
		id + ".csv"; d.Note != want {
		t.Errorf("note %q, want %q", d.Note, want)
	}
	d.Keys("up")
	if view := d.View(); strings.Contains(view, "predicting") ||
		!strings.Contains(strings.Join(strings.Fields(d.View()), " "), "new rows 3,400 rows of new.csv.gz") {
		t.Errorf("screen:\n%s", view)
	}
	// The file is remembered.
	d.Keys("p")
	if !strings.Contains(d.View(), "predict rows of [/data/new.csv.gz]") ||
		d.browse.Keep().(kept).Files[0] != "/data/new.csv.gz" {
		t.Errorf("the prompt contains %q:\n%s", d.browse.prompt.in.Value(), d.View())
	}
	d.Keys("x", "y")
	if d.browse.prompt.in.Value() != "xy" {
		t.Errorf("after typing, the prompt contains %q", d.browse.prompt.in.Value())
	}
}

func TestPredictFailsOrIsCancelled(t *testing.T) {
	d, o, brought := predicting(t, "new.csv")
	o.end <- errors.New("new.csv, line 3, column 2 (x): \"u\" is not a number")
	d.Send(<-brought)
	if d.Note != `prediction failed: new.csv, line 3, column 2 (x): "u" is not a number` {
		t.Errorf("note %q", d.Note)
	}
	d.Keys("down", "up") // The status has disappeared; the details show the full error.
	if view := strings.Join(strings.Fields(d.View()),
		" "); !strings.Contains(view,
		`new rows prediction failed: new.csv, line 3, column 2 (x): "u" is not a number`) {
		t.Errorf("screen:\n%s", d.View())
	}
	d, _, brought = predicting(t, "new.csv")
	d.Keys("p")
	d.Send(<-brought)
	if d.Note != "cancelled; no file was written" {
		t.Errorf("note %q", d.Note)
	}
}

// The mouse selects and picks files in the picker, which covers the details.
func TestMouseInThePicker(t *testing.T) {
	dir := t.TempDir()
	for i := range 60 {
		name := fmt.Sprintf("rows-%02d.csv", i)
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := newHarness(someRuns(), 120, 40)
	open := func() {
		d.Keys("p", "ctrl+u")
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(dir + "/"), Paste: true})
		d.Perform(d.Keys("ctrl+o"))
		d.View()
	}
	picked := func(name string) {
		t.Helper()
		x, y := d.Find(t, name)
		d.Perform(d.Click(x, y)) // selects
		if !d.browse.picking() {
			t.Fatalf("the first click picks %s", name)
		}
		d.Perform(d.Click(x, y)) // accepts
		if d.browse.picking() || d.browse.prompt == nil {
			t.Fatalf("two clicks on %s do not pick it:\n%s", name, d.View())
		}
		if got := d.browse.prompt.in.Value(); got != filepath.Join(dir, name) {
			t.Errorf("two clicks on %s pick %s", name, got)
		}
		d.Keys("esc")
	}
	open()
	picked("rows-03.csv")
	open()
	x, y := d.Find(t, "rows-03.csv")
	for range 3 {
		d.Wheel(x, y, 1)
		d.View()
	}
	if view := d.View(); strings.Contains(view, "rows-03.csv") {
		t.Errorf("the wheel does not scroll:\n%s", view)
	}
	picked("rows-12.csv")
}

func TestFilesOfNewRows(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "rows.csv"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d := newHarness(someRuns(), 120, 40)
	d.Keys("p")
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(dir + "/r"), Paste: true})
	d.Perform(d.Keys("tab"))
	if got := d.browse.prompt.in.Value(); got != dir+"/rows.csv" {
		t.Errorf("completed to %s", got)
	}
	d.Keys("ctrl+u")
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(dir + "/"), Paste: true})
	d.Perform(d.Keys("ctrl+o"))
	if view := d.View(); !strings.Contains(view, "Pick a file") || !strings.Contains(view, "rows.csv") {
		t.Errorf("screen:\n%s", view)
	}
	kittest.CheckFrame(t, "picking", d.View(), 120, 40)
	d.Perform(d.Keys("down", "enter"))
	if got := d.browse.prompt.in.Value(); got != dir+"/rows.csv" || d.browse.picking() {
		t.Errorf("picked %s", got)
	}
	d.Keys("esc")
	if d.browse.prompt != nil || d.Backs > 0 {
		t.Error("esc does not close only the prompt")
	}
}

// Skipped rows are counted, and the details show the path of the output.
func TestSkippedRows(t *testing.T) {
	d := newHarness(someRuns(), 120, 40)
	p := &prediction{id: d.chosenID(), in: "/data/new.csv", out: "/data/out.csv"}
	d.Send(predictedMsg{p, &probe.Predicted{Rows: 1, Dropped: 1200}, nil})
	if want := "1 row of new.csv, 1,200 skipped predicted: out.csv"; d.Note != want {
		t.Errorf("note %q, want %q", d.Note, want)
	}
	if got := d.browse.predicted[d.chosenID()].text; got != "1 row of new.csv, 1,200 skipped: /data/out.csv" {
		t.Errorf("details %q", got)
	}
}

// panickingPredictor is an Engine whose Predict panics.
type panickingPredictor struct{ *fakeEngine }

func (panickingPredictor) Predict(
	context.Context, string, string, string, func(rows int),
) (*probe.Predicted, error) {
	panic("no rows")
}

func TestPredictPanics(t *testing.T) {
	d := newHarness(someRuns(), 120, 40)
	d.browse.engine = panickingPredictor{d.engine}
	d.Keys("p", "x")
	d.Send(d.Keys("enter")().(tea.BatchMsg)[0]())
	if !strings.Contains(d.Note, "prediction failed") || !strings.Contains(d.Note, "no rows") ||
		d.browse.prediction != nil {
		t.Errorf("note %q", d.Note)
	}
}

// enter without a file opens the picker. tab offers the files that begin with the typed text.
func TestPredictWithoutAFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"rows-a.csv", "rows-b.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := newHarness(someRuns(), 120, 40)
	d.Perform(d.Keys("p", "enter"))
	if !d.browse.picking() || d.browse.prompt == nil || d.browse.prediction != nil {
		t.Fatalf("no picker:\n%s", d.View())
	}
	d.Keys("esc")
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(dir + "/r"), Paste: true})
	cmd := d.Keys("tab")
	late := d.Keys("tab")
	d.Perform(cmd)
	if got := d.browse.prompt.in.Value(); got != dir+"/rows-" {
		t.Errorf("completed to %s", got)
	}
	if !strings.Contains(d.View(), "tab: rows-a.csv rows-b.csv") {
		t.Errorf("nothing offered:\n%s", d.View())
	}
	// A completion for another text is ignored.
	d.Keys("x")
	d.Perform(late)
	if got := d.browse.prompt.in.Value(); got != dir+"/rows-x" {
		t.Errorf("a late completion changes it to %s", got)
	}
}
