// Package comparison formats the results of session/compare: tables fitted to a width, the
// critical-difference diagram of ranks, and remarks on excluded runs. The command line and the
// sweep screen share it. The texts may come from files; the caller must make them printable.
package comparison
