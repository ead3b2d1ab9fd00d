package cli

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/session/compare"
	"dgplab/tui/kit"
	"dgplab/viz/ranks"
	"dgplab/viz/tables"
)

// sheets returns all tables of a comparison.
func (r *comparison) sheets() []compare.Sheet {
	var list []compare.Sheet
	for _, t := range r.Tables {
		list = append(list, t.Sheet())
	}
	if len(r.Direct) > 0 {
		list = append(list, compare.DirectSheet(r.Direct))
	}
	return list
}

// comparisonText is what a person reads.
func (c *console) comparisonText(r *comparison) string {
	var rows facts
	rows.add("compared", "%s, %s, %s", plural(len(r.Runs), "run"), plural(len(r.Methods), "method"), plural(len(r.Datasets), "data set"))
	parts := []string{rows.String()}
	for _, t := range r.Tables {
		parts = append(parts, c.sheetText(t.Sheet()))
		if picture, ok := diagram(t); ok {
			parts = append(parts, c.rankText(t, picture))
		}
	}
	if len(r.Direct) > 0 {
		parts = append(parts, c.sheetText(compare.DirectSheet(r.Direct)))
	}
	if text := r.remarks(); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n")
}

// rankText draws a ranking.
func (c *console) rankText(t *compare.Table, picture ranks.Diagram) string {
	w, h := min(pictureWidth, c.width()), len(picture.Labels)+4
	return fmt.Sprintf("Average ranks by %s; a line on the right joins methods\nthat the critical difference (Nemenyi, %g) does not tell apart\n",
		t.Metric.Name, compare.Alpha) + trimLines(picture.Render(c.style(), w, h))
}

// sheetText writes a sheet as text: the best marked *, tied numbers ~. Where it is
// too wide for the terminal it is cut into several tables, so that no column is
// lost.
func (c *console) sheetText(s compare.Sheet) string {
	var b strings.Builder
	b.WriteString(upperFirst(s.Title) + "\n")
	for i, t := range cut(s, c.width()) {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(c.tableText(t))
	}
	for _, note := range s.Notes {
		if rest, ok := strings.CutPrefix(note, "tied: "); ok {
			note = "* best; ~ " + rest
		}
		for _, line := range kit.Wrap(note, max(c.width(), 40)) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// cut returns the tables that show all columns of a sheet in w cells, as far as
// its first column and one more fit.
func cut(s compare.Sheet, w int) (tables []tables.Table) {
	for first := 1; first < len(s.Columns); {
		last := len(s.Columns)
		for last > first+1 && columnsOf(s, first, last).Width() > w {
			last--
		}
		tables = append(tables, columnsOf(s, first, last))
		first = last
	}
	return tables
}

// columnsOf returns the table of the first column of a sheet and those from first
// to last-1.
func columnsOf(s compare.Sheet, first, last int) tables.Table {
	t := tables.Table{Columns: []tables.Column{{Title: s.Columns[0], Least: 8}}}
	for _, title := range s.Columns[first:last] {
		t.Columns = append(t.Columns, tables.Column{Title: title, Right: true})
	}
	rows := s.Rows
	if s.Foot != nil {
		rows = append(rows[:len(rows):len(rows)], s.Foot)
	}
	for _, row := range rows {
		texts := []string{row[0].Text}
		for k, e := range row[first:last] {
			texts = append(texts, entryText(e, hasMarks(s, first+k)))
		}
		t.Rows = append(t.Rows, texts)
	}
	return t
}

// hasMarks says whether a column has entries that are marked; the others leave
// the room free.
func hasMarks(s compare.Sheet, column int) bool {
	return slices.ContainsFunc(s.Rows, func(row []compare.Entry) bool { return row[column].Best || row[column].Tied || row[column].Improving })
}

// entryText writes an entry with its mark, or a blank in its place.
func entryText(e compare.Entry, marks bool) string {
	text := e.Text
	if e.SE != "" {
		text += " (" + e.SE + ")"
	}
	switch {
	case e.Best:
		return text + " *"
	case e.Tied:
		return text + " ~"
	case e.Improving:
		return text + " ^"
	case marks:
		return text + "  "
	}
	return text
}

func upperFirst(text string) string {
	return strings.ToUpper(text[:1]) + text[1:]
}

// shownLeftOut is how many runs that were left out are named.
const shownLeftOut = 12

// remarks says what was left out, and what is peculiar about the rest.
func (r *comparison) remarks() string {
	var b strings.Builder
	for i, l := range r.LeftOut {
		if i == shownLeftOut {
			fmt.Fprintf(&b, "left out: %d more\n", len(r.LeftOut)-i)
			break
		}
		fmt.Fprintf(&b, "left out: %s: %s\n", l.ID, l.Why)
	}
	for _, note := range r.Notes {
		b.WriteString("note: " + note + "\n")
	}
	for _, text := range r.failed {
		b.WriteString(text + "\n")
	}
	return b.String()
}

// sayLeftOut tells the remarks where the output is for other programs.
func (c *console) sayLeftOut(r *comparison) {
	for line := range strings.Lines(r.remarks()) {
		c.say("%s", strings.TrimSpace(line))
	}
}
