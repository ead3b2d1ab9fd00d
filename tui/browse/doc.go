// Package browse is the screen that lists run directories: those of this program,
// of other processes that are writing theirs now, and finished ones. Runs are
// filtered and sorted by package query, marked, tagged, named, deleted and brought
// back, opened on the dashboard, resumed and forked; what is done is done by package
// session, as by `dgplab runs`.
//
// The list is read anew about once a second by a command; what a person has chosen
// and marked is known by the IDs of runs, so that new data move nothing.
package browse
