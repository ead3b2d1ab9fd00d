// Package cli implements the command line. It turns arguments into calls of session, datasets and the
// workbench, and results into text or JSON. It does not compute anything about models.
//
// Run takes arguments and streams and returns an exit status: 0 for success, 1 if a run or command failed, 2
// for an invalid command line, and 130 if a run was interrupted (by SIGINT, SIGTERM, SIGHUP or a closed pipe)
// and wrote a checkpoint.
//
// Results go to standard output and messages to standard error. An error is a line that states the problem,
// its location and a remedy.
package cli
