package kit

import "strings"

// NoteRows are rows of what is to be known before a run: warnings, which are marked, and notes.
func (t *Theme) NoteRows(notes, warnings []string) (rows []string) {
	if len(warnings) > 0 {
		rows = append(rows, t.Warn.Render("! "+JoinNotes(warnings)))
	}
	if len(notes) > 0 {
		rows = append(rows, t.Dim.Render(JoinNotes(notes)))
	}
	return rows
}

// mostNotes is how many notes there may be in a row: more than any screen is wide.
const mostNotes = 50

// JoinNotes joins notes by semicolons. A file of many columns has thousands of them, of which it
// takes the first.
func JoinNotes(notes []string) string {
	return strings.Join(notes[:min(len(notes), mostNotes)], "; ")
}
