package columns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The rules by which a file is read. Runs of older versions have FirstRules.
const (
	// FirstRules: every input is a number with a point, nothing is asked, and an input that is
	// missing is an error.
	FirstRules = 1
	// NewestRules are those of this package.
	NewestRules = 2
)

// What is done with rows that miss a cell of an input.
const (
	MissingError = "error" // the file is refused
	MissingDrop  = "drop"  // the row is left out
	MissingMean  = "mean"  // the cell is the mean of the training part
)

// How numbers and dates are written.
const (
	Point      = "point"
	Comma      = "comma"
	Blank      = "blank"
	Apostrophe = "apostrophe"
	None       = "none"
	DayFirst   = "dmy"
	MonthFirst = "mdy"
)

const (
	// DefaultLevels is the most levels of a category, unless Choices.Levels says another limit.
	DefaultLevels = 50
	// MaxLevels is the most that this may be.
	MaxLevels = 4096
)

// Choices are what a person says about the columns of a file. The zero value leaves all
// to what the file shows. Columns are meant by name or by number, as targets are: from
// 0, or from the last one back from -1.
type Choices struct {
	// Rules says by which rules the file is read; 0 means the newest.
	Rules int `json:"rules,omitempty"`
	// Ignore are columns that are left out.
	Ignore []string `json:"ignore,omitempty"`
	// Categorical are columns whose cells are categories, whatever they look like.
	Categorical []string `json:"categorical,omitempty"`
	// Log are inputs, or all targets, of which the natural logarithm is taken.
	Log []string `json:"log,omitempty"`
	// Missing is MissingError, MissingDrop or MissingMean; "" is MissingError.
	Missing string `json:"missing,omitempty"`
	// Decimal is Point or Comma, and Thousands is Point, Comma, Blank, Apostrophe or None; ""
	// is what the file shows.
	Decimal   string `json:"decimal,omitempty"`
	Thousands string `json:"thousands,omitempty"`
	// Dates is DayFirst or MonthFirst for dates such as 03/04/2021; "" is what the file shows.
	Dates string `json:"dates,omitempty"`
	// Levels is the most levels of a category; 0 is DefaultLevels.
	Levels int `json:"levels,omitempty"`
}

// Option is one of the choices: its name, what may be said, in one line of help, and
// whether it names columns, of which there may be several.
type Option struct {
	Name, Help string
	Columns    bool
	Words      []string // nil for columns and numbers
}

// Options returns all choices in their order.
func Options() []Option {
	return []Option{
		{Name: "ignore", Columns: true, Help: "leave this `column` of a file out, by name or number"},
		{Name: "categorical", Columns: true,
			Help: "take the cells of this `column` as categories, though they are numbers"},
		{Name: "log", Columns: true, Help: "take the logarithm of this input `column`, or target"},
		{Name: "missing", Words: []string{MissingError, MissingDrop, MissingMean},
			Help: "rows that miss an input: drop them, fill in the mean of the training part, or refuse " +
				"the file"},
		{Name: "decimal", Words: []string{Point, Comma},
			Help: "how decimals of a file are written, where it does not show"},
		{Name: "thousands", Words: []string{Comma, Point, Blank, Apostrophe, None},
			Help: "what separates thousands, where the file does not show"},
		{Name: "dates", Words: []string{DayFirst, MonthFirst},
			Help: "the order of dates such as 03/04/2021, where the file does not show"},
		{Name: "levels",
			Help: fmt.Sprintf("most levels of a category, each an input (default %d)", DefaultLevels)},
	}
}

// lists returns the lists of columns by the names of options.
func (c *Choices) lists() map[string]*[]string {
	return map[string]*[]string{"ignore": &c.Ignore, "categorical": &c.Categorical, "log": &c.Log}
}

// words returns the single words by the names of options.
func (c *Choices) words() map[string]*string {
	return map[string]*string{
		"missing": &c.Missing, "decimal": &c.Decimal, "thousands": &c.Thousands, "dates": &c.Dates,
	}
}

// Set makes one choice, or adds a column to one of several. The error says what is wanted.
func (c *Choices) Set(name, value string) error {
	value = strings.TrimSpace(value)
	i := slices.IndexFunc(Options(), func(o Option) bool { return o.Name == name })
	if i < 0 {
		return fmt.Errorf("%q is no choice for columns; want NAME=VALUE with one of %s",
			name, strings.Join(optionNames(), ", "))
	}
	switch o := Options()[i]; {
	case o.Columns && value == "":
		return fmt.Errorf("%s: want the name or the number of a column", name)
	case o.Columns:
		list := c.lists()[name]
		*list = append(*list, value)
	case o.Words != nil && !slices.Contains(o.Words, value):
		return fmt.Errorf("%s=%s: want %s", name, value, orList(o.Words))
	case o.Words != nil:
		*c.words()[name] = value
	default:
		n, err := strconv.Atoi(value)
		if err != nil || n < 2 || n > MaxLevels {
			return fmt.Errorf("%s=%s: want a whole number from 2 to %d", name, value, MaxLevels)
		}
		c.Levels = n
	}
	return c.check()
}

// check refuses choices that contradict each other.
func (c *Choices) check() error {
	if c.Decimal != "" && c.Decimal == c.Thousands {
		return fmt.Errorf("decimal and thousands are both %s", c.Decimal)
	}
	return nil
}

// Take makes the choice that one of Items is.
func (c *Choices) Take(item string) error {
	name, value, ok := strings.Cut(item, "=")
	if !ok {
		return fmt.Errorf("%q: want NAME=VALUE with one of %s", item, strings.Join(optionNames(), ", "))
	}
	return c.Set(strings.TrimSpace(name), value)
}

// Parse reads what Items writes.
func Parse(items []string) (Choices, error) {
	var c Choices
	for _, item := range items {
		if err := c.Take(item); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Items returns the choices as texts such as "ignore=id" and "missing=mean", in a fixed
// order; nil if there are none. The rules are not among them.
func (c Choices) Items() (items []string) {
	for _, o := range Options() {
		switch {
		case o.Columns:
			for _, column := range *c.lists()[o.Name] {
				items = append(items, o.Name+"="+column)
			}
		case o.Words == nil && c.Levels > 0:
			items = append(items, o.Name+"="+strconv.Itoa(c.Levels))
		case o.Words != nil && *c.words()[o.Name] != "":
			items = append(items, o.Name+"="+*c.words()[o.Name])
		}
	}
	return items
}

// Clone returns a copy that shares nothing with c.
func (c Choices) Clone() Choices {
	c.Ignore = slices.Clone(c.Ignore)
	c.Categorical = slices.Clone(c.Categorical)
	c.Log = slices.Clone(c.Log)
	return c
}

// IsZero says whether nothing is chosen.
func (c Choices) IsZero() bool { return c.Rules == 0 && len(c.Items()) == 0 }

// First says whether the file is read by the first rules.
func (c Choices) First() bool { return c.Rules == FirstRules }

// MostLevels returns the most levels of a category.
func (c Choices) MostLevels() int {
	if c.Levels > 0 {
		return c.Levels
	}
	return DefaultLevels
}

func optionNames() (names []string) {
	for _, o := range Options() {
		names = append(names, o.Name)
	}
	return names
}

// orList joins words by commas, the last two by "or".
func orList(words []string) string { return joined(words, " or ") }

// joined joins words by commas, the last two by another text.
func joined(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + last + words[n]
}
