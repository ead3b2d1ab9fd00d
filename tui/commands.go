package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"dgplab/tui/kit"
	"dgplab/tui/settings"
)

// The groups of commands, in the order of the palette.
const (
	groupScreen = iota // actions of the front screen
	groupGo            // other screens
	groupGlobal        // actions of every screen
	groupTheme
	groupUnavailable // unavailable commands
	groupNavigation  // navigation keys
)

// commands returns all commands in the order of the palette. A screen is not listed if an action of the front
// screen opens it.
func (a *app) commands() []command {
	front := a.front()
	var list []command
	put := func(group int, c command) {
		c.group = group
		if c.reason != "" && group != groupNavigation {
			c.group = groupUnavailable
		}
		list = append(list, c)
	}
	for _, b := range front.table {
		group := groupScreen
		switch {
		case b.Action == kit.ActPalette:
			continue
		case openedBy[b.Action] != "":
			group = groupGo
		case b.Action.IsGlobal():
			group = groupGlobal
		case b.Action.IsNavigation():
			group = groupNavigation
		}
		put(group, command{name: b.Action.Words(), sentence: b.Sentence, keys: b.Label(),
			reason: kit.Unavailable(front.Screen, b.Action),
			run:    func() tea.Cmd { return a.act(b.Action, tea.KeyMsg{}) }})
	}
	for _, s := range a.screens {
		if s.id != a.on && !front.opens(s.id) {
			put(groupGo, command{name: strings.ToLower(s.Title()), sentence: "Go to: " + s.Title(),
				reason: kit.Unavailable(s.Screen, kit.ActShow),
				run:    func() tea.Cmd { return a.Go(s.id, nil) }})
		}
	}
	for _, c := range a.themes() {
		put(groupTheme, c)
	}
	slices.SortStableFunc(list, func(x, y command) int { return cmp.Compare(x.group, y.group) })
	return list
}

// opens reports whether an action of the front screen opens the given screen.
func (s screen) opens(id kit.ScreenID) bool {
	return s.has(kit.Action(id)) || id == kit.Setup && s.has("new_run")
}

// themes returns the commands that change the theme until the program ends. A terminal without colours has
// none.
func (a *app) themes() []command {
	if a.theme.Profile == termenv.Ascii {
		return nil
	}
	sentences := map[string]string{
		settings.Auto:         "Keep the background of the terminal.",
		settings.Light:        "Dark text on white.",
		settings.Dark:         "Light text on black.",
		settings.HighContrast: "Higher contrast, on black or white.",
	}
	var list []command
	for _, name := range settings.Themes {
		c := command{
			name:     "theme " + name,
			sentence: sentences[name],
			run: func() tea.Cmd {
				a.Use("theme", name)
				return a.Say(kit.Calm, "until the program ends; the settings page keeps a theme")
			},
		}
		if a.settings.Theme == name {
			c.reason = "already active"
		}
		list = append(list, c)
	}
	return list
}
