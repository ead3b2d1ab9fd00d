package kit

import (
	"slices"
	"unicode/utf8"
)

// Limited is a screen on which not every action can be done at all times. The footer
// leaves out what cannot be done now; the palette says why. The keys of such an
// action still come to Act, which answers them.
type Limited interface {
	// Now returns what an action does now, as a word for the footer in place of that of
	// its binding, "" to leave it; and in a few words why it cannot be done now, "" if it
	// can.
	Now(act Action) (word, barred string)
	// Types reports whether a key that is a character is typed into a text now.
	Types(r rune) bool
}

// Elsewhere is the word of what is about nothing that is seen now: it can be done, but the
// footer leaves it out.
const Elsewhere = "-"

// Barred says why an action of a screen cannot be done now, "" if it can.
func Barred(s Screen, act Action) string {
	if l, ok := s.(Limited); ok {
		_, why := l.Now(act)
		return why
	}
	return ""
}

// Live returns what the footer of a screen shows of its table: the actions that can
// be done now, by the keys that are not typed into a text, with what they do.
func Live(s Screen, table []Binding) []Binding {
	l, ok := s.(Limited)
	if !ok {
		return table
	}
	var live []Binding
	for _, b := range table {
		word, barred := l.Now(b.Action)
		keys := slices.DeleteFunc(slices.Clone(b.Keys()), func(k string) bool {
			r, n := utf8.DecodeRuneInString(k)
			return n == len(k) && n > 0 && l.Types(r)
		})
		if barred != "" || word == Elsewhere || len(keys) == 0 {
			continue
		}
		if len(keys) < len(b.Keys()) {
			b.Binding = relabelled(b.Binding, keys)
		}
		if word != "" {
			b.SetHelp(b.Help().Key, word)
		}
		live = append(live, b)
	}
	return live
}

// ActShow is no key's: by Limited, a screen that has nothing to show says so, and the
// palette does not lead there.
const ActShow Action = "show"

// Moves reports whether an action goes to another place or edits a text: something
// that is done by its key, and looked up only to learn its name.
func (a Action) Moves() bool { return slices.Contains(moves, a) }

var moves = []Action{
	"up", "down", "left", "right", "page_up", "page_down", "first", "last", "next_choice",
	"next_part", "previous_part", "focus_next", "focus_previous", "next_focus", "previous_focus",
	"erase", "erase_word", "text_ends", "back",
}
