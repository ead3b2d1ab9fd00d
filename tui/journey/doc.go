// Package journey holds no code of the program: its tests sit down at a terminal,
// that of tmux, and use the real binary as a person would. Without tmux they are
// skipped.
package journey
