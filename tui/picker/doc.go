// Package picker finds files of data for a person: it completes a path that is being
// typed, and shows a folder to choose from, with the files that were used last above it.
//
// Folders are read by commands, never by the goroutine of the screens: one may be on a disk
// that does not answer.
package picker
