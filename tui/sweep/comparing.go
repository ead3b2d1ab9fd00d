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
	whole   bool
	windows [numSections]window
	// blocks is the unit in which methods are ranked.
	blocks compare.Blocks
	// a is the ID of a run of method A, which is compared directly with each other method, or "" for the
	// first method. An ID is stable, whereas names and indices of methods may change when runs are added.
	a string

	// job is the number of the last comparison. busy is set while it runs. of is the result of ends for the
	// last completed comparison.
	job  int
	busy bool
	of   string
	// report is the last completed comparison. err is the error of a later comparison.
	report *compare.Report
	err    error

	// pairing is the last started direct comparison, and direct is the last completed direct comparison.
	pairing pairing
	direct  direct
	memory  *compare.Memory

	drawn [numSections]drawn
}

// window is the visible part of a section: its first line, its height at the last drawing, and the
// number of lines of the section.
type window struct{ top, h, n int }

// pairing identifies a direct comparison; job is its number.
type pairing struct {
	job    int
	report *compare.Report
	a      int
	cancel context.CancelFunc
}

// direct is the result of a direct comparison.
type direct struct {
	report *compare.Report
	a      int
	list   []compare.Comparison
	failed []string
	err    error
}

// forget resets the comparison for another sweep.
func (c *comparing) forget() {
	c.stopPairing()
	*c = comparing{focus: c.focus, whole: c.whole, blocks: c.blocks, job: c.job + 1, pairing: c.pairing}
}

func (c *comparing) stopPairing() {
	if c.pairing.cancel != nil {
		c.pairing.cancel()
	}
	c.pairing = pairing{job: c.pairing.job + 1}
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
	if p.on != pageCompare || p.away || p.state == nil || c.busy {
		return nil
	}
	of := p.ends()
	if of == c.of {
		return p.pairUp()
	}
	c.busy, c.job = true, c.job+1
	job, name, e := c.job, p.name, p.engine
	wanted := compare.ReportOptions{
		Options: compare.Options{Blocks: c.blocks}, All: true,
		BaselineToCome: slices.ContainsFunc(p.state.Cells, isBaseline),
		RanksHint:      "; " + keyOf(actRanksBy) + ": rank by split",
		BaselineHint:   "; enable baseline in the sweep form",
	}
	return func() tea.Msg {
		r, err := e.CompareSweep(name, wanted)
		return sweepComparedMsg{job, of, r, err}
	}
}

// isBaseline reports whether a cell belongs to the baseline.
func isBaseline(c sweeps.CellState) bool { return c.Config.Family == models.BaselineFamily }

// keyOf returns the key of an action of this screen.
func keyOf(act kit.Action) string {
	b, _ := kit.Find(progressBindings, act)
	return b.Label()
}

// compared handles the result of a comparison.
func (p *Progress) compared(msg sweepComparedMsg) (cmd tea.Cmd, changed bool) {
	c := &p.comparing
	if msg.job != c.job {
		return nil, false
	}
	c.busy, c.of, c.err = false, msg.of, msg.err
	if msg.err == nil {
		c.report = msg.report
	}
	return p.compareAgain(), true
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

// pairUp compares method A directly with each other method in the background, unless this comparison exists
// or is running. The comparison reads the predictions of all runs.
func (p *Progress) pairUp() tea.Cmd {
	c := &p.comparing
	a, ok := c.methodA()
	if !ok || c.pairing.report == c.report && c.pairing.a == a {
		return nil
	}
	c.stopPairing()
	if c.memory == nil {
		c.memory = new(compare.Memory)
	}
	ctx, cancel := context.WithCancel(p.host.Context())
	c.pairing.report, c.pairing.a, c.pairing.cancel = c.report, a, cancel
	job, report, memory := c.pairing.job, c.report, c.memory
	return func() tea.Msg {
		list, failed, err := report.Each(ctx, a, memory)
		return methodsPairedMsg{job, direct{report, a, list, failed, err}}
	}
}

// paired handles the result of a direct comparison. It ignores outdated results.
func (p *Progress) paired(msg methodsPairedMsg) (changed bool) {
	c := &p.comparing
	if msg.job != c.pairing.job {
		return false
	}
	c.pairing.cancel()
	c.direct = msg.direct
	return true
}
