// Package metric is the catalogue of the metrics of a run. It defines how each metric is named,
// formatted and read, and which values are better. Lists, tables, queries, comparisons and JSON all
// use this catalogue, so every metric has one name throughout the program.
package metric

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/datasets/task"
	"dgplab/session/rundir"
)

// Metric describes one number that a run may have.
type Metric struct {
	// Key is the name in queries, on command lines and in JSON. Also lists former names, which are
	// still accepted.
	Key  string
	Also []string
	// Name is the full name on screen. Short is used in headings and next to values.
	Name, Short string
	// Unit is "" for scores in the units of the data and for dimensionless metrics.
	Unit string
	// Note holds additional detail, as half a sentence.
	Note string
	// Better states which values are better. Nominal is the ideal value if Better is Nearest.
	Better  Sense
	Nominal float64
	// Within states between which runs the values can be compared.
	Within Scope
	Format Format

	tasks []task.Task // nil for all
	read  func(*Source) (value float64, ok bool)
	// score reads the metric from the test scores of all outputs or of one. It is nil for metrics
	// that are not test scores.
	score func(*rundir.Metrics) *float64
}

// Sense states which values of a metric are better.
type Sense int

const (
	Neither Sense = iota
	Higher
	Lower
	Nearest
)

// Scope states between which runs a metric can be compared.
type Scope int

const (
	Anywhere      Scope = iota
	SameData            // runs with the same data
	SameObjective       // runs with the same data and comparable objectives
)

// Format states how values of a metric are written.
type Format int

const (
	Compact Format = iota // at most four significant digits
	Score                 // four decimals
	Share                 // percentage of a value from 0 to 1
	Count                 // integer
	Time                  // seconds, also written as minutes and hours
)

// All returns the catalogue, with the test scores first.
func All() []Metric { return slices.Clone(catalogue) }

// Scores returns the test scores.
func Scores() []Metric { return slices.Clone(scores) }

// Ranked returns the metrics that can rank methods, which excludes metrics without a better
// direction.
func Ranked() []Metric {
	return slices.DeleteFunc(All(), func(m Metric) bool { return m.Better == Neither })
}

// Keys returns the keys of a list of metrics.
func Keys(list []Metric) []string {
	keys := make([]string, len(list))
	for i, m := range list {
		keys[i] = m.Key
	}
	return keys
}

// Find returns the metric with a current or former key, ignoring case. A key followed by a dot and
// the name of an output selects that output; see OfOutput.
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

// Get returns the metric with the given key. It panics if there is none.
func Get(key string) Metric {
	m, ok := Find(key)
	if !ok {
		panic("metric: unknown key " + key)
	}
	return m
}

// In returns the metric as it applies to a run. The objective takes the name that the family gives
// it. If a sampler reports the objective of its current samples, no value is better, and the
// validation score is the latest average.
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

// Among returns the metric as it applies to several runs. If their objectives are not comparable,
// or they use different data, no value of an objective is better.
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
		if !s.Is.Comparable(known[0].Is) || s.Uses != known[0].Uses {
			m.Better = Neither
			return m
		}
	}
	if len(known) == 0 {
		return m
	}
	return m.In(known[0])
}

// Title returns the name with the unit.
func (m Metric) Title() string {
	if m.Unit == "" {
		return m.Name
	}
	return m.Name + " (" + m.Unit + ")"
}

// Sense describes in words which values are better.
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

// Applies reports whether runs of a task can have the metric.
func (m Metric) Applies(task task.Task) bool {
	return m.tasks == nil || slices.Contains(m.tasks, task)
}

// Of returns the value of a run. It returns false if the run has none.
func (m Metric) Of(s Source) (float64, bool) { return m.read(&s) }

// Goodness maps value to a number that is higher for better values.
func (m Metric) Goodness(value float64) float64 {
	switch m.Better {
	case Nearest:
		return -math.Abs(value - m.Nominal)
	case Lower:
		return -value
	}
	return value
}
