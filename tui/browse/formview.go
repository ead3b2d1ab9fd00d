package browse

import "dgplab/tui/kit"

// formBody draws the form of a fork in w x h cells: the fields, and below them what
// is wrong, or what the field in focus is.
func (b *Browse) formBody(w, h int) []string {
	f, th := b.form, b.theme
	if w <= 0 || h <= 0 {
		return nil
	}
	high := h
	if h >= 4 {
		high = h - 2
	}
	rows := make([]string, len(f.fields))
	for i, field := range f.fields {
		rows[i] = b.fieldRow(field, i == f.at, w)
	}
	body := f.list.Lines(rows, f.at, w, high)
	for len(body) < high {
		body = append(body, "")
	}
	last := th.Dim.Render(f.fields[f.at].Help)
	switch {
	case f.starting:
		last = th.Accent.Render("starting" + th.Glyphs.Ellipsis)
	case f.err != nil:
		last = th.Bad.Render(th.Glyphs.Cross + " " + oneLine(f.err))
	}
	if high == h { // No room for more: what is wrong goes over the last field.
		if f.err != nil {
			body[h-1] = th.Fit(last, w)
		}
		return body
	}
	for _, line := range append(kit.Wrap(last, w), "", "")[:2] {
		body = append(body, th.Fit(line, w))
	}
	return body
}

// fieldRow draws a field of the form: its name, its value, and what is wrong with
// it or what the parent has.
func (b *Browse) fieldRow(field *kit.Field, chosen bool, w int) string {
	th := b.theme
	row := kit.FormRow{Mark: "  ", Name: field.Name, NameStyle: th.Text.Render, Changed: field.Changed()}
	if chosen {
		row.Mark, row.NameStyle = th.Accent.Render(th.Glyphs.Cursor+" "), th.Title.Render
	}
	row.Value = func(w int) string {
		switch {
		case chosen && field.Values() != nil:
			return th.ChoiceText(field.Input.Value())
		case chosen:
			return th.Line(&field.Input, w)
		}
		return th.Text.Render(field.Input.Value())
	}
	if err := field.Err(); err != nil {
		row.Wrong = err.Error()
	} else if field.Changed() {
		row.Beside = th.Dim.Render("was " + field.Default)
	}
	return th.FormRow(row, w)
}
