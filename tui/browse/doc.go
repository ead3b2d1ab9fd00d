// Package browse is the screen that lists run directories: runs of this program, of other processes
// that are still training, and ended ones. Users filter and sort runs with package query, mark,
// tag, name, delete and restore them, open them on the dashboard, resume and fork them. The work is
// done by package session, as for `dgplab runs`.
//
// A command reads the list about once a second. The selection and the marks refer to run IDs, so
// new data do not move them.
package browse

import ()
