// Package poison makes run directories whose texts would command a terminal, for
// tests of what is printed.
package poison

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Text writes to the clipboard, moves the cursor, rings, and turns the direction of
// writing round, in all ways to say so.
const Text = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b]0;title\x1b\\\u009b2J\a\r\u202e\u2066\x7f"

// Harmful returns what of an output would command a terminal, "" if nothing does.
func Harmful(output string) string {
	i := strings.IndexFunc(output, func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	})
	if i < 0 {
		return ""
	}
	return output[max(0, i-60):min(len(output), i+60)]
}

// Copies makes copies of a run directory beside it: one for each text in its JSON
// files, with that text poisoned, one with all of them, and one with a name that is.
func Copies(t *testing.T, dir string) {
	t.Helper()
	texts := 0
	copied(t, dir, dir+"-all", func() bool { texts++; return true })
	copied(t, dir, dir+"-name"+Text, func() bool { return false })
	for i := range texts {
		n := -1
		copied(t, dir, fmt.Sprintf("%s-%03d", dir, i), func() bool { n++; return n == i })
	}
}

// copied copies a run directory; poisoned says of each text whether it is.
func copied(t *testing.T, from, to string, poisoned func() bool) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if strings.HasSuffix(e.Name(), ".json") && json.Unmarshal(text, &value) == nil {
			value = walk(value, func(s string) string {
				if s == filepath.Base(from) {
					return filepath.Base(to)
				}
				if poisoned() {
					return s + Text
				}
				return s
			})
			text, err = json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// walk returns a JSON value with its texts changed, in a fixed order of fields.
func walk(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = walk(v[i], change)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = walk(v[name], change)
		}
	}
	return value
}
