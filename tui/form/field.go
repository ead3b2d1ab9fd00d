package form

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// Field is a row of a form: a hyperparameter and its typed value.
type Field struct {
	models.Hyperparameter
	Input kit.Line
	// Base is the value that a reset restores. A value that differs from it is marked.
	Base string
	// Many allows several values, as parsed by sweep.Expand.
	Many bool
	// Empty is the meaning of an empty value. If it is "", a value is required.
	Empty string
	// File is set if a value may be the path of a file. Names holds the known values. Tab completes both.
	File  bool
	Names []string
	// Note is a remark at the end of the row, or "".
	Note string
}

// NewField returns a field with a base value.
func NewField(h models.Hyperparameter, base string) *Field {
	f := &Field{Hyperparameter: h, Input: kit.NewLine(base), Base: base, File: h.Name == rundir.DatasetField}
	if h.Kind == family.Bool {
		f.Choices = []string{"on", "off"}
	}
	if h.Kind == family.Text {
		f.Empty = "default"
	}
	if h.Name == rundir.BudgetSetting {
		f.Empty = "none"
	}
	if h.Name == rundir.TargetsField {
		f.Empty = "last column"
	}
	if h.Name == rundir.ColumnsField {
		f.Empty = "as detected"
	}
	return f
}

// Value returns the typed text without surrounding spaces.
func (f *Field) Value() string { return strings.TrimSpace(f.Input.Value()) }

// Values returns the typed values.
func (f *Field) Values() ([]string, error) {
	text := f.Value()
	switch {
	case text == "" && f.Empty != "":
		return nil, nil
	case text == "" && f.Many:
		return nil, errors.New("want at least one value")
	case f.Many:
		return sweep.Expand(text)
	default:
		return []string{text}, nil
	}
}

// Err returns the error in the typed value, or nil.
func (f *Field) Err() error {
	values, err := f.Values()
	if err != nil {
		return err
	}
	for _, value := range values {
		var refused *models.ValueError
		err := f.Validate(value)
		switch {
		case errors.As(err, &refused) && f.Many:
			return fmt.Errorf("%s: %s", value, refused.Want)
		case errors.As(err, &refused):
			return errors.New(refused.Want)
		}
	}
	return nil
}

// Count returns the number of values, or 0 if they are invalid.
func (f *Field) Count() int {
	if f.Err() != nil {
		return 0
	}
	values, _ := f.Values() // Err has checked them.
	return len(values)
}

// Changed reports whether the value differs from the base.
func (f *Field) Changed() bool { return f.Differs(f.Base) }

// Differs reports whether the value differs from the given one.
func (f *Field) Differs(value string) bool { return f.Canonical(f.Value()) != f.Canonical(value) }

// choices returns the values that the arrow keys step through, or nil if there are none.
func (f *Field) choices() []string {
	if f.Many || f.Kind != family.Bool && f.Kind != family.Choice && f.Kind != family.Expression {
		return nil
	}
	return f.Choices
}

// editable reports whether text can be typed.
func (f *Field) editable() bool { return f.choices() == nil || f.Kind == family.Expression }

// typed reports whether arrows move the caret in the text. In an expression they step through the choices
// until the user edits the text.
func (f *Field) typed() bool {
	return f.editable() && (f.Input.Editing() || !slices.Contains(f.choices(), f.Value()))
}

// Turn moves the choice by step positions, cyclically, and reports whether the value changed.
func (f *Field) Turn(step int) bool {
	choices := f.choices()
	n := len(choices)
	if n == 0 {
		return false
	}
	now := max(slices.Index(choices, f.Value()), 0)
	f.Input.SetValue(choices[(now+step+n)%n])
	f.Input.Choose() // A choice is not typed, so Undo must not revert it.
	return n > 1
}

// accepts reports whether r can be typed into the field. In numbers, letters remain keys of the
// screen.
func (f *Field) accepts(r rune) bool {
	signs := ""
	switch f.Kind {
	case family.Int:
		signs = "-"
	case family.IntList:
		signs = ","
	case family.Float:
		signs = ".+-eE"
	case family.FloatList:
		signs = ".+-eE,"
	case family.Expression:
		// A name is a choice until another character, such as "(", continues it.
		return unicode.IsPrint(r) && (f.Many || f.typed() || strings.ContainsRune("(+*|&", r))
	default:
		return unicode.IsPrint(r) && (f.Many || f.Kind == family.Text)
	}
	if f.Many {
		signs += ".,; "
	}
	return r >= '0' && r <= '9' || strings.ContainsRune(signs, r)
}

// next returns the typed values followed by the first missing choice, or nil if none is missing.
func (f *Field) next() []string {
	have, _ := f.Values() // Invalid text is replaced.
	for _, v := range f.Choices {
		if !slices.Contains(have, v) {
			return append(have, v)
		}
	}
	return nil
}

// addNext appends the next choice and reports whether there was one.
func (f *Field) addNext() bool {
	values := f.next()
	return f.Many && values != nil && f.Input.Replace(sweep.Join(values))
}

// addObstacle returns the reason why no choice can be added, or "" if one can.
func (f *Field) addObstacle() string {
	switch {
	case !f.Many || f.Choices == nil:
		return "type the values of " + f.Name
	case f.next() == nil:
		return "all values of " + f.Name + " are listed"
	}
	return ""
}
