package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Treatments of rows with missing inputs.
const (
	MissingError = "error" // reject the file
	MissingDrop  = "drop"  // omit the row
	MissingMean  = "mean"  // use the mean of the training set
)

// Notations of numbers and dates.
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
	// DefaultLevels is the default maximum number of levels of a category.
	DefaultLevels = 50
	// MaxLevels is the highest possible maximum.
	MaxLevels = 4096
)

// Choices holds the settings of the user for the columns of a file. With the zero value, everything
// is detected. Columns are given by name or by index from 0; negative indices count from the end.
type Choices struct {
	// Ignore lists columns to ignore.
	Ignore []string `json:"ignore,omitempty"`
	// Categorical lists columns to read as categories, whatever their cells contain.
	Categorical []string `json:"categorical,omitempty"`
	// Log lists inputs, or all targets, to replace by their natural logarithms.
	Log []string `json:"log,omitempty"`
	// Missing is MissingError, MissingDrop or MissingMean; "" means MissingError.
	Missing string `json:"missing,omitempty"`
	// Decimal is Point or Comma, and Thousands is Point, Comma, Blank, Apostrophe or None. If they
	// are empty, the notation is detected.
	Decimal   string `json:"decimal,omitempty"`
	Thousands string `json:"thousands,omitempty"`
	// Dates is DayFirst or MonthFirst for dates such as 03/04/2021. If it is empty, the order is
	// detected.
	Dates string `json:"dates,omitempty"`
	// Levels is the maximum number of levels of a category; 0 means DefaultLevels.
	Levels int `json:"levels,omitempty"`
}

// Option describes one of the choices.
type Option struct {
	Name, Help string
	Columns    bool
	Words      []string // allowed values, nil for columns and numbers
}

// Options returns all options in order.
func Options() []Option {
	return []Option{
		{Name: "ignore", Columns: true, Help: "ignore this `column` of a file, given by name or index"},
		{Name: "categorical", Columns: true,
			Help: "read this `column` as a category, even if its cells are numbers"},
		{Name: "log", Columns: true, Help: "take the logarithm of this `column`, an input or a target"},
		{Name: "missing", Words: []string{MissingError, MissingDrop, MissingMean},
			Help: "rows with a missing input: drop them, use the mean of the training set, or reject the " +
				"file"},
		{Name: "decimal", Words: []string{Point, Comma},
			Help: "decimal sign of a file, if it cannot be detected"},
		{Name: "thousands", Words: []string{Comma, Point, Blank, Apostrophe, None},
			Help: "thousands separator of a file, if it cannot be detected"},
		{Name: "dates", Words: []string{DayFirst, MonthFirst},
			Help: "order of dates such as 03/04/2021, if it cannot be detected"},
		{Name: "levels",
			Help: fmt.Sprintf("maximum number of levels of a category, each an input (default %d)",
				DefaultLevels)},
	}
}

// lists returns the options that are lists of columns, by name.
func (c *Choices) lists() map[string]*[]string {
	return map[string]*[]string{"ignore": &c.Ignore, "categorical": &c.Categorical, "log": &c.Log}
}

// words returns the options that are single words, by name.
func (c *Choices) words() map[string]*string {
	return map[string]*string{
		"missing": &c.Missing, "decimal": &c.Decimal, "thousands": &c.Thousands, "dates": &c.Dates,
	}
}

// Set sets an option, or adds a column to its list. The error describes the allowed values.
func (c *Choices) Set(name, value string) error {
	value = strings.TrimSpace(value)
	i := slices.IndexFunc(Options(), func(o Option) bool { return o.Name == name })
	if i < 0 {
		return fmt.Errorf("unknown column choice %q; want NAME=VALUE with one of %s",
			name, strings.Join(optionNames(), ", "))
	}
	o := Options()[i]
	switch {
	case o.Columns && value == "":
		return fmt.Errorf("%s: want the name or the index of a column", name)
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

// check returns an error if choices contradict each other.
func (c *Choices) check() error {
	if c.Decimal != "" && c.Decimal == c.Thousands {
		return fmt.Errorf("decimal and thousands are both %s", c.Decimal)
	}
	return nil
}

// SetItem sets an option given in the form of Items.
func (c *Choices) SetItem(item string) error {
	name, value, ok := strings.Cut(item, "=")
	if !ok {
		return fmt.Errorf("%q: want NAME=VALUE with one of %s", item, strings.Join(optionNames(), ", "))
	}
	return c.Set(strings.TrimSpace(name), value)
}

// ParseChoices is the inverse of Items.
func ParseChoices(items []string) (Choices, error) {
	var c Choices
	for _, item := range items {
		if err := c.SetItem(item); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Items returns the choices as strings such as "ignore=id" and "missing=mean", in a fixed order, or
// nil if there are none.
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

// Clone returns a deep copy.
func (c Choices) Clone() Choices {
	c.Ignore = slices.Clone(c.Ignore)
	c.Categorical = slices.Clone(c.Categorical)
	c.Log = slices.Clone(c.Log)
	return c
}

// IsZero reports whether no option is set.
func (c Choices) IsZero() bool { return len(c.Items()) == 0 }

// LevelLimit returns the maximum number of levels of a category.
func (c Choices) LevelLimit() int {
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

// orList joins words with commas, and the last two with "or".
func orList(words []string) string { return joined(words, " or ") }

// joined joins words with commas, and the last two with last.
func joined(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + last + words[n]
}
