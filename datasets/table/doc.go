// Package table reads CSV files. It splits the text into cells, determines the kind of each column
// (number, boolean, category, date, or text that only names rows) and provides the columns as
// matrices.
//
// Read returns a Table. Its Describe assigns a role to each column and returns the Use of the table
// as a data set: a Description for users, and the columns of the inputs and the targets. A Layout
// finds these columns in other files, which a RowReader reads row by row.
//
// The notation of numbers (decimal point or comma, thousands separators) is a property of the whole
// table: Shape describes the evidence in one cell, and DecideNotation combines the evidence of all
// cells. An ambiguity becomes a Question with possible answers; the package never guesses.
//
// A Description has one Column for each column of the file: its kind, its role and some statistics.
// Choices holds the settings of the user, which are part of the configuration of a run. Forms and
// commands show a Description, change Choices and describe the file again (see datasets.Describe).
package table
