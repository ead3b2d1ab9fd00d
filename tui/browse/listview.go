package browse

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dgplab/tui/kit"
)

// listNote is what stands beside the title of the list.
func (b *Browse) listNote() string {
	if n := len(b.shown); n > b.list.Height() && n > 0 {
		return fmt.Sprintf("%s of %s", kit.Grouped(b.at+1), kit.Grouped(n))
	}
	return ""
}

// nothing says why the list is empty.
func (b *Browse) nothing() string {
	switch {
	case !b.listed:
		return "reading the run directories" + b.theme.Glyphs.Ellipsis
	case len(b.all) == 0:
		return "there are no runs yet; n sets one up"
	}
	return "no run matches the filter; / changes it"
}

// lead is the room before the columns of a list of w cells: cursor, mark, a blank
// where there is room, the sign of the state, and a blank.
func lead(w int) int {
	if w < borderWidth {
		return 4
	}
	return 5
}

// titleLines is how many lines the titles of columns take.
func (b *Browse) titleLines(r kit.Rect) int {
	if r.H >= 3 {
		return 1
	}
	return 0
}

// listBody draws the list: the titles of columns and the runs in the window.
func (b *Browse) listBody(r kit.Rect) []string {
	if r.Empty() {
		return nil
	}
	if len(b.shown) == 0 {
		return append([]string{""}, dimmed(b.theme, kit.Wrap(b.nothing(), r.W))...)
	}
	widths := fitColumns(b.natural, b.look.Sort, r.W-lead(r.W))
	var lines []string
	if b.titleLines(r) > 0 {
		lines = append(lines, b.titles(widths, r.W))
	}
	// The window of the list is found with empty rows; only those in it are drawn.
	high := r.H - b.titleLines(r)
	b.list.Lines(make([]string, len(b.shown)), b.at, r.W, high)
	for i := b.list.Top(); i < min(b.list.Top()+high, len(b.shown)); i++ {
		lines = append(lines, b.row(i, widths, r.W))
	}
	return lines
}

func dimmed(th *kit.Theme, lines []string) []string {
	for i := range lines {
		lines[i] = th.Dim.Render(lines[i])
	}
	return lines
}

// titles draws the titles of columns, that of the order with its sign.
func (b *Browse) titles(widths []int, w int) string {
	th := b.theme
	line := strings.Repeat(" ", lead(w))
	first := true
	for i, c := range columns {
		if widths[i] == 0 {
			continue
		}
		if !first {
			line += strings.Repeat(" ", gap)
		}
		first = false
		title, style := c.title, th.Dim
		if c.key == b.look.Sort {
			title, style = c.title+b.orderSign(), th.Accent
		}
		line += style.Render(placed(th, title, widths[i], c.right))
	}
	return th.Fit(line, w)
}

// placed writes a cell of a column.
func placed(th *kit.Theme, text string, w int, right bool) string {
	if right && kit.Cells(text) < w {
		return th.Sides("", text, w)
	}
	return th.Fit(text, w)
}

// columnAt returns the column at x cells from the left of a list of w cells.
func (b *Browse) columnAt(x, w int) (column, bool) {
	at := lead(w)
	for i, width := range fitColumns(b.natural, b.look.Sort, w-lead(w)) {
		if width == 0 {
			continue
		}
		if x >= at && x < at+width {
			return columns[i], true
		}
		at += width + gap
	}
	return column{}, false
}

// row draws a run.
func (b *Browse) row(i int, widths []int, w int) string {
	th, run := b.theme, &b.shown[i]
	cursor, style := " ", th.Text
	if i == b.at {
		cursor, style = th.Accent.Render(th.Glyphs.Cursor), th.Selected
	}
	sign, tone := stateSign(th.Glyphs, run)
	line := cursor + th.Accent.Render(b.markSign(run.ID)) + strings.Repeat(" ", lead(w)-4) + th.Tone(tone).Render(sign) + " "
	first := true
	for k, c := range columns {
		if widths[k] == 0 {
			continue
		}
		if !first {
			line += strings.Repeat(" ", gap)
		}
		cell := style
		switch {
		case c.key == "state" && i != b.at:
			cell = th.Tone(tone)
		case !first && i != b.at && !c.right:
			cell = th.Dim
		}
		first = false
		text := placed(th, b.cells[i][k], widths[k], c.right)
		if k == 0 {
			text = fitLabel(th, b.cells[i][k], widths[k])
		}
		line += cell.Render(text)
	}
	return th.Fit(line, w)
}

// markSign is the number of a mark, + from the tenth on.
func (b *Browse) markSign(id string) string {
	switch i := slices.Index(b.marks, id); {
	case i < 0:
		return " "
	case i < 9:
		return strconv.Itoa(i + 1)
	}
	return "+"
}
