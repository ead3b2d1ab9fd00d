package tui

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/textinput"
	"github.com/charmbracelet/x/ansi"

	"dgplab/datasets"
)

// sectionNames are the titles of the parts.
var sectionNames = [numSections]string{"Data set", "Family", "Settings"}

// view draws the set-up in w x h cells. stepTime is the time per step of this
// configuration, 0 when not known. The footnote takes the place of the keys.
func (s *setup) view(w, h int, footnote string, stepTime time.Duration) string {
	th := s.theme
	l := arrangeSetup(w, h, s.section)
	c := newCanvas(w, h)
	if footnote != "" && l.footer.empty() {
		c.put(l.header, th.box([]string{footnote}, w, l.header.h))
	} else {
		c.put(l.header, th.box([]string{s.headline(w)}, w, l.header.h))
	}
	if !l.tabs.empty() {
		c.put(l.tabs, []string{s.tabLine(l.tabs.w)})
	}
	for _, p := range l.parts {
		body := s.partBody(p)
		if p.bare {
			c.put(p.rect, th.box(body, p.rect.w, p.rect.h))
			continue
		}
		c.put(p.rect, th.frame(sectionNames[p.id], s.partNote(p), body, p.rect.w, p.rect.h, s.section == p.id))
	}
	if l.planBare {
		c.put(l.plan, th.box(s.planRows(l.plan.w, stepTime), l.plan.w, l.plan.h))
	} else if !l.plan.empty() {
		c.put(l.plan, th.frame("This run", "", s.planRows(l.plan.w-4, stepTime), l.plan.w, l.plan.h, false))
	}
	last := footnote
	if last == "" {
		last = th.keyLine(onSetup, w-2)
	}
	c.put(l.footer, th.box([]string{" " + last}, l.footer.w, l.footer.h))
	return c.String(th)
}

// headline names what would run.
func (s *setup) headline(w int) string {
	th := s.theme
	name := s.dataset()
	if name == "" {
		name = "no file yet"
	}
	what := th.title.Render(name) + th.dim.Render(" "+th.glyphs.dot+" ") + th.title.Render(s.familyName())
	right := th.dim.Render("enter starts")
	if s.starting {
		right = th.accent.Render("starting" + th.glyphs.ellipsis)
	}
	switch {
	case w < 64 && s.starting:
		return th.sides(what, right, w)
	case w < 64:
		return th.fit(what, w)
	}
	return " " + th.sides(th.dim.Render("dgplab  new run  ")+what, right, w-2) + " "
}

// partNote is what stands beside a part's title: which row of how many is chosen,
// if there are more than can be seen.
func (s *setup) partNote(p part) string {
	if n := s.rows(p.id); n > s.listHeight(p) {
		return fmt.Sprintf("%d of %d", s.at(p.id)+1, n)
	}
	return ""
}

// wordLines is how many lines of a part are not rows of its list: a blank and the
// words about the chosen row.
const wordLines = 4

// listHeight returns the rows of a part's list; with little room the words below
// it go first.
func (s *setup) listHeight(p part) int {
	h := p.inner().h
	if h > 2*wordLines {
		return h - wordLines
	}
	return h
}

// partBody draws a list with words about the chosen row below.
func (s *setup) partBody(p part) []string {
	inner := p.inner()
	if inner.w <= 0 || inner.h <= 0 {
		return nil
	}
	room := s.listHeight(p)
	body := s.list(p.id, inner.w, room)
	if room == inner.h {
		return body
	}
	body = append(body, "")
	for _, line := range s.words(p.id, inner.w) {
		body = append(body, s.theme.dim.Render(line))
	}
	return body
}

// list draws the part of a list that its window shows, w x h cells. The window
// moves as little as shows the chosen row, when that row or the height has changed:
// what the wheel scrolled to stays.
func (s *setup) list(id section, w, h int) []string {
	at, pane := s.at(id), &s.panes[id]
	rows := make([]string, s.rows(id))
	for i := range rows {
		rows[i] = s.row(id, i, i == at, w)
	}
	pane.Width, pane.Height = w, h
	pane.SetContent(strings.Join(rows, "\n"))
	top := pane.YOffset
	if now := [2]int{at, h}; s.seen[id] != now {
		s.seen[id] = now
		top = max(min(top, at), at-h+1)
	}
	pane.SetYOffset(top)
	return lines(pane.View())
}

// row draws one row of a list.
func (s *setup) row(id section, i int, chosen bool, w int) string {
	th := s.theme
	mark, style := "  ", th.text
	if chosen {
		mark, style = th.dim.Render(th.glyphs.cursor+" "), th.title
		if id == s.section {
			mark, style = th.accent.Render(th.glyphs.cursor+" "), th.selected
		}
	}
	switch id {
	case sectionData:
		if i == len(s.data) {
			return th.fit(mark+style.Render("file  ")+s.pathText(chosen, w-8), w)
		}
		d := s.data[i]
		return th.sides(mark+style.Render(fmt.Sprintf("%-*s ", s.nameWidth(), d.Name))+th.dim.Render(dataShape(d)), s.dataState(d), w)
	case sectionFamily:
		f := s.families[i]
		return th.fit(mark+style.Render(fmt.Sprintf("%-15s", f.Name))+th.dim.Render(f.Title), w)
	}
	return s.fieldRow(s.form.fields[i], mark, chosen, w)
}

// pathText draws the path in w cells, with its caret when it is being typed.
func (s *setup) pathText(chosen bool, w int) string {
	switch {
	case chosen && s.section == sectionData:
		return s.theme.edited(&s.path, w)
	case !chosen && s.path.Value() == "":
		return s.theme.dim.Render("a CSV file, its path typed here")
	}
	return s.theme.text.Render(s.path.Value())
}

// edited draws a text that is being typed: as much of it as w cells show, with a
// caret before the next character.
func (th *theme) edited(in *textinput.Model, w int) string {
	at, end := in.Position(), utf8.RuneCountInString(in.Value())
	in.TextStyle = th.text
	in.Cursor.TextStyle = th.plain.Transform(func(next string) string {
		if at == end {
			next = ""
		}
		return th.accent.Render(th.glyphs.caret) + th.text.Render(next)
	})
	width := 0 // the whole text
	if cells(in.Value()) >= w {
		width = max(w-2, 1)
	}
	if in.Width != width {
		in.Width = width
		in.CursorEnd()
		in.SetCursor(at)
	}
	return in.View()
}

// nameWidth is the width of the longest name of a data set.
func (s *setup) nameWidth() int {
	most := 0
	for _, d := range s.data {
		most = max(most, len(d.Name))
	}
	return most
}

func dataShape(d dataInfo) string {
	if d.N == 0 {
		return ""
	}
	return fmt.Sprintf("%6s x %d", grouped(d.N), d.D)
}

// dataState says whether a set is here.
func (s *setup) dataState(d dataInfo) string {
	th := s.theme
	switch {
	case s.fetch != nil && s.fetch.name == d.Name:
		return th.accent.Render(fmt.Sprintf("%3.0f %%", 100*s.fetch.share()))
	case s.fetchErr[d.Name] != nil:
		return th.bad.Render(th.glyphs.cross + " not fetched")
	case d.Kind == datasets.Builtin:
		return th.dim.Render("built in")
	case d.Cached:
		return th.good.Render(th.glyphs.check + " here")
	}
	return th.dim.Render("f fetches " + bytesText(d.Bytes))
}

// fieldRow draws a setting: name, value, and what is wrong or the default.
func (s *setup) fieldRow(f *field, mark string, chosen bool, w int) string {
	th := s.theme
	changed := " "
	if f.changed() {
		changed = th.accent.Render(th.glyphs.bullet)
	}
	name := th.text.Render(fmt.Sprintf("%-19s", f.Name))
	if chosen {
		name = th.title.Render(fmt.Sprintf("%-19s", f.Name))
	}
	head := mark + changed + name + " "
	value := th.text.Render(f.text.Value())
	switch focused := chosen && s.section == sectionForm; {
	case focused && f.choices() != nil:
		value = th.dim.Render(th.arrow(true)+" ") + th.selected.Render(f.text.Value()) + th.dim.Render(" "+th.arrow(false))
	case focused:
		value = th.edited(&f.text, w-cells(head))
	case f.text.Value() == "":
		value = th.dim.Render("usual")
	}
	line := head + value
	room := w - ansi.StringWidth(line) - 2
	if err := f.err(); err != nil {
		return th.fit(line+"  "+th.bad.Render(th.glyphs.cross+" "+err.Error()), w)
	}
	if f.changed() && f.Default != "" {
		if note := "default " + f.Default; len(note) <= room {
			return th.sides(line, th.dim.Render(note), w)
		}
	}
	return th.fit(line, w)
}

// arrow points to the values before or after a choice.
func (th *theme) arrow(before bool) string {
	switch {
	case before && th.glyphs.unicode:
		return th.glyphs.left
	case before:
		return "<"
	case th.glyphs.unicode:
		return th.glyphs.right
	}
	return ">"
}

// words says a few lines about the chosen row of a part.
func (s *setup) words(id section, w int) []string {
	text, last := "", ""
	switch id {
	case sectionData:
		text = s.dataWords()
	case sectionFamily:
		if s.family < len(s.families) {
			text = s.families[s.family].Summary
		}
	default:
		if f := s.form.current(); f != nil {
			text, last = f.Help, s.bounds(f)
		}
	}
	rows, most := wrap(text, w), wordLines-1
	if last != "" {
		most--
	}
	if len(rows) > most {
		rows[most-1] = s.theme.fit(strings.Join(rows[most-1:], " "), w)
		rows = rows[:most]
	}
	if last != "" {
		rows = append(rows, last)
	}
	return rows
}

// bounds says what a setting may be, its default and the paper's value.
func (s *setup) bounds(f *field) string {
	if f.Name == rowSplit || f.Name == rowTargets {
		return ""
	}
	sep := " " + s.theme.glyphs.dot + " "
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
func (s *setup) dataWords() string {
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
	return strings.TrimSuffix(d.Title, ".") + ". " + d.Origin
}

// tabSpans places the names of the parts on a line of w cells.
func (s *setup) tabSpans(w int) []tabSpan {
	var spans []tabSpan
	x := 1
	for id, name := range sectionNames {
		n := ansi.StringWidth(name) + 2
		spans = append(spans, tabSpan{panelID(id), x, n, name})
		x += n + 1
	}
	return spans
}

func (s *setup) tabLine(w int) string {
	th, line := s.theme, ""
	for _, t := range s.tabSpans(w) {
		if section(t.id) == s.section {
			line += " " + th.focusTitle.Render(th.glyphs.focus+" "+t.name)
		} else {
			line += " " + th.dim.Render("  "+t.name)
		}
	}
	return th.fit(line, w)
}
