// Package session manages the life of a run: its training goroutine, snapshots,
// metrics, checkpoints and run directory.
//
// A rundir.Config describes what to train; see package config. Inspector.Inspect previews the run
// without starting it. Start returns a Run, whose goroutine owns the model and takes the training
// steps. Between steps it handles the requests of Pause, Continue, Stop, Checkpoint, Diagnose and
// Evaluate, which return without waiting. It publishes its state as immutable Snapshots. Latest
// returns the newest one by an atomic load, so training and screen never wait for each other.
//
// The run directory is the source of truth. FORMAT.md describes its format, and package rundir reads and
// writes it. Resume continues a run from its directory with exactly the results of an uninterrupted run: a
// checkpoint holds all arrays of the model and the state of the early-stopping rule. Random numbers derive
// from the seed of the run, their purpose and the step, so there is no generator state to save. Open reads a
// run directory into a Snapshot, even while another process writes to it, and Predict predicts new rows with
// the model of a run.
//
// Package probe computes scores, predictions and views of the model. The package never writes to the
// terminal.
package session
