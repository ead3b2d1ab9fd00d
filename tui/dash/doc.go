// Package dash is the dashboard. It watches one to four runs side by side, or groups of more: runs
// of this program, runs of other processes, and finished runs.
//
// A run on the screen (watchedRun) keeps its colour and its marker as long as it is shown. One run is
// selected. Keys that control a run, and panels about a single run, refer to it. Runs of this program are
// polled on every tick with an atomic load. Run directories are read by commands; large ones are read less
// often.
//
// The screen has pages of panels, which are registered in pages.go. A panel (panel.go) is data: a finder of
// its view, the picture of that view, and the choices of the user. Arrow keys, mouse wheel, titles, messages
// and exported files follow from these. A panel in which the user moves, such as the curves and the tables,
// also implements mover. The file of a panel contains its constructor and the conversion of its view to a
// picture. A page shows the panels that apply to a run on the screen.
//
// A picture is made from a board (board.go), which has the runs and the settings of the user and knows no
// screen. Dash adds keys, layout and focus to a board. A panel is drawn again when the data, the settings or its rectangle change (view.go). The points
// of a curve are prepared once; later points are appended (series.go).
//
// New data never change the choices of the user.
package dash
