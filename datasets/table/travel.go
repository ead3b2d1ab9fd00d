package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"dgplab/datasets/wording"
)

// layoutJSON is a Layout in JSON. The decisions about a file travel with a packed model, so that new
// rows are read as the rows of the file were.
type layoutJSON struct {
	Columns  []Column      `json:"columns"`
	Named    bool          `json:"named"`
	Inputs   []int         `json:"inputs"`
	Targets  []int         `json:"targets"`
	Choices  Choices       `json:"choices,omitzero"`
	Strict   bool          `json:"strict,omitempty"`
	Numbers  Notation      `json:"numbers"`
	Readings []readingJSON `json:"readings"`
	Encoding string        `json:"encoding,omitempty"`
}

// readingJSON is a reading in JSON. Value is one of valueWords, and Dates one of dateWords.
type readingJSON struct {
	Skip    bool   `json:"skip,omitempty"`
	Text    bool   `json:"text,omitempty"`
	IsName  bool   `json:"name,omitempty"`
	Strings bool   `json:"strings,omitempty"`
	Forced  bool   `json:"forced,omitempty"`
	Value   string `json:"value,omitempty"`
	Dates   string `json:"dates,omitempty"`
	PerDay  bool   `json:"per_day,omitempty"`
	Unit    string `json:"unit,omitempty"`
}

var (
	valueWords = [...]string{
		noValue: "", numberValue: "number", unitValue: "unit", clockValue: "time",
		durationValue: "duration", dateValue: "date",
	}
	dateWords = [...]string{
		noDate: "", iso: "iso", dotted: "dotted", numeric: "numeric", dayFirst: "day first",
		monthFirst: "month first", named: "named",
	}
)

// MarshalJSON implements json.Marshaler.
func (l Layout) MarshalJSON() ([]byte, error) {
	out := layoutJSON{
		Columns: l.columns, Named: l.named, Inputs: l.inputs, Targets: l.targets,
		Choices: l.plan.choices, Strict: l.plan.strict, Numbers: l.plan.notation,
		Encoding: l.plan.encoding,
	}
	for _, r := range l.plan.readings {
		out.Readings = append(out.Readings, readingJSON{
			Skip: r.skip, Text: r.text, IsName: r.isName, Strings: r.strings, Forced: r.forced,
			Value: valueWords[r.value], Dates: dateWords[r.dates.form], PerDay: r.perDay, Unit: r.unit,
		})
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler. It returns an error for a layout that no file has.
func (l *Layout) UnmarshalJSON(text []byte) error {
	var in layoutJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	if err := in.check(); err != nil {
		return fmt.Errorf("the layout of the columns is damaged: %w", err)
	}
	p := &plan{choices: in.Choices, strict: in.Strict, notation: in.Numbers, encoding: in.Encoding}
	for _, r := range in.Readings {
		p.readings = append(p.readings, reading{
			skip: r.Skip, text: r.Text, isName: r.IsName, strings: r.Strings, forced: r.Forced,
			value:  valueKind(slices.Index(valueWords[:], r.Value)),
			dates:  DateLayout{dateForm(slices.Index(dateWords[:], r.Dates))},
			perDay: r.PerDay, unit: r.Unit,
		})
	}
	for c, column := range in.Columns {
		if column.Role == KnownNoise || column.Role == Weight {
			p.readings[c].role = column.Role
		}
	}
	*l = Layout{columns: in.Columns, plan: p, named: in.Named, inputs: in.Inputs, targets: in.Targets}
	return nil
}

// check returns an error if a part does not fit the others.
func (l *layoutJSON) check() error {
	if len(l.Readings) != len(l.Columns) {
		return errors.New("it has another number of columns than of rules to read them")
	}
	for c := range l.Columns {
		if l.Columns[c].Index != c {
			return fmt.Errorf("column %d has the index %d", c, l.Columns[c].Index)
		}
		r := &l.Readings[c]
		if !slices.Contains(dateWords[:], r.Dates) || !slices.Contains(valueWords[:], r.Value) {
			return fmt.Errorf("column %d is read in an unknown way", c)
		}
	}
	if len(l.Inputs) == 0 || len(l.Targets) == 0 {
		return errors.New("it has no inputs or no targets")
	}
	for _, role := range []Role{KnownNoise, Weight} {
		count := 0
		for _, column := range l.Columns {
			if column.Role == role {
				count++
			}
		}
		if count > 1 {
			return fmt.Errorf("it has %d columns of the role %v", count, role)
		}
	}
	seen := make([]bool, len(l.Columns))
	for _, c := range slices.Concat(l.Inputs, l.Targets) {
		if c < 0 || c >= len(seen) || seen[c] {
			return fmt.Errorf("it has no column %d, or uses it twice", c)
		}
		seen[c] = true
	}
	return nil
}

// Columns returns all columns in the order of the file.
func (l Layout) Columns() []Column { return l.columns }

// Widths returns the number of inputs that encode the input columns, and the number of targets.
func (l Layout) Widths() (inputs, targets int) {
	for _, c := range l.inputs {
		inputs += l.columns[c].Width()
	}
	return inputs, len(l.targets)
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *Kind) UnmarshalText(text []byte) error {
	at := slices.Index(kindNames[:], string(text))
	if at < 0 {
		return fmt.Errorf("unknown kind of column %s", Excerpt(string(text)))
	}
	*k = Kind(at)
	return nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Role) UnmarshalText(text []byte) error {
	at := slices.Index(roleNames[:], string(text))
	if at < 0 {
		return fmt.Errorf("unknown role of column %s", Excerpt(string(text)))
	}
	*r = Role(at)
	return nil
}

// Keeping returns the layout for a file whose columns of the given names are kept, even if the model
// has no such columns.
func (l Layout) Keeping(names []string) Layout {
	l.kept = names
	return l
}

// keep locates the columns to keep by name, or by index from 0. Negative indices count from the end.
func (r *RowReader) keep() error {
	for _, word := range r.layout.kept {
		at := IndexOf(r.names, word)
		if at < 0 {
			index, err := strconv.Atoi(word)
			if err != nil || index < -r.width || index >= r.width {
				problem := "no column " + Excerpt(word) + " to keep"
				if r.names == nil {
					problem += "; the file has no header, so give an index from 0"
				} else {
					problem += wording.DidYouMeanOr(word, r.names, "the columns are "+ShortList(r.names))
				}
				return &Error{File: r.name, Problem: problem}
			}
			at = (index + r.width) % r.width
		}
		column := Kept{At: at, Name: "column " + strconv.Itoa(at)}
		if r.names != nil {
			column.Name = r.names[at]
		}
		if !slices.Contains(r.Kept, column) {
			r.Kept = append(r.Kept, column)
		}
	}
	return nil
}

// Kept is a column that is kept: its index in the rows of the file, and its name.
type Kept struct {
	At   int
	Name string
}
