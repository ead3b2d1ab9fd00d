package datasets

import (
	"fmt"
	"slices"
)

// layout is how the columns of a file lie.
type layout struct {
	names           []string // of all columns, in the order of the file
	named           bool     // by a header
	inputs, targets []int    // columns from 0
}

// ordered returns the layout of a file that has inputs, then targets.
func ordered(inputs, targets []string) layout {
	l := layout{names: slices.Concat(inputs, targets), named: true}
	for c := range l.names {
		if c < len(inputs) {
			l.inputs = append(l.inputs, c)
		} else {
			l.targets = append(l.targets, c)
		}
	}
	return l
}

// match says where in the rows of a table the columns of a data set are.
type match struct {
	width           int
	names           []string // of the table, nil if it has none
	inputs, targets []int    // columns from 0
}

// absent is the column of a target that a table lacks.
const absent = -1

// match finds the columns in the first row of a table, which is its header if it looks
// like one.
func (l layout) match(file string, cells []string, line int) (match, error) {
	m := match{width: len(cells)}
	if isHeader(cells) {
		m.names = headerNames(cells)
		if l.named && !slices.Equal(m.names, l.names) {
			return m, l.byName(&m, file, line)
		}
	}
	return m, l.byOrder(&m, file, line)
}

// byName finds the columns by their names.
func (l layout) byName(m *match, file string, line int) error {
	at := map[string]int{}
	for c, name := range m.names {
		place := &CSVError{File: file, Line: line, Column: c + 1, Name: name}
		if _, twice := at[name]; twice {
			place.Problem = "two columns have this name"
			return place
		}
		if !slices.Contains(l.names, name) {
			place.Problem = "the data of the model have no such column; there are " + shortList(l.names)
			return place
		}
		at[name] = c
	}
	for _, input := range l.inputs {
		c, found := at[l.names[input]]
		if !found {
			return &CSVError{File: file, Line: line, Problem: fmt.Sprintf("there is no column %s, an input of the model", excerpt(l.names[input]))}
		}
		m.inputs = append(m.inputs, c)
	}
	for _, target := range l.targets {
		c, found := at[l.names[target]]
		if !found {
			c = absent
		}
		m.targets = append(m.targets, c)
	}
	return nil
}

// byOrder finds the columns by their order: all of them, or the inputs alone.
func (l layout) byOrder(m *match, file string, line int) error {
	switch m.width {
	case len(l.names):
		m.inputs, m.targets = l.inputs, l.targets
	case len(l.inputs):
		for c := range l.inputs {
			m.inputs = append(m.inputs, c)
		}
		for range l.targets {
			m.targets = append(m.targets, absent)
		}
	default:
		return &CSVError{File: file, Line: line, Problem: fmt.Sprintf("the row has %s; want the %s of the model's data (%s), or its %s alone",
			count(m.width, "cell"), count(len(l.names), "column"), shortList(l.names), count(len(l.inputs), "input"))}
	}
	return nil
}
