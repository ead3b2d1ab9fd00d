// Package query filters and sorts runs by the columns of package metric, which queries call fields.
// It implements the small language used by the filter line of the run browser and by `dgplab runs`.
//
// A query is a list of terms separated by blanks. A run must satisfy all of them. Several lists can be joined
// by the word "or"; a run must then satisfy all terms of one list.
//
//	word           the ID, name, data set, family, sweep, a tag or the note contains the word
//	"two words"    the same for quoted text; \" and \\ stand for " and \
//	field:value    the field contains the value
//	field=value    the field equals the value; != negates
//	field<value    comparison of numbers, durations and dates; also <=, > and >=
//	field:a,b      any of several values, for :, = and !=; quote a value that contains a comma
//	-term, !term   negation
//	terms or terms alternatives; or binds less tightly than the blanks between terms
//
// Case is ignored. A value with * (any characters) or ? (one character) matches the whole text. field:*
// matches runs that have the field, and field="" matches runs that do not. Values may be quoted. Numbers may
// end in k or M; for numbers,: is the same as =. Durations are given in seconds or as 90s, 10m, 1h30m. Dates
// are 2026, 2026-11, 2026-11-21, 2026-11-21T14, T14:05 or T14:05:30 in local time, today or yesterday. A date
// covers its whole period: created>2026-11-21 starts on the next day.
//
// Comparisons with a missing value, such as the test score of a run in training, are false. Their negations
// with != or - are true.
package query

import (
	"fmt"
	"slices"

	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Query is a parsed filter. The zero value matches every run. A Query is safe for concurrent use.
type Query struct {
	alternatives [][]condition // A run must satisfy all conditions of one alternative.
}

// condition reports whether a run satisfies a term.
type condition func(metric.Run) bool

// Match reports whether a run satisfies all terms of an alternative.
func (q Query) Match(run metric.Run) bool {
	if len(q.alternatives) == 0 {
		return true
	}
	return slices.ContainsFunc(q.alternatives, func(terms []condition) bool {
		return !slices.ContainsFunc(terms, func(holds condition) bool { return !holds(run) })
	})
}

// Filter returns the matching runs in their original order.
func (q Query) Filter(runs []rundir.Info) []rundir.Info {
	var matching []int
	for i := range runs {
		if q.Match(metric.OfInfo(&runs[i])) {
			matching = append(matching, i)
		}
	}
	list := make([]rundir.Info, len(matching))
	for k, i := range matching {
		list[k] = runs[i]
	}
	return list
}

// Error describes a problem in a query, in one line.
type Error struct {
	// Column is the position in characters, starting at 1. It is 0 for errors in a sort key.
	Column  int
	Message string
	// Unknown is the name of an unknown field, or "" for other errors.
	Unknown string
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return e.Message
	}
	return fmt.Sprintf("%s, at character %d", e.Message, e.Column)
}
