package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// Screens that can be mended after a panic are, wherever the house calls them. A panic of others,
// or while one is mended, ends the program (guard.go).

// try calls a method of the screen. It returns a command where the screen had to be mended, which
// panicked reports.
func (s screen) try(do func()) (mend tea.Cmd, panicked bool) {
	mender, can := s.Screen.(kit.Mender)
	if !can {
		do()
		return nil, false
	}
	if err := kit.Caught(do); err != nil {
		return mender.Mend(err), true
	}
	return nil, false
}

// command is try of a method that returns a command.
func (s screen) command(do func() tea.Cmd) (cmd tea.Cmd) {
	mend, panicked := s.try(func() { cmd = do() })
	if panicked {
		return mend
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
	mend, panicked := s.try(func() { cmd, changed = s.Screen.Update(msg) })
	if panicked {
		return mend, true
	}
	return cmd, changed
}

func (s screen) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	mend, panicked := s.try(func() { cmd, taken = s.Screen.Typed(msg) })
	if panicked {
		return mend, true
	}
	return cmd, taken
}

// View draws the screen, and once more where it had to be mended. The command of that is dropped:
// what it says then stands until the next key.
func (s screen) View(keys, note string) (frame string) {
	if _, panicked := s.try(func() { frame = s.Screen.View(keys, note) }); panicked {
		return s.Screen.View(keys, note)
	}
	return frame
}
