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

// Field is a row of a form: what can be set, and what is typed.
type Field struct {
	models.Hyperparameter
	Input kit.Line
	// Base is the value that is put back; what differs from it is marked.
	Base string
	// Many says that several values may be typed, as sweep.Expand reads them.
	Many bool
	// Empty says what no value stands for; where it is "" there must be one.
	Empty string
	// File says that a value may be the path of a file, and Names are values that are known;
	// tab completes both.
	File  bool
	Names []string
}

// NewField returns a field with its base, that is its default unless it is given.
func NewField(h models.Hyperparameter, base string) *Field {
	f := &Field{Hyperparameter: h, Input: kit.NewLine(base), Base: base, File: h.Name == rundir.DatasetField}
	if h.Kind == family.Bool {
		f.Choices = []string{"on", "off"}
	}
	if h.Kind == family.Text {
		f.Empty = "usual"
	}
	if h.Name == rundir.TargetsField {
		f.Empty = "the last column"
	}
	if h.Name == rundir.ColumnsField {
		f.Empty = "as they look"
	}
	return f
}

// Value returns what is typed without the spaces around it.
func (f *Field) Value() string { return strings.TrimSpace(f.Input.Value()) }

// Values returns what is typed, one by one.
func (f *Field) Values() ([]string, error) {
	switch text := f.Value(); {
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

// Err says why what is typed is refused, nil if it is not.
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
		case err != nil:
			return err
		}
	}
	return nil
}

// Count returns how many values there are, 0 if they are refused.
func (f *Field) Count() int {
	if f.Err() != nil {
		return 0
	}
	values, _ := f.Values() // Err has seen them.
	return len(values)
}

// Changed reports whether the value is another one than the base.
func (f *Field) Changed() bool { return f.Differs(f.Base) }

// Differs reports whether the value is another one than this.
func (f *Field) Differs(value string) bool { return f.Canonical(f.Value()) != f.Canonical(value) }

// choices returns the values to go through with left and right, nil for a text.
func (f *Field) choices() []string {
	if f.Many || f.Kind != family.Bool && f.Kind != family.Choice {
		return nil
	}
	return f.Choices
}

// Turn goes to the next or the previous choice and reports whether the value
// changed.
func (f *Field) Turn(step int) bool {
	choices := f.choices()
	n := len(choices)
	if n == 0 {
		return false
	}
	now := max(slices.Index(choices, f.Value()), 0)
	f.Input.SetValue(choices[(now+step+n)%n])
	f.Input.Choose() // A choice is not typed: there is nothing to undo.
	return n > 1
}

// accepts reports whether typing r changes the field: numbers leave letters to
// the keys of the screen.
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
	default:
		return unicode.IsPrint(r) && (f.Many || f.Kind == family.Text)
	}
	if f.Many {
		signs += ".,; "
	}
	return r >= '0' && r <= '9' || strings.ContainsRune(signs, r)
}

// next returns the values that are typed with the first choice that is not there
// yet, nil if there is none.
func (f *Field) next() []string {
	have, _ := f.Values() // A text that is refused is replaced by what is known.
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

// addBarred says why there is no choice to add, "" if there is one.
func (f *Field) addBarred() string {
	switch {
	case !f.Many || f.Choices == nil:
		return "the values of " + f.Name + " are typed"
	case f.next() == nil:
		return "all values of " + f.Name + " are there"
	}
	return ""
}
