// Package kit contains the building blocks of the workbench's screens: the theme and the glyphs,
// text fitted to a width, rectangles and a canvas, lists, tabs, form rows, text inputs, paths and
// their completion, and key tables. It also declares the two interfaces between a screen (Screen)
// and the application that shows it (Host).
//
// # A screen
//
// A screen is a package with a constructor New(host, engine). engine is the smallest interface that
// covers what the screen needs from the rest of the program. Package tui registers each screen with
// one line (tui/screens.go). A screen imports kit and packages below it, never another screen;
// screens open each other with Host.Go.
//
// A call of a Host method takes effect immediately, within the same Update, so that the next key already sees
// the new state. Slow work runs in a command (tea.Cmd); its message arrives in Update even while another
// screen is in front. Message types are unexported and private to the screen. A message that can be out of
// date carries a generation number.
//
//	Host.Say(tone, text)      show a line in the footer for a while
//	Host.Ask(Question)        ask a yes-or-no question in the footer
//	Host.Explain(title, text) show a text over the screen
//	Host.Go(id, payload)      open another screen: Fill for Setup and Sweep, Watch for
//	                          Dash, nil to show any screen unchanged
//	Host.Back()               return to the previous screen
//	Host.Start(Start)         start, fork or resume a run; every screen receives a
//	                          RunStartedMsg, and a RunEndedMsg at its end, and the
//	                          dashboard comes to the front. At most four runs train at once.
//	Host.Copy(text)           copy to the clipboard of the user's terminal
//	Host.Runs(), Sweeps()     the runs and the sweeps of this program, to control them
//	Host.Frame()              the tick period
//
// # Keys
//
// Bindings is the only key table of a screen: dispatch, footer, help page and palette derive from it. The
// settings file assigns other keys to actions by their names. Every key goes first to Typed, then through the
// table to Act. The host handles Help, Quit, Palette, Copy, Browser, OpenSettings, Mouse, Dots and Interrupt.
// A screen lists Help and Quit at the position where its footer should show them, and does not use the keys
// of the other host actions.
//
// A screen that implements Limited reports which actions are unavailable. The footer omits them, the palette
// shows the reason, and the host answers their keys with the reason.
//
// The text fields of a form are Lines, edited like spreadsheet cells. Focus tracks the line being edited, and
// Theme.FormRow draws the rows. A Picker opens folders and picks a file. Folders are read in commands, not in
// the goroutine of the screens, because a disk may not respond.
//
// A screen that implements Keeper keeps its state across restarts of the program. A Leaver suspends work
// while another screen is in front.
//
// # Look
//
// Every state has a glyph (Glyphs) and a word, so that colour is never the only mark. A screen draws exactly
// its cells at every size down to 1 x 1, on a Canvas, in rectangles computed by a pure function of the size.
//
// Package kittest has a Host for the tests of a screen.
package kit
