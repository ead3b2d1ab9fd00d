// Package metric is the catalogue of the columns of runs: properties, metrics and hyperparameters. It defines
// how each column is named, read and formatted, and which values are better. Lists, tables, queries,
// comparisons and JSON all use this catalogue, so that every column has one name throughout the program. They
// read runs through the view Run.
package metric

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Column describes one value that a run may have. A metric is a column of measured numbers.
type Column struct {
	// Key is the name in queries, on command lines and in JSON. Aliases are other names that users
	// may type.
	Key     string
	Aliases []string
	// Name is the full name on screen. Short is used in headings and next to values.
	Name, Short string
	// Unit is "" for scores in the units of the data and for columns without units.
	Unit string
	// Note is a phrase with additional detail.
	Note string
	// Better is the direction of better values. Nominal is the ideal value if Better is Nearest.
	Better  Sense
	Nominal float64
	// Within is the scope in which the values of runs can be compared.
	Within Scope
	Format Format
	// Hyperparameter is nil unless the column holds the values of a hyperparameter.
	Hyperparameter *family.Hyperparameter

	tasks []task.Task // nil for all
	// read is nil for columns of strings.
	read func(Run) (value float64, ok bool)
	// score reads the metric from the test scores of one output or of all outputs. It is nil for columns that
	// are not test scores.
	score func(*rundir.Metrics) *rundir.Number
	// text returns "" if the run has no value. It is nil for numbers.
	text func(Run) string
	// cell returns the text shown in tables. It is nil if tables show the result of text.
	cell func(Run) string
	// each calls visit with each string that a query can match, until visit returns true. It is nil if the
	// result of text is the only one.
	each func(r Run, visit func(text string) bool) bool
}

// Sense is the direction in which the values of a metric are better.
type Sense int

const (
	Neither Sense = iota
	Higher
	Lower
	Nearest
)

// Scope describes the runs among which a metric can be compared.
type Scope int

const (
	Anywhere      Scope = iota
	SameData            // runs with the same data
	SameObjective       // runs with the same data and comparable objectives
)

// Format is the notation of the values of a metric.
type Format int

const (
	Compact  Format = iota // at most four significant digits
	Score                  // four significant digits, at most four decimals
	Share                  // percentage of a value from 0 to 1
	Count                  // integer
	Progress               // integer, with the limit of steps
	Time                   // seconds, also written as minutes and hours
	Date                   // seconds since 1970
	Text                   // not a number
)

// Columns returns the catalogue: properties, metrics, and the hyperparameters of all families and of
// training.
func Columns() []Column { return slices.Clone(columns) }

// All returns the metrics, with the test scores first.
func All() []Column { return slices.Clone(metrics) }

// Scores returns the test scores.
func Scores() []Column { return slices.Clone(scores) }

// Ranked returns the metrics that can rank methods: all metrics with a better direction.
func Ranked() []Column {
	return slices.DeleteFunc(All(), func(c Column) bool { return c.Better == Neither })
}

// Keys returns the keys of a list of columns.
func Keys(list []Column) []string {
	keys := make([]string, len(list))
	for i, c := range list {
		keys[i] = c.Key
	}
	return keys
}

// Find returns the metric with a key or alias, ignoring case. A key followed by a dot and
// the name of an output selects that output; see OfOutput.
func Find(key string) (Column, bool) {
	if c, ok := find(metrics, key); ok {
		return c, true
	}
	of, output, found := strings.Cut(strings.TrimPrefix(key, "test."), ".")
	if !found {
		return Column{}, false
	}
	c, ok := Find(of)
	if !ok {
		return c, false
	}
	return c.OfOutput(output)
}

// FindColumn is Find for all columns.
func FindColumn(key string) (Column, bool) {
	if c, ok := find(columns, key); ok {
		return c, true
	}
	return Find(key)
}

// find returns the column of a list with the given key, ignoring case. Keys take precedence over
// aliases.
func find(list []Column, key string) (Column, bool) {
	for i := range list {
		if strings.EqualFold(list[i].Key, key) {
			return list[i], true
		}
	}
	for i := range list {
		for _, alias := range list[i].Aliases {
			if strings.EqualFold(alias, key) {
				return list[i], true
			}
		}
	}
	return Column{}, false
}

// Get returns the column with the given key. It panics if there is none.
func Get(key string) Column {
	c, ok := FindColumn(key)
	if !ok {
		panic("metric: unknown key " + key)
	}
	return c
}

// In returns the metric as it applies to a run. The objective gets its name from the family. If a sampler
// reports the objective of its current samples, no value is better, and the validation score is the latest
// average.
func (c Column) In(r Run) Column {
	is := r.Objective()
	if c.Key == bestValidation && is.Sampled() {
		c.Name = "last validation log-likelihood"
	}
	if is.Name == "" {
		return c
	}
	switch c.Key {
	case evaluation:
		c.Name, c.Short = is.Name+" over all points", is.Name+", all points"
		return c
	case objective:
	default:
		return c
	}
	if is.Sampled() {
		c.Better = Neither
	}
	c.Name, c.Short = is.Name, is.Name
	if is.Noisy {
		c.Note = "estimated " + c.Note
	}
	return c
}

// Among returns the metric as it applies to several runs. No value of an objective is better if the
// objectives are not comparable or the runs use different data.
func (c Column) Among(runs []Run) Column {
	if c.Within != SameObjective {
		return c
	}
	var known []Run
	for _, r := range runs {
		if r.Objective().Name != "" {
			known = append(known, r)
		}
	}
	if len(known) == 0 {
		return c
	}
	first := known[0].results
	for _, r := range known {
		if !r.Objective().Comparable(first.ObjectiveIs) || r.results.Data.Uses != first.Data.Uses {
			c.Better = Neither
			return c
		}
	}
	return c.In(known[0])
}

// Title returns the name with the unit.
func (c Column) Title() string {
	if c.Unit == "" {
		return c.Name
	}
	return c.Name + " (" + c.Unit + ")"
}

// Sense returns the direction of better values in words.
func (c Column) Sense() string {
	switch c.Better {
	case Higher:
		return "higher is better"
	case Lower:
		return "lower is better"
	case Nearest:
		return fmt.Sprintf("best near %g", c.Nominal)
	}
	return ""
}

// Applies reports whether runs of a task can have the metric.
func (c Column) Applies(task task.Task) bool {
	return c.tasks == nil || slices.Contains(c.tasks, task)
}

// IsNumber reports whether the values are numbers, which tables align on the right.
func (c Column) IsNumber() bool { return c.Format != Text }

// LargestFirst reports whether a list sorted by the column starts with the largest values. These are the best
// values, the latest dates, the longest times or the highest steps.
func (c Column) LargestFirst() bool {
	return c.Better == Higher || c.Format == Time || c.Format == Date || c.Format == Progress
}

// Of returns the value of a run. It returns false if the run has none, and for columns of strings.
func (c Column) Of(r Run) (float64, bool) {
	if c.read == nil {
		return math.NaN(), false
	}
	return c.read(r)
}

// Text returns the string of a run. It returns "" if the run has none, and for columns of numbers.
func (c Column) Text(r Run) string {
	if c.text == nil {
		return ""
	}
	return c.text(r)
}

// Cell is Text for a table, where the string may be shortened or extended.
func (c Column) Cell(r Run) string {
	if c.cell == nil {
		return c.Text(r)
	}
	return c.cell(r)
}

// Matches reports whether a run has a string for which matches returns true.
func (c Column) Matches(r Run, matches func(text string) bool) bool {
	if c.each != nil {
		return c.each(r, matches)
	}
	text := c.Text(r)
	return text != "" && matches(text)
}

// Has reports whether the run has a value.
func (c Column) Has(r Run) bool {
	if c.read != nil {
		x, ok := c.read(r)
		return ok && !math.IsNaN(x)
	}
	return c.Matches(r, func(string) bool { return true })
}

// Goodness maps value to a number that is higher for better values.
func (c Column) Goodness(value float64) float64 {
	switch c.Better {
	case Nearest:
		return -math.Abs(value - c.Nominal)
	case Lower:
		return -value
	}
	return value
}
