package form

import (
	"fmt"
	"strings"

	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// defaultWord is the description of base values that are defaults.
const defaultWord = "default"

// baseWords describes the base values in a phrase.
func (f *Form) baseWords() string {
	if f.baseWord == defaultWord {
		return "the default"
	}
	return "as in " + f.baseWord
}

// Body draws the form in w x h cells, with a description of the selected row below it. focused is
// set if the form has the keyboard focus. A non-empty wrong is an error that replaces the
// description.
func (f *Form) Body(th *kit.Theme, w, h int, focused bool, wrong string) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	var prompt []string
	if f.search.active {
		text := th.LineView(&f.search.text, "", max(w-2, 1))
		prompt = []string{th.Fit(th.Accent.Render(findKey+" ")+text, w)}
		h--
	}
	room := kit.DescribedRows(h)
	f.room = room
	f.drawn = f.rows(room >= leastForHeadings)
	lines := make([]string, len(f.drawn))
	at := f.index(f.drawn)
	for i, r := range f.drawn {
		lines[i] = f.row(th, r, i == at, focused, w)
	}
	if at == 1 && f.drawn[0].heading != "" {
		at = 0 // Show the first heading with its first row.
	}
	shown := f.list.Lines(lines, at, w, room)
	text, last := f.words(th)
	if wrong != "" {
		return append(prompt, wrongBelow(th, th.Box(shown, w, room), wrong, w, h)...)
	}
	return append(prompt, th.Described(shown, text, last, w, h)...)
}

// Bar returns the scroll bar of the last drawing.
func (f *Form) Bar() kit.Bar {
	head := 0
	if f.search.active {
		head = 1
	}
	return f.list.Bar(head)
}

// wrongBelow appends an error to rows, or replaces the last row with it if there is no room.
func wrongBelow(th *kit.Theme, rows []string, wrong string, w, h int) []string {
	words := kit.Wrap(th.Glyphs.Cross+" "+wrong, w)
	if len(rows) == h {
		return append(rows[:h-1], th.Bad.Render(th.Fit(strings.Join(words, " "), w)))
	}
	rows = append(rows, "")
	for _, line := range words[:min(len(words), h-len(rows))] {
		rows = append(rows, th.Bad.Render(line))
	}
	return rows
}

// row draws a row, w cells wide.
func (f *Form) row(th *kit.Theme, r row, chosen, focused bool, w int) string {
	mark, name := th.RowMark(chosen, focused)
	switch {
	case r.heading != "":
		return th.Fit(th.Dim.Render(string(r.heading)), w)
	case r.fold != "":
		style := th.Dim
		if chosen && focused {
			style = th.Selected
		}
		return th.Fit(mark+" "+style.Render(foldText(r)), w)
	}
	line := kit.FormRow{Mark: mark, Name: r.field.Name, NameStyle: name.Render, Changed: r.field.Changed()}
	line.Value = func(w int) string { return f.value(th, r.field, chosen && focused, w) }
	if err := r.field.Err(); err != nil {
		line.Wrong = err.Error()
	} else {
		line.Beside = f.beside(th, r.field)
	}
	return th.FormRow(line, w)
}

// foldText returns the text of a fold.
func foldText(r row) string {
	if len(r.folded) == 0 {
		return "- fewer"
	}
	names := make([]string, len(r.folded))
	for i, field := range r.folded {
		names[i] = field.Name
	}
	return fmt.Sprintf("+ %d more: %s", len(names), strings.Join(names, ", "))
}

// value draws the value of a field in at most w cells.
func (f *Form) value(th *kit.Theme, field *Field, typed bool, w int) string {
	switch {
	case typed && !field.typed():
		return th.ChoiceText(field.Value())
	case typed:
		return th.LineView(&field.Input, field.Empty, w)
	case field.Value() == "":
		return th.Dim.Render(field.Empty)
	}
	return th.Text.Render(field.Value())
}

// beside returns the remark at the end of a field's row.
func (f *Form) beside(th *kit.Theme, field *Field) string {
	n := f.changes()
	switch {
	case field.Count() > 1:
		return th.Accent.Render(report.Plural(field.Count(), "value", "values"))
	case field.Name == rundir.PresetField && n > 0:
		return th.Dim.Render(fmt.Sprintf("%d changed", n))
	case field.Note != "":
		return th.Dim.Render(field.Note)
	case f.adaptation(field) != nil:
		return th.Accent.Render(f.adaptation(field).To + " here")
	case field.Changed() && field.Base != "" && field.Name != rundir.PresetField:
		return th.Dim.Render(f.baseWord + " " + field.Base)
	}
	return ""
}

// adaptation returns the adaptation of the default of a field to the data, or nil if there is none.
func (f *Form) adaptation(field *Field) *rundir.Adaptation {
	for i := range f.Adapted {
		if a := &f.Adapted[i]; a.Name == field.Name && !field.Changed() {
			return a
		}
	}
	return nil
}

// words returns the description of the selected row, and a second paragraph.
func (f *Form) words(th *kit.Theme) (text, last string) {
	field := f.Current()
	if field == nil {
		return "space opens or closes the section; changed values stay visible", ""
	}
	if offers := f.offers(field); offers != "" {
		return offers, ""
	}
	text = field.Help
	if field.Name == rundir.PresetField {
		text += "; ctrl+r resets all values to it"
	}
	if a := f.adaptation(field); a != nil {
		text += "; " + a.To + " here: " + a.Why
	}
	return text, strings.Join(bounds(field), " "+th.Glyphs.Dot+" ")
}

// bounds returns the default, the value in the paper and the allowed values of a field.
func bounds(field *Field) []string {
	if field.Many && field.Choices != nil {
		return []string{"ctrl+n adds: " + strings.Join(field.Choices, ", ")}
	}
	var parts []string
	if field.Default != "" && !field.Many && field.Name != rundir.PresetField {
		text := "default " + field.Default
		if field.Source != "" {
			text += " (" + field.Source + ")"
		}
		parts = append(parts, text)
	}
	if field.Paper != "" {
		parts = append(parts, "paper: "+field.Paper)
	}
	parts = append(parts, field.Explain(field.Value())...)
	if field.Kind != family.Text {
		parts = append(parts, field.Allowed())
	}
	if field.Many {
		parts = append(parts, "several: 1,2,3 or 0..4")
	}
	return parts
}

// PlainText returns the fields and their values.
func (f *Form) PlainText() string {
	var lines []string
	for _, field := range f.Fields() {
		lines = append(lines, field.Name+" "+field.Value())
	}
	return kit.Plain(lines)
}
