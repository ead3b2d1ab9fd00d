// Package table reads CSV files. It cuts their text into cells, determines the kinds of the columns
// (numbers, booleans, categories, dates, or text that only names rows), and provides their numbers
// as matrices.
//
// Read returns a Table. Its Describe assigns a role to each column and returns the Use of the table
// as a data set: a Description for users, and the columns of the inputs and the targets. A Layout
// finds these columns in other files, which a RowReader reads row by row.
//
// The notation of numbers (decimal point or comma, thousands separators) is a property of the whole
// table: Shape describes the evidence of one cell, and DecideNotation draws the conclusion.
// Ambiguities become a Question with its answers; nothing is guessed.
//
// A Description has one Column for each column of the file: its kind, its role and some statistics.
// Choices are the user's settings, which are part of the configuration of a run. Forms and commands
// show a Description, change Choices and describe the file again (see datasets.Describe).
package table
