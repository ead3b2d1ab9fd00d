package canvas

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// runeWidth returns the width of a rune in cells, 1 or 2. It returns 0 for runes that are left out:
// control characters and runes that would join their neighbours (marks, joiners, flags).
func runeWidth(r rune) int {
	if r < utf8.RuneSelf {
		if r < 32 || r == 127 {
			return 0
		}
		return 1
	}
	if r >= 0x2500 && r < 0x2600 { // box drawing, blocks, geometric shapes
		return 1
	}
	if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsMark(r) {
		return 0
	}
	w := ansi.StringWidth(string(r))
	if w < 1 || w > 2 || ansi.StringWidth("a"+string(r)+string(r)+"a") != 2+2*w {
		return 0
	}
	return w
}

// Width returns the width of s in cells.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Truncate returns s cut to at most w cells, with … if something was cut.
func Truncate(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	if w < 1 {
		return ""
	}
	var out strings.Builder
	n := 0
	for _, r := range s {
		rw := runeWidth(r)
		if n+rw > w-1 {
			break
		}
		if rw > 0 {
			out.WriteRune(r)
			n += rw
		}
	}
	return out.String() + "…"
}

// Shorten returns a name of several words in at most w cells that still differs from similar names:
// "seed 12" becomes "s12", then words lose letters, first the names of settings and the longest
// ones. Numbers and values stay; finally only values remain. If this does not suffice, the text is
// cut.
func Shorten(name string, w int) string {
	words := strings.Fields(name)
	if len(words) < 2 || Width(name) <= w {
		return Truncate(name, w)
	}
	words = joined(words)
	for {
		short := strings.Join(words, " ")
		if Width(short) <= w {
			return short
		}
		longest, most := -1, 1
		for i, word := range words {
			head, value := setting(word)
			long := Width(head)
			if value != "" {
				long += w // before words without a value
			}
			if utf8.RuneCountInString(head) > 1 && !numbered(head) && long > most {
				longest, most = i, long
			}
		}
		if longest < 0 {
			return Truncate(values(words, name), w)
		}
		head, value := setting(words[longest])
		words[longest] = shorter(head) + value
	}
}

// values returns words with settings replaced by their values, or name if there are no settings.
func values(words []string, name string) string {
	list, found := slices.Clone(words), false
	for i, word := range words {
		if _, value := setting(word); len(value) > 1 {
			list[i], found = value[1:], true
		}
	}
	if !found {
		return name
	}
	return strings.Join(list, " ")
}

// setting splits a word such as kernel=rbf before its value. The value of other words is empty.
func setting(word string) (head, value string) {
	at := strings.Index(word, "=")
	if at <= 0 {
		return word, ""
	}
	return word[:at], word[at:]
}

// numbered reports whether a word has a digit.
func numbered(word string) bool { return strings.ContainsAny(word, "0123456789") }

// joined returns the words with each word before a number shortened to its first letter and joined
// to it. A number before a word counts that word, unless the word has its own number.
func joined(words []string) (list []string) {
	digit := func(i int) bool { return words[i][0] >= '0' && words[i][0] <= '9' }
	for i, word := range words {
		counts := i+1 < len(words) && (i+2 >= len(words) || !digit(i+2))
		if i > 0 && digit(i) && !counts && !numbered(words[i-1]) {
			first, _ := utf8.DecodeRuneInString(words[i-1]) // U+FFFD if the word is not valid text
			list[len(list)-1] = string(first) + word
			continue
		}
		list = append(list, word)
	}
	return list
}

// shorter returns a word that is one or two cells shorter and ends in an ellipsis or is one letter.
func shorter(word string) string {
	if whole, cut := strings.CutSuffix(word, "…"); cut {
		if utf8.RuneCountInString(whole) <= 1 {
			return whole
		}
		_, last := utf8.DecodeLastRuneInString(whole)
		return whole[:len(whole)-last] + "…"
	}
	first, _ := utf8.DecodeRuneInString(word)
	if utf8.RuneCountInString(word) == 2 || Width(word) < 3 {
		return string(first)
	}
	return Truncate(word, Width(word)-1)
}
