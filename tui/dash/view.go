package dash

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/viz/canvas"
)

// View draws the dashboard. A note replaces the keys in the footer, or the header if there is no
// footer.
func (d *Dash) View(keys, note string) string {
	w, h := d.w, d.h
	l := d.arrange()
	c := kit.NewCanvas(w, h)
	header := d.header(l.header.W, l.header.H)
	if note != "" && l.footer.Empty() {
		header = d.theme.Box([]string{note}, w, l.header.H)
	}
	c.Put(l.header, header)
	if !l.pages.Empty() {
		c.Put(l.pages, []string{l.pageTabs.Line(d.theme, d.onPage(), l.pages.W, d.pageAvailable)})
	}
	if !l.tabs.Empty() {
		at := min(slices.Index(d.panels(d.onPage()), d.focused()), len(l.panelTabs)-1)
		c.Put(l.tabs, []string{l.panelTabs.Line(d.theme, at, l.tabs.W, nil)})
	}
	for _, p := range l.panels {
		c.Put(p.Rect, d.drawPanel(p))
	}
	if note != "" {
		keys = note
	}
	c.Put(l.footer, d.footer(l.footer.W, l.footer.H, l.header.H, keys))
	return c.String(d.theme)
}

// panelKey holds everything on which the drawing of a panel depends.
type panelKey struct {
	values   [mostChoices]int // values of the choices
	state    any
	rect     kit.Rect
	bare, on bool
	runs     [kit.MostWatched]runKey
	style    canvas.Style
}

// mostChoices is the maximum number of choices of a panel.
const mostChoices = 4

// runKey is the drawn part of a run.
type runKey struct {
	index int
	label string
	err   string
	what  any // comparable
}

// panelCache is the last drawing of a panel.
type panelCache struct {
	key   panelKey
	lines []string
}

// countKey identifies a number of lines: a panel, a width and a height, which is 0 unless the number depends
// on it. panelCount is the last such number.
type (
	countKey struct {
		panel *panel
		w, h  int
	}
	panelCount struct {
		key   panelKey
		lines int
	}
)

// key returns the key of a panel.
func (d *Dash) key(p placed) panelKey {
	k := panelKey{rect: p.Rect, bare: p.Bare, on: d.focused() == p.ID, style: d.theme.VizStyle()}
	if p.ID.state != nil {
		k.state = p.ID.state()
	}
	s := d.scene()
	for i, c := range p.ID.choices {
		k.values[i] = s.value(c)
	}
	for i, r := range d.runs {
		k.runs[i] = runKey{r.index, r.label, errorText(r.err), i == d.chosen}
		if r.snap != nil {
			k.runs[i].what = p.ID.drawnPart(s, r)
		}
	}
	return k
}

// errorText returns the text of an error, or "" for nil.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// drawPanel draws a panel, or returns the cached drawing if nothing has changed.
func (d *Dash) drawPanel(p placed) []string {
	key := d.key(p)
	if c := d.cache[p.ID]; c.lines != nil && c.key == key {
		return c.lines
	}
	inner := p.Inner()
	body := d.panelBody(p.ID, inner.W, inner.H)
	title, note := d.title(p.ID, p.Rect.W)
	lines := d.theme.Panel(p.Rect, p.Bare, title, note, body, d.focused() == p.ID)
	d.cache[p.ID] = panelCache{key, lines}
	return lines
}

// linesOf returns the number of lines that the content of a panel fills in w cells, or 0 if it fills any
// height.
func (d *Dash) linesOf(p *panel, w int) int {
	if p.lines == nil || len(d.runs) == 0 || w <= 0 || !p.shows(d.scene()) {
		return 0
	}
	return d.count(p, w, 0, func() int { return p.lines(d.scene(), w) })
}

// usesOf returns the number of lines that the content of a panel can use in w x h cells, or 0 if it does not
// need more than others.
func (d *Dash) usesOf(p *panel, w, h int) int {
	if p.uses == nil || len(d.runs) == 0 || w <= 0 || h <= 0 || !p.shows(d.scene()) {
		return 0
	}
	return d.count(p, w, h, func() int { return p.uses(d.scene(), w, h) })
}

// count returns a number of lines of a panel. It calls lines again only if the panel has changed.
func (d *Dash) count(p *panel, w, h int, lines func() int) int {
	key := d.key(placed{ID: p, Rect: kit.Area(0, 0, w, h)})
	at := countKey{p, w, h}
	c, ok := d.counted[at]
	if !ok || c.key != key {
		c = panelCount{key, lines()}
		d.counted[at] = c
	}
	return c.lines
}

// title returns the title of a panel and the notes that fit into a border of w cells.
func (d *Dash) title(panel *panel, w int) (title, note string) {
	const around = 10 // corners, focus glyph and spaces
	title, notes := panel.border(d.scene())
	return title, kit.JoinFitting(w-kit.Cells(title)-around, " "+d.theme.Glyphs.Dot+" ", notes...)
}

// panelBody draws the inside of a panel, at most h lines of at most w cells.
func (d *Dash) panelBody(panel *panel, w, h int) []string {
	switch {
	case w <= 0 || h <= 0:
		return nil
	case len(d.runs) == 0:
		return d.theme.Centred("no run yet: n sets one up", w, h)
	case len(d.runs) == 1 && d.snap() == nil:
		return d.theme.Centred(d.waiting(d.runs[0]), w, h)
	}
	return panel.body(d.scene(), w, h)
}

// waiting returns a word for the state of a run without a snapshot.
func (d *Dash) waiting(r *watchedRun) string {
	if r.run == nil {
		return "reading " + r.id
	}
	return "preparing"
}

// noDataYet returns the text of an empty panel. what is the data that it waits for.
func (d *Dash) noDataYet(what string) string {
	s := d.snap()
	switch {
	case s == nil || len(d.runs) > 1 &&
		d.anyRun(func(s *session.Snapshot) bool { return s.State != session.Ended }):
		return "waiting for " + what
	case s.Err != nil:
		return s.Err.Error()
	case s.State == session.Ended && len(d.runs) > 1:
		return "the runs ended before " + what
	case s.State == session.Ended:
		return "the run ended before " + what
	}
	return "waiting for " + what
}

// PlainText returns the last drawing of the focused panel without styles. Bitmaps are drawn with
// characters.
func (d *Dash) PlainText() string {
	lines := d.cache[d.focused()].lines
	if images := d.theme.Images; images != nil {
		d.theme.Images = nil
		defer func() { d.theme.Images = images }()
		for _, p := range d.scene().arrange().panels {
			if p.ID == d.focused() {
				lines = d.drawPanel(p)
			}
		}
	}
	return ansi.Strip(strings.Join(lines, "\n"))
}
