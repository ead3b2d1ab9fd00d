// Package settings reads and changes the settings file, and has the screen that shows it.
//
// settings.go and slurm.go read the file, and write.go changes one of its entries. page.go is the screen:
// every change is used at once and written in the background. rows.go has the entries that the screen
// changes, and view.go draws them above the contents of the file that are edited by hand.
package settings
