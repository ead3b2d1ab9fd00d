package kit

// FormRow describes a row of a form.
type FormRow struct {
	// Mark precedes the row; it is two cells wide.
	Mark string
	// Name is the name of the setting, drawn in NameStyle.
	Name      string
	NameStyle func(...string) string
	// Changed is set if the value differs from the default.
	Changed bool
	// Value draws the value in at most w cells.
	Value func(w int) string
	// Wrong is the error in the value. Beside is a remark at the end of the row. It is omitted if there is no
	// room for it.
	Wrong, Beside string
}

// Widths in a form: the column of names, the minimum width of a value (names are cut to make room for it),
// and the minimum width of a name.
const (
	formNameWidth  = 19
	formValueWidth = 12
	leastNameWidth = 6
)

// FormRow draws a row of a form, w cells wide.
func (th *Theme) FormRow(r FormRow, w int) string {
	changed := " "
	if r.Changed {
		changed = th.Accent.Render(th.Glyphs.Bullet)
	}
	names := max(min(formNameWidth, w-4-formValueWidth), leastNameWidth)
	head := r.Mark + changed + r.NameStyle(th.Fit(r.Name, names)) + " "
	room := w - Cells(head)
	if r.Wrong != "" {
		wrong := th.Bad.Render(th.Glyphs.Cross + " " + r.Wrong)
		value := r.Value(max(room-min(Cells(wrong)+2, room/2), min(room, 8)))
		return th.Fit(head+value+"  "+wrong, w)
	}
	line := head + r.Value(max(room, 1))
	if r.Beside == "" || Cells(line)+Cells(r.Beside)+2 > w {
		return th.Fit(line, w)
	}
	return th.Sides(line, r.Beside, w)
}

// ChoiceText draws a value chosen from a list, between the glyphs of the keys that change it.
func (th *Theme) ChoiceText(value string) string {
	return th.Dim.Render(th.Glyphs.Before+" ") + th.Selected.Render(value) +
		th.Dim.Render(" "+th.Glyphs.After)
}
