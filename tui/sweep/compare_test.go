package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/compare"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit/kittest"
)

// written returns a sweep with run directories of three methods on two data sets and three splits. The last
// method is worse than the baseline. Another cell has failed and one is waiting.
func written(t testing.TB) *sweeps.State {
	t.Helper()
	ids := kittest.WriteGrid(t, []string{"svgp", "linear", "mean-field"},
		[]string{"boston", "wine_red"}, 3, 1)
	failed := kittest.WrittenRun{
		Dataset: "boston",
		Family:  "svgp",
		Split:   3,
		LogLik:  []float64{-2},
		Stop:    rundir.StopFailed,
	}
	failed.Write(t)
	s := &sweeps.State{Name: "abl", Phase: sweeps.Over}
	for _, id := range append(ids, failed.ID()) {
		info, err := rundir.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		c := sweeps.CellState{
			Cell:    sweeps.Cell{Config: info.Config},
			Run:     id,
			Steps:   100,
			Step:    100,
			Status:  sweeps.Done,
			Summary: info.Results,
		}
		if id == failed.ID() {
			c.Status, c.Err = sweeps.Failed, errors.New("of numbers that are not finite")
		}
		s.Cells = append(s.Cells, c)
	}
	waiting := s.Cells[len(s.Cells)-1].Config
	waiting.Family = "linear"
	s.Cells = append(s.Cells, sweeps.CellState{Cell: sweeps.Cell{Config: waiting}, Status: sweeps.Waiting})
	return s
}

// comparingHarness returns the comparison page of the sweep from written before the comparison, and the
// command that computes it. The sweep is not running.
func comparingHarness(t testing.TB, w, h int) (*harness, tea.Cmd) {
	t.Helper()
	d := newHarness(t, w, h)
	d.engine.states["abl"] = written(t)
	d.front(d.progress, w, h)
	d.Perform(d.progress.Open(showSweep{"abl"}))
	return d, d.Keys("2")
}

// comparedHarness returns the page of comparingHarness after the comparison.
func comparedHarness(t testing.TB, w, h int) *harness {
	t.Helper()
	d, cmd := comparingHarness(t, w, h)
	d.Perform(cmd)
	return d
}

func see(t *testing.T, d *harness, texts ...string) {
	t.Helper()
	view := d.View()
	for _, text := range texts {
		if !strings.Contains(view, text) {
			t.Errorf("no %q on the screen:\n%s", text, view)
		}
	}
}

// Two methods are needed for a comparison with method A.
func TestMethodANeedsAnother(t *testing.T) {
	for n, want := range []bool{false, false, true, true} {
		c := comparing{report: &compare.Report{Set: &compare.Set{Methods: make([]compare.Method, n)}}}
		if _, ok := c.methodA(); ok != want {
			t.Errorf("%d methods: %v, want %v", n, ok, want)
		}
	}
}

// The comparison is computed in the background and shows the same results as dgplab compare.
func TestComparison(t *testing.T) {
	d, cmd := comparingHarness(t, 200, 60)
	see(t, d, "comparing finished runs…", "18 of 20 runs done, 1 waiting, 1 failed")
	d.Perform(cmd)
	see(t, d, "compared 18 runs, 3 methods, 2 data sets",
		"Test log-likelihood, higher is better", "Test RMSE, lower is better",
		"-1.928  (0.022)  *", "-2.151  (0.051)  ~",
		"! worse than linear on wine_red: mean-field by ",
		"2 data sets; p: Friedman 0.223, Iman-Davenport 0.250", "critical difference",
		"comparison of A (svgp) with",
		"boston    mean-field", "level 0.05, Holm-corrected over all",
		"the t-test is corrected for shared rows",
		"excluded: 20250101-000030-boston-svgp-000000: failed: ")
	if w := d.engine.wanted; d.engine.compares != 1 || !w.All ||
		w.Blocks == compare.BySplit || !w.BaselineToCome {
		t.Errorf("%d comparisons, the last with %+v", d.engine.compares, w)
	}
	d.Keys("1")
	see(t, d, "Cells")
	if cmd := d.Keys("2"); cmd != nil {
		t.Error("the same runs are compared again")
	}
}

// On a large screen the tables are side by side, and nothing is cut.
func TestComparisonOnALargeScreen(t *testing.T) {
	d := comparedHarness(t, 200, 60)
	frame := d.View()
	kittest.CheckFrame(t, "comparison", frame, 200, 60)
	title := regexp.MustCompile(`Test log-likelihood, higher is better: mean .standard error. +Test RMSE`)
	if !title.MatchString(frame) {
		t.Errorf("the tables are not side by side:\n%s", frame)
	}
	kittest.CheckShows(t, "comparison", frame, "-1.928  (0.022)  *", "1.6193 (0.0092) *",
		"KL A:B  W1  p (t)  p (Holm)  p (Wilcoxon)  verdict      over",
		"Gaussians; means over test points", "(Nadeau and Bengio 2003)", "excluded: 20250101-000030-boston")
	if strings.Contains(frame, "1-17 of") {
		t.Errorf("a part is cut:\n%s", frame)
	}
}

// The selected metric is ranked and has a table, even if it is not a usual one.
func TestComparisonByEveryMetric(t *testing.T) {
	d := comparedHarness(t, 200, 60)
	see(t, d, "Ranks by test LL", "› Test log-likelihood")
	if strings.Contains(d.View(), "Test negative log-likelihood") {
		t.Error("an unselected metric is shown")
	}
	seen := map[string]bool{}
	for range d.progress.metrics() {
		seen[d.progress.metric().Key] = true
		see(t, d, "Ranks by "+d.progress.metric().Short,
			"› "+strings.ToUpper(d.progress.metric().Title()[:1])+d.progress.metric().Title()[1:])
		d.Keys("o")
	}
	if len(seen) != len(d.progress.metrics()) || !seen["nll"] || !seen["seconds"] {
		t.Errorf("%v shown of %d metrics", seen, len(d.progress.metrics()))
	}
}

// The arrow keys select method A. The selection is kept when runs are added, and late results are
// dropped.
func TestMethodA(t *testing.T) {
	d := comparedHarness(t, 200, 60)
	late := d.Keys("right")
	see(t, d, "comparing linear point by point…")
	cmd := d.Keys("right")
	d.Send(late())
	see(t, d, "comparing mean-field point by point…")
	d.Perform(cmd)
	see(t, d, "comparison of A (mean-field) with")
	if list := d.progress.comparing.pairs.Known.list; len(list) != 4 || list[1].A != "mean-field" ||
		list[1].B != "linear" || !(list[0].Difference < 0) || len(list[1].Pairs) != 3 {
		t.Errorf("%+v", list)
	}
	d.Perform(d.Keys("right"))
	see(t, d, "comparison of A (svgp) with")
	d.Perform(d.Keys("left"))
	see(t, d, "comparison of A (mean-field) with")

	// A cancelled comparison is dropped, even if the same one was requested again.
	late = d.Keys("right")
	d.Keys("right")
	cmd = d.Keys("left")
	d.Send(late())
	see(t, d, "comparing svgp point by point…")
	d.Perform(cmd)
	see(t, d, "comparison of A (svgp) with")
	d.Perform(d.Keys("left"))

	// Another method is added before the selected one.
	first := kittest.WrittenRun{
		Dataset: "boston",
		Family:  "gp",
		LogLik:  []float64{-2, -2, -2, -2, -2, -2, -2, -2},
	}
	first.Write(t)
	info, _ := rundir.Find(first.ID())
	s := *d.progress.state
	s.Cells = append([]sweeps.CellState{{Cell: sweeps.Cell{Config: info.Config}, Run: info.ID,
		Status: sweeps.Done, Summary: info.Results}}, s.Cells...)
	d.engine.states["abl"] = &s
	d.Perform(d.Send(sweepOpenedMsg{gen: d.progress.gen, state: &s}))
	see(t, d, "comparison of A (mean-field) with", "19 runs, 4 methods, 2 data sets")
}

// A new comparison starts when a run has ended, one at a time, and only if the page is visible.
func TestComparisonFollowsTheSweep(t *testing.T) {
	d, _ := comparingHarness(t, 120, 40)
	p := d.progress
	whole := d.engine.states["abl"]
	upTo := func(n int) *sweeps.State {
		s := *whole
		s.Cells = slices.Clone(whole.Cells)
		for i := n; i < len(s.Cells); i++ {
			s.Cells[i].Status, s.Cells[i].Run = sweeps.Waiting, ""
		}
		return &s
	}
	opened := func(s *sweeps.State) tea.Cmd { return d.Send(sweepOpenedMsg{gen: p.gen, state: s}) }
	p.show("another")
	p.show("abl")
	opened(upTo(0))
	if cmd := d.Keys("2"); cmd != nil || p.comparing.reports.Running {
		t.Error("a comparison starts before any run is done")
	}
	see(t, d, "no finished runs to compare yet", "0 of 20 runs done")
	first := opened(upTo(6))
	if second := opened(upTo(7)); first == nil || second != nil {
		t.Fatal("no comparison, or two at once")
	}
	d.engine.states["abl"] = upTo(7)
	next := d.Send(first()) // Runs that ended in the meantime are compared next.
	if next == nil || !p.comparing.reports.Running {
		t.Fatal("runs that ended in the meantime are not compared")
	}
	d.Perform(next)
	if p.comparing.reports.Running || p.comparing.of != p.ends() || d.engine.compares != 2 {
		t.Errorf("%d comparisons, the last of %q", d.engine.compares, p.comparing.of)
	}
	if cmd := opened(upTo(7)); cmd != nil {
		t.Error("a comparison starts although no run has ended")
	}
	p.Leave()
	if cmd := d.Send(sweepOpenedMsg{gen: p.gen, state: upTo(8)}); cmd != nil {
		t.Error("a comparison starts while another screen is in front")
	}
	d.engine.states["abl"] = upTo(8)
	d.Perform(p.Open(nil))
	if d.engine.compares != 3 {
		t.Errorf("%d comparisons after the return", d.engine.compares)
	}
	d.Keys("1")
	if cmd := opened(upTo(9)); cmd != nil {
		t.Error("a comparison starts on the cells page")
	}
	// The result of another sweep is not shown.
	stale := sweepComparedMsg{Gen: p.comparing.reports.Gen, Known: p.comparing.report}
	p.show("other")
	d.Send(stale)
	if p.comparing.report != nil {
		t.Error("the comparison of another sweep is shown")
	}
}

// The error of a comparison is shown.
func TestComparisonError(t *testing.T) {
	d, cmd := comparingHarness(t, 200, 60)
	d.engine.compareErr = errors.New("the folder of runs cannot be read")
	d.Perform(cmd)
	see(t, d, "✗ the folder of runs cannot be read")
	d.Keys("right")
	if d.Note != "a comparison needs 2 methods" {
		t.Errorf("note %q", d.Note)
	}
	d.engine.compareErr = nil
	d.Perform(d.Keys("P"))
	see(t, d, "compared 18 runs")
	d.engine.compareErr = errors.New("the folder of runs cannot be read")
	d.Perform(d.Keys("P"))
	see(t, d, "✗ cannot compare: the folder of runs cannot be read; showing the previous comparison",
		"compared 18 runs")
}

// A run without predictions is left out of the direct comparison, with a remark.
func TestComparisonWithoutPredictions(t *testing.T) {
	d, cmd := comparingHarness(t, 200, 60)
	id := d.engine.states["abl"].Cells[0].Run
	info, err := rundir.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(info.Dir, "test_points.csv")); err != nil {
		t.Fatal(err)
	}
	d.Perform(cmd)
	see(t, d, "no direct comparison with linear on boston: ", "wine_red  linear")
}

// A method that was still improving when it ended gets no mark and no verdict; the others are judged.
func TestComparisonOfImprovingRuns(t *testing.T) {
	d, cmd := comparingHarness(t, 200, 60)
	improving := kittest.WrittenRun{
		Dataset:   "boston",
		Family:    "svgp",
		Split:     1,
		LogLik:    []float64{-1, -2, -1, -2, -1, -2, -1, -2},
		Improving: true,
	}
	improving.Write(t)
	d.Perform(cmd)
	see(t, d, ")  ^",
		") *", "^ had not settled when training ended, so neither best nor tied: svgp",
		"~ ^A", "had not settled when training ended, so there is no verdict",
		"note: "+improving.ID()+" has not converged:")
}

// Ranks by data set need two data sets; ranks by split need one.
func TestRanksBySplit(t *testing.T) {
	d, cmd := comparingHarness(t, 200, 60)
	s := d.engine.states["abl"]
	s.Cells = slices.DeleteFunc(s.Cells, func(c sweeps.CellState) bool {
		return c.Config.Dataset == "wine_red"
	})
	d.Perform(cmd)
	see(t, d, "note: ranks need at least 2 ", "rank by split")
	d.Perform(d.Keys("P"))
	see(t, d, "P ranks by data set", "3 splits; p: Friedman", "ranks are over splits")
	if d.engine.wanted.Blocks != compare.BySplit {
		t.Errorf("%+v", d.engine.wanted)
	}
	d.Perform(d.Keys("P"))
	see(t, d, "note: ranks need")
}

// An action of the other page is refused with a reference to that page, and esc returns to the cells.
func TestKeysOfTheComparison(t *testing.T) {
	d := comparedHarness(t, 80, 24)
	for _, key := range []string{"x", "l"} {
		d.Keys(key)
		if d.Note != "only on the cells page (1)" {
			t.Errorf("%s: note %q", key, d.Note)
		}
	}
	for _, name := range []string{"Tables", "Ranks", "Direct", "Notes", "Tables"} {
		see(t, d, "▸ "+name+" ")
		d.Keys("tab")
	}
	d.Keys("shift+tab")
	see(t, d, "▸ Tables ", "1-18 of ")
	for _, c := range []struct{ key, see string }{
		{"down", "2-19 of "}, {"up", "1-18 of "}, {"pgdown", "not significantly"}, {"home", "1-18 of "},
		{"end", "not significantly"},
	} {
		d.Keys(c.key)
		see(t, d, c.see)
	}
	see(t, d, "7-24 of 24")
	d.Wheel(20, 10, -1)
	see(t, d, "6-23 of 24")
	d.Click(14, 2)
	see(t, d, "▸ Ranks ")
	d.Keys("esc")
	if d.progress.on != pageCells || d.Backs != 0 {
		t.Error("esc does not show the cells")
	}
	for _, key := range []string{"left", "right", "P"} {
		d.Keys(key)
		if d.Note != "only in the comparison (2)" {
			t.Errorf("%s: note %q", key, d.Note)
		}
	}
	d.Keys("esc")
	if d.Backs != 1 {
		t.Error("esc does not go back")
	}
}

// A section can fill the screen.
func TestSectionZoom(t *testing.T) {
	d := comparedHarness(t, 120, 40)
	d.Keys("tab", "enter")
	see(t, d, "▸ Ranks ", "enter all panels")
	if strings.Contains(d.View(), "Direct comparison") {
		t.Error("other panels are visible")
	}
	d.Keys("tab")
	see(t, d, "▸ Direct comparison")
	d.Keys("esc")
	see(t, d, "Ranks by test LL", "▸ Direct comparison", "enter zoom")
	if d.progress.on != pageCompare || len(d.Visits) > 0 {
		t.Error("wrong page or visit")
	}
}

// All lines of a section are copied, visible or not.
func TestComparisonPlainText(t *testing.T) {
	d := comparedHarness(t, 40, 10)
	for i, want := range []string{"Test RMSE, lower is better: mean", "critical difference",
		"verdict: method with", "excluded: "} {
		d.progress.comparing.focus = section(i)
		if text := d.progress.PlainText(); !strings.Contains(text, want) || strings.Contains(text, "\x1b") ||
			strings.Contains(text, " \n") {
			t.Errorf("section %d: no %q in\n%s", i, want, text)
		}
	}
}

// The comparison of a thousand runs is computed in the background and drawn from a cache.
func BenchmarkComparisonView(b *testing.B) {
	d := newHarness(b, 200, 60)
	var families, datasets []string
	for i := range 10 {
		datasets = append(datasets, fmt.Sprint("data", i))
	}
	families = append(families, "linear", "svgp", "mean-field", "star", "gp", "fitc",
		"sgpr", "dspp", "ppgpr", "avdgp")
	ids := kittest.WriteGrid(b, families, datasets, 10, 1)
	s := &sweeps.State{Name: "abl", Phase: sweeps.Over}
	for _, id := range ids {
		info, err := rundir.Find(id)
		if err != nil {
			b.Fatal(err)
		}
		s.Cells = append(s.Cells, sweeps.CellState{
			Cell:    sweeps.Cell{Config: info.Config},
			Run:     id,
			Status:  sweeps.Done,
			Summary: info.Results,
		})
	}
	d.engine.states["abl"] = s
	d.front(d.progress, 200, 60)
	d.Perform(d.progress.Open(showSweep{"abl"}))
	d.Perform(d.Keys("2"))
	for b.Loop() {
		d.View()
	}
}

// Another sweep or another method A ends the direct comparison that runs.
func TestPairingIsCancelled(t *testing.T) {
	c := comparing{focus: sectionNotes}
	var asked context.Context
	find := func(ctx context.Context) (direct, error) { asked = ctx; return direct{}, ctx.Err() }
	late := c.pairs.Start(context.Background(), find)().(methodsPairedMsg)
	c.forget()
	if asked.Err() == nil || c.pairs.Running || c.pairs.Take(late) || c.focus != sectionNotes {
		t.Errorf("the comparison continues: %v, %+v", asked.Err(), c.pairs)
	}
}
