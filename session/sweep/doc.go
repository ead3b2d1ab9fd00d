// Package sweep trains every combination of data sets, families, hyperparameters, splits and seeds
// of a Grid.
//
// A combination is a Cell. The runs of a sweep are ordinary run directories with the name of the sweep in
// their configuration. They are the only record of progress: a cell is done if a run with its configuration
// has finished. The only other file is rundir.Root()/.sweeps/NAME/sweep.json, which holds the grid and the
// decisions of successive halving. A sweep that was cancelled, or whose process died, is therefore resumed by
// reading its runs. Finished runs are not trained again, interrupted runs continue from their checkpoints,
// and failed runs are retried only on request.
//
// With Grid.Halving, settings compete by successive halving. Decisions are saved in sweep.json before they
// take effect, and a run at a rung is the beginning of the whole run (session.WithRung). A sweep therefore
// ends with the same results, however often it is interrupted.
//
// On a cluster, a Plan submits a list of cells as one array of tasks. A Task takes the next cell whose lock
// it gets, until none is left. AskTasks asks Slurm which tasks are pending or running.
//
// Start and Resume return a Sweep. One goroutine owns the table of cells and trains as many runs in parallel
// as there are jobs. It publishes an immutable State after each change; Latest is a single atomic load.
// Pause, Continue, Cancel and RetryFailed are requests that do not block. Open reads a State from the run
// directories alone, even while another process trains the sweep.
package sweep
