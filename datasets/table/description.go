package table

import (
	"fmt"
	"strings"
)

// Description describes a file and its use as a data set, for users to review before training.
type Description struct {
	Columns []Column `json:"columns"`
	// Rows is the number of rows in the file. Dropped is the number of rows omitted because of a
	// missing input.
	Rows    int `json:"rows"`
	Dropped int `json:"dropped,omitempty"`
	// D and P are the numbers of inputs and targets. Task is the task of the targets, or "" while a
	// question is open.
	D    int    `json:"d"`
	P    int    `json:"p"`
	Task string `json:"task,omitempty"`
	// Format is "a Parquet file" or "an Excel workbook", or "" for a text.
	Format string `json:"format,omitempty"`
	// Delimiter is the delimiter of the cells: a comma, a semicolon, a bar, a tab or a blank. It is "" if the
	// file is no text.
	Delimiter string `json:"delimiter"`
	// Notes describe the reading of the file. Warnings concern its use for training.
	Notes    []Note `json:"notes,omitempty"`
	Warnings []Note `json:"warnings,omitempty"`
	// Err is the error that prevents the use of the table, or nil.
	Err error `json:"-"`
}

// N returns the number of rows that are not dropped.
func (t *Description) N() int { return t.Rows - t.Dropped }

// Questions returns the open questions.
func (t *Description) Questions() (list []*Question) {
	for i := range t.Columns {
		if q := t.Columns[i].Question; q != nil {
			list = append(list, q)
		}
	}
	return list
}

// Summary describes the use of the file in one line, starting with dropped rows: "12 rows of 400
// dropped for missing cells; 9 columns: 6 numbers, 1 category of 3 levels, 1 date, 1 ignored". It
// is "" if all columns are numbers and all are used.
func (t *Description) Summary() string {
	parts, plain := t.kinds()
	if plain && t.Dropped == 0 {
		return ""
	}
	text := Plural(len(t.Columns), "column") + ": " + strings.Join(parts, ", ")
	if t.Dropped > 0 {
		text = fmt.Sprintf("%s of %d dropped for missing cells; %s", Plural(t.Dropped, "row"), t.Rows, text)
	}
	return text
}

// kinds counts the columns of each kind, and reports whether all are numbers.
func (t *Description) kinds() (parts []string, plain bool) {
	var count [Text + 1]int
	var levels, units, ignored, known []string
	logs := 0
	for _, c := range t.Columns {
		switch {
		case c.Role == Ignored:
			ignored = append(ignored, c.Name)
			continue
		case c.Role == KnownNoise || c.Role == Weight:
			known = append(known, c.Role.String())
			continue
		case c.Kind == Category:
			levels = append(levels, fmt.Sprint(len(c.Levels)))
		case c.Kind == Date:
			units = append(units, c.Unit)
		}
		count[c.Kind]++
		if c.Log {
			logs++
		}
	}
	for k, n := range count {
		text := Plural(n, Kind(k).String())
		switch {
		case n == 0:
			continue
		case Kind(k) == Category && n == 1 && levels[0] == "1":
			text += " of 1 level"
		case Kind(k) == Category:
			text += " of " + shortened(levels, " and ") + " levels"
		case Kind(k) == Date:
			text += " in " + strings.Join(unique(units), " and in ")
		}
		parts = append(parts, text)
	}
	if logs > 0 {
		parts = append(parts, Plural(logs, "logarithm"))
	}
	parts = append(parts, known...)
	if len(ignored) > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored (%s)", len(ignored), shortened(ignored, ", ")))
	}
	return parts, count[Number] == len(t.Columns) && logs == 0
}

// shortened joins the first words with commas. If there are no more words, it joins the last two
// with last.
func shortened(words []string, last string) string {
	const most = 6
	if len(words) > most {
		return strings.Join(words[:most], ", ") + ", ..."
	}
	return joined(words, last)
}

// unique returns the strings without duplicates.
func unique(list []string) (once []string) {
	seen := map[string]bool{}
	for _, text := range list {
		if !seen[text] {
			seen[text] = true
			once = append(once, text)
		}
	}
	return once
}
