package ablate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// The rows that are not hyperparameters.
const (
	rowTargets = "targets"
	rowJobs    = "workers"
	rowName    = "name"
)

// row is a line of the form: what can be swept, and the values that are typed.
type row struct {
	models.Hyperparameter
	input kit.Line
	// known are the values that there are, nil if they cannot be listed.
	known []string
	// single rows take one value, which may have commas.
	single bool
	// optional rows may be empty.
	optional bool
}

func (r *row) text() string { return strings.TrimSpace(r.input.Value()) }

// values returns what is typed, one by one.
func (r *row) values() ([]string, error) {
	switch text := r.text(); {
	case text == "" && r.optional:
		return nil, nil
	case text == "":
		return nil, errors.New("want at least one value")
	case r.single:
		return []string{text}, nil
	default:
		return sweep.Expand(text)
	}
}

// err says why what is typed is refused, nil if it is not.
func (r *row) err() error {
	values, err := r.values()
	if err != nil {
		return err
	}
	for _, v := range values {
		if err := r.refuses(v); err != nil {
			return err
		}
	}
	return nil
}

// refuses checks one value.
func (r *row) refuses(v string) error {
	var refused *models.ValueError
	switch r.Name {
	case rundir.SeedField:
		_, err := sweep.Seeds(v)
		return err
	case rundir.SplitField:
		_, err := datasets.ParseSplit(v)
		return err
	case rowName:
		return sweep.CheckName(v)
	}
	if err := r.Validate(v); err != nil {
		if errors.As(err, &refused) {
			return fmt.Errorf("%s: %s", v, refused.Want)
		}
		return err
	}
	if r.Name == rundir.FamilyField && !slices.Contains(r.known, v) {
		return fmt.Errorf("there is no family %s", v)
	}
	return nil
}

// count returns how many values there are, 0 if they are refused.
func (r *row) count() int {
	if r.err() != nil {
		return 0
	}
	values, _ := r.values() // err has seen them.
	return len(values)
}

// changed reports whether the text differs from the default.
func (r *row) changed() bool { return r.text() != r.Default }

// accepts reports whether typing c changes the row: numbers leave letters to the
// keys of the screen.
func (r *row) accepts(c rune) bool {
	switch {
	case r.single && r.Kind == family.Int:
		return unicode.IsDigit(c)
	case r.Kind == family.Int, r.Kind == family.IntList:
		return strings.ContainsRune("0123456789.,;- ", c)
	case r.Kind == family.Float:
		return strings.ContainsRune("0123456789.,;-+eE ", c)
	}
	return unicode.IsPrint(c)
}

// next returns the values that are typed with the first one that is known and not
// there yet, nil if there is none.
func (r *row) next() []string {
	have, _ := r.values() // A text that is refused is replaced by what is known.
	for _, v := range r.known {
		if !slices.Contains(have, v) {
			return append(have, v)
		}
	}
	return nil
}

// addKnown appends the next known value and reports whether there was one.
func (r *row) addKnown() bool {
	values := r.next()
	return values != nil && r.input.Put(sweep.Join(values))
}

// addBarred says why there is no value to add, "" if there is one.
func (r *row) addBarred() string {
	switch {
	case r.known == nil:
		return "the values of " + r.Name + " are typed"
	case r.next() == nil:
		return "all values of " + r.Name + " are there"
	}
	return ""
}

// newRow returns a row with a text.
func newRow(h models.Hyperparameter, text string) *row {
	r := &row{Hyperparameter: h, input: kit.NewLine(text)}
	switch h.Kind {
	case family.Bool:
		r.known = []string{"on", "off"}
	case family.Choice:
		r.known = h.Choices
	}
	return r
}
