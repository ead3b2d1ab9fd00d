package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/settings"
)

// The methods of settings.Program, with KeyProblems in screens.go.

// InUse returns the settings in use.
func (a *app) InUse() settings.Settings { return a.settings }

// Use changes an entry of the settings in use on all screens. Images are changed at the next start, when the
// terminal is asked for them.
func (a *app) Use(name string, value any) tea.Cmd {
	if a.settings.Set(name, value) != nil {
		return nil
	}
	a.dirty = true
	switch name {
	case "theme", "ascii", "braille":
		a.restyle()
	case "mouse":
		return a.mouseMode()
	}
	return nil
}

// restyle changes the theme, which all screens share, to that of the settings in use.
func (a *app) restyle() {
	*a.theme = *newTheme(a.theme.Profile, a.dark, a.settings, a.dots)
	if a.images != nil && a.theme.Glyphs.Unicode {
		a.theme.Images = a.images
	}
}
