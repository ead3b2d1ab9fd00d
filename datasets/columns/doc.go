// Package columns says what the columns of a table are, before anything is trained on
// them: numbers, booleans, categories, dates, or texts that merely name rows.
//
// A reader of tables tells Cells of each column, and Cells.Kind says which kind that is.
// How numbers are written (decimal point or comma, separators of thousands) is a matter
// of the whole table: Shape says what one cell shows of it, and Decide draws the
// conclusion. What cannot be known is a Question with its answers, never a guess.
//
// A Table is the result for people: one Column for each of the file, with what it is, what
// it is used for, and a few statistics. Choices are what a person says instead; they belong
// to the configuration of a run. Forms and commands show a Table, change Choices and
// describe the table again (see datasets.Describe).
package columns
