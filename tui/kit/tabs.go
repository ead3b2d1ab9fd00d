package kit

import "strings"

// Tabs is a line of tab names.
type Tabs []string

// tabGap is the space before each name: a blank, the focus glyph, a blank.
const tabGap = 3

// Line draws the tabs in w cells. The tab in focus has a glyph and bold text.
func (t Tabs) Line(th *Theme, focus, w int) string {
	var line strings.Builder
	for i, name := range t {
		if i == focus {
			line.WriteString(" " + th.FocusTitle.Render(th.Glyphs.Focus+" "+name))
		} else {
			line.WriteString(" " + th.Dim.Render("  "+name))
		}
	}
	return th.Fit(line.String(), w)
}

// At returns the tab at column x of the line.
func (t Tabs) At(x int) (int, bool) {
	from := 1
	for i, name := range t {
		to := from + tabGap - 1 + Cells(name)
		if x >= from && x < to {
			return i, true
		}
		from = to + 1
	}
	return 0, false
}
