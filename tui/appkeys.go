package tui

import (
	"context"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// keys handles a key message. Keys that arrive together, for example over a slow connection, form one message
// of several runes. Except in a paste, each is handled as a separate key. A paste is cut to kit.MaxTyped
// characters.
func (a *app) keys(msg tea.KeyMsg) tea.Cmd {
	a.clearStatus()
	if msg.Paste && len(msg.Runes) > kit.MaxTyped {
		msg.Runes = msg.Runes[:kit.MaxTyped]
		cmd := a.key(msg)
		limit := report.Grouped(kit.MaxTyped)
		return tea.Batch(cmd, a.Say(kit.Warn, "paste cut to "+limit+" characters"))
	}
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 {
		return a.key(msg)
	}
	var list []tea.Cmd
	for _, r := range msg.Runes {
		one := msg
		one.Runes = []rune{r}
		list = append(list, a.key(one))
	}
	return tea.Batch(list...)
}

// key dispatches a key to the question, the palette, the help page, the text field being edited, or the key
// table of the screen, in this order.
func (a *app) key(msg tea.KeyMsg) tea.Cmd {
	front := a.front()
	act := kit.Lookup(front.table, msg)
	switch {
	case act == kit.ActInterrupt:
		return a.interrupt()
	case act == kit.ActSuspend:
		return a.jobs.suspend()
	case a.question != nil:
		return a.answer(msg)
	case a.palette != nil:
		return a.paletteKey(msg)
	case a.help:
		return a.helpKey(msg, act)
	}
	if cmd, taken := front.Typed(msg); taken || act == "" {
		return cmd
	}
	return a.act(act, msg)
}

// clearStatus removes the status line, except for the notice that the program is about to end.
func (a *app) clearStatus() {
	if !a.quitting {
		a.status.text = ""
	}
}

// act performs an action, either itself or by the front screen.
func (a *app) act(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	front := a.front()
	switch act {
	case kit.ActHelp:
		a.openHelp()
		return nil
	case kit.ActQuit:
		return a.quit()
	case kit.ActPalette:
		a.openPalette()
		return nil
	case kit.ActCopy:
		return a.Copy(front.PlainText())
	case kit.ActBrowse:
		return a.Go(kit.Browse, nil)
	case kit.ActSettings:
		return a.Go(kit.Settings, nil)
	case kit.ActMouse:
		return a.toggleMouse()
	case kit.ActDots:
		return a.toggleDots()
	case kit.ActSuspend:
		return a.jobs.suspend()
	case kit.ActInterrupt:
		return a.interrupt()
	}
	if why := kit.Unavailable(front.Screen, act); why != "" {
		return a.Say(kit.Calm, why)
	}
	return front.Act(act, msg)
}

// answer handles a key for the open question. It ignores keys other than yes and no, so that no run is lost
// by accident.
func (a *app) answer(msg tea.KeyMsg) tea.Cmd {
	q := a.question
	switch {
	case key.Matches(msg, kit.AnswerYes, q.Again):
		a.question = nil
		return q.Yes()
	case key.Matches(msg, kit.AnswerNo):
		a.question = nil
	}
	return nil
}

// helpKey scrolls or closes the help page. act is the action of the key on the screen behind it.
func (a *app) helpKey(msg tea.KeyMsg, act kit.Action) tea.Cmd {
	switch {
	case act == kit.ActMouse:
		return a.toggleMouse()
	case key.Matches(msg, helpLeave), a.explained.text != "" && key.Matches(msg, guideLeave):
		a.closeHelp()
	default:
		a.helpPane, _ = a.helpPane.Update(msg)
	}
	return nil
}

// quit quits immediately if no run is training, and asks otherwise.
func (a *app) quit() tea.Cmd {
	if a.work.busy() == 0 {
		return tea.Quit
	}
	again, _ := kit.Find(a.front().table, kit.ActQuit)
	q := kit.Question{
		Text:  "A run is training. Stop it, keep its checkpoint and quit?",
		Short: "Stop the run and quit?",
		Again: again.Binding, Yes: a.stopAndQuit,
	}
	if n := a.work.busy(); n > 1 {
		q.Text = strconv.Itoa(n) + " runs are training. Stop them, keep their checkpoints and quit?"
		q.Short = "Stop the runs and quit?"
	}
	a.Ask(q)
	return nil
}

// stopAndQuit asks the runs to stop. The program ends when they have ended.
func (a *app) stopAndQuit() tea.Cmd {
	if a.work.busy() == 0 {
		return tea.Quit
	}
	a.quitting = true
	work := a.work
	work.end()
	wait := func() tea.Msg {
		work.wait(context.Background())
		return workEndedMsg{}
	}
	return tea.Batch(wait, a.Say(kit.Warn, "saving, then quitting; ctrl+c quits immediately"))
}

// interrupt handles ctrl+c: the first one stops the runs cleanly, and the second one quits immediately.
func (a *app) interrupt() tea.Cmd {
	if a.work.busy() == 0 || a.quitting {
		a.interrupted = a.work.busy() > 0
		return tea.Quit
	}
	a.question = nil
	a.palette = nil
	a.closeHelp()
	a.interrupted = true
	return a.stopAndQuit()
}

// mouseMode returns the command that gives the mouse to the workbench or to the terminal.
func (a *app) mouseMode() tea.Cmd {
	if a.settings.Mouse {
		return tea.EnableMouseCellMotion
	}
	return tea.DisableMouse
}

// toggleMouse turns the mouse on or off until the program ends.
func (a *app) toggleMouse() tea.Cmd {
	use := a.Use("mouse", !a.settings.Mouse)
	if a.settings.Mouse {
		return tea.Batch(use, a.Say(kit.Calm, "mouse on"))
	}
	return tea.Batch(use, a.Say(kit.Calm, "mouse off: the terminal selects text"))
}

// toggleDots switches between dots and strokes for lines, on all screens. The choice is saved with the state.
func (a *app) toggleDots() tea.Cmd {
	dots := !a.theme.Braille
	a.dots = &dots
	a.Use("braille", dots)
	switch {
	case !a.theme.Glyphs.Unicode:
		return a.Say(kit.Calm, "dots need Unicode")
	case a.theme.Braille:
		return a.Say(kit.Calm, "dots on")
	}
	return a.Say(kit.Calm, "dots off")
}

// mouseEvent focuses the clicked element or scrolls the element under the pointer.
func (a *app) mouseEvent(msg tea.MouseMsg) tea.Cmd {
	wheel := 0
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		wheel = -1
	case msg.Button == tea.MouseButtonWheelDown:
		wheel = 1
	case msg.Action != tea.MouseActionPress || msg.Button != tea.MouseButtonLeft:
		return nil
	}
	if wheel == 0 {
		a.clearStatus()
	}
	switch {
	case a.help:
		a.helpPane, _ = a.helpPane.Update(msg)
	case a.question != nil:
	case a.palette != nil:
		return a.paletteMouse(msg.X, msg.Y, wheel)
	default:
		if act := a.footerKey(msg.X, msg.Y); act != "" && wheel == 0 {
			return a.act(act, tea.KeyMsg{})
		}
		return a.front().Mouse(msg.X, msg.Y, wheel)
	}
	return nil
}

// footerKey returns the action of the key of the footer at the cell (x, y) of the last frame, or "" if there
// is none. A status or a note may have replaced the keys.
func (a *app) footerKey(x, y int) kit.Action {
	front := a.front()
	table := kit.Available(front.Screen, front.table)
	rows := kit.Lines(ansi.Strip(a.frame))
	keys := " " + ansi.Strip(a.theme.KeyLine(table, a.w-2))
	if y != len(rows)-1 || !strings.HasPrefix(rows[y], keys) {
		return ""
	}
	return a.theme.KeyAt(table, a.w-2, x-1)
}
