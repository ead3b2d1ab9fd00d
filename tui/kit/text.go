package kit

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// Fit returns s as one line of exactly w cells, truncated with the theme's ellipsis or padded with
// spaces. Escape sequences have no width.
func (th *Theme) Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	s = strings.ReplaceAll(s, "\n", " ")
	n := Cells(s)
	if n > w {
		s = th.Cut(s, w)
		n = Cells(s)
	}
	return s + strings.Repeat(" ", w-n)
}

// Cut returns s as one line of at most w cells, truncated with the theme's ellipsis.
func (th *Theme) Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	return ansi.Truncate(strings.ReplaceAll(s, "\n", " "), w, th.Glyphs.Ellipsis)
}

// FitSweep returns the name of a sweep in exactly w cells. A generated name is cut before its hash suffix,
// because the suffix distinguishes sweeps over the same axes.
func (th *Theme) FitSweep(name string, w int) string {
	end := len("9737cc")
	if Cells(name) <= w || !madePattern.MatchString(name) || w < 2*end {
		return th.Fit(name, w)
	}
	return th.Fit(name[:len(name)-end], w-end) + name[len(name)-end:]
}

// madePattern matches the hash suffix of generated sweep names.
var madePattern = regexp.MustCompile(`-[0-9a-f]{6}$`)

// Sides returns one line of exactly w cells with left and right at its ends. If they do not both fit, left is
// cut.
func (th *Theme) Sides(left, right string, w int) string {
	n := Cells(right)
	if n >= w {
		return th.Fit(right, w)
	}
	if left == "" {
		return strings.Repeat(" ", w-n) + right
	}
	return th.Fit(left, w-n-1) + " " + right
}

// Cell returns text in exactly w cells, right-aligned if right is set, as for numbers.
func (th *Theme) Cell(text string, w int, right bool) string {
	if right {
		return th.Sides("", text, w)
	}
	return th.Fit(text, w)
}

// Box returns exactly h lines of w cells. Text beyond them is cut.
func (th *Theme) Box(lines []string, w, h int) []string {
	out := make([]string, 0, max(h, 0))
	for i := range max(h, 0) {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out = append(out, th.Fit(line, w))
	}
	return out
}

// Content is what a panel shows.
type Content struct {
	Title, Note string
	Lines       []string
	// Bar describes a list or a text of which the lines show a part.
	Bar Bar
}

// Panel draws a content in r, with a border unless bare is set. If only a part is visible, a scroll bar
// stands on the border.
func (th *Theme) Panel(r Rect, bare bool, c Content, focused bool) []string {
	if bare {
		return th.Box(c.Lines, r.W, r.H)
	}
	return c.Bar.on(th, th.Frame(c.Title, c.Note, c.Lines, r.W, r.H, focused), r.W, focused)
}

// Framed reports whether w x h cells have room for a border and content.
func Framed(w, h int) bool { return w >= 4 && h >= 3 }

// Frame draws lines with a border and a title, w x h cells in total. A focused frame has a glyph and bold
// text as well as another colour.
func (th *Theme) Frame(title, note string, lines []string, w, h int, focused bool) []string {
	if !Framed(w, h) {
		return th.Box(lines, w, h)
	}
	g, border, titleStyle := th.Glyphs, th.Border, th.Title
	mark := border.Render(g.Horizontal)
	if focused {
		border, titleStyle, mark = th.FocusBorder, th.FocusTitle, th.FocusTitle.Render(g.Focus)
	}
	room := w - 4
	title = th.Cut(title, room-Cells(mark)-2)
	head := ansi.Truncate(mark+" "+titleStyle.Render(title)+" ", room, "")
	if note != "" && Cells(head)+Cells(note)+3 <= room {
		head += border.Render(g.Horizontal+g.Horizontal) + " " + th.Dim.Render(note) + " "
	}
	rest := strings.Repeat(g.Horizontal, w-3-Cells(head))
	out := make([]string, 0, h)
	out = append(out, border.Render(g.TopLeft+g.Horizontal)+head+border.Render(rest+g.TopRight))
	side := border.Render(g.Vertical)
	for _, line := range th.Box(lines, w-4, h-2) {
		out = append(out, side+" "+line+" "+side)
	}
	return append(out, border.Render(g.BottomLeft+strings.Repeat(g.Horizontal, w-2)+g.BottomRight))
}

// JoinFitting joins the leading segments that fit into w cells. The first segment that does not fit ends the
// line, so the most important segments should come first.
func JoinFitting(w int, separator string, segments ...string) string {
	line, n := "", 0
	for _, s := range segments {
		if s == "" {
			continue
		}
		need := Cells(s)
		if line != "" {
			need += Cells(separator)
		}
		if n+need > w {
			break
		}
		if line != "" {
			line += separator
		}
		line, n = line+s, n+need
	}
	return line
}

// Wrap breaks text into lines of at most w cells, at blanks, at hyphens between letters, and inside
// words that are wider than a line.
func Wrap(text string, w int) (lines []string) {
	if w <= 0 || text == "" {
		return nil
	}
	for paragraph := range strings.SplitSeq(text, "\n") {
		line, gap := "", ""
		for word := range strings.SplitSeq(paragraph, " ") {
			for _, piece := range pieces(word) {
				if line != "" && Cells(line+gap+piece) > w {
					lines, line, gap = append(lines, line), "", ""
				}
				for Cells(piece) > w {
					cut := ansi.Truncate(piece, w, "")
					if cut == "" {
						break // A letter that is wider than a line.
					}
					lines = append(lines, cut)
					piece = piece[len(cut):]
				}
				line, gap = line+gap+piece, ""
			}
			gap = " "
		}
		lines = append(lines, line)
	}
	return lines
}

// pieces cuts a word after hyphens between letters.
func pieces(word string) (list []string) {
	letters := []rune(word)
	from := 0
	for i := 1; i+1 < len(letters); i++ {
		if letters[i] == '-' && unicode.IsLetter(letters[i-1]) && unicode.IsLetter(letters[i+1]) {
			list, from = append(list, string(letters[from:i+1])), i+1
		}
	}
	return append(list, string(letters[from:]))
}

// Paragraph returns text in a style, wrapped into lines of at most w cells.
func Paragraph(style lipgloss.Style, text string, w int) []string {
	lines := Wrap(text, w)
	for i := range lines {
		lines[i] = style.Render(lines[i])
	}
	return lines
}

// Centred returns text in the middle of a box of h lines of w cells.
func (th *Theme) Centred(text string, w, h int) []string {
	rows := Wrap(text, w)
	lines := make([]string, max(h-len(rows), 0)/2, max(h, 0)+len(rows))
	for _, row := range rows {
		row = strings.TrimSpace(row)
		lines = append(lines, strings.Repeat(" ", max(w-Cells(row), 0)/2)+th.Dim.Render(row))
	}
	return th.Box(lines, w, h)
}

// Plain returns lines without escape sequences and without trailing blanks, for the clipboard.
func Plain(lines []string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

// Cells returns the width of styled text.
func Cells(text string) int { return ansi.StringWidth(text) }

// Lines splits a picture into lines.
func Lines(picture string) []string {
	if picture == "" {
		return nil
	}
	return strings.Split(picture, "\n")
}
