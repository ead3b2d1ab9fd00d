// Package report holds the words and tables that commands and screens share: numbers, columns and
// outcomes of runs, and the results of session/compare with their tables, footnotes and diagrams.
// The texts may come from files; the caller must make them printable.
package report
