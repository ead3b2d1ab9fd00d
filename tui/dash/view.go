package dash

import (
	"slices"

	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/viz/canvas"
)

// View draws the dashboard. A note replaces the keys in the footer, or the header if there is no
// footer.
func (d *Dash) View(keys, note string) string {
	w, h := d.w, d.h
	if d.prompt != nil && note == "" {
		note = d.prompt.line(d.Theme, w-2)
	}
	l := d.arrange()
	c := kit.NewCanvas(w, h)
	header := d.header(l.header.W, l.header.H)
	if note != "" && l.footer.Empty() {
		header = d.Theme.Box([]string{note}, w, l.header.H)
	}
	c.Put(l.header, header)
	if !l.pages.Empty() {
		c.Put(l.pages, []string{l.pageTabs.Line(d.Theme, d.onPage(), l.pages.W, d.pageAvailable)})
	}
	if !l.tabs.Empty() {
		at := min(slices.Index(d.Panels(d.onPage()), d.Focused()), len(l.panelTabs)-1)
		c.Put(l.tabs, []string{l.panelTabs.Line(d.Theme, at, l.tabs.W, nil)})
	}
	for _, p := range l.panels {
		c.Put(p.Rect, d.drawPanel(p))
	}
	if note != "" {
		keys = note
	}
	c.Put(l.footer, d.footer(l.footer.W, l.footer.H, l.header.H, keys))
	return c.String(d.Theme)
}

// drawnPanel is the last drawing of a panel, with everything on which it depends.
type drawnPanel struct {
	drawn drawingKey
	lines []string
}

type drawingKey struct {
	generation int
	at         placed
	focused    bool
	style      canvas.Style
}

// drawPanel draws a panel, or returns the last drawing if nothing has changed.
func (d *Dash) drawPanel(p placed) []string {
	key := drawingKey{d.diagnosed, p, d.Focused() == p.ID, d.Theme.VizStyle()}
	if p.ID.All {
		key.generation = d.generation
	}
	if last := d.drawings[p.ID]; last.drawn == key {
		return last.lines
	}
	inner := p.Inner()
	body := d.panelBody(p.ID, inner.W, inner.H)
	title, note := p.ID.Border(d.Board, p.Rect.W)
	lines := d.Theme.Panel(p.Rect, p.Bare, kit.Content{Title: title, Note: note, Lines: body}, key.focused)
	d.drawings[p.ID] = drawnPanel{key, lines}
	return lines
}

// panelBody draws the inside of a panel, at most h lines of at most w cells.
func (d *Dash) panelBody(panel *board.Panel, w, h int) []string {
	switch {
	case w <= 0 || h <= 0:
		return nil
	case len(d.Runs) == 0:
		return d.Theme.Centred("no run yet: n sets one up", w, h)
	case len(d.Runs) == 1 && d.Snapshot() == nil:
		return d.Theme.Centred(d.waiting(d.watched[0]), w, h)
	}
	return panel.Body(d.Board, w, h)
}

// waiting returns a word for the state of a run without a snapshot.
func (d *Dash) waiting(r *watched) string {
	if r.own == nil {
		return "reading " + r.ID
	}
	return "preparing"
}

// PlainText returns the last drawing of the focused panel without styles. Bitmaps are drawn with
// characters.
func (d *Dash) PlainText() string {
	lines := d.drawings[d.Focused()].lines
	if images := d.Theme.Images; images != nil {
		d.Theme.Images = nil
		defer func() { d.Theme.Images = images }()
		for _, p := range d.arrange().panels {
			if p.ID == d.Focused() {
				lines = d.drawPanel(p)
			}
		}
	}
	return kit.Plain(lines)
}
