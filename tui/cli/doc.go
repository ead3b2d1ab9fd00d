// Package cli is the command line: it turns arguments into calls of session,
// datasets and the workbench, and results into text or JSON. It computes nothing
// about models.
//
// Run is the whole of it: arguments and streams in, an exit status out. The
// statuses are 0 for success, 1 for a run or a command that failed, 2 for a
// command line that cannot be carried out, and 130 for a run that was
// interrupted (by SIGINT, SIGTERM, SIGHUP or a reader that went away) and has kept
// its checkpoint.
//
// Results go to standard output, messages to standard error. An error is one
// line that says what is wrong, where, and what to do about it.
package cli
