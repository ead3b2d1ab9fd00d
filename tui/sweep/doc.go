// Package sweep has three screens: Grid configures a sweep and lists earlier sweeps; Progress shows
// a sweep with its cells, its scores and a plot of a metric against an axis; Published compares runs
// with published tables and trains the missing ones.
//
// The form is made from the hyperparameters of the selected families. The code does not refer to families by
// name. form.go defines the fields of the form and planning.go estimates the cost; grid.go, gridkeys.go and
// gridview.go implement the screen around them. progress.go, progresskeys.go, progressview.go, table.go and
// plot.go implement the other screen. Its second page compares the runs with the tables and sentences of
// dgplab compare: comparing.go computes the comparison, compareview.go draws it, and comparekeys.go handles
// its keys. layout.go computes the layouts. published.go is the third screen. The screens share the running
// sweeps (work.go).
package sweep
