package kit

import "strings"

// Tabs is one line of names, one of them in focus.
type Tabs []string

// tabGap is the room before each name: a blank, the sign of the focus, a blank.
const tabGap = 3

// Line draws the tabs in w cells; the one in focus is marked by a sign and its
// weight.
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
