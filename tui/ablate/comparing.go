package ablate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/session/compare"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// page is what the screen of a sweep shows.
type page int

const (
	pageCells   page = iota // cells, plot and scores
	pageCompare             // what dgplab compare says of the runs
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

// comparing is the comparison of the runs of a sweep. It is made from the files of the
// runs, in the background, when the page is shown and whenever a run has ended since.
type comparing struct {
	focus section
	// whole shows the section in focus alone, as there is also where there is no room.
	whole   bool
	windows [numSections]window
	// blocks is what methods are ranked in.
	blocks compare.Blocks
	// a is the ID of a run of the method that is compared directly with each other one, ""
	// for the first: names and numbers of methods may change as runs are added.
	a string

	// job is the number of the last comparison that was begun; busy says that it is being
	// made, and of what it is of, as ends has it.
	job  int
	busy bool
	of   string
	// report is the last one that was made, err why there is no newer one.
	report *compare.Report
	err    error

	// pairing is the direct comparison that was begun last, direct the one that was made
	// last.
	pairing pairing
	direct  direct
	memory  *compare.Memory

	drawn [numSections]drawn
}

// window is the part of a section that is shown: its first line, how many lines there
// were room for when last drawn, and how many there were.
type window struct{ top, h, n int }

// pairing is what a direct comparison is of; job is its number.
type pairing struct {
	job    int
	report *compare.Report
	a      int
	cancel context.CancelFunc
}

// direct is what a direct comparison found.
type direct struct {
	report *compare.Report
	a      int
	list   []compare.Comparison
	failed []string
	err    error
}

// forget begins anew, for another sweep.
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

// ends says which runs of the sweep have ended, and how: what a comparison is of. It is
// "" while there is none.
func (p *Progress) ends() string {
	var b strings.Builder
	for i := range p.state.Cells {
		if c := &p.state.Cells[i]; c.Status == sweep.Done || c.Status == sweep.Failed ||
			c.Status == sweep.Stopped {
			fmt.Fprintln(&b, c.Run, c.Status, c.Step)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return string(cmp.Or(p.comparing.blocks, compare.ByDataset)) + "\n" + b.String()
}

// compareAgain compares the runs that have ended, in the background, if that is looked at
// and more have than were compared; one comparison at a time.
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
	wanted := compare.Wanted{
		Options: compare.Options{Blocks: c.blocks}, All: true,
		BaselineToCome: slices.ContainsFunc(p.state.Cells, isBaseline),
		RanksHint:      "; " + keyOf(actRanksBy) + " ranks on every split",
		BaselineHint:   ", and the form of a grid has a field for it",
	}
	return func() tea.Msg {
		r, err := e.CompareSweep(name, wanted)
		return sweepComparedMsg{job, of, r, err}
	}
}

// isBaseline says whether a cell is one of the baseline.
func isBaseline(c sweep.CellState) bool { return c.Config.Family == models.BaselineFamily }

// keyOf returns the key of an action of this screen.
func keyOf(act kit.Action) string {
	b, _ := kit.Find(progressBindings, act)
	return b.Label()
}

// compared takes a comparison.
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

// methodA returns the method that is compared directly with each other one; false while
// there are no two.
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

// chooseA compares the next method directly with each other one, or the one before.
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

// pairUp compares method A directly with each other one, in the background, unless that
// was done or is being done. It reads the predictions of all runs.
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

// paired takes a direct comparison, if it is the one that was asked for last.
func (p *Progress) paired(msg methodsPairedMsg) (changed bool) {
	c := &p.comparing
	if msg.job != c.pairing.job {
		return false
	}
	c.pairing.cancel()
	c.direct = msg.direct
	return true
}
