package kit

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// wordLines is the height of the description below a list, including one blank line.
const wordLines = 4

// DescribedRows returns the number of rows, out of h lines, of a list with a description of the selected row
// below it. If h is small, there is no description.
func DescribedRows(h int) int {
	if h > 2*wordLines {
		return h - wordLines
	}
	return h
}

// Described returns h lines: the rows of a list, as List.Lines draws them for DescribedRows(h), and below
// them, if there is room, the description of the selected row. The description consists of text and of last,
// which starts on a new line and uses the lines that text leaves free. Text that does not fit is cut at w
// cells in the last line.
func (th *Theme) Described(rows []string, text, last string, w, h int) []string {
	return th.DescribedIn(th.Dim, rows, text, last, w, h)
}

// DescribedIn is like Described, but draws the description in the given style.
func (th *Theme) DescribedIn(style lipgloss.Style, rows []string, text, last string, w, h int) []string {
	room := DescribedRows(h)
	if room == h {
		return rows
	}
	lines := append(th.Box(rows, w, room), "")
	const most = wordLines - 1 // One line is blank.
	words := th.wrapInto(text, w, most-min(len(last), 1))
	for _, line := range append(words, th.wrapInto(last, w, most-len(words))...) {
		lines = append(lines, style.Render(line))
	}
	return lines
}

// wrapInto wraps text into at most the given number of lines and truncates the last one.
func (th *Theme) wrapInto(text string, w, most int) []string {
	lines := Wrap(text, w)
	if len(lines) <= most {
		return lines
	}
	lines[most-1] = th.Fit(strings.Join(lines[most-1:], " "), w)
	return lines[:most]
}
