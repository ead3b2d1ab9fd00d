package kit

import "strings"

// NoteRows returns rows with remarks about a planned run: the warnings, with a mark, and the notes.
func (t *Theme) NoteRows(notes, warnings []string) (rows []string) {
	if len(warnings) > 0 {
		rows = append(rows, t.Warn.Render("! "+JoinNotes(warnings)))
	}
	if len(notes) > 0 {
		rows = append(rows, t.Dim.Render(JoinNotes(notes)))
	}
	return rows
}

// maxNotes is the maximum number of notes in a row. It is more than any screen can show.
const maxNotes = 50

// JoinNotes joins the first maxNotes notes with semicolons. A file with many columns has thousands
// of notes.
func JoinNotes(notes []string) string {
	return strings.Join(notes[:min(len(notes), maxNotes)], "; ")
}
