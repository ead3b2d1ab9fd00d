// Package tui is the workbench's screen: it sets up a run, watches it train and
// asks it to pause, stop, save or export. It draws what it is handed and computes
// nothing about models.
//
// A guided tour, from the outside in:
//
//   - program.go has Run, the entry point: it makes the Bubble Tea program, waits
//     for the runs that were started and leaves the terminal as it was.
//   - guard.go stands between Bubble Tea and the screens: a panic anywhere in
//     here becomes a crash file and a one-line error.
//   - app.go is the root model. It owns the two screens, the dialog and the help
//     page, and sends every message to one of them.
//   - setup*.go is the screen before a run, dash*.go the one that watches it.
//   - keys.go is the one table of keys: dispatch, footer and help come from it.
//     Texts, scrolling and the footer are components of Bubbles in our styles.
//   - layout.go and setuplayout.go are pure functions from a size to rectangles.
//   - draw.go turns snapshots into the pictures of viz, export.go into files through
//     viz/figure; engine.go is where packages below session are named.
//
// The trainer never waits for the screen. The screen polls Latest, an atomic
// load, on its own tick of a tenth of a second; a frame is built again only when
// the snapshot, the size or the view changed. Messages that answer something
// carry a generation, and an answer to a question that is no longer asked is
// dropped.
package tui
