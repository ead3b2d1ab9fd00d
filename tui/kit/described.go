package kit

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// wordLines is how many lines below a described list are not its rows: a blank and
// the words about the chosen row.
const wordLines = 4

// DescribedRows returns how many of h lines are for the rows of a list that has words
// about the chosen row below; with little room the words go first.
func DescribedRows(h int) int {
	if h > 2*wordLines {
		return h - wordLines
	}
	return h
}

// Described returns h lines: those of a list, as List.Lines drew them for
// DescribedRows(h), and below them, where there is room, the words about the chosen
// row: the text, and last from a line of its own on, which is longer where the text leaves
// room. What their lines cannot hold goes into the last of them and is cut at w cells.
func (th *Theme) Described(rows []string, text, last string, w, h int) []string {
	return th.DescribedIn(th.Dim, rows, text, last, w, h)
}

// DescribedIn is Described with words in a style.
func (th *Theme) DescribedIn(style lipgloss.Style, rows []string, text, last string, w, h int) []string {
	room := DescribedRows(h)
	if room == h {
		return rows
	}
	lines := append(th.Box(rows, w, room), "")
	const most = wordLines - 1 // The other one is blank.
	words := th.wrapInto(text, w, most-min(len(last), 1))
	for _, line := range append(words, th.wrapInto(last, w, most-len(words))...) {
		lines = append(lines, style.Render(line))
	}
	return lines
}

// wrapInto is Wrap into at most so many lines, of which the last is cut.
func (th *Theme) wrapInto(text string, w, most int) []string {
	lines := Wrap(text, w)
	if len(lines) <= most {
		return lines
	}
	lines[most-1] = th.Fit(strings.Join(lines[most-1:], " "), w)
	return lines[:most]
}
