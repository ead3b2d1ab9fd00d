package kit

import "strings"

// NoteRows are rows of what is to be known before a run: warnings, which are marked, and notes.
func (t *Theme) NoteRows(notes, warnings []string) (rows []string) {
	if len(warnings) > 0 {
		rows = append(rows, t.Warn.Render("! "+strings.Join(warnings, "; ")))
	}
	if len(notes) > 0 {
		rows = append(rows, t.Dim.Render(strings.Join(notes, "; ")))
	}
	return rows
}
