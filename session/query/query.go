// Package query picks and orders runs by what is known of them: the small
// language of the filter line of the run browser and of `dgplab runs`.
//
// A query is terms separated by blanks; a run must satisfy all of them.
//
//	word           the word is in the ID, name, data set, family, a tag or the note
//	"two words"    the same, taken literally; \" and \\ stand for " and \
//	field:value    the field contains the value
//	field=value    the field is the value; != is the opposite
//	field<value    so are <=, > and >=, for numbers, durations and dates
//	-term, !term   what does not satisfy the term
//
// Letter case does not matter. A value with * (any characters) or ? (one
// character) describes the whole text, and field:* asks whether there is one at all. Values
// may be quoted; field="" asks that there be none. Numbers may end in k or M. For
// numbers : is the same as =. Durations are seconds, or 90s, 10m, 1h30m. Dates are 2026,
// 2026-11, 2026-11-21, 2026-11-21T14, T14:05 or T14:05:30, local time, today or yesterday; each
// means the whole of that time: created>2026-11-21 begins on the next day.
//
// A comparison with what a run does not have (the test scores of one that is still
// running) does not hold; its opposite, with != or -, does.
package query

import (
	"fmt"
	"slices"

	"dgplab/session/rundir"
)

// Query is a parsed filter. The zero value matches every run. It may be used by
// several goroutines.
type Query struct{ terms []condition }

// condition is what a run must satisfy.
type condition func(*rundir.Info) bool

// Match reports whether a run satisfies all terms.
func (q Query) Match(run rundir.Info) bool {
	return !slices.ContainsFunc(q.terms, func(holds condition) bool { return !holds(&run) })
}

// Filter returns the runs that match, in their order.
func (q Query) Filter(runs []rundir.Info) []rundir.Info {
	var list []rundir.Info
	for _, run := range runs {
		if q.Match(run) {
			list = append(list, run)
		}
	}
	return list
}

// Error is what is wrong with a query, in one line.
type Error struct {
	// Column is where, counted in characters from 1; 0 in the key of Sort.
	Column  int
	Message string
	// Unknown is the name of a field that there is not, "" for other errors.
	Unknown string
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return e.Message
	}
	return fmt.Sprintf("%s, at character %d", e.Message, e.Column)
}
