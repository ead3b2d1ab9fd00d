// Package report holds the words, tables and pictures that commands and screens share: numbers,
// columns and outcomes of runs, views of models, columns of data sets, and the results of
// session/compare with their tables, footnotes and diagrams.
//
// The strings may come from files. All output of the program must pass through Printable or its
// relatives (printable.go).
package report
