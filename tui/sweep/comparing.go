package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/session/compare"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
)

// page is a page of the screen of a sweep.
type page int

const (
	pageCells   page = iota // cells, plot and scores
	pageCompare             // the comparison of the runs, as in dgplab compare
)

// section is a panel of the comparison, in the order of tab.
type section int

const (
	sectionTables section = iota
	sectionRanks
	sectionDirect
	sectionNotes
	numSections
)

// comparing is the comparison of the runs of a sweep. It is computed from the files of the runs in the
// background, when the page is opened and whenever a run ends while the page is visible.
type comparing struct {
	focus section
	// whole is set if the focused section fills the screen. On a small screen it always does.
	whole bool
	texts [numSections]kit.Scrolled
	// blocks is the unit in which methods are ranked.
	blocks compare.Blocks
	// a is the ID of a run of method A, which is compared directly with each other method, or "" for the
	// first method. An ID is stable, whereas names and indices of methods may change when runs are added.
	a string

	reports kit.Preview[*compare.Report]
	// of is the result of ends for the last comparison.
	of string
	// report is the last successful comparison.
	report *compare.Report

	pairs  kit.Preview[direct]
	memory *compare.Memory
}

// direct holds the direct comparisons of the method with index a.
type direct struct {
	report *compare.Report
	a      int
	list   []compare.Comparison
	failed []string
}

// forget resets the comparison for another sweep.
func (c *comparing) forget() {
	c.reports.Cancel()
	c.pairs.Cancel()
	*c = comparing{
		focus: c.focus, whole: c.whole, blocks: c.blocks, memory: new(compare.Memory),
		reports: kit.Preview[*compare.Report]{Gen: c.reports.Gen},
		pairs:   kit.Preview[direct]{Gen: c.pairs.Gen},
	}
}

// ends returns a text that identifies the ended runs of the sweep and their outcomes, on which the comparison
// depends. It returns "" if no run has ended.
func (p *Progress) ends() string {
	var b strings.Builder
	for i := range p.state.Cells {
		switch c := &p.state.Cells[i]; c.Status {
		case sweeps.Done, sweeps.Failed, sweeps.Stopped, sweeps.Pruned:
			fmt.Fprintln(&b, c.Run, c.Status, c.Step)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return string(cmp.Or(p.comparing.blocks, compare.ByDataset)) + "\n" + b.String()
}

// compareAgain starts a comparison of the ended runs in the background if the page is visible and
// the ended runs have changed. Only one comparison runs at a time.
func (p *Progress) compareAgain() tea.Cmd {
	c := &p.comparing
	if p.on != pageCompare || p.away || p.state == nil || c.reports.Running {
		return nil
	}
	of := p.ends()
	if of == c.of {
		return nil
	}
	c.of = of
	name, e := p.name, p.engine
	wanted := compare.ReportOptions{
		Options: compare.Options{Blocks: c.blocks}, All: true,
		BaselineToCome: slices.ContainsFunc(p.state.Cells, isBaseline),
		RanksHint:      ranksHint(),
		BaselineHint:   "; enable baseline in the sweep form",
	}
	return c.reports.Start(p.host.Context(), func(context.Context) (*compare.Report, error) {
		return e.CompareSweep(name, wanted)
	})
}

// isBaseline reports whether a cell belongs to the baseline.
func isBaseline(c sweeps.CellState) bool { return c.Config.Family == models.BaselineFamily }

// compared handles the result of a comparison.
func (p *Progress) compared(msg sweepComparedMsg) (cmd tea.Cmd, changed bool) {
	c := &p.comparing
	if !c.reports.Take(msg) {
		return nil, false
	}
	if msg.Err == nil {
		c.report = msg.Known
		cmd = p.pairUp()
	}
	return tea.Batch(cmd, p.compareAgain()), true
}

// methodA returns the index of method A, and false if there are fewer than two methods.
func (c *comparing) methodA() (int, bool) {
	if c.report == nil || len(c.report.Methods) < 2 {
		return 0, false
	}
	i := slices.IndexFunc(c.report.Runs, func(r compare.Run) bool { return r.ID == c.a })
	if i < 0 {
		return 0, true
	}
	return c.report.Runs[i].Method, true
}

// chooseA selects the next or the previous method as method A.
func (p *Progress) chooseA(step int) tea.Cmd {
	c := &p.comparing
	a, ok := c.methodA()
	if !ok {
		return nil
	}
	n := len(c.report.Methods)
	a = (a + step + n) % n
	i := slices.IndexFunc(c.report.Runs, func(r compare.Run) bool { return r.Method == a })
	c.a = c.report.Runs[i].ID
	return p.pairUp()
}

// pairUp compares method A directly with each other method in the background. This reads the predictions of
// all runs.
func (p *Progress) pairUp() tea.Cmd {
	c := &p.comparing
	a, ok := c.methodA()
	if !ok {
		return nil
	}
	report, memory := c.report, c.memory
	return c.pairs.Start(p.host.Context(), func(ctx context.Context) (direct, error) {
		list, failed, err := report.Each(ctx, a, memory)
		return direct{report, a, list, failed}, err
	})
}

// paired handles the result of a direct comparison. It ignores outdated results.
func (p *Progress) paired(msg methodsPairedMsg) (changed bool) { return p.comparing.pairs.Take(msg) }

// rankBy switches between ranks by split and by data set.
func (p *Progress) rankBy() tea.Cmd {
	c := &p.comparing
	if c.blocks == compare.BySplit {
		c.blocks = compare.ByDataset
	} else {
		c.blocks = compare.BySplit
	}
	return p.compareAgain()
}
