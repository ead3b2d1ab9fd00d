package kittest

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

// Poison contains control sequences that write to the clipboard, move the cursor, ring the bell and
// change the writing direction, in several encodings.
const Poison = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b]0;title\x1b\\\u009b2J\a\r\u202e\u2066\x7f"

// Harmful returns the part of output around the first control sequence, or "" if there is none.
func Harmful(output string) string {
	i := strings.IndexFunc(output, func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	})
	if i < 0 {
		return ""
	}
	return output[max(0, i-60):min(len(output), i+60)]
}

// PoisonCopies makes copies of a run directory next to it: for each string in its JSON files a copy with that
// string poisoned, a copy with all strings poisoned, and a copy with a poisoned name.
func PoisonCopies(t *testing.T, dir string) {
	t.Helper()
	texts := 0
	copyRun(t, dir, dir+"-all", func() bool { texts++; return true })
	copyRun(t, dir, dir+"-name"+Poison, func() bool { return false })
	for i := range texts {
		n := -1
		copyRun(t, dir, fmt.Sprintf("%s-%03d", dir, i), func() bool { n++; return n == i })
	}
}

// copyRun copies a run directory. It appends Poison to each string for which poisoned returns true.
func copyRun(t *testing.T, from, to string, poisoned func() bool) {
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
					return s + Poison
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

// walk applies change to all strings of a JSON value, in a fixed order, and returns the value.
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
