package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/dash"
	"dgplab/tui/kit"
	"dgplab/tui/setup"
)

// screen is a screen of the house with its table of keys.
type screen struct {
	kit.Screen
	id    kit.ScreenID
	table []kit.Binding
}

// furnish makes the screens. A new one takes a line here, and its small interface
// a few methods of the workbench (engine.go).
func (a *app) furnish(opts Options) {
	first := setup.New(a, a.engine, opts.Config)
	a.add(kit.Setup, first)
	a.add(kit.Dash, dash.New(a))

	a.on = kit.Setup
	a.begin = func() tea.Cmd { return first.Open(nil) }
	if opts.Start {
		a.begin = first.Start
	}
}

// add gives the house a screen.
func (a *app) add(id kit.ScreenID, s kit.Screen) {
	a.screens = append(a.screens, screen{s, id, withHouse(s.Bindings())})
}

// houseBindings are the keys of every screen.
var houseBindings = []kit.Binding{kit.Help, kit.Quit, kit.Mouse, kit.Interrupt}

// withHouse returns a screen's table with the keys of the house that it does not
// have a place for.
func withHouse(table []kit.Binding) []kit.Binding {
	table = slices.Clone(table)
	for _, b := range houseBindings {
		if !slices.ContainsFunc(table, func(own kit.Binding) bool { return own.Action == b.Action }) {
			table = append(table, b)
		}
	}
	return table
}

// binding returns the keys of an action, empty if the screen has none.
func (s screen) binding(act kit.Action) key.Binding {
	i := slices.IndexFunc(s.table, func(b kit.Binding) bool { return b.Action == act })
	if i < 0 {
		return key.Binding{}
	}
	return s.table[i].Binding
}

// screen returns the screen of that name.
func (a *app) screen(id kit.ScreenID) (s screen, ok bool) {
	i := slices.IndexFunc(a.screens, func(s screen) bool { return s.id == id })
	if i < 0 {
		return screen{}, false
	}
	return a.screens[i], true
}

// front returns the screen that is shown.
func (a *app) front() screen {
	s, _ := a.screen(a.on)
	return s
}

// Go brings a screen to the front.
func (a *app) Go(to kit.ScreenID, payload any) tea.Cmd {
	s, ok := a.screen(to)
	if !ok {
		return a.Say(kit.Warn, "there is no screen "+string(to))
	}
	if to != a.on {
		leave := func(id kit.ScreenID) bool { return id == to || id == a.on }
		a.before = append(slices.DeleteFunc(a.before, leave), a.on)
	}
	return a.show(s, payload)
}

// Back brings the screen before to the front.
func (a *app) Back() tea.Cmd {
	n := len(a.before)
	if n == 0 {
		return nil
	}
	s, _ := a.screen(a.before[n-1])
	a.before = a.before[:n-1]
	return a.show(s, nil)
}

func (a *app) show(s screen, payload any) tea.Cmd {
	a.on, a.status.text, a.dirty = s.id, "", true
	return s.Open(payload)
}
