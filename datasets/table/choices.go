package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dgplab/datasets/wording"
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
	Yes        = "yes"
	No         = "no"
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
	// Header is Yes or No for a file whose first row is a header or data; "" to detect it.
	Header string `json:"header,omitempty"`
	// Encoding is the encoding of a text, by a name of the Encoding Standard; "" to detect it.
	Encoding string `json:"encoding,omitempty"`
	// Sheet is the sheet of a workbook; "" means the first one.
	Sheet string `json:"sheet,omitempty"`
	// Skip is the number of lines before the table.
	Skip int `json:"skip,omitempty"`
	// Comment is the character that begins comments, or None; "" means #.
	Comment string `json:"comment,omitempty"`
	// NA lists texts of missing cells, in addition to those of IsMissing, or instead of them if it contains
	// None.
	NA []string `json:"na,omitempty"`
	// Types lists columns with the kind of their cells, such as when:date.
	Types []string `json:"types,omitempty"`
	// Ignore lists columns to ignore.
	Ignore []string `json:"ignore,omitempty"`
	// Categorical lists columns to read as categories, whatever their cells contain.
	Categorical []string `json:"categorical,omitempty"`
	// Log lists inputs, or all targets, to replace by their natural logarithms.
	Log []string `json:"log,omitempty"`
	// Noise names the column with the known noise of the target, in the form of ParseNoise, and Weight the
	// column with the weights of the rows; "" for none.
	Noise  string `json:"noise,omitempty"`
	Weight string `json:"weight,omitempty"`
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

// Kinds of columns that a user can choose.
const (
	numberKind = "number"
	classKind  = "class"
	dateKind   = "date"
	timeKind   = "time"
	textKind   = "text"
	ignoreKind = "ignore"
)

var chosenKinds = []string{numberKind, classKind, dateKind, timeKind, textKind, ignoreKind}

// Option describes one of the choices.
type Option struct {
	Name, Help string
	List       bool     // may be given several times
	Columns    bool     // a list of columns
	Words      []string // allowed values, nil for others
	least      int      // of a number, with most
	most       int
}

// number reports whether the value is a number.
func (o *Option) number() bool { return o.most > 0 }

// Options returns all options in order.
func Options() []Option {
	return []Option{
		{Name: "header", Words: []string{Yes, No},
			Help: "whether the first row of a file has the names of the columns, if it cannot be detected"},
		{Name: "encoding", Help: "`encoding` of a text file, such as windows-1252, if it cannot be detected"},
		{Name: "sheet", Help: "`sheet` of an Excel file (default the first)"},
		{Name: "skip", most: maxSkip, Help: "skip `N` lines before the table"},
		{Name: "comment", Help: "`character` that begins comments, or none (default #)"},
		{Name: "na", List: true, Help: "`text` of missing cells, besides NA and others; none for these " +
			"others means that only empty cells are missing"},
		{Name: "column", List: true,
			Help: "kind of the cells of a column, as `NAME:KIND` with " + orList(chosenKinds)},
		{Name: "ignore", List: true, Columns: true,
			Help: "ignore this `column` of a file, given by name or index"},
		{Name: "categorical", List: true, Columns: true,
			Help: "read this `column` as a category, even if its cells are numbers"},
		{Name: "log", List: true, Columns: true,
			Help: "take the logarithm of this `column`, an input or a target"},
		{Name: "noise",
			Help: "`column` with the known noise variance of the target in each row; sd:COLUMN for its " +
				"standard deviation, COLUMN+learned for a learned variance in addition"},
		{Name: "weight", Help: "`column` with the weight of the likelihood of each row, from 0"},
		{Name: "missing", Words: []string{MissingError, MissingDrop, MissingMean},
			Help: "rows with a missing input: drop them, use the mean of the training set, or reject the " +
				"file"},
		{Name: "decimal", Words: []string{Point, Comma},
			Help: "decimal sign of a file, if it cannot be detected"},
		{Name: "thousands", Words: []string{Comma, Point, Blank, Apostrophe, None},
			Help: "thousands separator of a file, if it cannot be detected"},
		{Name: "dates", Words: []string{DayFirst, MonthFirst},
			Help: "order of dates such as 03/04/2021, if it cannot be detected"},
		{Name: "levels", least: 2, most: MaxLevels,
			Help: fmt.Sprintf("maximum number of levels of a category, each an input (default %d)",
				DefaultLevels)},
	}
}

// maxSkip is the maximum number of lines before a table.
const maxSkip = 1_000_000

// lists returns the options that are lists, by name.
func (c *Choices) lists() map[string]*[]string {
	return map[string]*[]string{"ignore": &c.Ignore, "categorical": &c.Categorical, "log": &c.Log,
		"na": &c.NA, "column": &c.Types}
}

// words returns the options that are single texts, by name.
func (c *Choices) words() map[string]*string {
	return map[string]*string{
		"missing": &c.Missing, "decimal": &c.Decimal, "thousands": &c.Thousands, "dates": &c.Dates,
		"header": &c.Header, "encoding": &c.Encoding, "sheet": &c.Sheet, "comment": &c.Comment,
		"noise": &c.Noise, "weight": &c.Weight,
	}
}

// numbers returns the options that are numbers, by name.
func (c *Choices) numbers() map[string]*int {
	return map[string]*int{"skip": &c.Skip, "levels": &c.Levels}
}

// chosenKind is a column with the kind that the user chose.
type chosenKind struct{ column, kind string }

// kinds returns the columns whose kind the user chose.
func (c *Choices) kinds() (list []chosenKind) {
	for _, column := range c.Ignore {
		list = append(list, chosenKind{column, ignoreKind})
	}
	for _, column := range c.Categorical {
		list = append(list, chosenKind{column, classKind})
	}
	for _, text := range c.Types {
		k, _ := parseKind(text)
		list = append(list, k)
	}
	return list
}

// parseKind parses NAME:KIND. The name may contain colons.
func parseKind(text string) (chosenKind, error) {
	at := strings.LastIndexByte(text, ':')
	if at < 1 || !slices.Contains(chosenKinds, text[at+1:]) {
		return chosenKind{}, fmt.Errorf("column=%s: want NAME:KIND with %s", text, orList(chosenKinds))
	}
	return chosenKind{text[:at], text[at+1:]}, nil
}

// commentRune returns the character that begins comments, or 0 for none.
func (c *Choices) commentRune() rune {
	switch c.Comment {
	case "":
		return '#'
	case None:
		return 0
	}
	return []rune(c.Comment)[0]
}

// Set sets an option, or adds a column to its list. The error describes the allowed values.
func (c *Choices) Set(name, value string) error {
	value = strings.TrimSpace(value)
	i := slices.IndexFunc(Options(), func(o Option) bool { return o.Name == name })
	if i < 0 {
		return fmt.Errorf("unknown column choice %q%s", name, wording.DidYouMeanOr(name, optionNames(),
			"want NAME=VALUE with one of "+strings.Join(optionNames(), ", ")))
	}
	o := Options()[i]
	switch {
	case o.Columns && value == "":
		return fmt.Errorf("%s: want the name or the index of a column", name)
	case o.Words != nil && !slices.Contains(o.Words, value):
		return fmt.Errorf("%s=%s: want %s", name, value, orList(o.Words))
	case value == "":
		return fmt.Errorf("%s: want a value", name)
	case o.number():
		n, err := strconv.Atoi(value)
		if err != nil || n < o.least || n > o.most {
			return fmt.Errorf("%s=%s: want a whole number from %d to %d", name, value, o.least, o.most)
		}
		*c.numbers()[name] = n
	case o.List:
		if err := checkItem(name, value); err != nil {
			return err
		}
		list := c.lists()[name]
		*list = append(*list, value)
	default:
		*c.words()[name] = value
	}
	return c.check()
}

// checkItem returns an error if a value cannot be added to a list.
func checkItem(name, value string) error {
	if name != "column" {
		return nil
	}
	_, err := parseKind(value)
	return err
}

// check returns an error if choices are invalid or contradict each other.
func (c *Choices) check() error {
	if c.Encoding != "" {
		if _, err := encodingNamed(c.Encoding); err != nil {
			return err
		}
	}
	if c.Comment != "" && c.Comment != None && utf8.RuneCountInString(c.Comment) != 1 || c.Comment == `"` {
		return fmt.Errorf("comment=%s: want one character or none", c.Comment)
	}
	if c.Noise != "" && ParseNoise(c.Noise).Column == "" {
		return fmt.Errorf("noise=%s: want COLUMN, sd:COLUMN, COLUMN+learned or sd:COLUMN+learned", c.Noise)
	}
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
		case o.List:
			for _, value := range *c.lists()[o.Name] {
				items = append(items, o.Name+"="+value)
			}
		case o.number() && *c.numbers()[o.Name] > 0:
			items = append(items, o.Name+"="+strconv.Itoa(*c.numbers()[o.Name]))
		case !o.number() && *c.words()[o.Name] != "":
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
	c.NA = slices.Clone(c.NA)
	c.Types = slices.Clone(c.Types)
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
