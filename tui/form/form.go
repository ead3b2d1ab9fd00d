package form

import (
	"cmp"
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Form is a list of fields in sections. The zero Form is empty.
type Form struct {
	// Adapted holds the defaults that were adapted to the data.
	Adapted []rundir.Adaptation

	fields []*Field
	// at is the selected row: the name of a field or the key of a fold.
	at string
	// typed holds the values that differ from their base, by name, including values of fields that are not
	// listed.
	typed map[string]string
	// open holds the sections that are open. It is nil until the user opens or closes one.
	open map[family.Section]bool
	// room is the number of rows at the last drawing.
	room int
	// preset holds the values of the selected preset. baseWord describes the base values.
	preset   models.Values
	baseWord string

	list   kit.List
	typing kit.Focus
	drawn  []row // rows at the last drawing
	search search
	// offered is the last completion.
	offered kit.Completion
}

// New returns a form with typed values by name.
func New(typed map[string]string) Form {
	return Form{typed: typed}
}

// NewOf returns a form with the values of a configuration.
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

// Typed returns the typed value of a field, listed or not, or "" if it is the base value.
func (f *Form) Typed(name string) string {
	f.remember()
	return f.typed[name]
}

// List sets the fields. Typed values are kept by name, and the selection stays on the same row. baseWord
// describes the base values, and preset holds the values of the selected preset.
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
			field.Input = here.Input // Keep the caret.
		}
	}
	f.keepRow()
}

// Preset returns the selected preset and its values. If there is none, or the family does not have it, Preset
// returns the preset usual.
func (f *Form) Preset(spec models.Spec, usual string) (preset string, values models.Values) {
	preset = cmp.Or(f.Typed(rundir.PresetField), usual)
	values, err := config.PresetValues(spec, preset)
	if err != nil {
		preset = usual
		values, _ = config.PresetValues(spec, usual) // The family has this preset.
	}
	return preset, values
}

// ListPreset lists the fields for which keep returns true, followed by more. keep may modify the fields. The
// base values are the values of the selected preset, or the defaults.
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
			field.Help = cmp.Or(config.PresetHelp(spec, preset), h.Help)
		}
		if keep(field) {
			fields = append(fields, field)
		}
	}
	f.List(append(fields, more...), cmp.Or(preset, defaultWord), values)
}

// remember stores the values that differ from their base.
func (f *Form) remember() {
	for _, field := range f.fields {
		if field.Changed() {
			f.typed[field.Name] = field.Value()
		} else {
			delete(f.typed, field.Name)
		}
	}
}

// Field returns the listed field with a name, or nil.
func (f *Form) Field(name string) *Field {
	if i := slices.IndexFunc(f.fields, func(field *Field) bool { return field.Name == name }); i >= 0 {
		return f.fields[i]
	}
	return nil
}

// Value returns the value of a field, or "" if the field is not listed.
func (f *Form) Value(name string) string {
	if field := f.Field(name); field != nil {
		return field.Value()
	}
	return ""
}

// Put sets the value of a field if it is listed.
func (f *Form) Put(name, text string) {
	if field := f.Field(name); field != nil {
		field.Input.Replace(text)
	}
}

// Fields returns the fields that have an effect. A conditional field has an effect only if a value
// of the field that it depends on meets the condition.
func (f *Form) Fields() []*Field {
	var fields []*Field
	applying := map[string]bool{}
	for _, field := range f.fields {
		applies := field.When == nil
		if !applies && applying[field.When.Name] {
			other := f.Field(field.When.Name)
			values, _ := other.Values() // Invalid text has no values.
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

// Current returns the selected field, or nil if a fold is selected.
func (f *Form) Current() *Field { return f.Field(f.at) }

// Row returns the key of the selected row, for GoTo.
func (f *Form) Row() string { return f.at }

// GoTo selects a row by its key or by the name of its field.
func (f *Form) GoTo(row string) { f.at = row }

// FirstBad returns the first field with an invalid value, and the error. Both are nil if all values
// are valid.
func (f *Form) FirstBad() (*Field, error) {
	for _, field := range f.Fields() {
		if err := field.Err(); err != nil {
			return field, err
		}
	}
	return nil, nil
}

// Config returns the configuration of a form with single values. Default values are left unset unless they
// replace the value of a preset. Invalid values are also left unset; FirstBad reports them.
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

// changes returns the number of values that differ from the preset.
func (f *Form) changes() int {
	n := 0
	for _, field := range f.Fields() {
		if value, ok := f.preset[field.Name]; ok && field.Differs(value) {
			n++
		}
	}
	return n
}

// ResetAll restores all base values and reports whether a value changed.
func (f *Form) ResetAll() bool {
	changed := false
	for _, field := range f.fields {
		if _, ofPreset := f.preset[field.Name]; ofPreset && field.Changed() {
			changed = field.Input.Replace(field.Base) || changed
		}
	}
	return changed
}
