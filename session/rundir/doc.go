// Package rundir is what is on disk of a run: its directory, which FORMAT.md in the
// folder above describes, and the folder that holds all of them.
//
// A Writer is the one writer of a directory and belongs to the trainer: Create makes
// a new directory, Reopen takes an old one. Files are replaced as a whole, report
// lines are appended.
//
// Everyone else reads, also while a run is written by another process. List and a
// Lister return an Info of every run, Find of one; an Info reads what it does not
// hold (Predictions, Diagnostics) from its directory. ReadPoints reads report lines,
// a Follower reads them as they come. People change only notes (Annotate), move runs
// to the trash and back (Trash, Untrash), and export files (WriteFile).
package rundir
