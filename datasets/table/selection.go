package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/wording"
)

// allNames returns the names of the columns, which are x1, x2, ... if there is no header.
func (t *Table) allNames() []string {
	if t.header != nil {
		return t.header
	}
	names := make([]string, t.Width)
	for c := range names {
		names[c] = "x" + strconv.Itoa(c+1)
	}
	return names
}

// Names returns the names of the given columns.
func (t *Table) Names(columns []int) []string {
	all := t.allNames()
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = all[c]
	}
	return list
}

// targets returns the columns named by words; see datasets.ReadCSV.
func (t *Table) targets(words []string) ([]int, error) {
	var columns []int
	for _, word := range words {
		c, err := t.column(strings.TrimSpace(word), "target column")
		if err != nil {
			return nil, err
		}
		if slices.Contains(columns, c) {
			return nil, &Error{
				File:    t.Name,
				Column:  c + 1,
				Problem: fmt.Sprintf("target %q is named twice", word),
			}
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// column returns the column named by word. what describes the column in errors.
func (t *Table) column(word, what string) (int, error) {
	found := -1
	for c, name := range t.allNames() {
		if name != word {
			continue
		}
		if found >= 0 {
			noun := strings.TrimSuffix(what, " column")
			return 0, &Error{File: t.Name, Column: c + 1, Name: name,
				Problem: fmt.Sprintf("two columns have this name; give the index of the %s, %d or %d",
					noun, found, c)}
		}
		found = c
	}
	if found >= 0 {
		return found, nil
	}
	if c, err := strconv.Atoi(word); err == nil {
		if c < -t.Width || c >= t.Width {
			return 0, &Error{
				File: t.Name,
				Problem: fmt.Sprintf("no %s %d; valid indices are 0 to %d, or -1 to -%d",
					what, c, t.Width-1, t.Width),
			}
		}
		return (c + t.Width) % t.Width, nil
	}
	if t.header == nil {
		return 0, &Error{
			File: t.Name,
			Problem: fmt.Sprintf("no %s %s: the file has no header; use an index from 0 to %d",
				what, Excerpt(word), t.Width-1),
		}
	}
	hint := wording.DidYouMeanOr(word, t.header, "the columns are "+ShortList(t.header))
	return 0, &Error{File: t.Name, Problem: "no " + what + " " + Excerpt(word) + hint}
}
