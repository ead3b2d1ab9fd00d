package setup

import (
	"strconv"
	"strings"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// form is the list of everything that can be set for a run.
type form struct {
	fields []*kit.Field
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
func runFields(file bool) []models.Hyperparameter {
	split := models.Hyperparameter{Name: rowSplit, Kind: family.Text,
		Help: "standard:K, interpolation:SEED (90:10) or extrapolation:SEED (50:50 along a random direction); empty for the usual one"}
	seed := models.Hyperparameter{Name: rowSeed, Kind: family.Int, Default: "0", Max: 1e15,
		Help: "starts every random stream of the run: same seed, same numbers"}
	if !file {
		return []models.Hyperparameter{split, seed}
	}
	targets := models.Hyperparameter{Name: rowTargets, Kind: family.Text,
		Help: "names or numbers of the target columns, separated by commas; empty for the last column"}
	return []models.Hyperparameter{targets, split, seed}
}

// newForm returns a form that remembers the values of c.
func newForm(c rundir.Config) form {
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
func (f *form) list(hyper []models.Hyperparameter, file bool) {
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
		f.fields = append(f.fields, kit.NewField(h, text))
	}
}

// remember keeps what differs from the defaults.
func (f *form) remember() {
	for _, row := range f.fields {
		if row.Changed() {
			f.typed[row.Name] = row.Value()
		} else {
			delete(f.typed, row.Name)
		}
	}
}

// config returns the part of a configuration that the form holds. A seed that is
// not a number stands for 0; firstBad tells.
func (f *form) config() rundir.Config {
	c := rundir.Config{Set: map[string]string{}}
	for _, row := range f.fields {
		text := row.Value()
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
			if row.Changed() {
				c.Set[row.Name] = text
			}
		}
	}
	return c
}

// firstBad returns the first row whose text is refused, and why.
func (f *form) firstBad() (int, error) {
	for i, row := range f.fields {
		if err := row.Validate(row.Value()); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// current returns the row where the person is, nil if the form is empty.
func (f *form) current() *kit.Field {
	if f.at >= len(f.fields) {
		return nil
	}
	return f.fields[f.at]
}

// turn goes to the next or the previous choice of the current row and reports
// whether the value changed.
func (f *form) turn(step int) bool {
	row := f.current()
	return row != nil && row.Turn(step)
}
