package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// If a screen is a kit.Recoverer, the application recovers from panics of its methods. A panic of another
// screen, or in Recover itself, ends the program (guard.go).

// try calls a method of the screen. If the method panics, try returns the command of Recover and
// true.
func (s screen) try(do func()) (cmd tea.Cmd, panicked bool) {
	recoverer, ok := s.Screen.(kit.Recoverer)
	if !ok {
		do()
		return nil, false
	}
	if err := kit.CatchPanic(do); err != nil {
		return recoverer.Recover(err), true
	}
	return nil, false
}

// command is try for a method that returns a command.
func (s screen) command(do func() tea.Cmd) (cmd tea.Cmd) {
	recovery, panicked := s.try(func() { cmd = do() })
	if panicked {
		return recovery
	}
	return cmd
}

func (s screen) Open(payload any) tea.Cmd {
	return s.command(func() tea.Cmd { return s.Screen.Open(payload) })
}

func (s screen) Act(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	return s.command(func() tea.Cmd { return s.Screen.Act(act, msg) })
}

func (s screen) Mouse(x, y, wheel int) tea.Cmd {
	return s.command(func() tea.Cmd { return s.Screen.Mouse(x, y, wheel) })
}

func (s screen) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	recovery, panicked := s.try(func() { cmd, changed = s.Screen.Update(msg) })
	if panicked {
		return recovery, true
	}
	return cmd, changed
}

func (s screen) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	recovery, panicked := s.try(func() { cmd, taken = s.Screen.Typed(msg) })
	if panicked {
		return recovery, true
	}
	return cmd, taken
}

// View draws the screen, and draws it again if it had to recover. The command of Recover is dropped, so that
// its message stays until the next key.
func (s screen) View(keys, note string) (frame string) {
	if _, panicked := s.try(func() { frame = s.Screen.View(keys, note) }); panicked {
		return s.Screen.View(keys, note)
	}
	return frame
}
