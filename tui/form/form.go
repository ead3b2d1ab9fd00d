package form

import (
	"cmp"
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/picker"
)

// Form is a list of fields in sections. The zero Form is empty.
type Form struct {
	fields []*Field
	// at is the row where the person is: the name of a field, or of a fold.
	at string
	// typed remembers what differs from its base by name, also of fields that are not
	// listed now.
	typed map[string]string
	open  map[family.Section]bool
	// preset holds the values of the preset that is chosen, and baseWord says what the
	// bases are.
	preset   models.Values
	baseWord string

	list   kit.List
	typing kit.Focus
	drawn  []row // as they were drawn last
	// offered is what tab found that the text that is typed may become.
	offered picker.Completion
}

// New returns a form that remembers values by name.
func New(typed map[string]string) Form {
	return Form{typed: typed, open: map[family.Section]bool{}}
}

// NewOf returns a form that remembers the values of a configuration.
func NewOf(c rundir.Config, fields []models.Hyperparameter) Form {
	typed := map[string]string{}
	for _, h := range fields {
		if value := c.Field(h.Name); value != "" && value != h.Default {
			typed[h.Name] = value
		}
	}
	for name, value := range c.Set {
		typed[name] = value
	}
	return New(typed)
}

// Typed returns what the person set a field to, "" where that is its base; also of
// a field that is not listed now.
func (f *Form) Typed(name string) string {
	f.remember()
	return f.typed[name]
}

// List puts fields in place. What was typed stays where the name is the same, and so
// does the person. baseWord says what the bases are, and preset holds the values of
// the preset that is chosen.
func (f *Form) List(fields []*Field, baseWord string, preset models.Values) {
	f.remember()
	here := f.Current()
	f.fields, f.baseWord, f.preset = fields, baseWord, preset
	for _, field := range fields {
		text, ok := f.typed[field.Name]
		if !ok || field.choices() != nil && field.Validate(text) != nil {
			text = field.Base
		}
		field.Input = kit.NewLine(text)
		if here != nil && here.Name == field.Name && here.Input.Value() == text {
			field.Input = here.Input // With the caret where it is.
		}
	}
	f.keepRow()
}

// Preset returns the preset that is chosen and its values; where that is none, or another
// family's, those of the usual one.
func (f *Form) Preset(spec models.Spec, usual string) (preset string, values models.Values) {
	preset = cmp.Or(f.Typed(rundir.PresetField), usual)
	values, err := session.PresetValues(spec, preset)
	if err != nil {
		preset = usual
		values, _ = session.PresetValues(spec, usual) // It is one of the family.
	}
	return preset, values
}

// ListPreset puts those fields in place that keep returns true for, which may change
// them, and more of the screen's own. Their bases are the values of the preset that is
// chosen, or defaults.
func (f *Form) ListPreset(
	spec models.Spec, list []models.Hyperparameter, keep func(*Field) bool, more ...*Field,
) {
	preset, values := f.Preset(spec, "")
	var fields []*Field
	for _, h := range list {
		base, ok := values[h.Name]
		if !ok {
			base = h.Default
		}
		field := NewField(h, base)
		if h.Name == rundir.PresetField {
			field.Help = cmp.Or(session.PresetHelp(spec, preset), h.Help)
		}
		if keep(field) {
			fields = append(fields, field)
		}
	}
	f.List(append(fields, more...), cmp.Or(preset, defaultWord), values)
}

// remember keeps what differs from its base.
func (f *Form) remember() {
	for _, field := range f.fields {
		if field.Changed() {
			f.typed[field.Name] = field.Value()
		} else {
			delete(f.typed, field.Name)
		}
	}
}

// Field returns the field of a name, nil if none is listed.
func (f *Form) Field(name string) *Field {
	if i := slices.IndexFunc(f.fields, func(field *Field) bool { return field.Name == name }); i >= 0 {
		return f.fields[i]
	}
	return nil
}

// Value returns the value of a field, "" where none is listed.
func (f *Form) Value(name string) string {
	if field := f.Field(name); field != nil {
		return field.Value()
	}
	return ""
}

// Put puts a value into a field, if it is listed.
func (f *Form) Put(name, text string) {
	if field := f.Field(name); field != nil {
		field.Input.Replace(text)
	}
}

// Fields returns the fields that have an effect: of one that depends on another,
// one of the values of that is what it depends on.
func (f *Form) Fields() []*Field {
	var fields []*Field
	applying := map[string]bool{}
	for _, field := range f.fields {
		applies := field.When == nil
		if !applies && applying[field.When.Name] {
			other := f.Field(field.When.Name)
			values, _ := other.Values() // What is refused has no values.
			applies = slices.ContainsFunc(values, func(v string) bool {
				return slices.Contains(field.When.Is, other.Canonical(v))
			})
		}
		applying[field.Name] = applies
		if applies {
			fields = append(fields, field)
		}
	}
	return fields
}

// Current returns the field where the person is, nil if that is no field.
func (f *Form) Current() *Field { return f.Field(f.at) }

// Row names the row where the person is, for GoTo.
func (f *Form) Row() string { return f.at }

// GoTo brings the person to a row: Row names it, or the name of its field.
func (f *Form) GoTo(row string) { f.at = row }

// FirstBad goes to the first field whose text is refused and returns it and why.
func (f *Form) FirstBad() (*Field, error) {
	for _, field := range f.Fields() {
		if err := field.Err(); err != nil {
			return field, err
		}
	}
	return nil, nil
}

// Config returns the configuration of a form whose fields have one value each. What
// is the default, and was not put in the place of a preset's value, stays unset; what
// cannot be read does too, FirstBad tells.
func (f *Form) Config() rundir.Config {
	c := rundir.Config{Set: map[string]string{}}
	for _, field := range f.Fields() {
		switch {
		case rundir.IsField(field.Name):
			_ = c.SetField(field.Name, field.Value())
		case field.Changed(), field.Differs(field.Default):
			c.Set[field.Name] = field.Value()
		}
	}
	return c
}

// changes counts what differs from the preset.
func (f *Form) changes() int {
	n := 0
	for _, field := range f.Fields() {
		if value, ok := f.preset[field.Name]; ok && field.Differs(value) {
			n++
		}
	}
	return n
}

// ResetAll puts all bases back and reports whether that changed a value.
func (f *Form) ResetAll() bool {
	changed := false
	for _, field := range f.fields {
		if _, ofPreset := f.preset[field.Name]; ofPreset && field.Changed() {
			changed = field.Input.Replace(field.Base) || changed
		}
	}
	return changed
}
