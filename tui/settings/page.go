package settings

import (
	"context"
	"errors"
	"io/fs"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Program is the interface of the page to the running program.
type Program interface {
	// InUse returns the settings in use, which can differ from those in the file.
	InUse() Settings
	// Use changes an entry of the settings in use, if the value is allowed.
	Use(name string, value any) tea.Cmd
	// KeyProblems returns the errors in keys, one line each.
	KeyProblems(keys map[string][]string) []error
}

// bindings holds the keys of the page.
var bindings = []kit.Binding{
	kit.Bind(kit.Look, kit.ActUp, "<up>", "", "Select the previous setting.", "up"),
	kit.Bind(kit.Look, kit.ActDown, "<up><down>", "select", "Select the next setting.", "down"),
	kit.Bind(kit.Values, kit.ActLeft, "<left>", "", "Change to the previous value, and save it.", "left"),
	kit.Bind(kit.Values, kit.ActRight, "<left><right>", "change", "Change to the next value, and save it.",
		"right"),
	kit.Bind(kit.Values, form.NextChoice, "space", "", "Change to the next value, and save it.", " "),
	kit.Bind(kit.Values, kit.ActReset, "ctrl+u", "default", "Change to the default, and save it.", "ctrl+u",
		"delete"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "back", "Go back. Runs continue.", "esc"),
	kit.Bind(kit.Look, kit.ActPageUp, "pgup", "", "Scroll up in the rest of the file.", "pgup"),
	kit.Bind(kit.Look, kit.ActPageDown, "pgdown", "scroll", "Scroll down in the rest of the file.", "pgdown"),
	kit.Help,
	kit.Quit,
}

// Page is the screen that shows and changes the settings file. It implements kit.Screen.
type Page struct {
	host    kit.Host
	program Program
	theme   *kit.Theme
	w, h    int

	form form.Form
	rest kit.Scrolled // the scroll window of the rest of the file
	// file is the last reading of the file.
	file kit.Preview[content]
	// changes holds the changes that are not written yet. The first one is being written.
	changes []change
	// saved is set if the last change since the page was opened has been written, and failed is the error if
	// it has not.
	saved  bool
	failed error
}

// change is a new value of an entry.
type change struct {
	name  string
	value any
}

// content is the content of the settings file.
type content struct {
	path     string
	exists   bool
	settings Settings
	problems []*Problem
}

// savedMsg is the outcome of writing a change.
type savedMsg struct{ err error }

// New returns the page.
func New(host kit.Host, program Program) *Page {
	p := &Page{host: host, program: program, theme: host.Theme(), form: form.New(map[string]string{})}
	p.list()
	return p
}

// readFile reads the settings file.
func readFile(context.Context) (content, error) {
	var c content
	c.settings, c.problems = Load()
	path, err := Path()
	if err == nil {
		c.path = path
		_, err := os.Lstat(path)
		c.exists = !errors.Is(err, fs.ErrNotExist)
	}
	return c, nil
}

// Title returns the name of the screen.
func (p *Page) Title() string { return "Settings" }

// Bindings returns the keys.
func (p *Page) Bindings() []kit.Binding { return bindings }

// SetSize sets the size of the screen.
func (p *Page) SetSize(w, h int) {
	p.w = w
	p.h = h
}

// Open reads the file.
func (p *Page) Open(any) tea.Cmd {
	p.saved, p.failed = false, nil
	p.list()
	return p.read()
}

// read reads the file in the background.
func (p *Page) read() tea.Cmd { return p.file.Start(p.host.Context(), readFile) }

// list lists the rows with the values in the file, as it will be when all changes are written. Until the file
// has been read, they are the values in use.
func (p *Page) list() {
	s := p.program.InUse()
	if p.file.Known != nil {
		s = p.file.Known.settings
	}
	for _, c := range p.changes {
		_ = s.Set(c.name, c.value) // A row offers only allowed values.
	}
	var fields []*form.Field
	for _, r := range rows {
		fields = append(fields, p.field(r, r.value(s)))
	}
	p.form.List(fields, "default", nil)
	for _, r := range rows {
		p.form.Put(r.name, r.value(s))
	}
	p.form.SyncTyping(false)
}

// Update handles the outcomes of reading and writing the file.
func (p *Page) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case kit.PreviewedMsg[content]:
		if !p.file.Take(msg) {
			return nil, false
		}
		p.list()
		return nil, true
	case savedMsg:
		return p.wrote(msg.err), true
	}
	return nil, false
}

// Typed takes no text.
func (p *Page) Typed(tea.KeyMsg) (tea.Cmd, bool) { return nil, false }

// Available returns the footer word of an action and the reason why it is unavailable.
func (p *Page) Available(act kit.Action) (word, reason string) {
	switch act {
	case kit.ActPageUp, kit.ActPageDown:
		return "", p.scrollObstacle()
	case kit.ActBack:
		return "", ""
	}
	return p.form.Available(act)
}

// scrollObstacle returns the reason why the rest of the file cannot be scrolled, or "" if it can.
func (p *Page) scrollObstacle() string {
	for _, part := range arrange(p.w, p.h).Parts {
		inner := part.Inner()
		if part.ID == partRest && len(p.restLines(inner.W)) > inner.H {
			return ""
		}
	}
	return "nothing to scroll"
}

// Types reports that no character is typed.
func (p *Page) Types(rune) bool { return false }

// Act performs an action.
func (p *Page) Act(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	switch act {
	case kit.ActBack:
		return p.host.Back()
	case kit.ActPageUp, kit.ActPageDown:
		p.rest.Act(act)
		return nil
	}
	if !p.form.Act(act, msg) {
		p.form.SyncTyping(false)
		return nil
	}
	name := p.form.Row()
	return p.change(change{name, valueOf(p.form.Value(name))})
}

// change uses a new value and writes it. A value that still waits to be written is replaced.
func (p *Page) change(c change) tea.Cmd {
	use := p.program.Use(c.name, c.value)
	last := len(p.changes) - 1
	if last > 0 && p.changes[last].name == c.name {
		p.changes = p.changes[:last]
	}
	p.changes = append(p.changes, c)
	p.file.Cancel() // A reading that has begun misses the change.
	p.list()
	if len(p.changes) > 1 {
		return use
	}
	return tea.Batch(use, p.write())
}

// write writes the first change in the background.
func (p *Page) write() tea.Cmd {
	c := p.changes[0]
	return func() tea.Msg { return savedMsg{Write(c.name, c.value)} }
}

// wrote handles the outcome of writing the first change. If there is an error, the others are not written
// either, because they would fail for the same reason.
func (p *Page) wrote(err error) tea.Cmd {
	p.saved, p.failed = err == nil, err
	p.changes = p.changes[1:]
	if err == nil && len(p.changes) > 0 {
		return p.write()
	}
	p.changes = nil
	p.list()
	if err == nil {
		return p.read()
	}
	return tea.Batch(p.read(), p.host.Hold(kit.Bad, "not saved, used until the program ends: "+err.Error()))
}

// Finish writes the changes that are not written yet. It is called after the last message.
func (p *Page) Finish() error {
	for _, c := range p.changes {
		if err := Write(c.name, c.value); err != nil {
			return err
		}
	}
	return nil
}

// Mouse selects the clicked setting, or scrolls the part under the wheel.
func (p *Page) Mouse(x, y, wheel int) tea.Cmd {
	part, _, ok := arrange(p.w, p.h).At(x, y, nil)
	switch {
	case !ok:
	case part.ID == partRest:
		p.rest.Wheel(2 * wheel)
	case wheel != 0:
		p.form.Scroll(2 * wheel)
	default:
		p.form.Click(y - part.Inner().Y)
	}
	return nil
}
