package browse

import (
	"errors"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// forkForm has a field for everything that can be different in a fork. The default
// of a field is what the parent has.
type forkForm struct {
	engine   Engine
	parent   rundir.Info
	fields   []*kit.Field
	at       int
	typing   kit.Focus
	list     kit.List
	err      error // why there is no run
	starting bool
}

// numOwn counts the fields before the hyperparameters, of which fieldFamily is one.
const (
	fieldFamily = "family"
	fieldSeed   = "seed"
	numOwn      = 5
)

// openForm opens the form for a fork of the chosen run.
func (b *Browse) openForm() tea.Cmd {
	run := b.current()
	f := &forkForm{engine: b.engine, parent: *run}
	c := run.Config
	own := []models.Hyperparameter{
		{Name: "dataset", Default: c.Dataset, Kind: family.Text, Help: "a name of the set-up screen or the path of a CSV file"},
		{Name: "targets", Default: c.Field(rundir.TargetsField), Kind: family.Text, Help: "target columns of a file, separated by commas; empty for the last"},
		{Name: "split", Default: c.Split, Kind: family.Text, Help: "standard:K, interpolation:SEED or extrapolation:SEED"},
		{Name: fieldFamily, Default: c.Family, Kind: family.Choice, Help: "another family keeps the values that it shares with this one"},
		{Name: fieldSeed, Default: strconv.FormatUint(c.Seed, 10), Kind: family.Text, Help: "starts every random stream of the run",
			Check: func(text string) error {
				if _, err := strconv.ParseUint(text, 10, 64); err != nil {
					return &models.ValueError{Name: fieldSeed, Value: text, Want: "want a whole number from 0"}
				}
				return nil
			}},
	}
	for _, spec := range b.engine.Families() {
		own[3].Choices = append(own[3].Choices, spec.Name)
	}
	if !slices.Contains(own[3].Choices, c.Family) {
		own[3].Choices = append(own[3].Choices, c.Family)
	}
	for _, h := range own {
		f.fields = append(f.fields, kit.NewField(h, h.Default))
	}
	f.listSettings()
	f.syncTyping()
	b.form, b.focus = f, partList
	return nil
}

// field returns the field of a name, nil if there is none.
func (f *forkForm) field(name string) *kit.Field {
	i := slices.IndexFunc(f.fields, func(field *kit.Field) bool { return field.Name == name })
	if i < 0 {
		return nil
	}
	return f.fields[i]
}

// listSettings lists the hyperparameters of the chosen family, with the values of
// the parent where it allows them. What was typed stays where the name is the same.
func (f *forkForm) listSettings() {
	list, err := f.engine.Hyperparameters(f.field(fieldFamily).Value())
	f.err = err
	fields := slices.Clone(f.fields[:numOwn])
	for _, h := range list {
		if value, ok := f.parent.Values[h.Name]; ok && h.Validate(value) == nil {
			h.Default = value
		}
		text := h.Default
		if old := f.field(h.Name); old != nil && old.Changed() && h.Validate(old.Value()) == nil {
			text = old.Value()
		}
		fields = append(fields, kit.NewField(h, text))
	}
	f.fields = fields
	f.at = min(f.at, len(fields)-1)
}

// changes returns what differs from the parent.
func (f *forkForm) changes() map[string]string {
	changes := map[string]string{}
	for _, field := range f.fields {
		if field.Changed() {
			changes[field.Name] = field.Value()
		}
	}
	return changes
}

// formKey gives a key to the form. It takes every letter: none of them may delete a
// run while a value is being typed.
func (b *Browse) formKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	f := b.form
	f.syncTyping()
	defer f.syncTyping()
	field := f.fields[f.at]
	switch msg.String() {
	case "esc":
		if field.Values() == nil && field.Input.Undo() {
			f.changed(field)
			return nil, true
		}
		b.form = nil
	case "enter":
		return b.startFork(), true
	case "up", "shift+tab":
		f.move(-1)
	case "down", "tab":
		f.move(1)
	case "pgup":
		f.move(-max(f.list.Height(), 1))
	case "pgdown":
		f.move(max(f.list.Height(), 1))
	case "ctrl+u", "delete":
		if field.Input.Reset(msg, field.Default) {
			f.changed(field)
		}
	default:
		return nil, f.edit(field, msg)
	}
	return nil, true
}

// edit gives a key to the field in focus and reports whether it is for that.
func (f *forkForm) edit(field *kit.Field, msg tea.KeyMsg) bool {
	if !editing(msg) {
		return false
	}
	switch {
	case field.Values() != nil:
		step := map[string]int{"left": -1, "right": 1, " ": 1}[msg.String()]
		if step == 0 {
			return msg.String() != "?"
		}
		field.Turn(step)
	case msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace:
		if !field.Input.Type(msg, field.Accepts) {
			return msg.String() != "?"
		}
	default:
		field.Input.Edit(msg)
	}
	f.changed(field)
	return true
}

// changed does what follows from another value.
func (f *forkForm) changed(field *kit.Field) {
	f.err = nil
	if field.Name == fieldFamily {
		f.listSettings()
	}
}

// syncTyping follows where the person has gone.
func (f *forkForm) syncTyping() {
	field := f.fields[f.at]
	f.typing.On(field.Name, &field.Input)
}

func (f *forkForm) move(by int) { f.at = max(min(f.at+by, len(f.fields)-1), 0) }

// formMouse chooses the field on a line of the form, or scrolls.
func (b *Browse) formMouse(line, wheel int) {
	f := b.form
	defer f.syncTyping()
	if wheel != 0 {
		f.move(2 * wheel)
		return
	}
	f.typing.Again()
	if row := f.list.Top() + line; line >= 0 && line < f.list.Height() && row < len(f.fields) {
		f.at = row
	}
}

// startFork asks for the configuration of the fork, or says what is in the way.
func (b *Browse) startFork() tea.Cmd {
	f := b.form
	if f.starting {
		return nil
	}
	for i, field := range f.fields {
		if err := field.Err(); err != nil {
			f.at, f.err = i, errors.New(field.Name+": "+err.Error())
			return nil
		}
	}
	changes := f.changes()
	if len(changes) == 0 {
		f.err = errors.New("change something first: the same values give the same run")
		return nil
	}
	f.starting, f.err = true, nil
	return func() tea.Msg {
		c, err := f.engine.Fork(f.parent, changes)
		return forkedMsg{f, c, err}
	}
}

// forked starts the fork, or shows why there is none.
func (b *Browse) forked(msg forkedMsg) tea.Cmd {
	if msg.form != b.form {
		return nil // It was left meanwhile.
	}
	if msg.err != nil {
		b.form.starting, b.form.err = false, msg.err
		return nil
	}
	return b.host.Start(kit.Start{Config: msg.config, Parent: msg.form.parent.ID})
}

// started closes the form of a fork that runs, or shows why it does not; it
// reports whether there was one.
func (b *Browse) started(msg kit.RunStartedMsg) bool {
	if b.form == nil || !b.form.starting || msg.Asked.Parent != b.form.parent.ID {
		return false
	}
	if msg.Err == nil {
		b.form = nil
		return true
	}
	b.form.starting, b.form.err = false, msg.Err
	return true
}
