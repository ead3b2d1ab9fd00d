// Package tui is the workbench: an application with screens that set up runs, watch and compare
// them, run sweeps, and list all runs. It draws data and sends requests to the packages below; it
// does not compute anything about models.
//
// A guided tour, from the outside in:
//
//   - program.go has Run, the entry point: it starts the Bubble Tea program, waits
//     for the started runs and restores the terminal.
//   - guard.go wraps the root model: a panic becomes a crash file and a one-line
//     error.
//   - app.go is the root model and the host of the screens. It passes input to the
//     front screen and every other message to all screens. The dialog, the palette
//     (palette.go) and the help page (help.go) receive input before the screen.
//   - screens.go creates the screens and applies the user's keys and the saved
//     state; host.go and runs.go are the methods that the screens call: show a
//     status line, ask a question, open a screen, start a run.
//   - engine.go connects the screens to package session and the packages below it.
//   - tui/kit has the building blocks of screens and the two interfaces between a
//     screen and its host. tui/setup configures a run, tui/dash shows and compares
//     runs, tui/browse lists all runs, tui/sweep runs sweeps. No screen imports
//     another.
//   - tui/report has the words, tables and pictures that screens and commands share.
//   - tui/settings reads and changes the settings file, and has its screen; state.go
//     saves the state.
//   - tui/background queries the colour of the terminal, before Bubble Tea would.
//   - tui/cli is the command line, with and without the workbench. Its tests include
//     journeys, which use the real binary in a real terminal.
//
// The key table of a screen is the only definition of its keys: dispatch, footer, help page and palette
// derive from it.
//
// The trainer never waits for the screen. A screen polls Latest, an atomic load, on its own tick once per
// frame period. A frame is rebuilt only if a screen reports a change. Messages with a result carry a
// generation; outdated results are dropped.
package tui
