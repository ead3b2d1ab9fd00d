package kit

import "strings"

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
// row. Of the text, what its lines cannot hold goes into the last of them and is cut
// at w cells; last has a line of its own unless it is "".
func (th *Theme) Described(rows []string, text, last string, w, h int) []string {
	room := DescribedRows(h)
	if room == h {
		return rows
	}
	lines := append(th.Box(rows, w, room), "")
	words, most := Wrap(text, w), wordLines-1
	if last != "" {
		most--
	}
	if len(words) > most {
		words[most-1] = th.Fit(strings.Join(words[most-1:], " "), w)
		words = words[:most]
	}
	if last != "" {
		words = append(words, last)
	}
	for _, line := range words {
		lines = append(lines, th.Dim.Render(line))
	}
	return lines
}
