// Package journey holds no code of the program: its tests sit down at a terminal,
// that of tmux, and use the real binary as a person would. Without tmux they are
// skipped.
//
// terminal_test.go is the terminal: keys go in, and the tests wait for what should
// appear, never for some time. screens_test.go has the steps that people take on the
// screens, shell_test.go what they do outside of them. TestJourney
// (journey_test.go) is an afternoon with all of the workbench; what it does is in the
// file of each screen. Besides, there are a program that is killed (kill_test.go),
// settings that are broken (settings_test.go), and the memory of a long run.
//
// Texts that are looked for are those without which the screen would make no sense;
// the layouts have golden files in the packages of the screens.
package journey
