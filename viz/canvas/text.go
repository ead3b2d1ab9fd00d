package canvas

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// runeWidth returns the cells that a rune takes: 0 for control characters and
// for every rune that would join its neighbours (marks, joiners, flags), which
// text leaves out; else 1 or 2.
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

// Width returns the cells that text draws for s.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Truncate returns s cut to at most w cells, with … where something was cut.
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

// Shorten returns a name of several words in at most w cells such that it still differs from
// others: "seed 12" becomes "s12", and then words give up letters, first the names of settings
// and the longest of them. Numbers stay, and so do values, last alone. What cannot be shortened so
// far is cut.
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
				long += w // Before words without a value.
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

// values returns words of which settings have their values alone; name where there are none.
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

// setting splits a word such as kernel=rbf before its value, "" of another word.
func setting(word string) (head, value string) {
	at := strings.Index(word, "=")
	if at <= 0 {
		return word, ""
	}
	return word[:at], word[at:]
}

// numbered tells whether there is a digit in a word.
func numbered(word string) bool { return strings.ContainsAny(word, "0123456789") }

// joined returns words with those before numbers as their first letters. A number before a
// word counts what that says, unless the word has a number of its own.
func joined(words []string) (list []string) {
	digit := func(i int) bool { return words[i][0] >= '0' && words[i][0] <= '9' }
	for i, word := range words {
		counts := i+1 < len(words) && (i+2 >= len(words) || !digit(i+2))
		if i > 0 && digit(i) && !counts && !numbered(words[i-1]) {
			first, _ := utf8.DecodeRuneInString(words[i-1]) // U+FFFD of what is no text
			list[len(list)-1] = string(first) + word
			continue
		}
		list = append(list, word)
	}
	return list
}

// shorter returns a word with one cell less or two, and a sign of that.
func shorter(word string) string {
	if whole, cut := strings.CutSuffix(word, "…"); cut {
		if utf8.RuneCountInString(whole) <= 1 {
			return whole
		}
		_, last := utf8.DecodeLastRuneInString(whole)
		return whole[:len(whole)-last] + "…"
	}
	if first, _ := utf8.DecodeRuneInString(word); utf8.RuneCountInString(word) == 2 || Width(word) < 3 {
		return string(first)
	}
	return Truncate(word, Width(word)-1)
}
