package columns

import (
	"fmt"
	"strings"
)

// Table is what a file holds and what is made of it: the page that people look at before
// training.
type Table struct {
	Columns []Column `json:"columns"`
	// Rows are those of the file; Dropped of these are left out because an input is missing.
	Rows    int `json:"rows"`
	Dropped int `json:"dropped,omitempty"`
	// D and P count the inputs and the targets that the columns make, and Task says what the
	// targets are, "" while a question is open.
	D    int    `json:"d"`
	P    int    `json:"p"`
	Task string `json:"task,omitempty"`
	// Delimiter separates cells: a comma, a semicolon, a bar, a tab or a blank.
	Delimiter string `json:"delimiter"`
	// Notes say how the file is read, and Warnings what whoever trains on it should know.
	Notes    []Note `json:"notes,omitempty"`
	Warnings []Note `json:"warnings,omitempty"`
	// Trouble is what keeps the table from being used, nil if nothing does.
	Trouble error `json:"-"`
}

// N returns the rows that are left.
func (t *Table) N() int { return t.Rows - t.Dropped }

// Questions returns those that are open.
func (t *Table) Questions() (list []*Question) {
	for i := range t.Columns {
		if q := t.Columns[i].Question; q != nil {
			list = append(list, q)
		}
	}
	return list
}

// Summary says in one line what is made of the file, what is lost first: "12 rows of 400
// dropped for missing cells; 9 columns: 6 numbers, 1 category of 3 levels, 1 date, 1 ignored". It
// is "" for a plain table, whose columns are all numbers and used.
func (t *Table) Summary() string {
	parts, plain := t.kinds()
	if plain && t.Dropped == 0 {
		return ""
	}
	text := plural(len(t.Columns), "column") + ": " + strings.Join(parts, ", ")
	if t.Dropped > 0 {
		text = fmt.Sprintf("%s of %d dropped for missing cells; %s", plural(t.Dropped, "row"), t.Rows, text)
	}
	return text
}

// kinds counts the columns of each kind, and says whether all are numbers.
func (t *Table) kinds() (parts []string, plain bool) {
	var count [Text + 1]int
	var levels, units, ignored []string
	logs := 0
	for _, c := range t.Columns {
		switch {
		case c.Role == Ignored:
			ignored = append(ignored, c.Name)
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
		text := plural(n, Kind(k).String())
		switch {
		case n == 0:
			continue
		case Kind(k) == Category && n == 1 && levels[0] == "1":
			text += " of 1 level"
		case Kind(k) == Category:
			text += " of " + few(levels, " and ") + " levels"
		case Kind(k) == Date:
			text += " in " + strings.Join(unique(units), " and in ")
		}
		parts = append(parts, text)
	}
	if logs > 0 {
		parts = append(parts, plural(logs, "logarithm"))
	}
	if len(ignored) > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored (%s)", len(ignored), few(ignored, ", ")))
	}
	return parts, count[Number] == len(t.Columns) && logs == 0
}

// few joins the first words by commas, the last two by another text if they are all.
func few(words []string, last string) string {
	const most = 6
	if len(words) > most {
		return strings.Join(words[:most], ", ") + ", ..."
	}
	return joined(words, last)
}

// unique returns the texts, each once.
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
