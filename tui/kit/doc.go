// Package kit is what the screens of the workbench are made of: the theme and the
// signs, text that fits, rectangles and a canvas, lists, tabs, rows of forms and texts
// that are typed, tables of keys, and what a screen (Screen) and the house that it
// stands in (Host) are to each other.
//
// # A screen
//
// A screen is a package of its own with a constructor New(host, engine), where
// engine is the smallest interface of what it needs of the rest of the program;
// the house registers it by one line (package tui, screens.go). It imports kit and
// packages below, never another screen: screens reach each other by Host.Go.
//
// What a screen asks of the house takes effect at once, within the same Update,
// so that a key that follows is met by the new state. Work that takes time is a
// command (tea.Cmd); its message comes back to Update, also while another screen
// is in front. Message types are unexported and the screen's own; a message that
// may be stale carries a generation.
//
//	Host.Say(tone, text)      a line in the footer for a while
//	Host.Ask(Question)        yes or no, in the footer
//	Host.Go(id, payload)      another screen: Fill for Setup and Ablate, Watch for
//	                          Dash, nil to show any screen as it was
//	Host.Back()               the screen before
//	Host.Start(Start)         a new run, a fork or a resumed run; everybody hears of
//	                          it by RunStartedMsg, of its end by RunEndedMsg, and the
//	                          dashboard comes to the front. At most four at once.
//	Host.Copy(text)           the clipboard of the person's terminal
//	Host.Runs()               the runs of this program, to be steered
//	Host.Frame()              the period of ticks
//
// # Keys
//
// Bindings is the screen's one table: dispatch, footer, help page and palette are
// made from it. Actions have names, by which the settings file can give them other
// keys. Every key goes first to Typed, then through the table to Act. Help, Quit,
// Palette, Copy, Browser, Mouse and Interrupt belong to the house; a screen lists
// Help and Quit where its footer should show them, and leaves the keys of the others
// free.
//
// A screen that also is Limited says which actions cannot be done now: the footer
// leaves them out, the palette gives the reason, and the house answers their keys.
//
// Texts of a form are Lines, typed as into a spreadsheet; Focus says to which of them
// the person has come, Theme.FormRow draws them.
//
// A screen that also is a Keeper is left as it is found the next time; one that is
// a Worker trains runs of its own, which the house asks about and waits for; one that
// is a Leaver rests while another screen is in front.
//
// # Look
//
// Every state has a sign (Glyphs) and a word; colour is never the only mark. A
// screen draws exactly the cells it was given, at every size down to 1 x 1, on a
// Canvas from rectangles that a pure function of the size returns.
//
// Package kittest has a House for the tests of a screen.
package kit
