// Package rundir reads and writes run directories, whose format is described in ../FORMAT.md, and
// the folder that holds them.
//
// The trainer owns the only Writer of a directory. Create makes a new directory and Reopen opens an
// existing one. Report lines are appended; all other files are replaced as a whole.
//
// All other code only reads, even while another process writes. List and Lister return an
// Info for every run, Find for one run. Info.Predictions and Info.Diagnostics read further files on
// demand. ReadPoints reads report lines, and a Follower reads them as they are appended. Users can
// change notes (Annotate), move runs to the trash and back (Trash, Untrash), and export files
// (WriteFile).
package rundir
