package kit

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"dgplab/models"
	"dgplab/models/family"
)

// Field is one row of the form: a declaration and what is typed.
type Field struct {
	models.Hyperparameter
	Input Line
}

// Value returns what is typed without the spaces around it.
func (f *Field) Value() string { return strings.TrimSpace(f.Input.Value()) }

// Err says why the text is refused, nil if it is not.
func (f *Field) Err() error {
	if err := f.Validate(f.Value()); err != nil {
		var v *family.ValueError
		if errors.As(err, &v) {
			return errors.New(v.Want)
		}
		return err
	}
	return nil
}

// Changed reports whether the text differs from the default.
func (f *Field) Changed() bool { return f.Value() != f.Default }

// Values returns the values to go through with left and right, nil for a text.
func (f *Field) Values() []string {
	switch f.Kind {
	case family.Bool:
		return []string{"on", "off"}
	case family.Choice:
		return f.Choices
	}
	return nil
}

// Accepts reports whether typing r changes the field: numbers leave letters to
// the keys of the screen.
func (f *Field) Accepts(r rune) bool {
	switch f.Kind {
	case family.Text:
		return unicode.IsPrint(r)
	case family.Bool, family.Choice:
		return false
	case family.Int:
		return strings.ContainsRune("0123456789-", r)
	case family.IntList:
		return strings.ContainsRune("0123456789,", r)
	}
	return strings.ContainsRune("0123456789.+-eE", r)
}

// NewField returns a field in which text is typed.
func NewField(h models.Hyperparameter, text string) *Field { return &Field{h, NewLine(text)} }

// Turn goes to the next or the previous choice and reports whether the value
// changed.
func (f *Field) Turn(step int) bool {
	choices := f.Values()
	n := len(choices)
	if n == 0 {
		return false
	}
	now := max(slices.Index(choices, f.Input.Value()), 0)
	f.Input.SetValue(choices[(now+step+n)%n])
	f.Input.Choose() // A choice is not typed: there is nothing to undo.
	return n > 1
}
