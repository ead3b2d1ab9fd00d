// Package reproduce compares runs with published results.
//
// An Experiment is a table of a paper: the data sets, splits and settings behind it, and its numbers
// with their errors. The experiments of the program are the TOML files in folder experiments; Read
// reads the file of a user. Plan returns the sweep that trains an experiment, and Measure the Table
// that has the results of all matching runs beside the published ones. Runs match by their
// configuration, whichever sweep trained them.
package reproduce
