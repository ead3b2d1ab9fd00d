// Package picker finds data files: it completes paths while they are typed, and shows the contents
// of a folder with the recent files above them.
//
// Folders are read in commands, not in the goroutine of the screens, because a disk may not
// respond.
package picker
