package cli

import (
	"dgplab/datasets/table"
)

// remarks writes remarks to standard error, each only once.
type remarks map[string]bool

// say writes words unless the remark was made before.
func (r remarks) say(c *console, kind, remark, words string) {
	if !r[remark] {
		r[remark] = true
		c.say("%s: %s", kind, words)
	}
}

// of writes notes and warnings.
func (r remarks) of(c *console, notes, warnings []string) {
	for _, text := range notes {
		r.say(c, "note", text, text)
	}
	for _, text := range warnings {
		r.say(c, "warning", text, text)
	}
}

// ofData writes notes and warnings on data, with the flags that address them.
func (r remarks) ofData(c *console, notes, warnings []table.Note) {
	for _, note := range notes {
		r.say(c, "note", note.Text, note.String())
	}
	for _, w := range warnings {
		r.say(c, "warning", w.Text, w.String())
	}
}
