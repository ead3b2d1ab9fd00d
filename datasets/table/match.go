package table

import (
	"fmt"
	"slices"

	"dgplab/datasets/wording"
)

// Layout describes the columns of a file and the rules for reading its cells.
type Layout struct {
	columns         []Column // in the order of the file
	plan            *plan
	named           bool     // the file has a header
	inputs, targets []int    // column indices from 0
	kept            []string // see Keeping
}

// Layout returns the layout of the table.
func (t *Table) Layout(d *Use) Layout {
	return Layout{
		named:   t.header != nil,
		columns: d.Columns,
		plan:    t.plan,
		inputs:  d.Inputs,
		targets: d.Targets,
	}
}

// names returns the names of all columns.
func (l Layout) names() []string {
	list := make([]string, len(l.columns))
	for c := range l.columns {
		list[c] = l.columns[c].Name
	}
	return list
}

// OrderedLayout returns the layout of a file with inputs followed by targets.
func OrderedLayout(inputs, targets []string) Layout {
	l := Layout{named: true}
	for c, name := range slices.Concat(inputs, targets) {
		column := Column{Name: name, Index: c}
		if c < len(inputs) {
			l.inputs = append(l.inputs, c)
		} else {
			column.Role = Target
			l.targets = append(l.targets, c)
		}
		l.columns = append(l.columns, column)
	}
	l.plan = &plan{strict: true, notation: PlainNotation, readings: make([]reading, len(l.columns))}
	return l
}

// WithTargets returns the layout with only the targets at the given positions in its list. A layout
// without targets is returned unchanged.
func (l Layout) WithTargets(positions []int) Layout {
	if l.targets == nil {
		return l
	}
	targets := make([]int, len(positions))
	for k, position := range positions {
		targets[k] = l.targets[position]
	}
	l.targets = targets
	return l
}

// match locates the columns of a data set in the rows of a table.
type match struct {
	width           int
	names           []string // names in the table, or nil without a header
	inputs, targets []int    // column indices from 0
	noise           int      // column index of the known noise
}

// Absent is the column index of a target or a known noise that a table lacks.
const Absent = -1

// match locates the columns of a table with a number of columns and with names, which are nil without a
// header.
func (l Layout) match(file string, names []string, width, line int) (match, error) {
	m := match{width: width, names: names, noise: Absent}
	if names != nil && l.named && !slices.Equal(names, l.names()) {
		return m, l.byName(&m, file, line)
	}
	return m, l.byOrder(&m, file, line)
}

// byName locates the columns by name.
func (l Layout) byName(m *match, file string, line int) error {
	at, names := map[string]int{}, l.names()
	for c, name := range m.names {
		own := IndexOf(names, name)
		if own >= 0 {
			name = names[own]
		}
		problem := &Error{File: file, Line: line, Column: c + 1, Name: name}
		if _, twice := at[name]; twice {
			problem.Problem = "two columns have this name"
			return problem
		}
		if own < 0 && slices.Contains(l.kept, name) {
			continue
		}
		if own < 0 {
			problem.Problem = "the data of the model have no such column" +
				wording.DidYouMeanOr(name, names, "the columns are "+ShortList(names))
			return problem
		}
		at[name] = c
	}
	for _, input := range l.inputs {
		c, found := at[names[input]]
		if !found {
			return &Error{
				File: file,
				Line: line,
				Problem: fmt.Sprintf("the table lacks column %s, an input of the model",
					Excerpt(names[input])),
			}
		}
		m.inputs = append(m.inputs, c)
	}
	for _, target := range l.targets {
		c, found := at[names[target]]
		if !found {
			c = Absent
		}
		m.targets = append(m.targets, c)
	}
	if noise := knownColumn(l.columns, KnownNoise); noise != nil {
		c, found := at[noise.Name]
		if found {
			m.noise = c
		}
	}
	return nil
}

// byOrder locates the columns by order. The table has all columns of the layout, or lacks the
// ignored columns, the targets or both.
func (l Layout) byOrder(m *match, file string, line int) error {
	var fits [][]int
	for _, columns := range [][]int{l.selection(true, true), l.selection(false, false),
		l.selection(true, false), l.selection(false, true)} {
		if len(columns) == m.width &&
			!slices.ContainsFunc(fits, func(other []int) bool { return slices.Equal(other, columns) }) {
			fits = append(fits, columns)
		}
	}
	switch len(fits) {
	case 0:
		return &Error{File: file, Line: line,
			Problem: fmt.Sprintf("the row has %s; want the %s of the model's data (%s), or only its %s",
				Plural(m.width, "cell"), Plural(len(l.columns), "column"), ShortList(l.names()),
				Plural(len(l.inputs), "input"))}
	case 1:
	default:
		return &Error{File: file, Line: line,
			Problem: fmt.Sprintf("the row has %s, which match the model's columns (%s) in several ways; "+
				"add a header with their names",
				Plural(m.width, "cell"), ShortList(l.names()))}
	}
	for _, input := range l.inputs {
		m.inputs = append(m.inputs, slices.Index(fits[0], input))
	}
	for _, target := range l.targets {
		m.targets = append(m.targets, slices.Index(fits[0], target)) // absent if the target is missing
	}
	if noise := knownColumn(l.columns, KnownNoise); noise != nil {
		m.noise = slices.Index(fits[0], noise.Index)
	}
	return nil
}

// selection returns the inputs, optionally with the targets and the ignored columns, in the order
// of the file.
func (l Layout) selection(targets, ignored bool) (list []int) {
	for c := range l.columns {
		isTarget := slices.Contains(l.targets, c)
		isInput := slices.Contains(l.inputs, c)
		if isInput || isTarget && targets || !isInput && !isTarget && ignored {
			list = append(list, c)
		}
	}
	return list
}
