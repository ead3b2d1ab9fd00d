package tui

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"dgplab/tui/kit"
	"dgplab/tui/settings"
)

// The groups of commands, in the order of the palette.
const (
	groupScreen = iota // what the screen in front does
	groupGo            // other screens
	groupHouse         // what every screen has
	groupTheme
	groupBarred // what cannot be done now
	groupMoves  // what only moves, by its key
)

// commands lists everything that can be done, as the palette shows it. A screen to
// which an action of the screen in front leads is not listed beside that action.
func (a *app) commands() []command {
	front := a.front()
	var list []command
	groups := map[string]int{} // by name
	put := func(group int, c command) {
		if c.barred != "" {
			group = groupBarred
		}
		groups[c.name] = group
		list = append(list, c)
	}
	for _, b := range front.table {
		group := groupScreen
		switch {
		case b.Action == kit.ActPalette:
			continue
		case b.Action == kit.ActBrowse:
			group = groupGo
		case b.Action.OfHouse():
			group = groupHouse
		case b.Action.Moves():
			group = groupMoves
		}
		put(group, command{name: string(b.Action), sentence: b.Sentence, keys: b.Label(),
			barred: kit.Barred(front.Screen, b.Action),
			run:    func() tea.Cmd { return a.act(b.Action, tea.KeyMsg{}) }})
		if b.Action.Moves() {
			groups[string(b.Action)] = groupMoves // Barred or not.
		}
	}
	for _, s := range a.screens {
		if s.id != a.on && !front.leadsTo(s.id) {
			put(groupGo, command{name: string(s.id), sentence: "Go to: " + s.Title(),
				barred: kit.Barred(s.Screen, kit.ActShow),
				run:    func() tea.Cmd { return a.Go(s.id, nil) }})
		}
	}
	for _, c := range a.themes() {
		put(groupTheme, c)
	}
	slices.SortStableFunc(list, func(x, y command) int { return cmp.Compare(groups[x.name], groups[y.name]) })
	return list
}

// leadsTo reports whether an action of the screen goes to another one.
func (s screen) leadsTo(id kit.ScreenID) bool {
	return s.has(kit.Action(id)) || id == kit.Setup && s.has("new_run")
}

// themes are the commands that change the colours until the program ends. Where there
// are no colours there are none.
func (a *app) themes() []command {
	th := a.theme
	if th.Profile == termenv.Ascii {
		return nil
	}
	var list []command
	for _, t := range []struct {
		name, sentence string
		dark, strong   bool
	}{
		{settings.Light, "Colours for a light background.", false, false},
		{settings.Dark, "Colours for a dark background.", true, false},
		{settings.HighContrast, "Colours that stand out more.", th.Dark, true},
	} {
		c := command{
			name:     "theme " + t.name,
			sentence: t.sentence,
			run:      func() tea.Cmd { return a.setTheme(t.name, t.dark, t.strong) },
		}
		if th.HighContrast == t.strong && th.Dark == t.dark {
			c.barred = "it is so now"
		}
		list = append(list, c)
	}
	return list
}

// setTheme changes the colours of all screens: they share the theme.
func (a *app) setTheme(name string, dark, strong bool) tea.Cmd {
	var list []kit.Option
	if strong {
		list = append(list, kit.WithHighContrast)
	}
	if a.theme.Braille {
		list = append(list, kit.WithBraille)
	}
	*a.theme = *kit.NewTheme(a.theme.Profile, dark, a.theme.Glyphs, list...)
	return a.Say(kit.Calm, `until the program ends; theme = "`+name+`" in settings.toml keeps it`)
}
