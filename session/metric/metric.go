// Package metric is the catalogue of the numbers by which runs are known: how each
// is called, written and read, and which of its values are better. Lists, tables,
// queries, comparisons and JSON take them from here, so that a number has one name
// wherever it stands.
package metric

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/datasets/task"
	"dgplab/session/rundir"
)

// Metric is a number that a run may have.
type Metric struct {
	// Key is what queries, command lines and JSON call it, Also what they called it
	// before, which is still understood.
	Key  string
	Also []string
	// Name is what people call it, Short the same in headings and beside a value.
	Name, Short string
	// Unit is "" for a score in the units of the data, and for what has none.
	Unit string
	// Note is what more there is to know, half a sentence.
	Note string
	// Better says which of its values are; Nominal is the best where they are those
	// Nearest to it.
	Better  Sense
	Nominal float64
	// Within says between which runs values mean the same.
	Within Scope
	Format Format

	tasks []task.Task // nil for all
	read  func(*Source) (value float64, ok bool)
	// score reads a score on the test part, of all outputs or of one; nil for others.
	score func(*rundir.Metrics) *float64
}

// Sense is which values of a metric are better.
type Sense int

const (
	Neither Sense = iota
	Higher
	Lower
	Nearest
)

// Scope is where values of a metric can be compared.
type Scope int

const (
	Anywhere      Scope = iota
	SameData            // runs that saw the same data
	SameObjective       // these, if what they maximise means the same as well
)

// Format is how values of a metric are written.
type Format int

const (
	Compact Format = iota // at most four significant digits
	Score                 // four decimals, so that columns line up
	Share                 // from 0 to 1, in percent
	Count                 // whole
	Time                  // seconds, as minutes and hours too
)

// All returns the catalogue, the scores on the test part first.
func All() []Metric { return slices.Clone(catalogue) }

// Scores returns the metrics of the test part.
func Scores() []Metric { return slices.Clone(scores) }

// Ranked returns the metrics by which methods are compared: all of which some
// values are better.
func Ranked() []Metric {
	return slices.DeleteFunc(All(), func(m Metric) bool { return m.Better == Neither })
}

// Keys are the keys of metrics.
func Keys(list []Metric) []string {
	keys := make([]string, len(list))
	for i, m := range list {
		keys[i] = m.Key
	}
	return keys
}

// Find returns the metric of a key, in any case, or of what it was called before. A key
// followed by a point and the name of an output is that score of the output; see OfOutput.
func Find(key string) (Metric, bool) {
	for _, m := range catalogue {
		if strings.EqualFold(m.Key, key) ||
			slices.ContainsFunc(m.Also, func(old string) bool { return strings.EqualFold(old, key) }) {
			return m, true
		}
	}
	of, output, found := strings.Cut(strings.TrimPrefix(key, "test."), ".")
	if !found {
		return Metric{}, false
	}
	m, ok := Find(of)
	if !ok {
		return m, false
	}
	return m.OfOutput(output)
}

// Get returns the metric of a key. It panics if there is none.
func Get(key string) Metric {
	m, ok := Find(key)
	if !ok {
		panic("metric: there is no " + key)
	}
	return m
}

// In returns the metric as it is of a run: an objective has its own name, and where it is
// that of present samples none is better; validation is that of the last average then.
func (m Metric) In(s Source) Metric {
	if m.Key == bestValidation && s.Is.Sampled() {
		m.Name = "last validation log-likelihood"
	}
	if s.Is.Name == "" {
		return m
	}
	switch m.Key {
	case evaluation:
		m.Name, m.Short = s.Is.Name+" over all points", s.Is.Name+", all points"
		return m
	case objective:
	default:
		return m
	}
	if s.Is.Sampled() {
		m.Better = Neither
	}
	m.Name, m.Short = s.Is.Name, s.Is.Name
	if s.Is.Noisy {
		m.Note = "estimated " + m.Note
	}
	return m
}

// Among returns the metric as it is of several runs. Of those that maximise what
// does not mean the same, or of different data, no objective is better.
func (m Metric) Among(runs []Source) Metric {
	if m.Within != SameObjective {
		return m
	}
	var known []Source
	for _, s := range runs {
		if s.Is.Name != "" {
			known = append(known, s)
		}
	}
	for _, s := range known {
		if !s.Is.Same(known[0].Is) || s.Uses != known[0].Uses {
			m.Better = Neither
			return m
		}
	}
	if len(known) == 0 {
		return m
	}
	return m.In(known[0])
}

// Title is the name with the unit.
func (m Metric) Title() string {
	if m.Unit == "" {
		return m.Name
	}
	return m.Name + " (" + m.Unit + ")"
}

// Sense says in words which values are better.
func (m Metric) Sense() string {
	switch m.Better {
	case Higher:
		return "higher is better"
	case Lower:
		return "lower is better"
	case Nearest:
		return fmt.Sprintf("best near %g", m.Nominal)
	}
	return ""
}

// Applies says whether runs of a task can have the metric.
func (m Metric) Applies(task task.Task) bool {
	return m.tasks == nil || slices.Contains(m.tasks, task)
}

// Of returns the value of a run; false if it has none.
func (m Metric) Of(s Source) (float64, bool) { return m.read(&s) }

// Goodness returns a number that is higher for better values.
func (m Metric) Goodness(value float64) float64 {
	switch m.Better {
	case Nearest:
		return -math.Abs(value - m.Nominal)
	case Lower:
		return -value
	}
	return value
}
