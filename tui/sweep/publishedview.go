package sweep

import (
	"fmt"

	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/reproduce"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// widePublished is the minimum width of a screen with all parts, and mostList the maximum width of its list.
const widePublished, mostList = 138, 70

// listHead is the number of lines above the experiments, with the titles of the columns.
const listHead = 1

// arrangePublished returns the layout of the list, the protocol, the results and the plan in w x h cells. A
// small screen shows one part, with tabs, and the plan below the list. lines returns the number of lines of
// a part, w cells wide.
func arrangePublished(w, h, focus int, lines func(part, w int) int) kit.Layout {
	l, body := kit.NewLayout(w, h)
	if body.Empty() {
		return l
	}
	if w < widePublished || h < highGrid {
		body = l.CutTabs(body, h)
		if focus == publishedList {
			body = l.CutPlan(body, 6)
		}
		l.Parts = []block{kit.Place(focus, body)}
		return l
	}
	list, right := cutAt(l.CutPlan(body, 6), min(w*2/5, mostList))
	inner := right.Inner().W
	protocol, results := right.Shared(kit.FramedHeight(lines(publishedProtocol, inner)),
		kit.FramedHeight(lines(publishedTable, inner)))
	l.Parts = []block{kit.Place(publishedList, list), kit.Place(publishedProtocol, protocol),
		kit.Place(publishedTable, results)}
	return l
}

// arrange returns the current layout.
func (p *Published) arrange() kit.Layout {
	return arrangePublished(p.w, p.h, p.part, func(part, w int) int { return len(p.text(part, w)) })
}

// View draws the list, the protocol, the results and the plan.
func (p *Published) View(keys, note string) string {
	th, l := p.theme, p.arrange()
	c := kit.NewCanvas(p.w, p.h)
	c.PutHead(th, l.Header, l.Footer, []string{p.headline()}, note)
	c.PutParts(th, l, publishedTabs, p.part, func(b block) kit.Content {
		inner := b.Inner()
		if b.ID == publishedList {
			lines := p.listLines(inner.W, inner.H)
			return kit.Content{
				Title: publishedTabs[b.ID],
				Note:  p.listNote(inner.H),
				Lines: lines,
				Bar:   p.list.Bar(listHead),
			}
		}
		lines, note := p.texts[b.ID].Window(p.text(b.ID, inner.W), inner.H)
		return kit.Content{Title: p.textTitle(b.ID), Note: note, Lines: lines, Bar: p.texts[b.ID].Bar()}
	})
	c.PutPlan(th, l, "Missing runs", p.planRows)
	c.PutFoot(th, l.Footer, keys, note)
	return c.String(th)
}

// headline returns the number of experiments, once they have been listed.
func (p *Published) headline() string {
	th := p.theme
	experiments := "reading" + th.Glyphs.Ellipsis
	if len(p.entries) > 0 || p.listed.Err != nil {
		experiments = report.Plural(len(p.entries), "experiment", "experiments")
	}
	what := th.Dim.Render("dgplab  published tables  ") + th.Title.Render(experiments)
	right := th.Dim.Render("enter: train missing runs")
	if p.starting {
		right = th.Accent.Render("starting" + th.Glyphs.Ellipsis)
	}
	if p.w < 64 {
		return th.Fit(what, p.w)
	}
	return " " + th.Sides(what, right, p.w-2) + " "
}

// textTitle returns the title of the protocol or the results.
func (p *Published) textTitle(part int) string {
	if p.chosen < len(p.entries) {
		return publishedTabs[part] + " of " + p.entries[p.chosen].ID
	}
	return publishedTabs[part]
}

// listNote returns the position in the list if not all rows are visible.
func (p *Published) listNote(h int) string {
	if len(p.entries) > h-listHead {
		return fmt.Sprintf("%d of %d", p.chosen+1, len(p.entries))
	}
	return ""
}

// listColumns are the columns of the experiments.
var listColumns = []tables.Column{{Title: "experiment", Keep: true}, {Title: "title", Least: 30},
	{Title: "runs", Right: true, Keep: true}, {Title: "time left", Right: true, Keep: true}}

// unknownNote is the footnote on unknown times.
const unknownNote = "? or +: unknown for some runs; select an experiment to time some steps"

// listLines draws the experiments, with a footnote if times are unknown.
func (p *Published) listLines(w, h int) []string {
	th := p.theme
	switch {
	case w <= 0 || h <= 0:
		return nil
	case p.listed.Err != nil:
		return kit.Paragraph(th.Bad, "Cannot list the experiments: "+p.listed.Err.Error(), w)
	case len(p.entries) == 0:
		return kit.Paragraph(th.Dim, "Reading the runs"+th.Glyphs.Ellipsis, w)
	}
	var foot []string
	if report.HasUnknownTime(p.entries) && h >= 10 {
		foot = append([]string{""}, kit.Paragraph(th.Dim, unknownNote, w)...)
	}
	head, rows := p.listRows(w)
	lines := append([]string{head}, p.list.Lines(rows, p.chosen, w, h-listHead-len(foot))...)
	return append(lines, foot...)
}

// listRows returns the titles of the columns of the list and a row for each experiment, w cells wide. The
// numbers are at the right edge.
func (p *Published) listRows(w int) (head string, rows []string) {
	th := p.theme
	cells := make([][]string, len(p.entries))
	for i, e := range p.entries {
		cells[i] = []string{e.ID, e.Title, report.ExistingRuns(e), report.MissingTime(e)}
	}
	const mark = 2
	layout := tables.Fit(listColumns, tables.Natural(listColumns, cells), w-mark)
	widest := 0
	if layout.Widths[1] > 0 {
		widest = 1
	}
	layout.Widths[widest] += max(w-mark-layout.Width(), 0)
	head = "  " + layout.Row(func(i, w int) string {
		return th.Dim.Render(th.Cell(listColumns[i].Title, w, listColumns[i].Right))
	})
	for i := range cells {
		mark, name := th.RowMark(i == p.chosen, p.part == publishedList)
		rows = append(rows, th.Fit(mark+layout.Row(func(k, w int) string {
			text := th.Cell(cells[i][k], w, listColumns[k].Right)
			if k == 0 {
				return name.Render(text)
			}
			return th.Dim.Render(text)
		}), w))
	}
	return head, rows
}

// text returns the lines of the protocol or the results, at most w cells wide.
func (p *Published) text(part, w int) []string {
	th, found := p.theme, p.results.Known
	switch {
	case p.results.Err != nil:
		return kit.Paragraph(th.Bad, p.results.Err.Error(), w)
	case found == nil:
		return kit.Paragraph(th.Dim, "Comparing"+th.Glyphs.Ellipsis, w)
	case part == publishedProtocol:
		return p.sheetLines(found.protocol, found.protocol.Notes, w)
	}
	return p.sheetLines(found.table.Sheet(), found.table.ResultNotes(), w)
}

// sheetLines returns the lines of a sheet without its title and with the given notes, at most w cells wide.
func (w *work) sheetLines(s compare.Sheet, notes []string, width int) []string {
	lines := append(report.SheetLines(w.theme.VizStyle(), s, width), "")
	for _, note := range notes {
		lines = append(lines, paragraph(w.theme.Dim, note, width)...)
	}
	return lines
}

// planRows returns the number of missing runs of the selected experiment, their estimated time, and the title
// of the experiment.
func (p *Published) planRows(w int) []string {
	if p.chosen >= len(p.entries) {
		return nil
	}
	th, e := p.theme, p.entries[p.chosen]
	rows := append(p.timeRows(e, w), kit.Paragraph(th.Dim, e.Title+" ("+e.Place+")", w)...)
	rows = append(rows, p.downloadRows(e.Missing(), w)...)
	if p.plan.Known != nil {
		estimate := (*p.plan.Known).Estimate
		rows = append(rows, th.NoteRows(estimate.Notes, estimate.Warnings)...)
	}
	return rows
}

// The maximum number of running cells that are shown, and the width of their validation curves.
const mostTraining, trainingCurve = 2, 24

// trainingRows draws the validation curves of the running cells of a sweep.
func (p *Published) trainingRows(s *sweeps.State, w int) (rows []string) {
	th := p.theme
	for i := range s.Cells {
		c := &s.Cells[i]
		_, y := validations(c.Curve)
		if c.Status != sweeps.Running || len(y) == 0 || len(rows) == mostTraining {
			continue
		}
		name := metric.DatasetName(c.Config.Dataset) + " " + c.Config.Split + " " + c.Config.Family + " "
		rows = append(rows, th.Fit(th.Dim.Render(name)+tables.Sparkline(th.VizStyle(), y, trainingCurve)+
			th.Text.Render(" validation LL "+report.Number(y[len(y)-1])), w))
	}
	return rows
}

// timeRows returns the number of missing runs of an experiment and their estimated time.
func (p *Published) timeRows(e reproduce.Entry, w int) []string {
	th := p.theme
	sep := " " + th.Glyphs.Dot + " "
	runs := report.ExistingRuns(e) + " runs exist"
	if e.Done == e.Runs() {
		runs = "all " + report.Plural(e.Runs(), "run", "runs") + " exist"
	}
	s := p.going(e.SweepName())
	switch {
	case s != nil:
		training := "training " + report.Plural(len(s.Latest().Cells), "run", "runs")
		rows := kit.Paragraph(th.Text, training+sep+"enter shows the sweep", w)
		return append(rows, p.trainingRows(s.Latest(), w)...)
	case p.plan.Err != nil:
		return kit.Paragraph(th.Bad, th.Glyphs.Cross+" "+p.plan.Err.Error(), w)
	case p.plan.Running:
		return kit.Paragraph(th.Dim, runs+sep+"estimating the time"+th.Glyphs.Ellipsis, w)
	case p.plan.Known == nil:
		return kit.Paragraph(th.Text, runs, w)
	}
	plan := *p.plan.Known
	text := report.PlanRuns(plan)
	if plan.Estimate.Runs > 0 {
		text += sep + report.SweepTime(plan.Estimate, max(p.jobs, 1))
	}
	return kit.Paragraph(th.Text, text, w)
}

// PlainText returns the list with the plan of the selected experiment, the protocol, or the results.
func (p *Published) PlainText() string {
	if p.part != publishedList {
		return kit.Plain(p.text(p.part, p.w))
	}
	head, rows := p.listRows(p.w)
	lines := append([]string{head}, rows...)
	return kit.Plain(append(append(lines, ""), p.planRows(p.w)...))
}
