// Package comparison writes what session/compare finds: tables that fit a width, the
// critical-difference diagram of ranks, and what was left out. The command line and the
// screen of a sweep say the same by it. Texts may come from files: whoever prints them
// makes them printable.
package comparison
