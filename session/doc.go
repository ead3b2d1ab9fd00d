// Package session is a run's life: from a configuration to the training
// goroutine, its snapshots, metrics and checkpoints, the run directory, and back.
//
// A rundir.Config says what to train; Inspect tells what that would mean, before
// anything is started. Start returns a Run: one goroutine owns the model and
// takes step after step. Between two steps it does what was asked by Pause,
// Continue, Stop, Checkpoint, Diagnose and Evaluate, none of which waits for it. What it
// wants to be seen it publishes as an immutable Snapshot; the newest wins, and
// Latest is a single atomic load, so that the screen never slows the training
// and the training never slows the screen.
//
// The run directory is the truth about a run: FORMAT.md describes it, and the package
// rundir reads and writes it. Resume continues a run from there, and does number for
// number what an uninterrupted run would have done: a checkpoint holds every array of
// the model and the state of the early-stopping rule, and random numbers derive from
// the run's seed, the purpose and the step, so that no generator has a state. Open
// reads a run directory with its report lines, also that of another process. Fork
// makes a new configuration of an old one, Differences compares configurations, and
// Record.Predict predicts new rows by the model of a run.
//
// Nothing here writes to a terminal.
package session
