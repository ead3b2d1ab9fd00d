package browse

import (
	"cmp"

	"dgplab/tui/kit"
)

// formBody draws the form of a fork in w x h cells: the fields, and below them the error or the
// description of the selected field.
func (b *Browse) formBody(w, h int) []string {
	body := b.form.Body(b.theme, w, h, true, oneLine(b.form.err))
	if b.form.starting && len(body) > 0 {
		body[len(body)-1] = b.theme.Accent.Render(b.theme.Fit("starting"+b.theme.Glyphs.Ellipsis, w))
	}
	return body
}

// formHint returns the footer of the form of a fork.
func (b *Browse) formHint() string {
	pairs := []string{"enter", "start", "esc", "close", "<up><down>", "field"}
	if word, _ := b.form.Available(kit.ActBack); word != "" {
		pairs[3] = word
	}
	if word, reason := b.form.Available(kit.ActRight); reason == "" {
		pairs = append(pairs, "<left><right>", cmp.Or(word, "change"))
	}
	if _, reason := b.form.Available(kit.ActReset); reason == "" {
		pairs = append(pairs, "ctrl+u", "reset")
	}
	if b.form.Completes() {
		pairs = append(pairs, "tab", "complete")
	}
	if field := b.form.Current(); field != nil && field.File {
		pairs = append(pairs, "ctrl+o", "files")
	}
	return b.hint(append(pairs, "f1", "help")...)
}
