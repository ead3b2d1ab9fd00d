package sweep

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dgplab/session/reproduce"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// publishedEngine has the experiments of the program, for which no runs exist.
type publishedEngine struct {
	*fakeEngine
	listErr, measureErr, startErr error
	asked                         []string
}

func (e *publishedEngine) ListExperiments() ([]reproduce.Entry, error) {
	if e.listErr != nil {
		return nil, e.listErr
	}
	// Planning their runs would take a second.
	var list []reproduce.Entry
	for _, id := range reproduce.IDs() {
		x, err := reproduce.Get(id)
		if err != nil {
			return nil, err
		}
		list = append(list, reproduce.Entry{Experiment: x, Unknown: x.Runs()})
	}
	return list, nil
}

func (e *publishedEngine) MeasureExperiment(id string) (*reproduce.Table, error) {
	if e.measureErr != nil {
		return nil, e.measureErr
	}
	x, err := reproduce.Get(id)
	if err != nil {
		return nil, err
	}
	return x.Measure(nil)
}

func (e *publishedEngine) StartExperiment(_ context.Context, id string, _ int) (kit.SweepRun, error) {
	e.asked = append(e.asked, id)
	return nil, e.startErr
}

// publishedHarness shows the screen, after a change of its engine.
func publishedHarness(t testing.TB, w, h int, change func(e *publishedEngine)) (*harness, *publishedEngine) {
	t.Helper()
	d := newHarness(t, w, h)
	e := &publishedEngine{fakeEngine: d.engine, startErr: ErrReproduced}
	change(e)
	d.published.engine = e
	d.front(d.published, w, h)
	d.Complete(d.published.Open(nil))
	return d, e
}

// unchanged leaves the engine as it is.
func unchanged(*publishedEngine) {}

func TestPublished(t *testing.T) {
	d, e := publishedHarness(t, 150, 40, unchanged)
	first := reproduce.IDs()[0]
	if !strings.Contains(d.View(), first) || d.published.table.ID != first {
		t.Fatal(d.View())
	}
	d.Complete(d.Keys("end"))
	last := reproduce.IDs()[len(reproduce.IDs())-1]
	if d.published.table.ID != last || !strings.Contains(d.View(), "published") {
		t.Error(d.View())
	}
	d.Complete(d.Keys("enter"))
	if len(e.asked) != 1 || e.asked[0] != last {
		t.Errorf("started %v", e.asked)
	}
	d.Complete(d.Keys("tab", "down"))
	if d.published.table.ID != last || !strings.Contains(d.published.PlainText(), "published") {
		t.Error("scrolling the results selected another experiment")
	}
	d.Complete(d.Keys("shift+tab", "home"))
	if d.published.table.ID != first || !strings.HasPrefix(d.published.PlainText(), first) {
		t.Error(d.published.PlainText())
	}
	x, y := d.Find(t, reproduce.IDs()[2])
	d.Complete(d.Click(x, y))
	if d.published.table.ID != reproduce.IDs()[2] {
		t.Errorf("clicked %s, selected %s", reproduce.IDs()[2], d.published.table.ID)
	}
	d.Keys("esc")
	if d.Backs != 1 {
		t.Error("esc does not go back")
	}
}

// On a short screen the results scroll, and stop at their end.
func TestPublishedScrolls(t *testing.T) {
	d, _ := publishedHarness(t, 80, 12, unchanged)
	d.Complete(d.Keys("tab"))
	top := d.View()
	d.Complete(d.Keys("end"))
	end := d.View()
	if end == top || !strings.Contains(end, "source") && !strings.Contains(end, "ICML") {
		t.Error(end)
	}
	for range 100 {
		d.Wheel(10, 6, 1)
	}
	if d.View() != end {
		t.Error("the wheel scrolls beyond the end")
	}
	for range 100 {
		d.Wheel(10, 6, -1)
	}
	if d.View() != top {
		t.Error("the wheel scrolls beyond the top")
	}
}

func TestPublishedErrors(t *testing.T) {
	bad := errors.New("no such folder")
	d, _ := publishedHarness(t, 80, 24, func(e *publishedEngine) { e.listErr = bad })
	if !strings.Contains(d.View(), "no such folder") {
		t.Error(d.View())
	}
	d, _ = publishedHarness(t, 150, 24, func(e *publishedEngine) { e.measureErr = bad })
	if !strings.Contains(d.View(), "no such folder") {
		t.Error(d.View())
	}
	// Answers to earlier requests are ignored.
	if _, changed := d.published.Update(experimentMeasuredMsg{gen: d.published.tableGen - 1}); changed {
		t.Error("an old table is shown")
	}
	if _, changed := d.published.Update(experimentsListedMsg{gen: d.published.listGen - 1}); changed {
		t.Error("an old list is shown")
	}
}

func TestPublishedFrames(t *testing.T) {
	for _, size := range [][2]int{{150, 30}, {80, 24}} {
		d, _ := publishedHarness(t, size[0], size[1], unchanged)
		kittest.CheckFrame(t, "published", d.View(), size[0], size[1])
		if size[0] == 80 {
			golden.Check(t, "published_80x24", kittest.Trim(d.View()))
		}
		kittest.CheckSizes(t, "published", 7, d.ViewAt)
	}
}
