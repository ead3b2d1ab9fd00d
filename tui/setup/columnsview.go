package setup

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dgplab/datasets/table"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// pageHeadLines is the number of lines above the columns: the summary of the file, and the titles.
const pageHeadLines = 2

// Title returns the title of the page.
func (p *columnsPage) Title() string { return "Columns of " + filepath.Base(p.name) }

// Note returns the position of the selected column if the columns do not all fit into h lines.
func (p *columnsPage) Note(h int) string {
	if c := p.column(); c != nil && len(p.table.Known.Columns) > kit.DescribedRows(h)-pageHeadLines {
		return fmt.Sprintf("%d of %d", p.at+1, len(p.table.Known.Columns))
	}
	return ""
}

// Hint returns the footer while the page is open.
func (p *columnsPage) Hint(th *kit.Theme, w int) string {
	var live []kit.Binding
	c := p.column()
	for _, b := range p.Bindings() {
		_, ofFile := p.editFile(b.Action)
		ofFile = ofFile || b.Action == actDone || b.Action == kit.ActBack
		if c == nil && !ofFile || c != nil && columnObstacle(b.Action, p.table.Known, c) != "" {
			continue
		}
		live = append(live, b)
	}
	return th.KeyLine(append(live, kit.Help), w)
}

// Lines draws the page in w x h cells.
func (p *columnsPage) Lines(th *kit.Theme, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	t := p.table.Known
	switch {
	case t == nil && p.table.Err != nil:
		return th.Box(kit.Paragraph(th.Bad, th.Glyphs.Cross+" "+p.failure(), w), w, h)
	case t == nil:
		return th.Box([]string{th.Dim.Render("reading the file" + th.Glyphs.Ellipsis)}, w, h)
	}
	room := kit.DescribedRows(h)
	lines := []string{th.Fit(p.head(th, w), w)}
	if room > pageHeadLines {
		lines = append(lines, p.rows(th, w, room-1)...)
	}
	style := th.Dim
	if c := p.column(); c != nil && c.Question != nil {
		style = th.Warn
	}
	text, last := p.words(th)
	return th.Box(th.DescribedIn(style, th.Box(lines, w, room), text, last, w, h), w, h)
}

// failure returns the reason why the file could not be described, and a remedy.
func (p *columnsPage) failure() string {
	text := p.table.Err.Error()
	if p.edits.targets != nil || !p.edits.choices.IsZero() {
		text += "; r resets the column settings"
	}
	return text
}

// head returns the summary of the file.
func (p *columnsPage) head(th *kit.Theme, w int) string {
	t, style := p.table.Known, th.Text
	if p.table.Running {
		style = th.Dim // The table belongs to the previous settings.
	}
	parts := []string{style.Render(report.Plural(t.Rows, "row", "rows"))}
	if t.Dropped > 0 {
		parts = append(parts, th.Warn.Render(report.Grouped(t.Dropped)+" dropped"))
	}
	parts = append(parts, style.Render(report.Plural(t.N(), "point", "points")),
		style.Render(fmt.Sprintf("D %d", t.D)), style.Render(fmt.Sprintf("P %d", t.P)))
	if t.Task != "" {
		parts = append(parts, style.Render(t.Task))
	}
	if p.table.Running {
		parts = append(parts, th.Dim.Render("reading"+th.Glyphs.Ellipsis))
	} else if t.questions > 0 {
		parts = append(parts, th.Warn.Render(report.Plural(t.questions, "question", "questions")))
	}
	if rule := p.edits.choices.Missing; rule != "" {
		parts = append(parts, style.Render("missing: "+rule))
	}
	if header := p.edits.choices.Header; header != "" {
		parts = append(parts, style.Render("header: "+header))
	}
	return kit.JoinFitting(w, th.Separator(), parts...)
}

// rows draws the titles and the visible columns in w x h cells.
func (p *columnsPage) rows(th *kit.Theme, w, h int) []string {
	const mark = 2
	t := p.table.Known
	fit, bars := t.layout(w - mark)
	title := fit.Row(func(k, w int) string {
		return th.Dim.Render(th.Cell(fit.Columns[k].Title, w, fit.Columns[k].Right))
	})
	rows := p.list.Window(len(t.Columns), p.at, w, h-1, func(i int) string {
		c := &t.Columns[i]
		row := report.ColumnRow(c, th.VizStyle(), bars)
		sign, name := th.RowMark(i == p.at, true)
		return th.Fit(sign+fit.Row(func(k, w int) string {
			cell := th.Cell(row[k], w, fit.Columns[k].Right)
			switch {
			case k == report.ColumnName:
				return name.Render(cell)
			case k == report.ColumnRole && c.Question != nil:
				return th.Warn.Render(cell)
			case k == report.ColumnRole && c.Role == table.Target:
				return th.Accent.Render(cell)
			case k == report.ColumnMissing && c.Missing > 0 &&
				c.Role == table.Input && p.edits.refusesMissing():
				return th.Warn.Render(cell)
			case c.Role == table.Ignored:
				return th.Dim.Render(cell)
			}
			return th.Text.Render(cell)
		}), w)
	})
	return append([]string{th.Fit("  "+title, w)}, rows...)
}

// words describes the selected column: its question, or its levels and inputs. last is the reason
// why the file is unusable, or the notes.
func (p *columnsPage) words(th *kit.Theme) (text, last string) {
	t, c := p.table.Known, p.column()
	switch {
	case p.why != "":
		text = p.why
	case c == nil:
	case c.Question != nil:
		var answers []string
		for i, a := range c.Question.Answers {
			answers = append(answers, fmt.Sprintf("%d %s", i+1, a.Label))
		}
		return c.Name + ": " + c.Question.Text + ". " + strings.Join(answers, ", "), ""
	default:
		text = aboutColumn(c)
	}
	if t.Err != nil && !p.table.Running {
		return text, th.Glyphs.Cross + " " + troubleText(t.Err)
	}
	return text, t.notes
}

// remedies maps a column setting, or targetRemedy, to a text with the key of the page that changes it.
var remedies = map[string]string{
	"missing":     "m: drop such rows or fill in the mean",
	"categorical": "c: treat the column as categorical",
	"column":      "c: choose the kind of the cells",
	"header":      "h: header or data",
	"na":          "set columns to na=TEXT to make such cells missing",
	"encoding":    "set columns to encoding=NAME",
	"sheet":       "set columns to sheet=NAME",
	"skip":        "set columns to skip=N to skip lines before the table",
	"comment":     "set columns to comment=CHARACTER",
	"ignore":      "space: ignore the column",
	"levels":      "set columns to levels=N to allow more levels",
	targetRemedy:  "k: classes or numbers",
}

// targetRemedy stands for the meaning of a target in remedies.
const targetRemedy = ""

// inKeys appends the keys that fix a problem to its text.
func inKeys(text string, list []table.Answer) string {
	parts := []string{text}
	for _, r := range list {
		name, _, _ := strings.Cut(r.Item, "=")
		if key := remedies[name]; !slices.Contains(parts, key) {
			parts = append(parts, key)
		}
	}
	return strings.Join(parts, "; ")
}

// troubleText returns the error in a file with the keys that fix it.
func troubleText(err error) string {
	var csv *table.Error
	if !errors.As(err, &csv) {
		return err.Error()
	}
	return inKeys(csv.WithoutFlags(), csv.Remedies)
}

// aboutColumn describes a column in one line.
func aboutColumn(c *table.Column) string {
	parts := []string{c.Name + " is " +
		map[table.Role]string{
			table.Input: "an input", table.Target: "a target", table.Ignored: "ignored",
			table.KnownNoise: "the known noise", table.Weight: "the weight of each row",
		}[c.Role]}
	if c.Note != "" {
		parts = append(parts, c.Note)
	}
	if c.Unit != "" {
		parts = append(parts, c.Unit)
	}
	if len(c.Levels) > 0 {
		var levels []string
		for _, l := range c.Levels {
			levels = append(levels, l.Name+" "+report.Grouped(l.Count))
		}
		parts = append(parts, strings.Join(levels, ", "))
	}
	if len(c.Inputs) > 1 {
		parts = append(parts, report.Plural(len(c.Inputs), "input", "inputs"))
	}
	return strings.Join(parts, "; ")
}
