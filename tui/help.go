package tui

import (
	"github.com/charmbracelet/x/ansi"
)

// helpPage draws the keys of a screen in w x h cells, from line offset on. It
// returns the lines, exactly h of w cells, and the greatest useful offset.
func (th *theme) helpPage(on screenID, offset, w, h int) (lines []string, most int) {
	inner := max(w-4, 1)
	if w < 4 || h < 3 {
		inner = w
	}
	rows := th.helpRows(on, inner)
	room := h - 2
	if h < 3 {
		room = h
	}
	most = max(len(rows)-room, 0)
	offset = min(max(offset, 0), most)
	note := "? or esc leaves"
	if most > 0 {
		note = th.glyphs.up + th.glyphs.down + " scroll, " + note
	}
	return th.frame("Keys", note, rows[offset:], w, h, true), most
}

// helpRows returns the table of keys, sentences wrapped beside the keys.
func (th *theme) helpRows(on screenID, w int) []string {
	const keys = 11
	var rows []string
	for _, b := range bindings {
		if b.screens&on == 0 {
			continue
		}
		label := th.glyphs.keyLabel(firstKey(b))
		if w < 2*keys {
			rows = append(rows, th.key.Render(label)+" "+b.help)
			continue
		}
		for i, line := range wrap(b.help, w-keys) {
			head := th.fit("", keys)
			if i == 0 {
				head = th.fit(th.key.Render(label), keys)
			}
			rows = append(rows, head+th.text.Render(line))
		}
	}
	return rows
}

// firstKey returns the label of the binding alone: the footer's label may name a
// pair of keys, of which the help page explains each.
func firstKey(b binding) string {
	switch b.keys[0] {
	case "up", "down", "left", "right":
		return "<" + b.keys[0] + ">"
	}
	if ansi.StringWidth(b.keys[0]) == 1 && b.keys[0] != " " {
		return b.keys[0]
	}
	return b.label
}
