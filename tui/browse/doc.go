// Package browse is the screen that lists run directories: runs of this program, runs that other processes
// are training, and runs that have ended. Users filter and sort runs (see package query), mark, tag, name,
// delete and restore them, open them on the dashboard, resume them and fork them. Package session does the
// work, as for `dgplab runs`.
//
// A command reads the list about once a second. The selection and the marks refer to run IDs, so that new
// data do not move them.
package browse

import ()
