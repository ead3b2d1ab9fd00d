// Package dash is the dashboard. It watches one to four runs side by side, or groups of more: runs
// of this program, runs of other processes, and finished runs.
//
// A run on the screen (watchedRun) keeps its colour and its marker as long as it is shown. One run
// is chosen. Keys that control a run, and panels about a single run, refer to it. Runs of this
// program are polled on every tick with an atomic load. Run directories are read by commands, as
// often as their size allows.
//
// The screen has pages of panels. The registry in pages.go lists them. A panel (panel.go) is data:
// a finder of its view, the picture of that view, and the choices of the user. Arrow keys, mouse
// wheel, titles, messages, the cache and exported files follow from these. The file of a panel has
// its constructor and the conversion of its view to a picture. A page shows the panels that apply
// to a run on the screen.
//
// A picture is made of a scene (scene.go): the runs at explicit values of the choices, labelled
// briefly or in full. A panel is drawn again only if something that it shows has changed (view.go),
// and the points of a curve are prepared once and then only grow (series.go).
//
// New data never change the choices of the user.
package dash
