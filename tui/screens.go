package tui

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/browse"
	"dgplab/tui/dash"
	"dgplab/tui/kit"
	"dgplab/tui/settings"
	"dgplab/tui/setup"
	"dgplab/tui/sweep"
)

// screen is a registered screen with its ID and key table.
type screen struct {
	kit.Screen
	id    kit.ScreenID
	table []kit.Binding
}

// makeScreens creates the screens. A new screen needs a line here, and its engine methods on
// workbench (engine.go).
func (a *app) makeScreens(opts Options) {
	first := setup.New(a, a.work, opts.Config)
	a.add(kit.Setup, first)
	a.add(kit.Dash, dash.New(a, dash.Directories{}))
	a.add(kit.Browse, browse.New(a, a.work))
	grid, progress, published := sweep.New(a, a.work)
	a.add(kit.Sweep, grid)
	a.add(kit.SweepProgress, progress)
	a.add(kit.Published, published)
	a.page = settings.New(a, a)
	a.add(kit.Settings, a.page)

	a.rebind(opts.Settings.Keys)
	a.restore(opts)
	a.on = kit.Setup
	a.begin = func() tea.Cmd { return first.Open(nil) }
	if opts.Start {
		a.begin = first.Start
	}
}

// add registers a screen.
func (a *app) add(id kit.ScreenID, s kit.Screen) {
	a.screens = append(a.screens, screen{Screen: s, id: id})
}

// restore passes the saved state to the screens. If the user gave a configuration, the set-up
// screen restores only its list of files.
func (a *app) restore(opts Options) {
	a.dots = rememberedDots(opts.State)
	for _, s := range a.screens {
		state := opts.State[string(s.id)]
		if state == nil {
			continue
		}
		first, given := s.Screen.(*setup.Setup)
		if given && opts.Given {
			first.RestoreFiles(state)
		} else if k, keeps := s.Screen.(kit.Keeper); keeps {
			k.Restore(state)
		}
	}
}

// dotsState is the key of the choice between dots and strokes in the saved state.
const dotsState = "dots"

// rememberedDots returns the saved choice between dots and strokes, or nil if there is none.
func rememberedDots(state SavedState) (dots *bool) {
	if json.Unmarshal(state[dotsState], &dots) != nil {
		return nil
	}
	return dots
}

// keep returns the state to save.
func (a *app) keep() SavedState {
	state := SavedState{}
	if a.dots != nil {
		state[dotsState] = json.RawMessage(strconv.FormatBool(*a.dots))
	}
	for _, s := range a.screens {
		if k, keeps := s.Screen.(kit.Keeper); keeps {
			// If there is an error, the state is not saved.
			if text, err := json.Marshal(k.Keep()); err == nil {
				state[string(s.id)] = text
			}
		}
	}
	return state
}

// save saves the state. Recent files that another workbench has saved since the start of this one are kept.
func (a *app) save() error {
	release := lockState()
	defer release()
	latest := loadState()
	for _, s := range a.screens {
		f, remembers := s.Screen.(interface{ RestoreFiles(state []byte) })
		if remembers {
			f.RestoreFiles(latest[string(s.id)])
		}
	}
	return a.keep().Save()
}

// rebind applies the user's keys to every screen.
func (a *app) rebind(keys map[string][]string) {
	tables, problems := a.tables(keys)
	for i := range a.screens {
		a.screens[i].table = tables[i]
	}
	a.problems = append(a.problems, problems...)
}

// KeyProblems returns the errors in keys of the settings, one line each.
func (a *app) KeyProblems(keys map[string][]string) []error {
	_, problems := a.tables(keys)
	return problems
}

// tables returns the key table of every screen with the user's keys, and the errors in these, one line each
// and without duplicates.
func (a *app) tables(keys map[string][]string) (tables [][]kit.Binding, problems []error) {
	problem := func(err error) {
		if !slices.ContainsFunc(problems, func(p error) bool { return p.Error() == err.Error() }) {
			problems = append(problems, err)
		}
	}
	for _, s := range a.screens {
		tables = append(tables, a.table(s.id, s.Screen))
	}
	own := map[kit.Action][]string{}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		act := kit.Action(name)
		has := func(table []kit.Binding) bool {
			_, ok := kit.Find(table, act)
			return ok
		}
		if !slices.ContainsFunc(tables, has) {
			problem(fmt.Errorf("keys.%s: unknown action; ctrl+p lists all actions", name))
			continue
		}
		own[act] = nil
		for _, text := range keys[name] {
			k, err := kit.ParseKey(text)
			if err != nil {
				problem(fmt.Errorf("keys.%s: %w", name, err))
				continue
			}
			own[act] = append(own[act], k)
		}
	}
	for i, table := range tables {
		var wrong []error
		tables[i], wrong = kit.Rebind(table, own)
		for _, err := range wrong {
			problem(fmt.Errorf("keys.%w", err))
		}
	}
	return tables, problems
}

// globalBindings holds the bindings of every screen.
var globalBindings = []kit.Binding{kit.Help, kit.Quit, kit.Palette, kit.Copy, kit.Browser,
	kit.OpenSettings, kit.Mouse, kit.Dots, kit.Suspend, kit.Interrupt}

// openedBy holds the screens that global actions open.
var openedBy = map[kit.Action]kit.ScreenID{kit.ActBrowse: kit.Browse, kit.ActSettings: kit.Settings}

// table returns the bindings of a screen, followed by the global bindings that the screen does not list. A
// binding that opens a screen is listed on the others, if the screen exists.
func (a *app) table(id kit.ScreenID, s kit.Screen) []kit.Binding {
	table := slices.Clone(s.Bindings())
	for _, b := range globalBindings {
		to, opens := openedBy[b.Action]
		_, exists := a.screen(to)
		if _, listed := kit.Find(table, b.Action); !listed && (!opens || exists && to != id) {
			table = append(table, b)
		}
	}
	return table
}

// has reports whether the screen has an action.
func (s screen) has(act kit.Action) bool {
	_, ok := kit.Find(s.table, act)
	return ok
}

// screen returns the screen with an ID.
func (a *app) screen(id kit.ScreenID) (s screen, ok bool) {
	i := slices.IndexFunc(a.screens, func(s screen) bool { return s.id == id })
	if i < 0 {
		return screen{}, false
	}
	return a.screens[i], true
}

// front returns the front screen.
func (a *app) front() screen {
	s, _ := a.screen(a.on)
	return s
}

// Go opens a screen.
func (a *app) Go(to kit.ScreenID, payload any) tea.Cmd {
	s, ok := a.screen(to)
	if !ok {
		return a.Say(kit.Warn, "unknown screen "+string(to))
	}
	if to != a.on {
		leave := func(id kit.ScreenID) bool { return id == to || id == a.on }
		a.before = append(slices.DeleteFunc(a.before, leave), a.on)
	}
	return a.show(s, payload)
}

// Back returns to the previous screen.
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
	if l, leaves := a.front().Screen.(kit.Leaver); leaves && s.id != a.on {
		l.Leave()
	}
	a.on, a.status.text, a.dirty = s.id, "", true
	return s.Open(payload)
}
