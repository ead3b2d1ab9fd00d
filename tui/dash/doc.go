// Package dash is the dashboard. It watches one to four runs side by side, or groups of more: runs
// of this program, runs of other processes, and finished runs.
//
// A run on the screen (watched) keeps its colour and its marker as long as it is shown. One run is
// selected. Keys that control a run, and panels about a single run, refer to it. Runs of this program are
// polled on every tick with an atomic load. Run directories are read by commands; large ones are read less
// often.
//
// The pictures are the panels of a board (package board). Dash adds keys, layout, focus and mouse. A page
// shows the panels that apply to a run on the screen. A panel is drawn again when the data, the settings or
// its rectangle change (view.go).
//
// New data never change the choices of the user.
package dash
