package kit

import (
	"slices"
	"unicode/utf8"
)

// Limited is a screen with actions that are not always available. The footer omits unavailable actions; the
// palette shows the reason.
type Limited interface {
	// Available returns the current footer word of an action, or "" for the word of the binding, and the
	// reason why the action is unavailable, or "" if it is available.
	Available(act Action) (word, reason string)
	// Types reports whether a character would now be typed into a text field.
	Types(r rune) bool
}

// Elsewhere is the word of an available action that the footer omits, because it does not concern anything
// visible.
const Elsewhere = "-"

// Unavailable returns the reason why an action of a screen is unavailable, or "" if it is
// available.
func Unavailable(s Screen, act Action) string {
	if l, ok := s.(Limited); ok {
		_, why := l.Available(act)
		return why
	}
	return ""
}

// Available returns the bindings that the footer of a screen shows: the available actions with their current
// words, without keys that would be typed into a text field.
func Available(s Screen, table []Binding) []Binding {
	l, ok := s.(Limited)
	if !ok {
		return table
	}
	var live []Binding
	for _, b := range table {
		word, reason := l.Available(b.Action)
		keys := slices.DeleteFunc(slices.Clone(b.Keys()), func(k string) bool {
			r, n := utf8.DecodeRuneInString(k)
			return n == len(k) && n > 0 && l.Types(r)
		})
		if reason != "" || word == Elsewhere || len(keys) == 0 {
			continue
		}
		if len(keys) < len(b.Keys()) {
			b.Binding = relabel(b.Binding, keys)
		}
		if word != "" {
			b.SetHelp(b.Help().Key, word)
		}
		live = append(live, b)
	}
	return live
}

// ActShow is not bound to a key. If a Limited screen has nothing to show, it reports ActShow as unavailable,
// and the palette does not offer the screen.
const ActShow Action = "show"

// IsNavigation reports whether an action moves the focus or edits text. The palette lists such
// actions only to show their keys.
func (a Action) IsNavigation() bool { return slices.Contains(moves, a) }

var moves = []Action{
	"up", "down", "left", "right", "page_up", "page_down", "first", "last", "next_choice",
	"next_part", "previous_part", "focus_next", "focus_previous", "next_focus", "previous_focus",
	"erase", "erase_word", "text_ends", "back",
}
