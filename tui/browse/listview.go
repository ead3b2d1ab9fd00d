package browse

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dgplab/session/metric"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// listNote returns the note next to the title of the list.
func (b *Browse) listNote() string {
	if n := len(b.shown); n > b.list.Height() && n > 0 {
		return fmt.Sprintf("%s of %s", report.Grouped(b.at+1), report.Grouped(n))
	}
	return ""
}

// emptyText returns the reason why the list is empty.
func (b *Browse) emptyText() string {
	switch {
	case !b.whole:
		return "reading run directories" + b.theme.Glyphs.Ellipsis
	case len(b.all) == 0:
		return "no runs yet; n: new run"
	}
	if b.prompt != nil {
		return "no run matches the filter" // The key would be typed into the prompt.
	}
	return "no run matches the filter; /: edit it"
}

// lead returns the width in front of the columns of a list of w cells: cursor, mark, a blank if there is
// room, the state glyph, and a blank.
func lead(w int) int {
	if w < borderWidth {
		return 4
	}
	return 5
}

// titleLines returns the number of lines of the column titles.
func (b *Browse) titleLines(r kit.Rect) int {
	if r.H >= 3 {
		return 1
	}
	return 0
}

// listBody draws the column titles and the visible runs.
func (b *Browse) listBody(r kit.Rect) []string {
	if r.Empty() {
		return nil
	}
	if len(b.shown) == 0 {
		return append([]string{""}, kit.Paragraph(b.theme.Dim, b.emptyText(), r.W)...)
	}
	l := b.layout(r.W - lead(r.W))
	var lines []string
	if b.titleLines(r) > 0 {
		lines = append(lines, b.titles(l, r.W))
	}
	row := func(i int) string { return b.row(i, l, r.W) }
	return append(lines, b.list.Window(len(b.shown), b.at, r.W, r.H-b.titleLines(r), row)...)
}

// titles draws the column titles, with a glyph at the sorted column.
func (b *Browse) titles(l tables.Layout, w int) string {
	th := b.theme
	return th.Fit(strings.Repeat(" ", lead(w))+l.Row(func(i, w int) string {
		style := th.Dim
		if columns[i].Key == b.look.Sort {
			style = th.Accent
		}
		return style.Render(th.Cell(l.Columns[i].Head(), w, l.Columns[i].Right))
	}), w)
}

// columnAt returns the column at x cells from the left of a list of w cells.
func (b *Browse) columnAt(x, w int) (column, bool) {
	i := b.layout(w - lead(w)).At(x - lead(w))
	if i < 0 {
		return column{}, false
	}
	return columns[i], true
}

// row draws a run.
func (b *Browse) row(i int, l tables.Layout, w int) string {
	th, run := b.theme, &b.shown[i]
	cursor, style := " ", th.Text
	if i == b.at {
		cursor, style = th.Accent.Render(th.Glyphs.Cursor), th.Selected
	}
	sign, _, tone := th.Glyphs.StateSign(metric.OfInfo(run))
	line := cursor + th.Accent.Render(b.markSign(run.ID)) + strings.Repeat(" ", lead(w)-4) +
		th.Tone(tone).Render(sign) + " "
	return th.Fit(line+l.Row(func(k, w int) string {
		c, text := columns[k], columns[k].fit(th, b.cells[i][k], w)
		switch {
		case k == 0 || c.layout.Right || i == b.at:
			return style.Render(text)
		case c.Key == "state":
			return th.Tone(tone).Render(text)
		}
		return th.Dim.Render(text)
	}), w)
}

// markSign returns the number of a mark, or + from the tenth mark on.
func (b *Browse) markSign(id string) string {
	i := slices.Index(b.marks, id)
	switch {
	case i < 0:
		return " "
	case i < 9:
		return strconv.Itoa(i + 1)
	}
	return "+"
}
