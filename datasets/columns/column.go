package columns

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Column is one column of a table: what it is, what it is used for, and what it holds.
type Column struct {
	// Name is that of the header, or x1, x2, ...; Index counts from 0.
	Name  string `json:"name"`
	Index int    `json:"index"`
	Kind  Kind   `json:"kind"`
	Role  Role   `json:"role"`
	// Unread says that the cells were not read, because a choice leaves the column out: what it
	// is and holds is not known.
	Unread bool `json:"unread,omitempty"`
	// Log says that the logarithm of the input is taken.
	Log bool `json:"log,omitempty"`
	// Levels are those of a category, the two words of a boolean, or the classes of a target.
	Levels []Level `json:"levels,omitempty"`
	// Unit is that of a date.
	Unit string `json:"unit,omitempty"`
	// Missing counts cells without a value, Distinct the different values, at most
	// MostDistinct; it is one more if there are more.
	Missing  int `json:"missing"`
	Distinct int `json:"distinct"`
	// Min, Mean and Max are of numbers, booleans and dates; 0 for others.
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
	// Spark is a histogram: the cells in Bins equal parts from Min to Max, or of each of the
	// first Bins levels.
	Spark []int `json:"spark,omitempty"`
	// Inputs are the names of the inputs that the column makes: colour=red, ...
	Inputs []string `json:"inputs,omitempty"`
	// Note says why the column is what it is, where that is not plain.
	Note string `json:"note,omitempty"`
	// Question has to be answered before the table can be used; nil if nothing is open.
	Question *Question `json:"question,omitempty"`
}

const (
	// MostDistinct is the most different values of a column that are counted.
	MostDistinct = 1000
	// Bins is how many parts a histogram has.
	Bins = 16
)

// Level is a level of a category, and how many cells have it.
type Level struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Question is what a file does not tell: Text says it in a few words. One of the answers is
// made a choice, or a target.
type Question struct {
	Text    string   `json:"text"`
	Answers []Answer `json:"answers"`
}

// Answer is one of the answers to a question, or a remedy. Either Item is a choice as
// Choices.Items writes it, or Target is what stands for the target.
type Answer struct {
	Label  string `json:"label"`
	Item   string `json:"item,omitempty"`
	Target string `json:"target,omitempty"`
}

// Choose returns the answer that makes a choice; label says what it does.
func Choose(name, value, label string) Answer { return Answer{Label: label, Item: name + "=" + value} }

// Flag returns the answer as it is given on a command line.
func (a Answer) Flag() string {
	if a.Target != "" {
		return "--target " + a.Target
	}
	name, value, _ := strings.Cut(a.Item, "=")
	return "--" + name + " " + value
}

// String returns the question with its answers, as they are given on a command line.
func (q *Question) String() string {
	var flags []string
	for _, a := range q.Answers {
		flags = append(flags, a.Flag())
	}
	return q.Text + ": " + orList(flags) + " says which"
}

// LevelsOf returns levels from the texts of cells and their counts, numbers in their order
// before texts in theirs. Booleans are their pair as it is first written, whatever the case
// of letters.
func LevelsOf(kind Kind, texts []string, counts []int) []Level {
	if pair, ok := booleanPair(texts); ok && kind == Boolean {
		levels := []Level{{Name: pair[0]}, {Name: pair[1]}}
		for i, text := range texts {
			k := 0
			if strings.EqualFold(text, pair[1]) {
				k = 1
			}
			if levels[k].Count == 0 {
				levels[k].Name = text
			}
			levels[k].Count += counts[i]
		}
		return levels
	}
	var levels []Level
	for i, text := range texts {
		levels = append(levels, Level{text, counts[i]})
	}
	slices.SortFunc(levels, func(a, b Level) int { return CompareLabels(a.Name, b.Name) })
	return levels
}

// CompareLabels orders names: numbers by their value, before texts.
func CompareLabels(a, b string) int {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	switch {
	case errA == nil && errB == nil && x != y:
		return cmp.Compare(x, y)
	case errA == nil && errB != nil:
		return -1
	case errA != nil && errB == nil:
		return 1
	}
	return strings.Compare(a, b)
}

// Make says what the column is by its cells, and names the inputs that it makes unless it is
// ignored.
func (c *Column) Make(cells *Cells, force bool) {
	c.Kind, c.Missing = cells.Kind(force), cells.Missing
	switch c.Kind {
	case Boolean, Category:
		c.Levels = LevelsOf(c.Kind, cells.Texts, cells.Counts)
	case Date:
		c.Unit = inDays
		if cells.Seen.Clock {
			c.Unit = inSeconds
		}
	}
	c.Inputs = c.inputs()
}

// The units of dates: without a time of day, and with one.
const (
	inDays       = "days since 1970"
	inSeconds    = "seconds since 1970"
	secondsOfDay = 86400
)

// Seconds returns the seconds of a unit of the column, as its dates are read: those of a day,
// unless they have a time of day. It is 1 for other columns.
func (c *Column) Seconds() float64 {
	if c.Kind == Date && c.Unit != inSeconds {
		return secondsOfDay
	}
	return 1
}

// SecondsOf returns the seconds of a unit of dates, 0 of any other unit.
func SecondsOf(unit string) float64 {
	switch unit {
	case inDays:
		return secondsOfDay
	case inSeconds:
		return 1
	}
	return 0
}

// inputs returns the names of the inputs that the column makes, if it is one.
func (c *Column) inputs() []string {
	switch {
	case c.Kind == Text:
		return nil
	case c.Kind == Category && len(c.Levels) == 2:
		return []string{c.Name + "=" + c.Levels[1].Name}
	case c.Kind == Category:
		names := make([]string, len(c.Levels))
		for k, level := range c.Levels {
			names[k] = c.Name + "=" + level.Name
		}
		return names
	case c.Log:
		return []string{"log(" + c.Name + ")"}
	}
	return []string{c.Name}
}

// Level returns the number of the level that a text is, -1 for none.
func (c *Column) Level(text string) int {
	return slices.IndexFunc(c.Levels, func(l Level) bool {
		return l.Name == text || c.Kind == Boolean && strings.EqualFold(l.Name, text)
	})
}

// Width returns how many inputs the cells of the column make; a target makes one.
func (c *Column) Width() int {
	if c.Kind == Category && len(c.Levels) != 2 {
		return len(c.Levels)
	}
	return 1
}

// Encode writes the inputs of a level of a category or a boolean, [Width]; NaN for -1, what
// is missing.
func (c *Column) Encode(dst []float64, level int) {
	for k := range c.Width() {
		switch {
		case level < 0:
			dst[k] = math.NaN()
		case c.Width() == 1 && len(c.Levels) == 2:
			dst[k] = float64(level)
		case k == level:
			dst[k] = 1
		default:
			dst[k] = 0
		}
	}
}
