// Package tui is the workbench: a house for the screens that set runs up, watch
// and compare them, lay out sweeps and list what there is. Everything here draws
// what it is handed, asks packages below to do things, and computes nothing about
// models.
//
// A guided tour, from the outside in:
//
//   - program.go has Run, the entry point: it makes the Bubble Tea program, waits
//     for the runs that were started and leaves the terminal as it was.
//   - guard.go stands between Bubble Tea and the screens: a panic anywhere in
//     here becomes a crash file and a one-line error.
//   - app.go is the root model, and the house that the screens stand in. It passes
//     input to the screen in front and every other message to all of them; the
//     dialog, the palette (palette.go) and the help page (help.go) come before the
//     screen.
//   - screens.go makes the screens, one line each, gives them the person's own keys
//     and what they remembered; host.go and runs.go are what they may ask for: a
//     line in the footer, a question, another screen, a run.
//   - engine.go is where packages below session are named.
//   - tui/kit has what screens are made of, and the two interfaces between a screen
//     and the house. tui/setup is the screen before a run, tui/dash watches runs
//     and has from tui/panel what compares them, tui/browse lists those that there
//     are, tui/ablate makes grids of them. No screen imports another.
//   - tui/settings reads the settings file and keeps what is remembered.
//   - tui/cli is the command line, which opens the workbench or does without it.
//   - tui/journey tests the whole, with the real binary in a real terminal.
//
// The table of keys of each screen is the one place where keys are: dispatch,
// footer, help page and palette come from it.
//
// The trainer never waits for the screen. A screen polls Latest, an atomic load,
// on its own tick of one frame; a frame is built again only when a screen says
// that it changed. Messages that answer something carry a generation, and an
// answer to a question that is no longer asked is dropped.
package tui
