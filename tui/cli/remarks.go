package cli

import (
	"dgplab/datasets/columns"
)

// remarks says on standard error what there is to be known, each thing once.
type remarks map[string]bool

// say tells a remark of a kind in some words, unless it was told.
func (r remarks) say(c *console, kind, remark, words string) {
	if !r[remark] {
		r[remark] = true
		c.say("%s: %s", kind, words)
	}
}

// of tells notes and warnings.
func (r remarks) of(c *console, notes, warnings []string) {
	for _, text := range notes {
		r.say(c, "note", text, text)
	}
	for _, text := range warnings {
		r.say(c, "warning", text, text)
	}
}

// ofData tells what is said of data, with what flags do about it.
func (r remarks) ofData(c *console, notes, warnings []columns.Note) {
	for _, note := range notes {
		r.say(c, "note", note.Text, note.String())
	}
	for _, w := range warnings {
		r.say(c, "warning", w.Text, w.String())
	}
}
