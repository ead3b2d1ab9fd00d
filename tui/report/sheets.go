package report

import (
	"slices"
	"strings"

	"dgplab/session/compare"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// Capitalised returns a string with its first letter in upper case.
func Capitalised(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// SheetNotes returns the footnotes of a sheet. The best numbers are marked *, and tied numbers ~. The note on
// marks explains only the marks in the sheet.
func SheetNotes(s compare.Sheet) (list []string) {
	entries := slices.Concat(s.Rows...)
	best := slices.ContainsFunc(entries, func(e compare.Entry) bool { return e.Best })
	tied := slices.ContainsFunc(entries, func(e compare.Entry) bool { return e.Tied })
	for _, note := range s.Notes {
		rest, isMarks := strings.CutPrefix(note, "tied: ")
		switch {
		case !isMarks:
		case tied:
			note = "* best; ~ " + rest
		case best:
			note = "* best " + rest[strings.IndexByte(rest, '('):]
		default:
			continue
		}
		list = append(list, note)
	}
	return list
}

// SheetLines draws a sheet without its title and footnotes, as a single table or, if that is wider than w
// cells, as several tables with blank lines between them.
func SheetLines(style canvas.Style, s compare.Sheet, w int) (lines []string) {
	for i, t := range sheetTables(style, s, w) {
		if i > 0 {
			lines = append(lines, "")
		}
		for line := range t.Lines(style, w) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// sheetTables returns tables that together show all columns of a sheet. Each table is at most w cells wide,
// unless the name columns and a single other column do not fit. The best numbers are bold.
func sheetTables(style canvas.Style, s compare.Sheet, w int) (list []tables.Table) {
	for first := s.Names; first < len(s.Columns); {
		last := len(s.Columns)
		for last > first+1 && columnsOf(style, s, first, last).Width() > w {
			last--
		}
		list = append(list, columnsOf(style, s, first, last))
		first = last
	}
	return list
}

// columnsOf returns a table of the name columns of a sheet and the columns first to last-1.
func columnsOf(style canvas.Style, s compare.Sheet, first, last int) (t tables.Table) {
	of := make([]int, 0, s.Names+last-first) // indices of the columns in the sheet
	for k := range s.Names {
		of = append(of, k)
		t.Columns = append(t.Columns, tables.Column{Title: s.Columns[k], Least: 8, Keep: true})
	}
	for k := first; k < last; k++ {
		of = append(of, k)
		t.Columns = append(t.Columns, tables.Column{Title: s.Columns[k], Right: true})
	}
	rows := s.Rows
	if s.Foot != nil {
		rows = append(rows[:len(rows):len(rows)], s.Foot)
	}
	t.Rows = make([][]string, len(rows))
	for _, k := range of {
		for i, text := range columnTexts(rows, k, hasMarks(s, k)) {
			t.Rows[i] = append(t.Rows[i], text)
		}
	}
	t.Look = func(row, column int) (look canvas.Ink) {
		if row == len(s.Rows) {
			return canvas.Ink{FG: style.Dim()}
		}
		return canvas.Ink{Bold: rows[row][of[column]].Best}
	}
	return t
}

// hasMarks reports whether a column has marked entries. Its other entries then end with a blank.
func hasMarks(s compare.Sheet, column int) bool {
	return slices.ContainsFunc(s.Rows, func(row []compare.Entry) bool {
		e := row[column]
		return e.Best || e.Tied || e.Inconclusive || e.Apart
	})
}

// columnTexts formats the entries of a column. Numbers with standard errors may have different numbers of
// decimals: their points are below each other, and so are their errors.
func columnTexts(rows [][]compare.Entry, column int, marks bool) []string {
	decimals := func(text string) int { return len(text) - strings.IndexAny(text+".", ".e") }
	most, widest := 0, 0
	for _, row := range rows {
		if e := row[column]; e.SE != "" {
			most = max(most, decimals(e.Text))
			widest = max(widest, len(e.SE))
		}
	}
	texts := make([]string, len(rows))
	for i, row := range rows {
		e := row[column]
		text := e.Text
		if e.SE != "" {
			text += strings.Repeat(" ", most-decimals(text)) + " (" + e.SE + ")" +
				strings.Repeat(" ", widest-len(e.SE))
		}
		texts[i] = marked(text, e, marks)
	}
	return texts
}

// marked returns the text of an entry with its mark, or with a blank if marks is set.
func marked(text string, e compare.Entry, marks bool) string {
	switch {
	case e.Best:
		return text + " *"
	case e.Tied:
		return text + " ~"
	case e.Inconclusive:
		return text + " ^"
	case e.Apart:
		return text + " !"
	case marks:
		return text + "  "
	}
	return text
}
