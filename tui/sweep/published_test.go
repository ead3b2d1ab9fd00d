package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dgplab/session/reproduce"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// publishedEngine has the experiments of the program, for which no runs exist.
type publishedEngine struct {
	*fakeEngine
	listErr, measureErr, planErr, startErr error
	// done is the number of finished runs of the first experiment.
	done int
	// asked and planned are the experiments that were started and planned.
	asked, planned []string
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
	list[0].Done = e.done
	list[0].Unknown -= e.done
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

// PlanExperiment plans all runs but three, of which one has failed.
func (e *publishedEngine) PlanExperiment(ctx context.Context, id string) (*reproduce.Plan, error) {
	e.planned = append(e.planned, id)
	if e.planErr != nil {
		return nil, e.planErr
	}
	x, err := reproduce.Get(id)
	if err != nil {
		return nil, err
	}
	left := x.Runs() - 3
	s := &sweeps.State{Cells: make([]sweeps.CellState, left+1)}
	s.Cells[0].Status = sweeps.Failed
	return &reproduce.Plan{State: s, Selected: x.Runs(),
		Estimate: sweeps.Estimate{Runs: left, Seconds: 60 * float64(left), Timed: left,
			Warnings: []string{"naval: input T1 is constant"}}}, ctx.Err()
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
	d.published.engine, d.published.jobs = e, 2
	d.front(d.published, w, h)
	d.Perform(d.published.Open(nil))
	return d, e
}

// unchanged leaves the engine as it is.
func unchanged(*publishedEngine) {}

func TestPublished(t *testing.T) {
	d, e := publishedHarness(t, 150, 40, unchanged)
	first := reproduce.IDs()[0]
	if !strings.Contains(d.View(), first) || d.published.results.Known.table.ID != first {
		t.Fatal(d.View())
	}
	d.Perform(d.Keys("end"))
	last := reproduce.IDs()[len(reproduce.IDs())-1]
	if d.published.results.Known.table.ID != last || !strings.Contains(d.View(), "published") {
		t.Error(d.View())
	}
	d.Perform(d.Keys("enter"))
	if len(e.asked) != 1 || e.asked[0] != last {
		t.Errorf("started %v", e.asked)
	}
	d.Perform(d.Keys("tab", "down"))
	if d.published.results.Known.table.ID != last || !strings.Contains(d.published.PlainText(), "seeds: 0") {
		t.Error("scrolling the protocol selected another experiment")
	}
	d.Perform(d.Keys("tab", "down"))
	if d.published.results.Known.table.ID != last || !strings.Contains(d.published.PlainText(), "published") {
		t.Error("scrolling the results selected another experiment")
	}
	d.Perform(d.Keys("tab", "home"))
	if d.published.results.Known.table.ID != first || !strings.Contains(d.published.PlainText(), last) {
		t.Error(d.published.PlainText())
	}
	x, y := d.Find(t, reproduce.IDs()[2])
	d.Perform(d.Click(x, y))
	if d.published.results.Known.table.ID != reproduce.IDs()[2] {
		t.Errorf("clicked %s, selected %s", reproduce.IDs()[2], d.published.results.Known.table.ID)
	}
	d.Size(80, 14) // One part is shown, below the tabs.
	for i, name := range publishedTabs {
		x, y := d.Find(t, name)
		d.Wheel(x, y, 1)
		if d.published.part == i && i > 0 {
			t.Errorf("the wheel on a tab selects %s", name)
		}
		if d.Click(x, y); d.published.part != i {
			t.Errorf("a click on the tab %s selects part %d", name, d.published.part)
		}
	}
	for _, name := range publishedTabs {
		x, y := d.Find(t, name)
		d.Click(x, y)
		before := d.View()
		d.Wheel(20, 8, 1)
		if d.View() == before || d.published.results.Known.table.ID != reproduce.IDs()[2] {
			t.Errorf("the wheel does not scroll the part %s:\n%s", name, d.View())
		}
	}
	d.Keys("esc")
	if d.Backs != 1 {
		t.Error("esc does not go back")
	}
}

// The plan of the selected experiment shows the missing runs and their time, and the list the same time.
func TestPublishedPlan(t *testing.T) {
	d, e := publishedHarness(t, 120, 40, unchanged)
	ids := reproduce.IDs()
	view := d.View()
	for _, text := range []string{"320 runs, of which 2 exist and 1 failed",
		"at most about 5h17m of training, or 2h39m with 2 runs in parallel", "based on the first steps",
		"not downloaded: australian", "? or +: unknown"} {
		if !strings.Contains(view, text) {
			t.Errorf("no %q in\n%s", text, view)
		}
	}
	if entry := d.published.entries[0]; entry.Seconds != 317*60 || entry.Unknown != 0 {
		t.Errorf("the list shows %+v", entry)
	}
	d.Perform(d.Keys("down"))
	if len(e.planned) != 2 || e.planned[1] != ids[1] || d.published.plan.Known == nil {
		t.Errorf("planned %v", e.planned)
	}
	// A plan of the experiment before is dropped, also while another screen is in front.
	d.Keys("down")
	gen := d.published.plan.Gen
	d.Send(kit.PreviewDueMsg[*reproduce.Plan]{Gen: gen - 1})
	if !strings.Contains(d.View(), "estimating the time") {
		t.Error(d.View())
	}
	d.published.Leave()
	if cmd := d.Send(kit.PreviewDueMsg[*reproduce.Plan]{Gen: gen}); cmd != nil {
		t.Error("the screen plans runs while it is not in front")
	}
	if _, changed := d.published.Update(sweepEndedMsg{}); changed {
		t.Error("the screen lists experiments while it is not in front")
	}
	d.Perform(d.published.Open(nil))
	if len(e.planned) != 3 || e.planned[2] != ids[2] {
		t.Errorf("planned %v", e.planned)
	}
}

// Experiments without missing runs, or in training, are not planned.
func TestPublishedNeedsNoPlan(t *testing.T) {
	d, e := publishedHarness(t, 120, 40, func(e *publishedEngine) { e.done = 320 })
	if len(e.planned) != 0 || !strings.Contains(d.View(), "all 320 runs exist") {
		t.Errorf("planned %v\n%s", e.planned, d.View())
	}
	x := d.published.entries[1]
	s := e.begin(&sweeps.State{Name: x.SweepName(), Cells: make([]sweeps.CellState, 7)}, sweeps.Options{})
	d.published.began(sweepStartedMsg{sweep: s})
	d.Perform(d.Keys("down"))
	if len(e.planned) != 0 || !strings.Contains(d.View(), "training 7 runs") {
		t.Errorf("planned %v\n%s", e.planned, d.View())
	}
	d.Keys("enter")
	if visit := d.lastVisit(t); visit.To != kit.SweepProgress || len(e.asked) != 0 {
		t.Errorf("enter went to %v and started %v", visit, e.asked)
	}
	s.end()
	d.Perform(d.Send(sweepEndedMsg{sweep: s}))
	if len(e.planned) != 1 || e.planned[0] != x.ID {
		t.Errorf("planned %v", e.planned)
	}
}

// On a short screen the results scroll, and stop at their end.
func TestPublishedScrolls(t *testing.T) {
	d, _ := publishedHarness(t, 80, 12, unchanged)
	d.Perform(d.Keys("shift+tab"))
	top := d.View()
	d.Perform(d.Keys("end"))
	end := d.View()
	if end == top || !strings.Contains(end, "! beyond two") {
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
	d, _ = publishedHarness(t, 150, 30, func(e *publishedEngine) { e.measureErr = bad })
	if !strings.Contains(d.View(), "no such folder") {
		t.Error(d.View())
	}
	d, _ = publishedHarness(t, 80, 24, func(e *publishedEngine) { e.planErr = bad })
	if !strings.Contains(d.View(), "no such folder") {
		t.Error(d.View())
	}
	// Answers to earlier requests are ignored.
	lateTable := kit.PreviewedMsg[results]{Gen: d.published.results.Gen - 1}
	if _, changed := d.published.Update(lateTable); changed {
		t.Error("an old table is shown")
	}
	lateList := kit.PreviewedMsg[[]reproduce.Entry]{Gen: d.published.listed.Gen - 1}
	if _, changed := d.published.Update(lateList); changed {
		t.Error("an old list is shown")
	}
}

// publishedPart returns the screen of experiments after tabs to another part. It has selected one experiment
// after the other, until the twelfth.
func publishedPart(t *testing.T, tabs, w, h int) *harness {
	d, _ := publishedHarness(t, w, h, unchanged)
	for range 11 {
		d.Keys("down")
	}
	d.Perform(d.published.Open(nil))
	for range tabs {
		d.Keys("tab")
	}
	return d
}

func TestPublishedPages(t *testing.T) {
	for tabs, name := range []string{"list", "protocol", "results"} {
		kittest.CheckPage(t, "published_"+name, publishedPart(t, tabs, 120, 40).ViewAt)
	}
}

// A large screen shows all parts, a smaller one a single part and the names of the others.
func TestPublishedFrames(t *testing.T) {
	list := []string{"Experiments ── 12 of 32", "› lindinger2020/table1                  0/640     10h37m",
		"640 runs, of which 2 exist and 1 failed"}
	protocol := []string{"Protocol of lindinger2020/table1", "SGHMC L3  sghmc            3"}
	results := []string{"Results of lindinger2020/table1", "boston    published  -2.58 (0.10)  -2.75 (0.18)"}
	for _, c := range []struct {
		tabs int
		want []string
	}{{0, list}, {1, protocol}, {2, results}} {
		frame := publishedPart(t, c.tabs, 60, 20).View()
		always := []string{"Experiments", "Protocol", "Results", "enter train missing"}
		kittest.CheckShows(t, fmt.Sprintf("after %d tabs", c.tabs), frame, slices.Concat(c.want, always)...)
	}
	large := publishedPart(t, 0, 200, 60).View()
	kittest.CheckFrame(t, "large", large, 200, 60)
	kittest.CheckShows(t, "large", large, slices.Concat(protocol, results, list[2:])...)
	d, _ := publishedHarness(t, 80, 24, unchanged)
	for range publishedParts {
		kittest.CheckSizes(t, "published", d.ViewAt)
		d.Keys("tab")
	}
}

// A shorter list moves the selection to its last entry.
func TestPublishedListShrinks(t *testing.T) {
	d, _ := publishedHarness(t, 150, 40, unchanged)
	p := d.published
	for _, want := range []int{1, 0} {
		p.chosen = 3
		p.Update(kit.PreviewedMsg[[]reproduce.Entry]{Gen: p.listed.Gen, Known: p.entries[:2*want]})
		if p.chosen != want {
			t.Errorf("of %d entries number %d is selected", 2*want, p.chosen)
		}
	}
	if view := d.View(); !strings.Contains(view, "Reading the runs") {
		t.Errorf("an empty list:\n%s", view)
	}
}

func TestPublishedListWithoutRoom(t *testing.T) {
	d, _ := publishedHarness(t, 150, 40, unchanged)
	for _, size := range [][2]int{{0, 9}, {9, 0}} {
		if lines := d.published.listLines(size[0], size[1]); lines != nil {
			t.Errorf("%d x %d cells: %q", size[0], size[1], lines)
		}
	}
}

// f downloads the missing data sets of an experiment one after another, and says why one fails.
func TestDownloads(t *testing.T) {
	d, e := publishedHarness(t, 150, 40, unchanged)
	missing := d.published.entries[0].Missing()
	if len(missing) == 0 || !strings.Contains(d.View(), "f downloads") {
		t.Fatalf("no missing data set on\n%s", d.View())
	}
	d.Perform(d.Keys("f"))
	if !slices.Equal(e.fetched, missing) || d.published.download != nil {
		t.Errorf("downloaded %q, want %q", e.fetched, missing)
	}
	e.fetchErr = errors.New("no network")
	d.Perform(d.Keys("f"))
	if want := "download " + missing[0] + ": no network"; d.Note != want || d.published.download != nil {
		t.Errorf("the note is %q, want %q", d.Note, want)
	}
}

// While runs of the selected experiment train, their validation curves stand below its number of runs, until
// another experiment is selected.
func TestPublishedShowsTraining(t *testing.T) {
	d, _ := publishedHarness(t, 150, 40, unchanged)
	p := d.published
	name := p.entries[0].SweepName()
	state := &sweeps.State{Name: name, Phase: sweeps.Going, Cells: []sweeps.CellState{
		{Status: sweeps.Running, Curve: []rundir.Point{
			{Step: 10, ValLogLik: -3}, {Step: 20, ValLogLik: -1.5},
		}},
		{Status: sweeps.Running}, {Status: sweeps.Waiting},
	}}
	state.Cells[0].Config = rundir.Config{Dataset: "energy", Split: "standard:3", Family: "star"}
	rows := p.trainingRows(state, 80)
	if len(rows) != 1 || !strings.Contains(rows[0], "energy standard:3 star ") ||
		!strings.Contains(rows[0], "validation LL -1.5") {
		t.Errorf("the rows are %q", rows)
	}
	if _, changed := p.Update(trainingTickedMsg{p.results.Gen}); changed {
		t.Error("a tick without a sweep draws the screen again")
	}
}
