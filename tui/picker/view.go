package picker

import (
	"path/filepath"

	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Actions that only the picker has.
const (
	actPick kit.Action = "pick"
	actUp   kit.Action = "folder_above"
)

var bindings = []kit.Binding{
	kit.Bind(actPick, "enter", "open", "Pick the file or open the folder.", "enter", "right", "tab"),
	kit.Bind(kit.ActBack, "esc", "close", "Clear the search, then close.", "esc"),
	kit.Bind(kit.ActDown, "<up><down>", "select", "Select the next row.", "down"),
	kit.Bind(kit.ActUp, "<up>", "", "Select the previous row.", "up"),
	kit.Bind(actUp, "<left>", "parent folder",
		"Open the parent folder; while searching: erase.", "left", "backspace"),
	kit.Bind(kit.ActPageUp, "pgup", "", "Page up.", "pgup"),
	kit.Bind(kit.ActPageDown, "pgdown", "", "Page down.", "pgdown"),
	kit.Bind(kit.ActFirst, "home", "", "Go to the first row.", "home"),
	kit.Bind(kit.ActLast, "end", "", "Go to the last row.", "end"),
}

// Bindings returns the keys of the picker.
func Bindings() []kit.Binding { return bindings }

// Hint returns the footer while the picker is open.
func Hint(th *kit.Theme, w int) string {
	letters := kit.Bind("", "a-z", "find", "", "")
	return th.KeyLine(append([]kit.Binding{letters}, bindings...), w)
}

// headLines is the number of lines above the list.
const headLines = 1

// Lines draws the picker in w x h cells: the folder or the typed text, and the list.
func (p *Picker) Lines(th *kit.Theme, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	head := th.Dim.Render(Short(p.dir))
	switch {
	case p.filter.Value() != "":
		head = th.Accent.Render("find ") + th.LineView(&p.filter, max(w-5, 1))
	case p.err != nil:
		head = th.Bad.Render(th.Glyphs.Cross + " " + p.err.Error())
	case p.dir == "":
		head = th.Dim.Render("reading" + th.Glyphs.Ellipsis)
	}
	rows := p.rows()
	lines := p.list.Window(len(rows), p.at, w, h-headLines, func(i int) string {
		return p.line(th, rows[i], i == p.at, w)
	})
	if len(rows) == 0 && len(lines) > 0 {
		lines[0] = th.Fit(th.Dim.Render("  no match"), w)
	}
	return append([]string{th.Fit(head, w)}, lines...)
}

// line draws a row.
func (p *Picker) line(th *kit.Theme, r row, chosen bool, w int) string {
	mark, style := th.RowMark(chosen, true)
	switch {
	case r.path != "":
		return th.Sides(mark+style.Render(Short(r.path)), th.Dim.Render("recent"), w)
	case r.entry.Dir:
		return th.Fit(mark+style.Render(r.entry.Name+string(filepath.Separator)), w)
	}
	return th.Sides(mark+style.Render(r.entry.Name), th.Dim.Render(report.Bytes(r.entry.Size)), w)
}
