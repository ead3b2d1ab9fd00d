// Package journey contains only tests. They run the real binary in a real terminal (tmux), as a
// user would. They are skipped if tmux is not installed.
//
// terminal_test.go controls the terminal: it sends keys and waits for output, never for a fixed
// time. screens_test.go has common steps on the screens, shell_test.go on the command line.
// TestJourney (journey_test.go) uses all of the workbench; the steps on each screen are in the file
// of the screen. Other tests kill the program (kill_test.go), use invalid settings
// (settings_test.go), and measure the memory of a long run.
//
// The tests look only for essential texts; the layouts have golden files in the packages of the
// screens.
package journey
