package kit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Rebind returns a table with the user's keys, by action. An action without keys stays in the palette. A key
// that belongs to another action is taken away from it, unless the user assigned the key to both; then the
// first action gets it. Interrupt always keeps its key. Rebind also returns one-line errors for keys that it
// could not assign.
func Rebind(table []Binding, own map[Action][]string) (with []Binding, wrong []error) {
	with = slices.Clone(table)
	owner := map[string]Action{}
	for i, b := range with {
		keys, given := own[b.Action]
		if !given || b.Action == ActInterrupt {
			continue
		}
		var free []string
		for _, k := range keys {
			other, taken := owner[k]
			switch {
			case slices.Contains(Interrupt.Keys(), k):
				wrong = append(wrong, fmt.Errorf("%s = %q: this key is reserved for interrupt", b.Action, k))
			case taken && other != b.Action:
				wrong = append(wrong, fmt.Errorf("%s = %q: already bound to %s",
					b.Action, k, other))
			default:
				owner[k] = b.Action
				free = append(free, k)
			}
		}
		with[i].Binding = relabel(b.Binding, free)
	}
	for i, b := range with {
		if _, given := own[b.Action]; given {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(b.Keys()), func(k string) bool { return owner[k] != "" })
		// The label of a pair also contains the keys of the previous binding.
		_, half := own[with[max(i-1, 0)].Action]
		if len(kept) < len(b.Keys()) || half && i > 0 && with[i-1].Help().Desc == "" {
			with[i].Binding = relabel(b.Binding, kept)
		}
	}
	return with, wrong
}

// relabel returns a binding with the given keys and a label that names them.
func relabel(b key.Binding, keys []string) key.Binding {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = keyLabel(k)
	}
	return Keys(strings.Join(names, ", "), b.Help().Desc, keys...)
}

// keyLabel returns the label of a Bubble Tea key.
func keyLabel(k string) string {
	switch k {
	case " ":
		return "space"
	case "up", "down", "left", "right":
		return "<" + k + ">"
	}
	return k
}

// ParseKey returns Bubble Tea's name of a key in the settings: a character, "space", or a name such as
// "enter", "f5" or "ctrl+x", optionally preceded by "alt+". It returns an error if there is no such key.
func ParseKey(name string) (string, error) {
	prefix, bare := "", name
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		prefix, bare = "alt+", rest
	}
	switch {
	case bare == "space":
		return prefix + " ", nil
	case utf8.RuneCountInString(bare) == 1, knownKeys[bare]:
		return name, nil
	}
	var special []string
	for _, k := range slices.Sorted(maps.Keys(knownKeys)) {
		if !strings.Contains(k, "+") {
			special = append(special, k)
		}
	}
	return "",
		fmt.Errorf("unknown key %q; use a character, ctrl+ and a letter, or one of: space, %s",
			name, strings.Join(special, ", "))
}

// knownKeys holds the names of Bubble Tea's keys that are not characters.
var knownKeys = func() map[string]bool {
	known := map[string]bool{}
	for t := tea.KeyType(-128); t < 128; t++ {
		if name := t.String(); utf8.RuneCountInString(name) > 1 && name != "runes" {
			known[name] = true
		}
	}
	return known
}()
