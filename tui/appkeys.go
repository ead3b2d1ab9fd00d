package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
)

// keys takes a key message. Keys that arrive together, as over a slow link, come
// as one message of several runes: each is a key of its own, a paste is not.
func (a *app) keys(msg tea.KeyMsg) tea.Cmd {
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

// key sends a key to whom it concerns: the question, the help page, a text that
// is being typed, the screen, and last the keys of every screen.
func (a *app) key(msg tea.KeyMsg) tea.Cmd {
	act := lookup(a.on, msg)
	switch {
	case act == actInterrupt:
		return a.interrupt()
	case a.question != nil:
		return a.answer(msg)
	case a.help:
		return a.helpKey(msg, act)
	case a.on == onSetup && a.setup.typed(msg):
		return a.setup.inspectSoon()
	}
	switch act {
	case actNone:
		return nil
	case actHelp:
		a.openHelp()
		return nil
	case actQuit:
		return a.quit()
	case actMouse:
		return a.toggleMouse()
	default:
		if a.on == onDash {
			return a.dashAction(act)
		}
		return a.setupAction(act, msg)
	}
}

// answer takes a key for the open question. Keys that are neither yes nor no do
// nothing: a run is not lost by accident.
func (a *app) answer(msg tea.KeyMsg) tea.Cmd {
	switch q := a.question; {
	case key.Matches(msg, answerYes, q.again):
		a.question = nil
		return q.yes()
	case key.Matches(msg, answerNo):
		a.question = nil
	}
	return nil
}

// helpKey scrolls or leaves the help page; act is what the key asks for on the
// screen behind it.
func (a *app) helpKey(msg tea.KeyMsg, act action) tea.Cmd {
	switch {
	case act == actMouse:
		return a.toggleMouse()
	case key.Matches(msg, helpLeave):
		a.help = false
	default:
		a.helpPane, _ = a.helpPane.Update(msg)
	}
	return nil
}

// quit leaves at once when nothing is going, and asks otherwise.
func (a *app) quit() tea.Cmd {
	if !a.going() {
		return tea.Quit
	}
	a.question = &question{
		text:  "A run is going. Stop it, keep its checkpoint and quit?",
		short: "Stop the run and quit?",
		again: bind("", "", "q"),
		yes:   a.stopAndQuit,
	}
	return nil
}

// stopAndQuit asks the run to stop; the program ends when the run has.
func (a *app) stopAndQuit() tea.Cmd {
	if !a.going() {
		return tea.Quit
	}
	a.quitting = true
	a.cancelRuns()
	a.on = onDash
	return a.say(toneWarn, "saving, then quitting; ctrl+c quits at once")
}

// interrupt is ctrl+c: the first stops cleanly, the second leaves at once.
func (a *app) interrupt() tea.Cmd {
	if !a.going() || a.quitting {
		a.interrupted = a.going()
		return tea.Quit
	}
	a.question, a.help, a.interrupted = nil, false, true
	return a.stopAndQuit()
}

func (a *app) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	if a.mouse {
		return tea.Batch(tea.EnableMouseCellMotion, a.say(toneCalm, "mouse on"))
	}
	return tea.Batch(tea.DisableMouse, a.say(toneCalm, "mouse off: the terminal selects text"))
}

// dashAction does what a key of the dashboard asks for.
func (a *app) dashAction(act action) tea.Cmd {
	d := a.dash
	switch act {
	case actPause:
		return a.pause()
	case actStop, actCheckpoint:
		if d.over {
			return a.say(toneCalm, "the run has ended")
		}
		if act == actStop {
			d.run.Stop()
			return a.say(toneWarn, "stopping after this step")
		}
		d.run.Checkpoint()
		return a.say(toneCalm, "checkpoint asked for")
	case actExport:
		if d.exporting {
			return nil
		}
		d.exporting = true
		return tea.Batch(a.say(toneCalm, "exporting"), d.export())
	case actNew:
		return a.newRun()
	}
	if note := d.action(act, a.w, a.h); note != "" {
		return a.say(toneCalm, note)
	}
	return nil
}

// pause pauses or continues, by what the newest snapshot says.
func (a *app) pause() tea.Cmd {
	d := a.dash
	switch {
	case d.over:
		return a.say(toneCalm, "the run has ended")
	case d.snap != nil && d.snap.State == session.Paused:
		d.run.Continue()
		return a.say(toneCalm, "continuing")
	}
	d.run.Pause()
	return a.say(toneCalm, "pausing after this step")
}

// newRun goes to the set-up; a run that is going is stopped first, when the
// answer is yes. It ends in the background and keeps its checkpoint.
func (a *app) newRun() tea.Cmd {
	if !a.going() {
		return a.toSetup()
	}
	a.question = &question{
		text:  "A run is going. Stop it and set up a new one?",
		short: "Stop this run?",
		yes: func() tea.Cmd {
			a.dash.run.Stop()
			return a.toSetup()
		},
	}
	return nil
}

// setupAction does what a key of the set-up asks for.
func (a *app) setupAction(act action, msg tea.KeyMsg) tea.Cmd {
	switch act {
	case actBack:
		if a.dash != nil {
			a.on = onDash
		}
		return nil
	case actStart:
		return a.startOrSay()
	case actFetch:
		return a.setup.toggleFetch(a.ctx)
	}
	if a.setup.action(act, msg) {
		return a.setup.inspectSoon()
	}
	return nil
}

// startOrSay starts the run, or says what is in the way and goes there.
func (a *app) startOrSay() tea.Cmd {
	if a.setup.starting {
		return nil
	}
	if a.going() {
		return a.say(toneWarn, "the last run is still stopping; its checkpoint is being written")
	}
	if why := a.setup.obstacle(); why != "" {
		return a.say(toneBad, why)
	}
	return a.start()
}

// mouseEvent focuses what was clicked and scrolls what is under the wheel.
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
	switch {
	case a.help:
		a.helpPane, _ = a.helpPane.Update(msg)
	case a.question != nil:
	case a.on == onDash:
		a.dash.mouse(msg.X, msg.Y, wheel, a.w, a.h)
	case a.setup.mouse(msg.X, msg.Y, wheel, a.w, a.h):
		return a.setup.inspectSoon()
	}
	return nil
}
