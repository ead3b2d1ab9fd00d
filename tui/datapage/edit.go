package datapage

import (
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets"
	"dgplab/datasets/columns"
)

// said is what a person has said of a file.
type said struct {
	targets []string
	choices columns.Choices
}

func (s said) clone() said { return said{slices.Clone(s.targets), s.choices.Clone()} }

// refusesMissing says that an input that is missing keeps the file from being used.
func (s said) refusesMissing() bool {
	return s.choices.Missing == "" || s.choices.Missing == columns.MissingError
}

// suffixes are what may stand behind the name of a target: nothing, or what its numbers are.
var suffixes = []string{"", datasets.ClassSuffix, datasets.NumberSuffix}

// suffix returns the one that a word ends with.
func suffix(word string) string {
	for _, s := range suffixes[1:] {
		if strings.HasSuffix(word, s) {
			return s
		}
	}
	return ""
}

// wordFor returns what means a column: its name, or its number where that would mean
// another one.
func wordFor(t *described, c *columns.Column) string {
	if t.named[c.Name] > 1 || suffix(c.Name) != "" || strings.TrimSpace(c.Name) != c.Name {
		return strconv.Itoa(c.Index)
	}
	return c.Name
}

// means reports whether a word means a column.
func means(t *described, word string, c *columns.Column) bool {
	word = strings.TrimSpace(strings.TrimSuffix(word, suffix(word)))
	if t.named[word] > 0 {
		return word == c.Name
	}
	n, err := strconv.Atoi(word)
	return err == nil && (n == c.Index || n+len(t.Columns) == c.Index)
}

// without returns the words that do not mean a column, and whether that are fewer.
func without(t *described, words []string, c *columns.Column) (left []string, fewer bool) {
	left = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return means(t, word, c) })
	return left, len(left) < len(words)
}

// targetWords returns a word for each target of the table, with what was said of it.
func (s said) targetWords(t *described) (words []string) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Role != columns.Target {
			continue
		}
		word := wordFor(t, c)
		for _, known := range s.targets {
			if means(t, known, c) {
				word = known
			}
		}
		words = append(words, word)
	}
	return words
}

// target makes a column the only target.
func (s said) target(t *described, c *columns.Column) said {
	s = s.clone()
	s.targets = []string{wordFor(t, c)}
	return s.use(t, c)
}

// addTarget makes a column one more target, or an input again if there is another one.
func (s said) addTarget(t *described, c *columns.Column) said {
	s = s.clone()
	words := s.targetWords(t)
	left, was := without(t, words, c)
	switch {
	case was && len(left) > 0:
		s.targets = left
		return s
	case was:
		return s
	}
	for i, word := range words { // Several targets have no classes.
		words[i] = strings.TrimSuffix(word, suffix(word))
	}
	s.targets = append(words, wordFor(t, c))
	return s.use(t, c)
}

// use takes back that a column is ignored or that its logarithm is taken.
func (s said) use(t *described, c *columns.Column) said {
	s.choices.Ignore, _ = without(t, s.choices.Ignore, c)
	s.choices.Log, _ = without(t, s.choices.Log, c)
	return s
}

// ignore leaves a column out, or uses it again.
func (s said) ignore(t *described, c *columns.Column) said {
	s = s.clone()
	left, was := without(t, s.choices.Ignore, c)
	if was {
		s.choices.Ignore = left
		return s
	}
	s.choices.Ignore = append(left, wordFor(t, c))
	s.choices.Log, _ = without(t, s.choices.Log, c)
	s.choices.Categorical, _ = without(t, s.choices.Categorical, c)
	if rest, was := without(t, s.targets, c); was {
		s.targets = rest
	}
	return s
}

// classes says that the numbers of the only target are classes, then that they are
// numbers, then nothing.
func (s said) classes(t *described, c *columns.Column) said {
	s = s.clone()
	word := s.targetWords(t)[0]
	now := suffix(word)
	next := suffixes[(slices.Index(suffixes, now)+1)%len(suffixes)]
	s.targets = []string{strings.TrimSuffix(word, now) + next}
	return s
}

// toggle adds a column to a list of choices or takes it out.
func toggle(t *described, list *[]string, c *columns.Column) {
	left, was := without(t, *list, c)
	if !was {
		left = append(left, wordFor(t, c))
	}
	*list = left
}

// categorical takes the cells of a column as categories, or as what they look like.
func (s said) categorical(t *described, c *columns.Column) said {
	s = s.clone()
	toggle(t, &s.choices.Categorical, c)
	s.choices.Log, _ = without(t, s.choices.Log, c)
	return s
}

// log takes the logarithm of an input, or the input.
func (s said) log(t *described, c *columns.Column) said {
	s = s.clone()
	toggle(t, &s.choices.Log, c)
	return s
}

// missingRules are what is done with rows that miss an input, in the order of the key.
var missingRules = []string{columns.MissingError, columns.MissingDrop, columns.MissingMean}

// missing goes to the next rule.
func (s said) missing() said {
	s = s.clone()
	now := max(slices.Index(missingRules, s.choices.Missing), 0)
	s.choices.Missing = missingRules[(now+1)%len(missingRules)]
	if s.choices.Missing == columns.MissingError {
		s.choices.Missing = ""
	}
	return s
}

// answer takes an answer to a question about a column.
func (s said) answer(t *described, c *columns.Column, a columns.Answer) said {
	s = s.clone()
	if a.Target != "" {
		s.targets = append(slices.DeleteFunc(s.targetWords(t), func(word string) bool {
			return means(t, word, c)
		}), a.Target)
		return s
	}
	_ = s.choices.SetItem(a.Item) // The table offers what can be taken.
	return s
}
