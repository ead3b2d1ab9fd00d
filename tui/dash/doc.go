// Package dash is the dashboard: it watches one to four runs side by side, runs of
// this program, of another process and finished ones.
//
// A run on the screen (shown) keeps its colour and its marker for as long as it is
// there. One of them is chosen: keys that steer, and panels about a single run, mean
// that one. Runs of this program are looked at on every tick, an atomic load each;
// run directories are read by commands, as often as their size allows.
//
// The screen has pages of panels (pages.go): the training, the comparison of the
// runs, how well they are calibrated, and the health of their arithmetic. A panel
// (panel.go) is a picture with all that belongs to it, in a file of its own: when it
// applies, title, drawing, keys, mouse, export. A page shows those panels that apply
// to a run on the screen. What is drawn of the comparison is package panel's; here are
// layout, focus and the cache: a panel is drawn anew only when something that it shows
// has changed (view.go), and a curve is prepared once and then only grows (series.go).
//
// How a person looks at it (look.go, window.go) is theirs: data never change it.
package dash
