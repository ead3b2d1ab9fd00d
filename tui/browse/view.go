package browse

import (
	"slices"
	"strings"

	"dgplab/session/metric"
	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// arrange returns the current layout.
func (b *Browse) arrange() layout {
	focus := b.focus
	if b.form != nil || b.picking() {
		focus = partDetails
	}
	return arrange(b.w, b.h, focus, b.prompt != nil || b.prediction != nil || b.look.Filter != "")
}

// picking reports whether the file picker is open.
func (b *Browse) picking() bool { return (b.prompt != nil || b.form != nil) && b.picker.IsOpen() }

// View draws the browser. The note replaces the keys, or the headline if there is no footer.
func (b *Browse) View(keys, note string) string {
	th, w := b.theme, b.w
	l := b.arrange()
	c := kit.NewCanvas(w, b.h)
	head := []string{b.headline(w)}
	if l.list.Empty() && l.details.Empty() {
		head = b.terse()
	}
	c.PutHead(th, l.header, l.footer, head, note)
	c.Put(l.input, th.Box([]string{b.inputLine(w)}, l.input.W, l.input.H))
	if !l.list.Empty() {
		body := b.listBody(l.inner(l.list))
		c.Put(l.list, b.theme.Panel(l.list, l.bare, kit.Content{
			Title: "Runs",
			Note:  b.listNote(),
			Lines: body,
			Bar:   b.list.Bar(b.titleLines(l.inner(l.list))),
		}, b.focus == partList && b.form == nil && !b.picking()))
	}
	if !l.details.Empty() {
		content := b.detailsPart(l.inner(l.details))
		c.Put(l.details, b.theme.Panel(l.details, l.bare, content,
			b.focus == partDetails || b.form != nil || b.picking()))
	}
	switch {
	case b.picking():
		keys = kit.PickerHint(th, w-2)
	case b.prompt != nil && b.prompt.act == actPredict:
		keys = b.hint("enter", "predict", "esc", "cancel", "tab", "complete", "ctrl+o", "files")
	case b.prompt != nil && b.prompt.act == actFilter:
		keys = b.hint("enter", "apply", "esc", "cancel", "tab", "complete", "<up><down>", "select")
	case b.prompt != nil:
		keys = b.hint("enter", "save", "esc", "cancel")
	case b.form != nil:
		keys = b.formHint()
	}
	c.PutFoot(th, l.footer, keys, note)
	return c.String(th)
}

// hint returns a footer with pairs of a key and a word.
func (b *Browse) hint(pairs ...string) string {
	var table []kit.Binding
	for p := range slices.Chunk(pairs, 2) {
		table = append(table, kit.Bind("", "", p[0], p[1], "", p[0]))
	}
	return b.theme.KeyLine(table, b.w-2)
}

// headline returns the numbers of runs, marks and running runs, and the order.
func (b *Browse) headline(w int) string {
	th := b.theme
	if b.listErr != nil {
		return " " + th.Bad.Render(th.Glyphs.Cross+" "+oneLine(b.listErr))
	}
	if !b.listed {
		return " " + th.Dim.Render("dgplab  reading run directories")
	}
	count := report.Plural(len(b.all), "run", "runs")
	if len(b.shown) != len(b.all) {
		count = report.Grouped(len(b.shown)) + " of " + count
	}
	if !b.whole {
		count = count + ", reading more" + th.Glyphs.Ellipsis
	}
	running := 0
	for i := range b.all {
		if b.all[i].State == rundir.Running {
			running++
		}
	}
	parts := []string{th.Title.Render(count)}
	if n := len(b.marks); n > 0 {
		text := report.Grouped(n) + " marked"
		if hidden := b.hiddenMarks(); hidden > 0 {
			text += ", " + report.Grouped(hidden) + " hidden by the filter"
		}
		parts = append(parts, th.Accent.Render(text))
	}
	if running > 0 {
		parts = append(parts, th.Good.Render(th.Glyphs.Training+" "+report.Grouped(running)+" running"))
	}
	parts = append(parts, th.Dim.Render("by "+b.look.Sort+" "+b.theme.Glyphs.Order(b.look.Descending)))
	line := kit.JoinFitting(w-2, th.Separator(), parts...)
	if w >= 64 {
		line = th.Dim.Render("dgplab  ") + line
	}
	return " " + line
}

// terse returns the selected run for a screen without room for a list.
func (b *Browse) terse() []string {
	run := b.current()
	if run == nil {
		return []string{b.theme.Dim.Render(b.emptyText())}
	}
	view := metric.OfInfo(run)
	sign, _, tone := b.theme.Glyphs.StateSign(view)
	return []string{b.theme.Tone(tone).Render(sign) + " " + label(run),
		report.Value(view, "state"), report.Value(view, "log_lik")}
}

// inputLine draws the prompt with its error, the progress of a prediction, or the filter.
func (b *Browse) inputLine(w int) string {
	th, p := b.theme, b.prompt
	if p == nil && b.prediction != nil {
		return b.predictionLine()
	}
	if p == nil {
		return " " + th.Dim.Render("filter ") + th.Text.Render(b.look.Filter)
	}
	beside := ""
	if len(p.offered) > 1 {
		beside = th.Dim.Render("tab: " + strings.Join(p.offered, " "))
	}
	if p.act == actFilter {
		if _, err := query.Parse(p.in.Value()); err != nil {
			beside = th.Bad.Render(th.Glyphs.Cross + " " + err.Error())
		}
		if names, _ := p.candidates(); len(names) > 0 && beside == "" {
			beside = th.Dim.Render("tab: " + strings.Join(names, " "))
		}
	}
	head := " " + th.Accent.Render(p.title+" ")
	if p.fresh {
		return head + th.Accent.Render("[") + th.Selected.Render(p.in.Value()) + th.Accent.Render("]")
	}
	room := w - kit.Cells(head)
	need := min(kit.Cells(p.in.Value())+2, max(room/2, 8)) // room for the typed text
	if beside == "" || room-need < 8 {
		if b.invalidFilter() {
			head = " " + th.Bad.Render(th.Glyphs.Cross+" ")
		}
		return head + th.InputView(&p.in, w-kit.Cells(head))
	}
	typed := max(need, room-kit.Cells(beside)-2)
	return th.Sides(head+th.InputView(&p.in, typed), th.Cut(beside, room-typed), w)
}

// invalidFilter reports whether the filter being typed is invalid.
func (b *Browse) invalidFilter() bool {
	if b.prompt == nil || b.prompt.act != actFilter {
		return false
	}
	_, err := query.Parse(b.prompt.in.Value())
	return err != nil
}

// PlainText returns the focused part: the table of the shown runs or the details of the selected run.
func (b *Browse) PlainText() string {
	if b.focus == partDetails && b.current() != nil {
		return kit.Plain(b.detailLines(100))
	}
	all := tables.Layout{Widths: b.natural}
	var lines []string
	for i := -1; i < len(b.shown); i++ {
		lines = append(lines, all.Row(func(k, w int) string {
			text := columns[k].layout.Title
			if i >= 0 {
				text = b.cells[i][k]
			}
			return b.theme.Cell(text, w, columns[k].layout.Right)
		}))
	}
	return kit.Plain(lines)
}
