package browse

import (
	"cmp"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// forkForm has a field for everything that can differ in a fork. The base value of a field is the value of
// the parent, or the value of another preset if one was selected.
type forkForm struct {
	form.Form
	engine   Engine
	parent   rundir.Info
	runs     []string // IDs of all runs, for completion
	preset   string   // preset of the parent if the selected family has it
	err      error    // reason why the fork did not start
	starting bool
}

// openForm opens the form for a fork of the selected run, with the given values typed.
func (b *Browse) openForm(typed map[string]string) tea.Cmd {
	f := &forkForm{Form: form.New(typed), engine: b.engine, parent: *b.current(), runs: ids(b.all)}
	f.list()
	f.SyncTyping(false)
	b.form, b.focus = f, partList
	return nil
}

// list lists the fields of the selected family. Their base values are the values of the parent, if valid, or
// of the selected preset. Typed values are kept by name.
func (f *forkForm) list() {
	spec := f.family(cmp.Or(f.Typed(rundir.FamilyField), f.parent.Config.Family))
	f.preset = cmp.Or(f.parent.Config.Preset, rundir.DefaultPreset)
	if !slices.Contains(config.PresetNames(spec), f.preset) {
		f.preset = rundir.DefaultPreset
	}
	preset, values := f.Preset(spec, f.preset)
	baseWord := "was"
	if preset != f.preset {
		baseWord = preset
	}
	known := form.Known{Families: f.engine.Families(), Data: f.engine.Catalogue(), Runs: f.runs}
	var fields []*form.Field
	for _, h := range config.Fields(spec) {
		value, ofPreset := values[h.Name]
		if !ofPreset || preset == f.preset {
			value = f.parentValue(h)
		}
		field := form.NewField(h, value)
		known.SetNames(field)
		switch h.Name {
		case rundir.FamilyField:
			field.Choices = known.FamilyNames()
			if !slices.Contains(field.Choices, f.parent.Config.Family) {
				field.Choices = append(field.Choices, f.parent.Config.Family)
			}
		case rundir.DatasetField:
			field.Empty = ""
		case rundir.TargetsField, rundir.ColumnsField:
			if value == "" && f.Typed(h.Name) == "" &&
				!form.IsFile(cmp.Or(f.Typed(rundir.DatasetField), f.parent.Config.Dataset)) {
				continue // Only files have column settings.
			}
		case rundir.PresetField:
			if len(field.Choices) < 2 {
				continue
			}
			field.Help = cmp.Or(config.PresetHelp(spec, preset), h.Help)
		}
		fields = append(fields, field)
	}
	f.List(fields, baseWord, values)
}

// parentValue returns the value of the parent if the field allows it.
func (f *forkForm) parentValue(h models.Hyperparameter) string {
	switch {
	case h.Name == rundir.PresetField:
		return f.preset
	case rundir.IsField(h.Name):
		return f.parent.Config.Field(h.Name)
	}
	if value, ok := f.parent.Values[h.Name]; ok && h.Validate(value) == nil {
		return value
	}
	return h.Default
}

// family returns a family of the engine. An unknown family has only its name.
func (f *forkForm) family(name string) models.Spec {
	for _, spec := range f.engine.Families() {
		if spec.Name == name {
			return spec
		}
	}
	return models.Spec{Name: name}
}

// changes returns the values that differ from the parent. With another preset it returns all
// values.
func (f *forkForm) changes() map[string]string {
	another := f.Value(rundir.PresetField) != "" && f.Value(rundir.PresetField) != f.preset
	changes := map[string]string{}
	for _, field := range f.Fields() {
		if field.Changed() || another && !rundir.IsField(field.Name) {
			changes[field.Name] = field.Value()
			if field.File {
				changes[field.Name] = kit.ExpandPath(field.Value())
			}
		}
	}
	return changes
}

// formKey handles a key for the form. The form handles all letters, so that typing a value cannot delete a
// run.
func (b *Browse) formKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	f := b.form
	f.SyncTyping(false)
	defer f.SyncTyping(false)
	if f.Type(msg) {
		f.edited()
		return nil, true
	}
	switch msg.String() {
	case "esc":
		if f.Undo() {
			f.edited()
		} else {
			b.form = nil
		}
	case "enter":
		if f.Finding() {
			f.Found(true)
			return nil, true
		}
		f.Accept()
		return b.startFork(), true
	case "ctrl+o":
		return b.picker.Open(f.PickFrom(), b.dataFiles()), true
	case "tab":
		if f.Completes() {
			return f.Complete(f), true
		}
		f.Act(kit.ActDown, msg)
	case "shift+tab":
		f.Act(kit.ActUp, msg)
	default:
		act := kit.Lookup(form.Bindings, msg)
		if f.Act(act, msg) {
			f.edited()
		}
		return nil, act != "" || editing(msg) && msg.String() != "?"
	}
	return nil, true
}

// dataFiles returns the data files of the runs, newest runs first.
func (b *Browse) dataFiles() []string {
	var list []string
	for _, run := range b.all {
		list = append(list, run.Config.Dataset)
	}
	return kit.RecentFiles(list)
}

// formCompleted applies a completion to the text of the form.
func (b *Browse) formCompleted(c kit.Completion) bool {
	f := b.form
	took, nothing := f.Completed(c)
	if nothing {
		f.Act(kit.ActDown, tea.KeyMsg{})
	}
	if took {
		f.edited()
		f.SyncTyping(false)
	}
	return took
}

// edited updates the form after a change, because another family, preset or data file has other fields and
// values.
func (f *forkForm) edited() {
	f.err = nil
	switch f.Row() {
	case rundir.FamilyField, rundir.PresetField, rundir.DatasetField:
		f.list()
	}
}

// formMouse selects the clicked line of the form, or scrolls.
func (b *Browse) formMouse(line, wheel int) {
	defer b.form.SyncTyping(false)
	if wheel != 0 {
		b.form.Scroll(2 * wheel)
		return
	}
	b.form.Click(line)
}

// startFork requests the configuration of the fork, or shows the error in the form.
func (b *Browse) startFork() tea.Cmd {
	f := b.form
	if f.starting {
		return nil
	}
	if field, err := f.FirstBad(); err != nil {
		f.GoTo(field.Name)
		f.err = errors.New(field.Name + ": " + err.Error())
		return nil
	}
	changes := f.changes()
	if len(changes) == 0 {
		f.err = errors.New("change a value first")
		return nil
	}
	f.starting, f.err = true, nil
	return func() tea.Msg {
		var c rundir.Config
		err := kit.Try(func() (err error) {
			c, err = f.engine.Fork(f.parent, changes)
			return err
		})
		return forkedMsg{f, c, err}
	}
}

// forked starts the fork or shows the error.
func (b *Browse) forked(msg forkedMsg) tea.Cmd {
	if msg.form != b.form {
		return nil // The form was closed in the meantime.
	}
	if msg.err != nil {
		b.form.starting, b.form.err = false, msg.err
		return nil
	}
	return b.host.Start(kit.Start{Config: msg.config, Parent: msg.form.parent.ID})
}

// started handles the result of starting the fork: it closes the form or shows the error. It reports whether
// the message is for the form.
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
