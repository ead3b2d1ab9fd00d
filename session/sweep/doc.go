// Package sweep trains many runs: every combination of data sets, families,
// hyperparameters, splits and seeds of a Grid.
//
// A combination is a Cell. The runs of a sweep are ordinary run directories whose
// configuration names the sweep, and they are the only record of what was done: a
// cell is done when there is a run of its configuration that reached its end.
// Nothing else is kept but the grid itself, in rundir.Root()/.sweeps/NAME/sweep.json.
// So a sweep whose process died, or that was cancelled, is resumed by looking at
// the runs: what is done is never trained again, what was interrupted goes on from
// its checkpoint, what failed waits until it is asked for again.
//
// Start and Resume return a Sweep: one goroutine owns the table of cells and keeps
// as many runs going as there are jobs. It publishes an immutable State whenever
// something changed; Latest is a single atomic load. Pause, Continue, Cancel and
// RetryFailed are requests that never wait. Open makes a State from the run
// directories alone, also while another process trains the sweep.
package sweep
