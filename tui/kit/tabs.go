package kit

import "strings"

// Tabs is a line of tab names.
type Tabs []string

// tabGap is the space before each name: a blank, the focus glyph, a blank.
const tabGap = 3

// Line draws the tabs in w cells. The tab with the focus has a glyph and bold text. If available is not nil,
// unavailable tabs are dim; otherwise all tabs without the focus are dim.
func (t Tabs) Line(th *Theme, focus, w int, available func(i int) bool) string {
	var line strings.Builder
	for i, name := range t {
		switch {
		case i == focus:
			line.WriteString(" " + th.FocusTitle.Render(th.Glyphs.Focus+" "+name))
		case available != nil && available(i):
			line.WriteString(" " + th.Text.Render("  "+name))
		default:
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
