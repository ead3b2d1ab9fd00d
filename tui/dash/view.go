package dash

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/viz/canvas"
)

// View draws the dashboard. The note takes the place of the keys, or of the
// header where there is no footer.
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
		c.Put(l.pages,
			[]string{l.pageTabs.Line(d.theme,
				min(slices.Index(d.shownPages(), d.onPage()), len(l.pageTabs)-1), l.pages.W)})
	}
	if !l.tabs.Empty() {
		c.Put(l.tabs,
			[]string{l.panelTabs.Line(d.theme, slices.Index(d.panels(d.onPage()), d.focused()), l.tabs.W)})
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

// panelKey is everything that the drawing of a panel depends on.
type panelKey struct {
	values   [mostChoices]int // of the choices
	state    any
	rect     kit.Rect
	bare, on bool
	runs     [kit.MostWatched]runKey
	style    canvas.Style
}

// mostChoices is the largest number of choices of a panel.
const mostChoices = 4

// runKey is what a panel shows of a run.
type runKey struct {
	index int
	label string
	err   string
	what  any // comparable
}

// panelCache is the picture that was drawn last.
type panelCache struct {
	key   panelKey
	lines []string
}

// key returns what the picture of a panel depends on.
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

// errorText returns what an error says, "" if there is none.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// panel draws one panel, or hands out what it drew before.
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

// title returns a panel's title and as many of its notes as there is room for in a
// border of w cells.
func (d *Dash) title(panel *panel, w int) (title, note string) {
	const around = 10 // corners, sign of the focus and blanks
	title, notes := panel.border(d.scene())
	return title, kit.JoinFitting(w-kit.Cells(title)-around, " "+d.theme.Glyphs.Dot+" ", notes...)
}

// panelBody draws what is inside a panel, at most h lines of at most w cells.
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

// waiting says what a run without a snapshot is waiting for.
func (d *Dash) waiting(r *watchedRun) string {
	if r.run == nil {
		return "reading " + r.id
	}
	return "preparing"
}

// noDataYet says what a panel waits for, or why it will stay empty.
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

// PlainText returns the picture of the panel in focus, as it was drawn last.
func (d *Dash) PlainText() string {
	return ansi.Strip(strings.Join(d.cache[d.focused()].lines, "\n"))
}
