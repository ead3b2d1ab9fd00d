package tui

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"

	"dgplab/models/family"
	"dgplab/session"
)

// newText returns a line of text to be typed, the caret at its end. It takes
// every key it is given: the screen knows which text has the focus.
func newText(text string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.Cursor.SetMode(cursor.CursorHide) // edited draws the caret.
	in.Focus()
	in.SetValue(text)
	return in
}

// field is one row of the form: a declaration and what is typed.
type field struct {
	hyperparameter
	text textinput.Model
}

// value returns what is typed without the spaces around it.
func (f *field) value() string { return strings.TrimSpace(f.text.Value()) }

// err says why the text is refused, nil if it is not.
func (f *field) err() error {
	if err := f.Validate(f.value()); err != nil {
		var v *family.ValueError
		if errors.As(err, &v) {
			return errors.New(v.Want)
		}
		return err
	}
	return nil
}

// changed reports whether the text differs from the default.
func (f *field) changed() bool { return f.value() != f.Default }

// choices returns the values to go through with left and right, nil for a text.
func (f *field) choices() []string {
	switch f.Kind {
	case family.Bool:
		return []string{"on", "off"}
	case family.Choice:
		return f.Choices
	}
	return nil
}

// accepts reports whether typing r changes the field: numbers leave letters to
// the keys of the screen.
func (f *field) accepts(r rune) bool {
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

// form is the list of everything that can be set for a run.
type form struct {
	fields []*field
	at     int
	// typed remembers what was set by name, also for families not chosen now.
	typed map[string]string
}

// The rows that are not hyperparameters but belong to the run.
const (
	rowTargets = "targets"
	rowSplit   = "split"
	rowSeed    = "seed"
)

// runFields declares the rows of the run itself; targets only for a file.
func runFields(file bool) []hyperparameter {
	split := hyperparameter{Name: rowSplit, Kind: family.Text,
		Help: "standard:K, interpolation:SEED (90:10) or extrapolation:SEED (50:50 along a random direction); empty for the usual one"}
	seed := hyperparameter{Name: rowSeed, Kind: family.Int, Default: "0", Max: 1e15,
		Help: "starts every random stream of the run: same seed, same numbers"}
	if !file {
		return []hyperparameter{split, seed}
	}
	targets := hyperparameter{Name: rowTargets, Kind: family.Text,
		Help: "names or numbers of the target columns, separated by commas; empty for the last column"}
	return []hyperparameter{targets, split, seed}
}

// newForm returns a form that remembers the values of c.
func newForm(c session.Config) form {
	typed := map[string]string{}
	for name, value := range c.Set {
		typed[name] = value
	}
	if c.Split != "" {
		typed[rowSplit] = c.Split
	}
	if c.Seed != 0 {
		typed[rowSeed] = strconv.FormatUint(c.Seed, 10)
	}
	if len(c.Targets) > 0 {
		typed[rowTargets] = strings.Join(c.Targets, ",")
	}
	return form{typed: typed}
}

// list makes the rows anew and keeps what was typed and where the person is.
func (f *form) list(hyper []hyperparameter, file bool) {
	name := ""
	if f.at < len(f.fields) {
		name = f.fields[f.at].Name
	}
	f.remember()
	f.fields, f.at = nil, 0
	for _, h := range append(runFields(file), hyper...) {
		text, ok := f.typed[h.Name]
		if !ok {
			text = h.Default
		}
		if h.Name == name {
			f.at = len(f.fields)
		}
		f.fields = append(f.fields, &field{h, newText(text)})
	}
}

// remember keeps what differs from the defaults.
func (f *form) remember() {
	for _, row := range f.fields {
		if row.changed() {
			f.typed[row.Name] = row.value()
		} else {
			delete(f.typed, row.Name)
		}
	}
}

// config returns the part of a configuration that the form holds. A seed that is
// not a number stands for 0; firstBad tells.
func (f *form) config() session.Config {
	c := session.Config{Set: map[string]string{}}
	for _, row := range f.fields {
		text := row.value()
		switch row.Name {
		case rowSplit:
			c.Split = text
		case rowSeed:
			c.Seed, _ = strconv.ParseUint(text, 10, 64)
		case rowTargets:
			for _, name := range strings.Split(text, ",") {
				if name = strings.TrimSpace(name); name != "" {
					c.Targets = append(c.Targets, name)
				}
			}
		default:
			if row.changed() {
				c.Set[row.Name] = text
			}
		}
	}
	return c
}

// firstBad returns the first row whose text is refused, and why.
func (f *form) firstBad() (int, error) {
	for i, row := range f.fields {
		if err := row.Validate(row.value()); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// current returns the row where the person is, nil if the form is empty.
func (f *form) current() *field {
	if f.at >= len(f.fields) {
		return nil
	}
	return f.fields[f.at]
}

// turn goes to the next or the previous choice of the current row and reports
// whether the value changed.
func (f *form) turn(step int) bool {
	row := f.current()
	if row == nil || row.choices() == nil {
		return false
	}
	choices := row.choices()
	now, n := max(slices.Index(choices, row.text.Value()), 0), len(choices)
	row.text.SetValue(choices[(now+step+n)%n])
	return n > 1
}
