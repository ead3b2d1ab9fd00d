package table

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Column describes one column of a table: its kind, its role and its content.
type Column struct {
	// Name is the name in the header, or x1, x2, ... without a header. Index counts from 0.
	Name  string `json:"name"`
	Index int    `json:"index"`
	Kind  Kind   `json:"kind"`
	Role  Role   `json:"role"`
	// Unread reports that the column is ignored and its cells were not read. Its kind and content
	// are then unknown.
	Unread bool `json:"unread,omitempty"`
	// Log reports whether values are replaced by their logarithms.
	Log bool `json:"log,omitempty"`
	// Levels are the levels of a category, the two words of a boolean, or the classes of a target.
	Levels []Level `json:"levels,omitempty"`
	// Unit is the unit of dates, times and numbers with a unit.
	Unit string `json:"unit,omitempty"`
	// Missing is the number of missing cells. Distinct is the number of distinct values, at most
	// MaxDistinct + 1.
	Missing  int `json:"missing"`
	Distinct int `json:"distinct"`
	// Min, Mean and Max are statistics of numbers, booleans and dates. They are 0 for other kinds.
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
	// Spark is a histogram with Bins equal bins from Min to Max, or with one bin for each of the
	// first Bins levels.
	Spark []int `json:"spark,omitempty"`
	// Inputs lists the names of the inputs derived from the column, such as colour=red.
	Inputs []string `json:"inputs,omitempty"`
	// Note explains an automatically assigned role.
	Note string `json:"note,omitempty"`
	// Question is the question that must be answered before the table can be used, or nil.
	Question *Question `json:"question,omitempty"`
}

const (
	// MaxDistinct is the maximum number of distinct values counted per column.
	MaxDistinct = 1000
	// Bins is the number of bins of a histogram.
	Bins = 16
)

// Level is a level of a category and its number of cells.
type Level struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Question asks about an ambiguity in a file. Each answer sets an option or a target.
type Question struct {
	Text    string   `json:"text"`
	Answers []Answer `json:"answers"`
}

// Answer is an answer to a question or a remedy for a problem. It sets either Item, a choice in the
// form of Choices.Items, or Target, the new target.
type Answer struct {
	Label  string `json:"label"`
	Item   string `json:"item,omitempty"`
	Target string `json:"target,omitempty"`
}

// Choose returns the answer that sets an option. label describes the effect.
func Choose(name, value, label string) Answer { return Answer{Label: label, Item: name + "=" + value} }

// Flag returns the answer as a command-line flag.
func (a Answer) Flag() string {
	if a.Target != "" {
		return "--target " + a.Target
	}
	name, value, _ := strings.Cut(a.Item, "=")
	return "--" + name + " " + value
}

// String returns the question with its answers as command-line flags.
func (q *Question) String() string {
	var flags []string
	for _, a := range q.Answers {
		flags = append(flags, a.Flag())
	}
	return q.Text + "; use " + orList(flags)
}

// LevelsOf returns the levels for the strings of cells and their counts: numbers in ascending
// order, followed by other strings in alphabetical order. The levels of a boolean are its pair of
// words, in the spelling that occurs first.
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

// CompareLabels compares two names: numbers are ordered by value and precede other strings.
func CompareLabels(a, b string) int {
	x, errA := parseFloat(a)
	y, errB := parseFloat(b)
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

// Units of dates without and with a time of day.
const (
	inDays       = "days since 1970"
	inSeconds    = "seconds since 1970"
	secondsOfDay = 86400
)

// SecondsOf returns the number of seconds per unit of dates, or 0 for any other unit.
func SecondsOf(unit string) float64 {
	switch unit {
	case inDays:
		return secondsOfDay
	case inSeconds:
		return 1
	}
	return 0
}

// inputs returns the names of the inputs that encode the column, if its role is input.
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

// Level returns the index of the level with the given text, or -1 if there is none.
func (c *Column) Level(text string) int {
	k := slices.IndexFunc(c.Levels, func(l Level) bool {
		return l.Name == text || c.Kind == Boolean && strings.EqualFold(l.Name, text)
	})
	if k < 0 && strings.HasPrefix(text, "'") {
		k = IndexOf(levelNames(c), text)
	}
	return k
}

// Width returns the number of inputs that encode the column. For a target it is 1.
func (c *Column) Width() int {
	if c.Kind == Category && len(c.Levels) != 2 {
		return len(c.Levels)
	}
	return 1
}

// Encode sets dst, [Width], to the inputs for a level of a category or a boolean, or to NaN for
// level -1, a missing value.
func (c *Column) Encode(dst []float64, level int) {
	EncodeLevel(dst[:c.Width()], level, len(c.Levels))
}

// EncodeLevel sets dst to the inputs for one of the given number of levels: the level itself if
// there are two levels and one input, and an indicator of each level otherwise. For level -1 it
// sets them to NaN.
func EncodeLevel(dst []float64, level, levels int) {
	for k := range dst {
		switch {
		case level < 0:
			dst[k] = math.NaN()
		case len(dst) == 1 && levels == 2:
			dst[k] = float64(level)
		case k == level:
			dst[k] = 1
		default:
			dst[k] = 0
		}
	}
}

// Put sets dst, [Width], to the inputs or the target for a level or, for columns without levels,
// for the number v. Targets are not replaced by their logarithms.
func (c *Column) Put(dst []float64, level int, v float64) {
	switch {
	case c.Kind == Category || c.Kind == Boolean:
		c.Encode(dst, level)
	case c.Log && c.Role == Input:
		dst[0] = math.Log(v)
	default:
		dst[0] = v
	}
}
