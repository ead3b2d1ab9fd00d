package setup

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"dgplab/datasets"
	"dgplab/tui/kit"
)

// sectionNames are the titles of the parts.
var sectionNames = kit.Tabs{"Data set", "Family", "Settings"}

// View draws the set-up. The note takes the place of the keys, or of the headline
// where there is no footer.
func (s *Setup) View(keys, note string) string {
	th, w := s.theme, s.w
	l := arrange(w, s.h, s.section)
	c := kit.NewCanvas(w, s.h)
	c.PutHead(th, l.header, l.footer, []string{s.headline(w)}, note)
	if !l.tabs.Empty() {
		c.Put(l.tabs, []string{sectionNames.Line(th, int(s.section), l.tabs.W)})
	}
	for _, p := range l.parts {
		body := s.partBody(p)
		c.Put(p.Rect, th.Panel(p.Rect, p.Bare, sectionNames[p.ID], s.partNote(p), body, s.section == p.ID))
	}
	c.PutPlan(th, l.plan, l.planBare, "This run", s.planRows)
	c.PutFoot(th, l.footer, keys, note)
	return c.String(th)
}

// headline names what would run.
func (s *Setup) headline(w int) string {
	th := s.theme
	name := s.dataset()
	if name == "" {
		name = "no file yet"
	}
	what := th.Title.Render(name) + th.Dim.Render(" "+th.Glyphs.Dot+" ") + th.Title.Render(s.familyName())
	right := th.Dim.Render("enter starts")
	if s.starting {
		right = th.Accent.Render("starting" + th.Glyphs.Ellipsis)
	}
	switch {
	case w < 64 && s.starting:
		return th.Sides(what, right, w)
	case w < 64:
		return th.Fit(what, w)
	}
	kind := "new run"
	if s.parent != "" {
		kind = "fork of " + s.parent
	}
	return " " + th.Sides(th.Dim.Render("dgplab  "+kind+"  ")+what, right, w-2) + " "
}

// partNote is what stands beside a part's title: which row of how many is chosen,
// if there are more than can be seen.
func (s *Setup) partNote(p part) string {
	if n := s.rows(p.ID); n > kit.DescribedRows(p.Inner().H) {
		return fmt.Sprintf("%d of %d", s.at(p.ID)+1, n)
	}
	return ""
}

// partBody draws a list with words about the chosen row below.
func (s *Setup) partBody(p part) []string {
	inner := p.Inner()
	if inner.W <= 0 || inner.H <= 0 {
		return nil
	}
	text, last := s.words(p.ID)
	rows := s.list(p.ID, inner.W, kit.DescribedRows(inner.H))
	return s.theme.Described(rows, text, last, inner.W, inner.H)
}

// list draws the part of a list that its window shows, w x h cells.
func (s *Setup) list(id section, w, h int) []string {
	at := s.at(id)
	rows := make([]string, s.rows(id))
	for i := range rows {
		rows[i] = s.row(id, i, i == at, w)
	}
	return s.lists[id].Lines(rows, at, w, h)
}

// row draws one row of a list.
func (s *Setup) row(id section, i int, chosen bool, w int) string {
	th := s.theme
	mark, style := "  ", th.Text
	if chosen {
		mark, style = th.Dim.Render(th.Glyphs.Cursor+" "), th.Title
		if id == s.section {
			mark, style = th.Accent.Render(th.Glyphs.Cursor+" "), th.Selected
		}
	}
	switch id {
	case sectionData:
		if i == len(s.data) {
			return th.Fit(mark+style.Render("file  ")+s.pathText(chosen, w-8), w)
		}
		return s.dataRow(s.data[i], mark, style.Render, w)
	case sectionFamily:
		f := s.families[i]
		return th.Fit(mark+style.Render(fmt.Sprintf("%-15s", f.Name))+th.Dim.Render(f.Title), w)
	}
	return s.fieldRow(s.form.fields[i], mark, chosen, w)
}

// dataRow draws a data set: its name, its shape if there is room, and whether it is
// here.
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

// pathText draws the path in w cells, with its caret when it is being typed.
func (s *Setup) pathText(chosen bool, w int) string {
	switch {
	case chosen && s.section == sectionData:
		return s.theme.Line(&s.path, w)
	case !chosen && s.path.Value() == "":
		return s.theme.Dim.Render("a CSV file, its path typed here")
	}
	return s.theme.Text.Render(s.path.Value())
}

// nameWidth is the width of the longest name of a data set.
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
	return fmt.Sprintf("%6s x %d", kit.Grouped(d.N), d.D)
}

// dataState says whether a set is here.
func (s *Setup) dataState(d datasets.Info) string {
	th := s.theme
	switch {
	case s.fetch != nil && s.fetch.name == d.Name:
		return th.Accent.Render(fmt.Sprintf("%3.0f %%", 100*s.fetch.share()))
	case s.fetchErr[d.Name] != nil:
		return th.Bad.Render(th.Glyphs.Cross + " not fetched")
	case d.Kind == datasets.Builtin:
		return th.Dim.Render("built in")
	case d.Cached:
		return th.Good.Render(th.Glyphs.Check + " here")
	}
	return th.Dim.Render("f fetches " + kit.Bytes(d.Bytes))
}

// fieldRow draws a setting: name, value, and what is wrong or the default.
func (s *Setup) fieldRow(f *kit.Field, mark string, chosen bool, w int) string {
	th, focused := s.theme, chosen && s.section == sectionForm
	row := kit.FormRow{Mark: mark, Name: f.Name, NameStyle: th.Text.Render, Changed: f.Changed()}
	if chosen {
		row.NameStyle = th.Title.Render
	}
	row.Value = func(w int) string {
		switch {
		case focused && f.Values() != nil:
			return th.ChoiceText(f.Input.Value())
		case focused:
			return th.Line(&f.Input, w)
		case f.Input.Value() == "":
			return th.Dim.Render("usual")
		}
		return th.Text.Render(f.Input.Value())
	}
	if err := f.Err(); err != nil {
		row.Wrong = err.Error()
	} else if f.Changed() && f.Default != "" {
		row.Beside = th.Dim.Render("default " + f.Default)
	}
	return th.FormRow(row, w)
}

// words returns what is said about the chosen row of a part, and a line of its own.
func (s *Setup) words(id section) (text, last string) {
	switch id {
	case sectionData:
		return s.dataWords(), ""
	case sectionFamily:
		if s.family < len(s.families) {
			return s.families[s.family].Summary, ""
		}
		return "", ""
	}
	if f := s.form.current(); f != nil {
		return f.Help, s.bounds(f)
	}
	return "", ""
}

// bounds says what a setting may be, its default and the paper's value.
func (s *Setup) bounds(f *kit.Field) string {
	if f.Name == rowSplit || f.Name == rowTargets {
		return ""
	}
	sep := " " + s.theme.Glyphs.Dot + " "
	text := "default " + f.Default
	if f.Default == "" {
		text = "empty by default"
	}
	if f.Paper != "" {
		text += sep + "paper: " + f.Paper
	}
	return text + sep + f.Allowed()
}

// dataWords says what the chosen set is, or how its download goes.
func (s *Setup) dataWords() string {
	if s.onPath() {
		return "A CSV file: header, delimiter and compression are detected; the last column is the target unless settings say otherwise."
	}
	d := s.data[s.chosen]
	switch {
	case s.fetch != nil:
		return s.fetch.progress() + "; f cancels"
	case s.fetchErr[d.Name] != nil:
		return "not fetched: " + s.fetchErr[d.Name].Error()
	}
	if d.Origin == "" {
		return strings.TrimSuffix(d.Title, ".") + "."
	}
	first, n := utf8.DecodeRuneInString(d.Origin)
	return strings.TrimSuffix(d.Title, ".") + ". " + string(unicode.ToUpper(first)) + d.Origin[n:]
}
