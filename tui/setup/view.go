package setup

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"dgplab/datasets"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// sectionNames holds the titles of the parts.
var sectionNames = kit.Tabs{"Data set", "Family", "Settings"}

// View draws the screen. The note replaces the keys, or the headline if there is no footer.
func (s *Setup) View(keys, note string) string {
	th, l := s.theme, s.arrange()
	c := kit.NewCanvas(s.w, s.h)
	c.PutHead(th, l.Header, l.Footer, []string{s.headline(s.w)}, note)
	focus := s.section
	if s.page.IsOpen() {
		focus = sectionData // The page replaces the parts.
	}
	c.PutParts(th, l, sectionNames, int(focus), func(p part) kit.Content {
		inner := p.Inner()
		if s.page.IsOpen() {
			return kit.Content{
				Title: s.page.Title(),
				Note:  s.page.Note(inner.H),
				Lines: s.page.Lines(th, inner.W, inner.H),
			}
		}
		lines := s.partBody(p)
		return kit.Content{Title: sectionNames[p.ID], Note: s.partNote(p), Lines: lines, Bar: s.partBar(p)}
	})
	c.PutPlan(th, l, "This run", s.planRows)
	switch {
	case s.page.IsOpen():
		keys = s.page.Hint(th, s.w-2)
	case s.files.picker.IsOpen():
		keys = kit.PickerHint(th, s.w-2)
	}
	c.PutFoot(th, l.Footer, keys, note)
	return c.String(th)
}

// headline returns the data set and the family of the run.
func (s *Setup) headline(w int) string {
	th := s.theme
	name := s.dataset()
	if name == "" {
		name = "no file"
	}
	what := th.Title.Render(name) + th.Separator() + th.Title.Render(s.familyName())
	right := ""
	if s.starting || s.startAt > 0 {
		right = th.Accent.Render("starting" + th.Glyphs.Ellipsis)
	}
	margin := ""
	if w >= 64 {
		kind := "new run"
		if s.parent != "" {
			kind = "fork of " + s.parent
		}
		margin = " "
		what = th.Dim.Render("dgplab  "+kind+"  ") + what
	}
	room := w - 2*len(margin)
	size := kit.JoinFitting(room-kit.Cells(what+right)-4, "; ", s.sizeWords()...)
	if size != "" {
		what += th.Separator() + th.Dim.Render(size)
	}
	return margin + th.Sides(what, right, room) + margin
}

// partNote returns the note next to the title of a part: the position in the list if not all rows are
// visible.
func (s *Setup) partNote(p part) string {
	of := section(p.ID)
	if of == sectionData && s.files.picker.IsOpen() {
		return "pick a file"
	}
	if n := s.rows(of); n > kit.DescribedRows(p.Inner().H) {
		return fmt.Sprintf("%d of %d", s.at(of)+1, n)
	}
	return ""
}

// partBar returns the scroll bar of a part at its last drawing.
func (s *Setup) partBar(p part) kit.Bar {
	switch of := section(p.ID); {
	case of == sectionForm:
		return s.form.Bar()
	case of == sectionFamily && s.family.finding:
		return s.lists[of].Bar(1)
	case of == sectionData && s.files.picker.IsOpen():
		return kit.Bar{}
	default:
		return s.lists[of].Bar(0)
	}
}

// partBody draws a part: a list with a description of the selected row, or the form.
func (s *Setup) partBody(p part) []string {
	inner := p.Inner()
	if inner.W <= 0 || inner.H <= 0 {
		return nil
	}
	if section(p.ID) == sectionForm {
		return s.form.Body(s.theme, inner.W, inner.H, s.section == sectionForm, "")
	}
	if section(p.ID) == sectionData && s.files.picker.IsOpen() {
		return s.files.picker.Lines(s.theme, inner.W, inner.H)
	}
	h := kit.DescribedRows(inner.H)
	rows := s.dataRows(inner.W, h)
	text := s.dataWords()
	if section(p.ID) == sectionFamily {
		rows = s.familyRows(inner.W, h)
		text = s.family.words()
	}
	return s.theme.Described(rows, text, "", inner.W, inner.H)
}

// dataRows draws the visible data sets, w x h cells.
func (s *Setup) dataRows(w, h int) []string {
	th := s.theme
	rows := make([]string, s.rows(sectionData))
	for i := range rows {
		mark, style := th.RowMark(i == s.chosen, s.section == sectionData)
		file := i - 1
		switch {
		case i == 0:
			rows[i] = th.Fit(mark+style.Render("file  ")+s.pathText(i == s.chosen, w-8), w)
		case file < len(s.files.recent):
			rows[i] = s.fileRow(s.files.recent[file], mark, style.Render, w)
		default:
			rows[i] = s.dataRow(s.data[file-len(s.files.recent)], mark, style.Render, w)
		}
	}
	return s.lists[sectionData].Lines(rows, s.chosen, w, h)
}

// familyRows draws the visible families under the headings of their groups in w x h cells, with the search
// text above them.
func (s *Setup) familyRows(w, h int) []string {
	th, l := s.theme, &s.family
	var prompt, rows []string
	if l.finding {
		prompt = []string{th.Fit(th.Accent.Render("/ ")+th.LineView(&l.text, "", max(w-2, 1)), w)}
		h--
	}
	at, width := 0, 0
	for _, spec := range l.all {
		width = max(width, len(spec.Name))
	}
	for i, r := range l.rows() {
		if r.heading != "" {
			rows = append(rows, th.Fit(th.Dim.Render(r.heading), w))
			continue
		}
		if r.index == l.chosen {
			at = i
			if i == 1 {
				at = 0 // Show the first heading with its first row.
			}
		}
		mark, style := th.RowMark(r.index == l.chosen, s.section == sectionFamily)
		rows = append(rows,
			th.Fit(mark+style.Render(fmt.Sprintf("%-*s  ", width, l.all[r.index].Name))+
				th.Dim.Render(l.all[r.index].Title), w))
	}
	if len(rows) == 0 {
		rows = []string{th.Fit(th.Dim.Render("  no matching family"), w)}
	}
	if h <= 0 {
		return prompt
	}
	return append(prompt, s.lists[sectionFamily].Lines(rows, at, w, h)...)
}

// dataRow draws a data set: its name, its shape if there is room, and its state.
func (s *Setup) dataRow(d datasets.Info, mark string, style func(...string) string, w int) string {
	th, state := s.theme, s.dataState(d)
	full := mark + style(fmt.Sprintf("%-*s ", s.nameWidth(), d.Name)) + th.Dim.Render(dataShape(d))
	if kit.Cells(full)+kit.Cells(state)+1 <= w {
		return th.Sides(full, state, w)
	}
	short := mark + style(d.Name)
	if kit.Cells(short)+kit.Cells(state)+1 <= w {
		return th.Sides(short, state, w)
	}
	return th.Fit(short, w)
}

// pathText draws the path in w cells, with a caret while it is being typed.
func (s *Setup) pathText(chosen bool, w int) string {
	const empty = "CSV file: type a path such as ./data.csv, or press ctrl+o"
	switch {
	case chosen && s.section == sectionData:
		return s.theme.LineView(&s.files.path, empty, w)
	case !chosen && s.files.path.Value() == "":
		return s.theme.Dim.Render(empty)
	}
	return s.theme.Text.Render(s.files.path.Value())
}

// fileRow draws a recent file: its name, and its folder if there is room.
func (s *Setup) fileRow(path, mark string, style func(...string) string, w int) string {
	th, folder := s.theme, filepath.Dir(path)
	return th.Fit(mark+style(filepath.Base(path))+th.Dim.Render("  "+kit.ShortPath(folder)), w)
}

// nameWidth returns the width of the longest name of a data set.
func (s *Setup) nameWidth() int {
	most := 0
	for _, d := range s.data {
		most = max(most, len(d.Name))
	}
	return most
}

func dataShape(d datasets.Info) string {
	if d.N == 0 {
		return ""
	}
	return fmt.Sprintf("%6s x %d", report.Grouped(d.N), d.D)
}

// dataState returns the state of a data set: built in, downloaded, or its download.
func (s *Setup) dataState(d datasets.Info) string {
	th := s.theme
	switch {
	case s.fetch != nil && s.fetch.name() == d.Name:
		return th.Accent.Render(fmt.Sprintf("%3.0f %%", 100*s.fetch.Share()))
	case s.fetchErr[d.Name] != nil:
		return th.Bad.Render(th.Glyphs.Cross + " failed")
	case d.Kind == datasets.Builtin:
		return th.Dim.Render("built in")
	case d.Cached:
		return th.Good.Render(th.Glyphs.Check + " downloaded")
	}
	return th.Dim.Render("f: download " + report.Bytes(d.Bytes))
}

// dataWords describes the selected data set or its download.
func (s *Setup) dataWords() string {
	if s.onPath() && s.files.offered.Typed == s.files.path.Value() && len(s.files.offered.Names) > 1 {
		return "tab: " + strings.Join(s.files.offered.Names, "  ")
	}
	if s.isFile() {
		return "CSV file. Press " + s.columnsKey() + " to show and edit its columns."
	}
	d := s.info()
	switch {
	case s.fetch != nil:
		return s.fetch.Text()
	case s.fetchErr[d.Name] != nil:
		return "download failed: " + s.fetchErr[d.Name].Error()
	}
	if d.Origin == "" {
		return strings.TrimSuffix(d.Title, ".") + "."
	}
	first, n := utf8.DecodeRuneInString(d.Origin)
	return strings.TrimSuffix(d.Title, ".") + ". " + string(unicode.ToUpper(first)) + d.Origin[n:]
}
