// Package ablate is two screens: Grid, on which the values of a sweep are typed
// and earlier sweeps are chosen, and Progress, which shows a sweep with its cells,
// its scores and a metric against the values of an axis.
//
// The form is made from the list of hyperparameters of the chosen families;
// nothing here knows a family by name. form.go has what the form lists,
// planning.go what it would cost, grid.go, gridkeys.go and gridview.go the screen
// around it; progress.go, progresskeys.go, progressview.go, table.go and plot.go
// are the other one, whose second page compares the runs: comparing.go makes the
// comparison, compareview.go, comparetables.go and comparedirect.go show it, comparekeys.go
// has its keys; layout.go says where everything goes. Both share the sweeps
// that this program works on (work.go).
package ablate
