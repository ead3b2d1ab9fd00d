package sweep

import (
	"fmt"
	"strings"

	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// gridTabs holds the titles of the parts.
var gridTabs = kit.Tabs{"Values", "Earlier sweeps"}

// View draws the form, the list and the plan. The note replaces the keys, or the headline if there
// is no footer.
func (g *Grid) View(keys, note string) string {
	th, l := g.theme, arrangeGrid(g.w, g.h, g.part)
	c := kit.NewCanvas(g.w, g.h)
	c.PutHead(th, l.Header, l.Footer, []string{g.headline()}, note)
	c.PutParts(th, l, gridTabs, int(g.part), func(b block) kit.Content {
		inner := b.Inner()
		content := kit.Content{Title: gridTabs[b.ID], Note: g.blockNote(b),
			Lines: g.body(part(b.ID), inner.W, inner.H)}
		switch {
		case g.picker.IsOpen():
		case part(b.ID) == partForm:
			content.Bar = g.form.Bar()
		case len(g.earlier) > 0:
			content.Bar = g.sweeps.Bar(0)
		}
		return content
	})
	c.PutPlan(th, l, "This sweep", g.planRows)
	if g.picker.IsOpen() {
		keys = kit.PickerHint(th, g.w-2)
	}
	c.PutFoot(th, l.Footer, keys, note)
	return c.String(th)
}

// headline returns the number of runs of the plan and the axes of the sweep.
func (g *Grid) headline() string {
	th, w := g.theme, g.w
	what := th.Title.Render("no runs")
	switch {
	case g.plan.Known != nil:
		runs := report.Plural(len(g.plan.Known.state.Cells), "run", "runs")
		what = th.Title.Render(runs) + th.Dim.Render("  "+g.axes())
	case g.plan.Running:
		what = th.Dim.Render("counting runs" + th.Glyphs.Ellipsis)
	}
	right := th.Dim.Render("enter: start")
	switch {
	case g.starting:
		right = th.Accent.Render("starting" + th.Glyphs.Ellipsis)
	case g.part == partList:
		right = th.Dim.Render("enter: open")
	}
	if w < 64 {
		return th.Fit(what, w)
	}
	return " " + th.Sides(th.Dim.Render("dgplab  sweep  ")+what, right, w-2) + " "
}

// axes returns the fields with several values, such as "3 of inducing x 2 of seed".
func (g *Grid) axes() string {
	var list []string
	for _, field := range g.form.Fields() {
		if n := field.Count(); n > 1 {
			list = append(list, fmt.Sprintf("%d of %s", n, field.Name))
		}
	}
	return strings.Join(list, " x ")
}

// blockNote returns the note next to a title: the position in the list if not all rows are visible.
func (g *Grid) blockNote(b block) string {
	if part(b.ID) == partForm && g.picker.IsOpen() {
		return "pick a file"
	}
	at, n := g.form.Len()
	if part(b.ID) == partList {
		at, n = g.chosen, len(g.earlier)
	}
	if n > kit.DescribedRows(b.Inner().H) {
		return fmt.Sprintf("%d of %d", at+1, n)
	}
	return ""
}

// body draws a part: the form, or the earlier sweeps with a description of the selected sweep.
func (g *Grid) body(p part, w, h int) []string {
	switch {
	case w <= 0 || h <= 0:
		return nil
	case p == partForm && g.picker.IsOpen():
		return g.picker.Lines(g.theme, w, h)
	case p == partForm:
		return g.form.Body(g.theme, w, h, g.part == partForm, "")
	case len(g.earlier) == 0:
		return g.emptyList(w)
	}
	rows := make([]string, len(g.earlier))
	for i := range rows {
		rows[i] = g.entryRow(i, w)
	}
	return g.theme.Described(g.sweeps.Lines(rows, g.chosen, w, kit.DescribedRows(h)),
		g.entryWords(), "", w, h)
}

// emptyList returns the reason why the list is empty.
func (g *Grid) emptyList(w int) []string {
	text := "No sweeps yet."
	if g.listed.Err != nil {
		text = "Cannot list sweeps: " + g.listed.Err.Error()
	}
	return kit.Paragraph(g.theme.Dim, text, w)
}

// entryTexts returns the columns of a sweep in the list.
func entryTexts(e *sweeps.Entry) []string {
	if e.Err != nil {
		return []string{e.Name, "unreadable", ""}
	}
	s := e.State
	state := fmt.Sprintf("%d/%d", s.Count(sweeps.Done), len(s.Cells))
	pruned := s.Count(sweeps.Pruned)
	if pruned > 0 {
		state += fmt.Sprintf(", %d pruned", pruned)
	}
	failed := s.Count(sweeps.Failed)
	switch {
	case s.Phase == sweeps.Going:
		state += " running"
	case failed > 0:
		state += fmt.Sprintf(" %d failed", failed)
	case s.Complete() && pruned == 0:
		state += " done"
	}
	return []string{e.Name, state, s.Created.Local().Format("2006-01-02 15:04")}
}

// leastName is the minimum width of the name of a sweep next to its creation time.
const leastName = 16

// entryRow draws a sweep in the list.
func (g *Grid) entryRow(i, w int) string {
	th := g.theme
	mark, name := th.RowMark(i == g.chosen, g.part == partList)
	texts := entryTexts(&g.earlier[i])
	right := th.Text.Render(texts[1])
	if g.earlier[i].Err != nil {
		right = th.Bad.Render(th.Glyphs.Cross + " " + texts[1])
	}
	if full := right + "  " + th.Dim.Render(texts[2]); texts[2] != "" && leastName+kit.Cells(full)+4 <= w {
		right = full
	}
	room := max(w-kit.Cells(mark)-kit.Cells(right)-1, 0)
	return th.Sides(mark+name.Render(th.FitSweep(texts[0], room)), right, w)
}

// entryWords describes the selected sweep.
func (g *Grid) entryWords() string {
	if e := &g.earlier[g.chosen]; e.Err != nil {
		return e.Err.Error()
	}
	return gridText(g.earlier[g.chosen].State)
}

// gridText returns the axes of a sweep with their values.
func gridText(s *sweeps.State) string {
	var list []string
	for _, a := range s.Axes() {
		list = append(list, a.Name+" "+strings.TrimSuffix(sweeps.Join(a.Values), ";"))
	}
	return strings.Join(list, ", ")
}
