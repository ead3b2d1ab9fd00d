package table

import (
	"fmt"
)

// Error reports a problem in a table file.
type Error struct {
	File string
	// Line and Column count from 1. They are 0 if unknown.
	Line, Column int
	// Name is the name of the column, if the file has a header.
	Name    string
	Problem string
	// Remedies are choices that resolve the problem.
	Remedies []Answer
	// Question is not nil if an answer resolves the problem.
	Question *Question
}

// Error returns one line: the position as far as known, the problem, and the command-line flags
// that resolve it.
func (e *Error) Error() string {
	if e.Question != nil {
		return e.location() + ": " + e.Question.String()
	}
	return e.location() + ": " + Note{Text: e.Problem, Remedies: e.Remedies}.String()
}

// WithoutFlags returns the position and the problem without flags, for screens.
func (e *Error) WithoutFlags() string { return e.location() + ": " + e.Problem }

// location returns the file and, as far as known, the position of the cell.
func (e *Error) location() string {
	location := e.File
	if e.Line > 0 {
		location += fmt.Sprintf(", line %d", e.Line)
	}
	if e.Column > 0 {
		location += fmt.Sprintf(", column %d", e.Column)
	}
	if e.Name != "" {
		location += fmt.Sprintf(" (%s)", e.Name)
	}
	return location
}
