package tui

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"dgplab/tui/kit"
)

// palette is the list of all commands, searched by typing letters of a command in order. It
// receives all keys while it is open.
type palette struct {
	query    textinput.Model
	commands []command
	found    []fuzzy.Match // of commands, best match first
	chosen   int           // index into found
	list     kit.List
	// rows holds the index into found of every row of the list at the last drawing, and shown the number of
	// commands in the window.
	rows  []int
	shown int
}

// command is a command of the palette.
type command struct {
	group int
	// name is the name of a screen or of an action, as in the settings file but with blanks.
	name, sentence, keys string
	// reason is the reason why the command is unavailable, or "".
	reason string
	run    func() tea.Cmd
}

// nameWidth is the width of the column of names, and leastColumns is the minimum width with columns.
// In a narrower palette the sentence stands below the name.
const (
	nameWidth    = 20
	leastColumns = 64
)

// The keys of the palette; all other keys edit the query.
var (
	paletteLeave = kit.Keys("esc", "close", "esc", "ctrl+p")
	paletteRun   = kit.Keys("enter", "run", "enter")
	paletteMoves = []kit.Binding{
		kit.Bind("", kit.ActUp, "", "", "", "up"), kit.Bind("", kit.ActDown, "", "", "", "down"),
		kit.Bind("", kit.ActPageUp, "", "", "", "pgup"), kit.Bind("", kit.ActPageDown, "", "", "", "pgdown"),
	}
)

// openPalette opens the palette.
func (a *app) openPalette() {
	p := &palette{query: kit.NewInput("")}
	p.commands = a.commands()
	p.search()
	a.palette = p
}

// search finds the commands that contain the letters of the query in order.
func (p *palette) search() {
	p.found, p.chosen = nil, 0
	query := strings.Join(strings.Fields(p.query.Value()), "")
	texts := make([]string, len(p.commands))
	for i, c := range p.commands {
		texts[i] = c.text()
		if query == "" {
			p.found = append(p.found, fuzzy.Match{Index: i})
		}
	}
	if query != "" {
		p.found = fuzzy.FindNoSort(query, texts)
	}
	slices.SortStableFunc(p.found, func(x, y fuzzy.Match) int {
		return cmp.Or(cmp.Compare(p.commands[x.Index].distance(query), p.commands[y.Index].distance(query)),
			cmp.Compare(y.Score, x.Score))
	})
}

// distance ranks a match by the place of the query: whole words of the name, the beginning of its words,
// whole words of the sentence, the beginning of its words, inside the words of the name, inside those of the
// sentence, and scattered letters. A name at the beginning of the query counts as whole words.
func (c command) distance(query string) int {
	query = strings.ToLower(query)
	name := placeIn(c.name, query)
	if strings.HasPrefix(query, strings.Join(words(c.name), "")) {
		name = wholeWords
	}
	sentence := placeIn(c.sentence, query)
	for rank, found := range []bool{name == wholeWords, name == wordStart, sentence == wholeWords,
		sentence == wordStart, name == insideWord, sentence == insideWord} {
		if found {
			return rank
		}
	}
	return math.MaxInt
}

// place is the place of a query in a text.
type place int

const (
	scattered place = iota
	insideWord
	wordStart
	wholeWords
)

// placeIn returns the best place of a query without blanks in a text, whose blanks are ignored.
func placeIn(text, query string) (best place) {
	list := words(text)
	if strings.Contains(strings.Join(list, ""), query) {
		best = insideWord
	}
	for i := range list {
		joined := ""
		for _, word := range list[i:] {
			joined += word
			if joined == query {
				return wholeWords
			}
		}
		if strings.HasPrefix(joined, query) {
			best = wordStart
		}
	}
	return best
}

// words returns the words of a text in lower case.
func words(text string) []string { return strings.Fields(strings.ToLower(text)) }

// text returns the text that is searched.
func (c command) text() string { return c.name + " " + c.sentence }

// paletteKey handles a key.
func (a *app) paletteKey(msg tea.KeyMsg) tea.Cmd {
	p := a.palette
	switch {
	case key.Matches(msg, paletteLeave):
		a.palette = nil
		return nil
	case key.Matches(msg, paletteRun):
		return a.runCommand(p.chosen)
	}
	if act := kit.Lookup(paletteMoves, msg); act != "" {
		p.chosen = act.Moved(p.chosen, len(p.found), p.shown)
		return nil
	}
	if kit.TypeInto(&p.query, msg, unicode.IsPrint) || msg.Type != tea.KeyRunes && kit.Edit(&p.query, msg) {
		p.search()
	}
	return nil
}

// runCommand closes the palette and runs a found command.
func (a *app) runCommand(at int) tea.Cmd {
	p := a.palette
	if at < 0 || at >= len(p.found) {
		return nil
	}
	a.palette = nil
	return p.commands[p.found[at].Index].run()
}

// paletteMouse moves the selection with the wheel and runs a clicked command.
func (a *app) paletteMouse(x, y, wheel int) tea.Cmd {
	p := a.palette
	if wheel != 0 {
		p.chosen = max(min(p.chosen+wheel, len(p.found)-1), 0)
		return nil
	}
	inside := a.inside()
	top := inside.Y + paletteHead(inside.H)
	if !inside.Contains(x, y) || y < top {
		return nil
	}
	row := p.list.Top() + y - top
	if row >= len(p.rows) {
		return nil
	}
	return a.runCommand(p.rows[row])
}

// inside returns the region inside the border of a page that covers the screen.
func (a *app) inside() kit.Rect {
	whole := kit.Area(0, 0, a.w, a.h)
	if kit.Framed(a.w, a.h) {
		return whole.Inner()
	}
	return kit.Area(0, 0, a.w, a.h)
}

// paletteHead returns the number of lines, out of h, above the list: the query, and a blank line if
// there is room.
func paletteHead(h int) int {
	switch {
	case h >= 8:
		return 2
	case h >= 2:
		return 1
	}
	return 0
}

// paletteView draws the palette, exactly h lines of w cells.
func (a *app) paletteView() []string {
	p, th, inside := a.palette, a.theme, a.inside()
	head := paletteHead(inside.H)
	lines := make([]string, head, inside.H)
	if head > 0 {
		lines[0] = th.Accent.Render(th.Glyphs.Focus+" ") + th.InputView(&p.query, inside.W-2)
	}
	lines = append(lines, p.lines(th, inside.W, max(inside.H-head, 0))...)
	if len(p.found) == 0 && inside.H > head {
		lines[head] = th.Dim.Render("no matching command")
	}
	run := paletteRun.Help()
	leave := paletteLeave.Help()
	note := run.Key + " " + run.Desc + ", " + leave.Key + " " + leave.Desc
	return th.Frame("Commands", note, lines, a.w, a.h, true)
}

// lines draws the commands in the window, h lines of w cells. It shows all rows of the selected command, or
// as many as fit.
func (p *palette) lines(th *kit.Theme, w, h int) []string {
	var rows []string
	p.rows = p.rows[:0]
	first, last := 0, 0
	for i := range p.found {
		own := p.commandRows(th, i, w)
		if i == p.chosen {
			first = len(rows)
			last = first + len(own) - 1
		}
		rows = append(rows, own...)
		for range own {
			p.rows = append(p.rows, i)
		}
	}
	lines := p.list.Lines(rows, last, w, h)
	if above := p.list.Top() - first; above > 0 {
		p.list.Scroll(-above)
		lines = p.list.Lines(rows, last, w, h)
	}
	window := p.rows[p.list.Top():min(p.list.Top()+h, len(p.rows))]
	p.shown = len(slices.Compact(slices.Clone(window)))
	return lines
}

// commandRows draws found command i: its name, its sentence with the reason why it is unavailable, and
// its keys.
func (p *palette) commandRows(th *kit.Theme, i, w int) (rows []string) {
	c, match := p.commands[p.found[i].Index], p.found[i]
	mark, style := "  ", th.Text
	if c.reason != "" {
		style = th.Dim
	}
	if i == p.chosen {
		mark, style = th.Accent.Render(th.Glyphs.Cursor+" "), th.Selected
	}
	// found draws part of the searched text, with the letters of the query underlined.
	found := func(from, to int) string {
		text := ""
		for at, r := range c.text()[from:to] {
			if slices.Contains(match.MatchedIndexes, from+at) {
				text += th.Key.Underline(true).Render(string(r))
			} else {
				text += style.Render(string(r))
			}
		}
		return text
	}
	head := mark + found(0, len(c.name))
	keys := th.Dim.Render(th.Glyphs.KeyLabel(c.keys))
	indent := min(2+nameWidth, w)
	room := w - indent - kit.Cells(keys) - 1
	if w < leastColumns {
		indent = min(4, w)
		room = w - indent
	}
	var texts []string
	at := len(c.name) + 1
	for _, line := range kit.Wrap(c.sentence, room) {
		at += strings.Index(c.text()[at:], line)
		texts = append(texts, found(at, at+len(line)))
		at += len(line)
	}
	for _, line := range kit.Wrap(c.why(th), room) {
		texts = append(texts, th.Dim.Render(line))
	}
	if w < leastColumns {
		rows = []string{th.Sides(head, keys, w)}
	} else {
		first := ""
		if len(texts) > 0 {
			first, texts = texts[0], texts[1:]
		}
		rows = []string{th.Sides(th.Fit(head, indent)+first, keys, w)}
	}
	for _, text := range texts {
		rows = append(rows, th.Fit(strings.Repeat(" ", indent)+text, w))
	}
	return rows
}

// why returns the reason why the command is unavailable, or "".
func (c command) why(th *kit.Theme) string {
	if c.reason == "" {
		return ""
	}
	return th.Glyphs.Cross + " " + c.reason
}
