package setup

import (
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/table"
)

// columnEdits holds the user's settings for the columns of a file.
type columnEdits struct {
	targets []string
	choices table.Choices
}

func (s columnEdits) clone() columnEdits {
	return columnEdits{slices.Clone(s.targets), s.choices.Clone()}
}

// refusesMissing reports whether a missing input makes the file unusable.
func (s columnEdits) refusesMissing() bool {
	return s.choices.Missing == "" || s.choices.Missing == table.MissingError
}

// targetSuffixes holds the possible suffixes of a target: none, or the meaning of its numbers.
var targetSuffixes = []string{"", table.ClassSuffix, table.NumberSuffix}

// targetSuffix returns the suffix of a word.
func targetSuffix(word string) string {
	for _, s := range targetSuffixes[1:] {
		if strings.HasSuffix(word, s) {
			return s
		}
	}
	return ""
}

// reference returns a reference to a column: its name, or its index if the name is ambiguous.
func reference(t *described, c *table.Column) string {
	if t.named[c.Name] > 1 || targetSuffix(c.Name) != "" || strings.TrimSpace(c.Name) != c.Name {
		return strconv.Itoa(c.Index)
	}
	return c.Name
}

// refersTo reports whether a word refers to a column.
func refersTo(t *described, word string, c *table.Column) bool {
	word = strings.TrimSpace(strings.TrimSuffix(word, targetSuffix(word)))
	if t.named[word] > 0 {
		return word == c.Name
	}
	n, err := strconv.Atoi(word)
	return err == nil && (n == c.Index || n+len(t.Columns) == c.Index)
}

// without returns the words that do not refer to a column. fewer is true if a word was removed.
func without(t *described, words []string, c *table.Column) (left []string, fewer bool) {
	left = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return refersTo(t, word, c) })
	return left, len(left) < len(words)
}

// targetWords returns a reference to each target of the table, with the user's suffix.
func (s columnEdits) targetWords(t *described) (words []string) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Role != table.Target {
			continue
		}
		word := reference(t, c)
		for _, known := range s.targets {
			if refersTo(t, known, c) {
				word = known
			}
		}
		words = append(words, word)
	}
	return words
}

// target makes a column the only target.
func (s columnEdits) target(t *described, c *table.Column) columnEdits {
	s = s.clone()
	s.targets = []string{reference(t, c)}
	return s.use(t, c)
}

// addTarget adds a target. If the column is already a target and there are others, it removes it.
func (s columnEdits) addTarget(t *described, c *table.Column) columnEdits {
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
	for i, word := range words { // Several targets cannot have classes.
		words[i] = strings.TrimSuffix(word, targetSuffix(word))
	}
	s.targets = append(words, reference(t, c))
	return s.use(t, c)
}

// use makes a column a plain input: neither ignored, nor logarithmic, nor the known noise or the weights.
func (s columnEdits) use(t *described, c *table.Column) columnEdits {
	s.choices.Ignore, _ = without(t, s.choices.Ignore, c)
	s.choices.Log, _ = without(t, s.choices.Log, c)
	return s.forget(t, c)
}

// forget makes a column neither the known noise nor the weights.
func (s columnEdits) forget(t *described, c *table.Column) columnEdits {
	if noise := s.choices.Noise; noise != "" && refersTo(t, table.ParseNoise(noise).Column, c) {
		s.choices.Noise = ""
	}
	if weight := s.choices.Weight; weight != "" && refersTo(t, weight, c) {
		s.choices.Weight = ""
	}
	return s
}

// noise makes a column the known noise: the variance, the standard deviation, and the two with a learned part
// in turn, and then an input again.
func (s columnEdits) noise(t *described, c *table.Column) columnEdits {
	now := s.choices.Noise
	s = s.clone()
	name := reference(t, c)
	forms := []string{name, "sd:" + name, name + "+learned", "sd:" + name + "+learned"}
	if now != "" && refersTo(t, table.ParseNoise(now).Column, c) {
		n := table.ParseNoise(now)
		at := 0
		if n.SD {
			at++
		}
		if n.Learned {
			at += 2
		}
		forms = append(forms[at+1:], "")
	}
	s = s.use(t, c)
	s.choices.Noise = forms[0]
	return s
}

// weight makes a column the weights of the rows, or an input again.
func (s columnEdits) weight(t *described, c *table.Column) columnEdits {
	was := s.choices.Weight != "" && refersTo(t, s.choices.Weight, c)
	s = s.clone().use(t, c)
	if !was {
		s.choices.Weight = reference(t, c)
	}
	return s
}

// ignore ignores a column, or uses it again.
func (s columnEdits) ignore(t *described, c *table.Column) columnEdits {
	s = s.clone()
	left, was := without(t, s.choices.Ignore, c)
	if was {
		s.choices.Ignore = left
		return s
	}
	s.choices.Ignore = append(left, reference(t, c))
	s = s.forget(t, c)
	s.choices.Log, _ = without(t, s.choices.Log, c)
	s.choices.Categorical, _ = without(t, s.choices.Categorical, c)
	s.choices.Types = slices.DeleteFunc(s.choices.Types, func(text string) bool {
		return refersTo(t, text[:strings.LastIndexByte(text, ':')], c)
	})
	if rest, was := without(t, s.targets, c); was {
		s.targets = rest
	}
	return s
}

// classes cycles through the meanings of the numbers of the only target: classes, numbers, as detected.
func (s columnEdits) classes(t *described, c *table.Column) columnEdits {
	s = s.clone()
	word := s.targetWords(t)[0]
	now := targetSuffix(word)
	next := targetSuffixes[(slices.Index(targetSuffixes, now)+1)%len(targetSuffixes)]
	s.targets = []string{strings.TrimSuffix(word, now) + next}
	return s
}

// toggle adds a column to a list of references, or removes it.
func toggle(t *described, list *[]string, c *table.Column) {
	left, was := without(t, *list, c)
	if !was {
		left = append(left, reference(t, c))
	}
	*list = left
}

// kinds holds the kinds of a column in the order of the key; "" is the detected one.
var kinds = []string{"", "class", "number", "date", "time", "text"}

// kindOf returns the kind that the user chose for a column.
func (s columnEdits) kindOf(t *described, c *table.Column) string {
	if _, categorical := without(t, s.choices.Categorical, c); categorical {
		return "class"
	}
	for _, text := range s.choices.Types {
		at := strings.LastIndexByte(text, ':')
		if refersTo(t, text[:at], c) {
			return text[at+1:]
		}
	}
	return ""
}

// kind reads the cells of a column as the next kind.
func (s columnEdits) kind(t *described, c *table.Column) columnEdits {
	now := slices.Index(kinds, s.kindOf(t, c))
	s = s.clone()
	s.choices.Categorical, _ = without(t, s.choices.Categorical, c)
	s.choices.Log, _ = without(t, s.choices.Log, c)
	s.choices.Types = slices.DeleteFunc(s.choices.Types, func(text string) bool {
		return refersTo(t, text[:strings.LastIndexByte(text, ':')], c)
	})
	switch next := kinds[(now+1)%len(kinds)]; next {
	case "":
	case "class":
		s.choices.Categorical = append(s.choices.Categorical, reference(t, c))
	default:
		s.choices.Types = append(s.choices.Types, reference(t, c)+":"+next)
	}
	return s
}

// headers holds the readings of the first row in the order of the key; "" is the detected one.
var headers = []string{"", table.Yes, table.No}

// header reads the first row in the next way.
func (s columnEdits) header() columnEdits {
	s = s.clone()
	now := slices.Index(headers, s.choices.Header)
	s.choices.Header = headers[(now+1)%len(headers)]
	return s
}

// log uses the logarithm of an input, or the input itself.
func (s columnEdits) log(t *described, c *table.Column) columnEdits {
	s = s.clone()
	toggle(t, &s.choices.Log, c)
	return s
}

// missingRules holds the treatments of rows with missing inputs, in the order of the key.
var missingRules = []string{table.MissingError, table.MissingDrop, table.MissingMean}

// missing selects the next treatment of missing inputs.
func (s columnEdits) missing() columnEdits {
	s = s.clone()
	now := max(slices.Index(missingRules, s.choices.Missing), 0)
	s.choices.Missing = missingRules[(now+1)%len(missingRules)]
	if s.choices.Missing == table.MissingError {
		s.choices.Missing = ""
	}
	return s
}

// answer applies an answer to a question about a column.
func (s columnEdits) answer(t *described, c *table.Column, a table.Answer) columnEdits {
	s = s.clone()
	if a.Target != "" {
		s.targets = append(slices.DeleteFunc(s.targetWords(t), func(word string) bool {
			return refersTo(t, word, c)
		}), a.Target)
		return s
	}
	_ = s.choices.SetItem(a.Item) // The answers of the table are valid.
	return s
}
