package tui

import (
	"cmp"
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
}

// command is a row of the palette.
type command struct {
	// name is the name of an action, as in the settings file, or of a screen.
	name, sentence, keys string
	// reason is the reason why the command is unavailable, or "".
	reason string
	run    func() tea.Cmd
}

// nameWidth is the width of the name column.
const nameWidth = 20

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

// distance ranks a match: 0 if the query is part of the name or begins with it, 1 if it is part of
// the sentence, and 2 if its letters are scattered.
func (c command) distance(query string) int {
	query = strings.ToLower(query)
	name := strings.ToLower(c.name)
	switch {
	case strings.Contains(name, query) || strings.HasPrefix(query, name):
		return 0
	case strings.Contains(strings.ToLower(c.sentence), query):
		return 1
	}
	return 2
}

// text returns the searched text.
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
		p.chosen = act.Moved(p.chosen, len(p.found), p.list.Height())
		return nil
	}
	if kit.TypeInto(&p.query, msg, unicode.IsPrint) || msg.Type != tea.KeyRunes && kit.Edit(&p.query, msg) {
		p.search()
	}
	return nil
}

// runCommand closes the palette and runs a command.
func (a *app) runCommand(line int) tea.Cmd {
	p := a.palette
	if line < 0 || line >= len(p.found) {
		return nil
	}
	a.palette = nil
	return p.commands[p.found[line].Index].run()
}

// paletteMouse moves the selection by the wheel and runs a clicked command.
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
	return a.runCommand(p.list.Top() + y - top)
}

// inside returns the region inside the frame of a page that covers the screen.
func (a *app) inside() kit.Rect {
	if whole := kit.Area(0, 0, a.w, a.h); kit.Framed(a.w, a.h) {
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
	rows := make([]string, len(p.found))
	for i := range p.found {
		rows[i] = p.row(th, i, inside.W)
	}
	lines := make([]string, head, inside.H)
	if head > 0 {
		lines[0] = th.Accent.Render(th.Glyphs.Focus+" ") + th.InputView(&p.query, inside.W-2)
	}
	lines = append(lines, p.list.Lines(rows, p.chosen, inside.W, max(inside.H-head, 0))...)
	if len(rows) == 0 && inside.H > head {
		lines[head] = th.Dim.Render("no matching command")
	}
	run := paletteRun.Help()
	leave := paletteLeave.Help()
	note := run.Key + " " + run.Desc + ", " + leave.Key + " " + leave.Desc
	return th.Frame("Commands", note, lines, a.w, a.h, true)
}

// row draws a row of the list: the name, the sentence, and the keys or the reason why the command
// is unavailable.
func (p *palette) row(th *kit.Theme, i, w int) string {
	c, match := p.commands[p.found[i].Index], p.found[i]
	mark, style, right := "  ", th.Text, th.Dim.Render(th.Glyphs.KeyLabel(c.keys))
	if c.reason != "" {
		style = th.Dim
		why := th.Glyphs.Cross + " " + c.reason
		right = th.Dim.Render(th.Fit(why, min(kit.Cells(why), w/2)))
	}
	if i == p.chosen {
		mark, style = th.Accent.Render(th.Glyphs.Cursor+" "), th.Selected
	}
	text := ""
	for at, r := range c.text() {
		if at == len(c.name) { // The blank between name and sentence: pad the column.
			text += strings.Repeat(" ", max(nameWidth-at, 1))
			continue
		}
		if slices.Contains(match.MatchedIndexes, at) {
			text += th.Key.Underline(true).Render(string(r))
		} else {
			text += style.Render(string(r))
		}
	}
	return th.Sides(mark+text, right, w)
}
