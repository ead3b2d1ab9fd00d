package sweep

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/reproduce"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// The parts of Published, in the order of tab.
const (
	publishedList = iota
	publishedTable
	publishedParts
)

// publishedTabs are the titles of the parts.
var publishedTabs = kit.Tabs{"Experiments", "Results"}

// publishedBindings are the keys of the experiments.
var publishedBindings = []kit.Binding{
	kit.Bind(kit.Steer, kit.ActStart, "enter", "train missing",
		"Train the missing runs of the experiment, the cheapest first.", "enter"),
	kit.Bind(kit.Look, kit.ActNextPart, "tab", "next part", "Go to the next part.", "tab"),
	kit.Bind(kit.Look, kit.ActPreviousPart, "shift+tab", "", "Go to the previous part.", "shift+tab"),
	kit.Bind(kit.Look, kit.ActUp, "<up>", "", "Select the previous experiment; in the results: scroll up.",
		"up"),
	kit.Bind(kit.Look, kit.ActDown, "<down>", "",
		"Select the next experiment; in the results: scroll down.", "down"),
	kit.Bind(kit.Look, kit.ActPageUp, "pgup", "", "Page up.", "pgup"),
	kit.Bind(kit.Look, kit.ActPageDown, "pgdown", "", "Page down.", "pgdown"),
	kit.Bind(kit.Look, kit.ActFirst, "home", "", "Go to the top.", "home"),
	kit.Bind(kit.Look, kit.ActLast, "end", "", "Go to the end.", "end"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "", "Go back. Sweeps continue.", "esc"),
	kit.Help,
	kit.Quit,
}

// Published is the screen that compares runs with published tables; it is a kit.Screen.
type Published struct {
	*work
	w, h int

	part int
	list kit.List
	// entries are all experiments, and chosen is the index of the selected one.
	entries []reproduce.Entry
	listErr error
	chosen  int
	listGen int

	// table is the table of the selected experiment, or nil while it is computed. top is its first
	// visible line, and lines and height are the numbers of its lines at the last drawing.
	table              *reproduce.Table
	tableErr           error
	tableGen           int
	top, lines, height int
}

// Title names the screen.
func (p *Published) Title() string { return "Published tables" }

// Bindings returns the keys.
func (p *Published) Bindings() []kit.Binding { return publishedBindings }

// SetSize sets the size of the screen.
func (p *Published) SetSize(w, h int) {
	p.w = w
	p.h = h
}

// Open lists the experiments.
func (p *Published) Open(any) tea.Cmd { return p.listAgain() }

// listAgain lists the experiments in the background.
func (p *Published) listAgain() tea.Cmd {
	p.listGen++
	gen, e := p.listGen, p.engine
	return func() tea.Msg {
		list, err := e.ListExperiments()
		return experimentsListedMsg{gen, list, err}
	}
}

// measure computes the table of the selected experiment in the background.
func (p *Published) measure() tea.Cmd {
	if p.chosen >= len(p.entries) {
		return nil
	}
	p.tableGen++
	gen, e, id := p.tableGen, p.engine, p.entries[p.chosen].ID
	return func() tea.Msg {
		table, err := e.MeasureExperiment(id)
		return experimentMeasuredMsg{gen, table, err}
	}
}

// Update handles lists and tables, and the ends of sweeps.
func (p *Published) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case experimentsListedMsg:
		if msg.gen != p.listGen {
			return nil, false
		}
		p.entries, p.listErr = msg.list, msg.err
		p.chosen = min(p.chosen, max(len(p.entries)-1, 0))
		return p.measure(), true
	case experimentMeasuredMsg:
		if msg.gen != p.tableGen {
			return nil, false
		}
		p.table, p.tableErr = msg.table, msg.err
		return nil, true
	case sweepEndedMsg:
		if p.listGen > 0 {
			return p.listAgain(), true
		}
	}
	return nil, false
}

// Typed takes no text.
func (p *Published) Typed(tea.KeyMsg) (tea.Cmd, bool) { return nil, false }

// Act performs an action.
func (p *Published) Act(act kit.Action, _ tea.KeyMsg) tea.Cmd {
	switch act {
	case kit.ActBack:
		return p.host.Back()
	case kit.ActStart:
		return p.train()
	case kit.ActNextPart:
		p.part = (p.part + 1) % publishedParts
	case kit.ActPreviousPart:
		p.part = (p.part + publishedParts - 1) % publishedParts
	default:
		if p.part == publishedTable {
			p.top = act.Moved(p.top, max(p.lines-p.height+1, 1), p.height)
			p.top = min(max(p.top, 0), max(p.lines-p.height, 0))
			return nil
		}
		return p.choose(act.Moved(p.chosen, len(p.entries), p.list.Height()))
	}
	return nil
}

// choose selects an experiment.
func (p *Published) choose(row int) tea.Cmd {
	row = min(max(row, 0), max(len(p.entries)-1, 0))
	if row == p.chosen {
		return nil
	}
	p.chosen, p.table, p.tableErr, p.top = row, nil, nil, 0
	return p.measure()
}

// train starts the missing runs of the selected experiment, or shows the sweep that trains them.
func (p *Published) train() tea.Cmd {
	if p.chosen >= len(p.entries) {
		return nil
	}
	e := p.entries[p.chosen]
	if p.going(e.SweepName()) != nil {
		return p.host.Go(kit.SweepProgress, showSweep{e.SweepName()})
	}
	return p.begin(func(ctx context.Context) (kit.SweepRun, error) {
		return p.engine.StartExperiment(ctx, e.ID, max(p.jobs, 1))
	})
}

// Mouse selects the clicked element, or scrolls the part under the wheel.
func (p *Published) Mouse(x, y, wheel int) tea.Cmd {
	b, isTab, ok := arrangePublished(p.w, p.h, p.part).At(x, y, publishedTabs)
	switch {
	case !ok || isTab && wheel != 0:
	case isTab:
		p.part = b.ID
	case b.ID == publishedTable && wheel != 0:
		p.top = min(max(p.top+2*wheel, 0), max(p.lines-p.height, 0))
	case wheel != 0:
		p.list.Scroll(2 * wheel)
	default:
		p.part = b.ID
		line := y - b.Inner().Y
		if row := p.list.Top() + line; b.ID == publishedList && line >= 0 && row < len(p.entries) {
			return p.choose(row)
		}
	}
	return nil
}

// wideList is the width of the list beside the results.
const wideList = 46

// arrangePublished returns the layout of the list and the results in w x h cells. A small screen shows
// one of them, with tabs.
func arrangePublished(w, h, focus int) kit.Layout {
	l, body := kit.NewLayout(w, h)
	if body.Empty() {
		return l
	}
	if w >= 3*wideList {
		l.Parts = []block{kit.Place(publishedList, kit.Area(0, body.Y, wideList, body.H)),
			kit.Place(publishedTable, kit.Area(wideList, body.Y, w-wideList, body.H))}
		return l
	}
	l.Parts = []block{kit.Place(focus, l.CutTabs(body, h))}
	return l
}

// View draws the list and the results.
func (p *Published) View(keys, note string) string {
	th, l := p.theme, arrangePublished(p.w, p.h, p.part)
	c := kit.NewCanvas(p.w, p.h)
	c.PutHead(th, l.Header, l.Footer, []string{p.headline()}, note)
	c.PutParts(th, l, publishedTabs, p.part, func(b block) (title, note string, lines []string) {
		inner := b.Inner()
		if b.ID == publishedList {
			return publishedTabs[b.ID], "", p.listLines(inner.W, inner.H)
		}
		return p.tableTitle(), "", p.tableLines(inner.W, inner.H)
	})
	c.PutFoot(th, l.Footer, keys, note)
	return c.String(th)
}

// headline returns the number of finished runs of all experiments.
func (p *Published) headline() string {
	th := p.theme
	what := th.Dim.Render("dgplab  published tables  ") +
		th.Title.Render(report.Plural(len(p.entries), "experiment", "experiments"))
	right := th.Dim.Render("enter: train missing runs")
	if p.starting {
		right = th.Accent.Render("starting" + th.Glyphs.Ellipsis)
	}
	if p.w < 64 {
		return th.Fit(what, p.w)
	}
	return " " + th.Sides(what, right, p.w-2) + " "
}

// tableTitle returns the title of the results.
func (p *Published) tableTitle() string {
	if p.chosen < len(p.entries) {
		return p.entries[p.chosen].ID
	}
	return publishedTabs[publishedTable]
}

// listLines draws the experiments with a description of the selected one.
func (p *Published) listLines(w, h int) []string {
	th := p.theme
	switch {
	case w <= 0 || h <= 0:
		return nil
	case p.listErr != nil:
		return kit.Paragraph(th.Bad, "Cannot list the experiments: "+p.listErr.Error(), w)
	case len(p.entries) == 0:
		return kit.Paragraph(th.Dim, "Reading the runs"+th.Glyphs.Ellipsis, w)
	}
	rows := make([]string, len(p.entries))
	for i, e := range p.entries {
		mark, name := th.RowMark(i == p.chosen, p.part == publishedList)
		right := th.Dim.Render(fmt.Sprintf("%s/%s", report.Grouped(e.Done), report.Grouped(e.Runs())))
		room := max(w-kit.Cells(mark)-kit.Cells(right)-1, 0)
		rows[i] = th.Sides(mark+name.Render(th.Fit(e.ID, room)), right, w)
	}
	e := p.entries[p.chosen]
	lines := p.list.Lines(rows, p.chosen, w, kit.DescribedRows(h))
	return th.Described(lines, e.Title+" ("+e.Place+")", "", w, h)
}

// tableText returns the lines of the table of the selected experiment, at most w cells wide.
func (p *Published) tableText(w int) []string {
	th := p.theme
	switch {
	case p.tableErr != nil:
		return kit.Paragraph(th.Bad, p.tableErr.Error(), w)
	case p.table == nil:
		return kit.Paragraph(th.Dim, "Comparing"+th.Glyphs.Ellipsis, w)
	}
	sheet := p.table.Sheet()
	lines := kit.Paragraph(th.Text, p.table.Title+", "+p.table.Place, w)
	for _, t := range report.SheetTables(th.VizStyle(), sheet, w) {
		lines = append(lines, "")
		for line := range t.Lines(th.VizStyle(), w) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	lines = append(lines, "")
	for _, note := range report.SheetNotes(sheet) {
		lines = append(lines, kit.Paragraph(th.Dim, note, w)...)
	}
	return lines
}

// tableLines returns the visible lines of the table.
func (p *Published) tableLines(w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	lines := p.tableText(w)
	p.lines, p.height = len(lines), h
	p.top = min(p.top, max(len(lines)-h, 0))
	return lines[p.top:min(p.top+h, len(lines))]
}

// PlainText returns the list, or the table.
func (p *Published) PlainText() string {
	if p.part == publishedTable {
		return kit.Plain(p.tableText(p.w))
	}
	var lines []string
	for _, e := range p.entries {
		lines = append(lines, fmt.Sprintf("%s  %d/%d  %s", e.ID, e.Done, e.Runs(), e.Title))
	}
	return kit.Plain(lines)
}
