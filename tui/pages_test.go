package tui

import (
	"slices"
	"strings"
	"testing"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// TestPages checks the key tables in README.md.
func TestPages(t *testing.T) {
	sections := map[string]string{"keys everywhere": keyTable(globalBindings)}
	for _, s := range testApp(kittest.NewEngine(), 80, 24).screens {
		own := slices.DeleteFunc(slices.Clone(s.table), func(b kit.Binding) bool {
			return b.Action.IsGlobal()
		})
		sections["keys of "+string(s.id)] = keyTable(own)
	}
	golden.Page(t, "README.md", "keys", sections)
}

// keyTable has a row for each binding, with all its keys. An action without keys is in the palette.
func keyTable(table []kit.Binding) string {
	glyphs := kit.Unicode
	var rows [][]string
	for _, b := range table {
		var keys []string
		for _, k := range b.Keys() {
			switch k {
			case " ":
				k = "space"
			case "up", "down", "left", "right":
				k = glyphs.KeyLabel("<" + k + ">")
			}
			keys = append(keys, "`"+k+"`")
		}
		if len(keys) == 0 {
			keys = []string{"`ctrl+p`"}
		}
		rows = append(rows, []string{strings.Join(keys, " "), b.Sentence, string(b.Action)})
	}
	return golden.Table([]string{"key", "what it does", "action"}, rows)
}
