// Package columns determines the kinds of the columns of a table before training: numbers,
// booleans, categories, dates, or text that only names rows.
//
// A table reader provides Cells for each column, and Cells.Kind determines the kind. The notation
// of numbers (decimal point or comma, thousands separators) is a property of the whole table: Shape
// describes the evidence of one cell, and Decide draws the conclusion. Ambiguities become a
// Question with its answers; nothing is guessed.
//
// A Table is the result shown to users, with one Column for each column of the file: its kind, its
// role and some statistics. Choices are the user's settings, which are part of the configuration of
// a run. Forms and commands show a Table, change Choices and describe the table again (see
// datasets.Describe).
package columns
