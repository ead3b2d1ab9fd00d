package kit

// FormRow is a row of a form as it is drawn.
type FormRow struct {
	// Mark is what stands before the row, two cells.
	Mark string
	// Name is the name of what is set, NameStyle how it is written.
	Name      string
	NameStyle func(...string) string
	// Changed says that the value is not the default.
	Changed bool
	// Value draws the value in at most w cells.
	Value func(w int) string
	// Wrong is what is wrong with the value. Beside is said at the end of the row if
	// there is room for it.
	Wrong, Beside string
}

// The widths of a form: of its column of names, and the least of its values, for
// which the names are cut.
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

// ChoiceText draws a value that is chosen from a list, between the signs of the keys
// that do so.
func (th *Theme) ChoiceText(value string) string {
	return th.Dim.Render(th.Glyphs.Before+" ") + th.Selected.Render(value) +
		th.Dim.Render(" "+th.Glyphs.After)
}
