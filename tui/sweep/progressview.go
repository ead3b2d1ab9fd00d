package sweep

import (
	"fmt"
	"strings"

	"dgplab/session/metric"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// progressTabs holds the titles of the panels.
var progressTabs = kit.Tabs{"Cells", "Plot", "Scores"}

// cache holds values computed once per state.
type cache struct {
	// measured holds all measured metrics, and metrics holds the metrics in the tables.
	measured, metrics []metric.Column
	counts            string
	left              string
}

func newCache(s *sweeps.State) cache {
	c := cache{measured: s.Measured(), counts: countsText(s)}
	c.metrics = sweeps.MainOf(c.measured)
	if left := s.Remaining(); left > 0 && s.Phase == sweeps.Going { // The length of a pause is unknown.
		c.left = "about " + report.Duration(left) + " left"
	}
	return c
}

// countsText returns a text with the number of cells of each status.
func countsText(s *sweeps.State) string {
	parts := []string{fmt.Sprintf("%s of %s done",
		report.Grouped(s.Count(sweeps.Done)), report.Plural(len(s.Cells), "run", "runs"))}
	for _, status := range sweeps.Statuses() {
		if n := s.Count(status); n > 0 && status != sweeps.Done {
			parts = append(parts, report.Grouped(n)+" "+string(status))
		}
	}
	return strings.Join(parts, ", ")
}

// View draws the sweep. The note replaces the keys, or the headline if there is no footer.
func (p *Progress) View(keys, note string) string {
	th := p.theme
	l := p.arrangePanels()
	tabs := progressTabs
	focus := int(p.focus)
	if p.on == pageCompare {
		l = p.arrangeSections()
		tabs = sectionTabs
		focus = int(p.comparing.focus)
	}
	c := kit.NewCanvas(p.w, p.h)
	c.PutHead(th, l.Header, l.Footer, []string{p.headline()}, note)
	if !l.Foot.Empty() {
		c.Put(l.Foot, th.Box([]string{p.bar(l.Foot.W)}, l.Foot.W, l.Foot.H))
	}
	c.PutParts(th, l, tabs, focus, func(b block) kit.Content {
		inner := b.Inner()
		if p.on == pageCompare {
			return p.sectionView(section(b.ID), inner)
		}
		content := kit.Content{Lines: p.body(panel(b.ID), inner.W, inner.H)}
		content.Title, content.Note = p.title(panel(b.ID), inner.H)
		if panel(b.ID) == panelCells && p.state != nil {
			content.Bar = kit.Bar{
				Head:  titleRows(inner.H),
				Top:   p.top,
				Shown: p.page,
				All:   len(p.state.Cells),
			}
		}
		return content
	})
	c.PutFoot(th, l.Footer, keys, note)
	return c.String(th)
}

// arrangePanels returns the current layout of the panels.
func (p *Progress) arrangePanels() kit.Layout {
	if p.state == nil {
		return arrangeProgress(p.w, p.h, p.focus, 0, 0)
	}
	const titles = 1
	cells := len(p.state.Cells) + titles
	if p.state.Count(sweeps.Failed) > 0 {
		cells += errorLines
	}
	if p.tasksText() != "" {
		cells += taskLines
	}
	return arrangeProgress(p.w, p.h, p.focus, cells, len(p.state.Groups(p.state.Settings()))+titles)
}

// headline returns the name and the state of the sweep.
func (p *Progress) headline() string {
	th, w := p.theme, p.w
	if p.state == nil {
		return th.Fit(" "+th.Title.Render(p.name), w)
	}
	glyph, word, tone := p.stateSign()
	if p.h < barHeight { // Otherwise the bar shows it.
		word += fmt.Sprintf(" %d/%d", p.state.Count(sweeps.Done), len(p.state.Cells))
	}
	right := th.Tone(tone).Render(glyph + " " + word)
	if w < 64 {
		return th.Sides(th.Title.Render(p.name), right, w)
	}
	left := th.Dim.Render("dgplab  sweep  ") + th.Title.Render(p.name)
	if p.on == pageCompare {
		left += th.Dim.Render("  comparison")
	}
	return " " + th.Sides(left, right, w-2) + " "
}

// stateSign returns the glyph, the word and the tone of the state of the sweep.
func (p *Progress) stateSign() (glyph, word string, t kit.Tone) {
	g, s := p.theme.Glyphs, p.state
	switch {
	case p.onSlurm():
		return g.Training, "on Slurm", kit.Good
	case p.live == nil && p.tasks != nil && p.tasks.Err != nil:
		return g.Asked, "Slurm does not answer", kit.Warn
	case s.Phase == sweeps.Resting:
		return g.Paused, "paused", kit.Warn
	case s.Phase == sweeps.Stopping:
		return g.Finishing, "stopping", kit.Calm
	case s.Phase == sweeps.Going && p.live == nil:
		return g.Training, "running in another process", kit.Good
	case s.Phase == sweeps.Going:
		return g.Training, "running", kit.Good
	case s.Complete():
		return g.Check, "done", kit.Good
	case s.Count(sweeps.Failed) > 0 && len(s.Left(false)) == 0:
		return g.Cross, "ended with failures", kit.Bad
	}
	return g.Asked, "not running", kit.Warn
}

// bar draws the progress and the remaining time.
func (p *Progress) bar(w int) string {
	th := p.theme
	if p.state == nil {
		return ""
	}
	segments := kit.JoinFitting(w-12, "  ", th.Text.Render(p.cache.counts), th.Dim.Render(p.cache.left),
		th.Dim.Render(p.jobsText()))
	room := w - kit.Cells(segments) - 2
	if room < 6 {
		return segments
	}
	return tables.ProgressBar(th.VizStyle(), p.share(), min(room, 40)) + "  " + segments
}

func (p *Progress) jobsText() string {
	if p.state.Jobs == 0 || p.live == nil {
		return ""
	}
	text := report.Plural(p.state.Jobs, "worker", "workers")
	if n := p.beside(p.live); n > 0 {
		text += " and " + report.Plural(n, "run", "runs")
	}
	if p.state.Jobs+p.beside(p.live) > p.cores {
		text += " on " + report.Plural(p.cores, "core", "cores")
	}
	return text
}

// share returns the completed fraction of the work: done cells plus the completed fractions of running cells.
func (p *Progress) share() float64 {
	done := 0.0
	for i := range p.state.Cells {
		c := &p.state.Cells[i]
		switch {
		case c.Status == sweeps.Done, c.Status == sweeps.Pruned:
			done++
		case c.Steps > 0:
			done += min(float64(c.Step)/float64(c.Steps), 1)
		}
	}
	return done / float64(max(len(p.state.Cells), 1))
}

// title returns the title of a panel and the note next to it.
func (p *Progress) title(id panel, h int) (title, note string) {
	title = progressTabs[id]
	if p.state == nil {
		return title, ""
	}
	switch id {
	case panelCells:
		if n := len(p.state.Cells); n > h-titleRows(h) {
			note = fmt.Sprintf("%s of %s", report.Grouped(p.cell+1), report.Grouped(n))
		}
	case panelPlot:
		title = p.plotTitle()
		note = p.plotNote()
	case panelScores:
		note = "mean (standard error)"
		if p.state.Count(sweeps.Pruned) > 0 {
			note = "mean (s.e.), * pruned: fewer steps"
		}
	}
	return title, note
}

// body draws a panel.
func (p *Progress) body(id panel, w, h int) []string {
	switch {
	case w <= 0 || h <= 0:
		return nil
	case p.state == nil:
		return p.emptyText(w)
	case id == panelPlot:
		return p.picture().Render(p.theme.VizStyle(), w, h)
	case id == panelScores:
		return p.scores(w).Render(p.theme.VizStyle(), w, h)
	}
	return p.cellRows(w, h)
}

// emptyText returns the reason why no sweep is shown.
func (p *Progress) emptyText(w int) []string {
	th, text := p.theme, "No sweep is open; esc: go back."
	switch {
	case p.err != nil:
		text = th.Glyphs.Cross + " " + p.err.Error()
	case p.name != "":
		text = "reading runs of " + p.name + th.Glyphs.Ellipsis
	}
	return kit.Paragraph(th.Dim, text, w)
}

// titleRows returns the number of lines, out of h, for the titles of a table.
func titleRows(h int) int {
	if h >= 3 {
		return 1
	}
	return 0
}

// The numbers of lines below the cells for the tasks on Slurm and for the error of the selected cell.
const (
	taskLines  = 2
	errorLines = 3
)

// cellRows draws the visible cells and, below them, the tasks on Slurm and the error of the selected cell.
func (p *Progress) cellRows(w, h int) []string {
	th := p.theme
	var words []string
	if text := p.tasksText(); text != "" && h > 2*(taskLines+errorLines) {
		words = kit.Paragraph(th.Dim, text, w)
		words = words[:min(len(words), taskLines)]
	}
	if c := p.chosen(); c != nil && c.Err != nil && h > 2*errorLines {
		lines := kit.Paragraph(th.Bad, th.Glyphs.Cross+" "+c.Err.Error(), w)
		words = append(words, lines[:min(len(lines), errorLines)]...)
	}
	h -= len(words)
	p.page = max(h-titleRows(h), 1)
	p.top = max(min(p.top, p.cell, len(p.state.Cells)-p.page), p.cell-p.page+1, 0)
	return append(th.Box(p.cells(p.top, p.page, w).Render(th.VizStyle(), w, h), w, h), words...)
}
