package dash

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"dgplab/session"
	"dgplab/tui/kit"
)

// View draws the dashboard. The note takes the place of the keys, or of the
// header where there is no footer.
func (d *Dash) View(keys, note string) string {
	w, h := d.w, d.h
	l := arrange(w, h, d.focus, d.zoomed)
	c := kit.NewCanvas(w, h)
	header := d.header(l.header.W, l.header.H)
	if note != "" && l.footer.Empty() {
		header = d.theme.Box([]string{note}, w, l.header.H)
	}
	c.Put(l.header, header)
	if !l.tabs.Empty() {
		c.Put(l.tabs, []string{tabs(l.tabs.W).Line(d.theme, int(d.focus), l.tabs.W)})
	}
	for _, p := range l.panels {
		c.Put(p.rect, d.panel(p))
	}
	if note != "" {
		keys = note
	}
	c.Put(l.footer, d.footer(l.footer.W, l.footer.H, l.header.H, keys))
	return c.String(d.theme)
}

// panelKey is all that a panel's picture depends on.
type panelKey struct {
	snap *session.Snapshot
	look look
	rect kit.Rect
	bare bool
	on   bool
}

// panelCache is the picture that was drawn last.
type panelCache struct {
	key   panelKey
	lines []string
}

// panel draws one panel, or hands out what it drew before.
func (d *Dash) panel(p placed) []string {
	key := panelKey{d.snap, d.look, p.rect, p.bare, d.focus == p.id}
	if c := &d.cache[p.id]; c.lines != nil && c.key == key {
		return c.lines
	}
	inner := p.rect.Inner()
	if p.bare {
		inner = p.rect
	}
	body := d.panelBody(p.id, inner.W, inner.H)
	lines := d.theme.Box(body, p.rect.W, p.rect.H)
	if !p.bare {
		title, note := d.panelTitle(p.id)
		lines = d.theme.Frame(title, note, body, p.rect.W, p.rect.H, d.focus == p.id)
	}
	d.cache[p.id] = panelCache{key, lines}
	return lines
}

// panelTitle returns a panel's title and what to know about how it is drawn.
func (d *Dash) panelTitle(id panelID) (title, note string) {
	sep := " " + d.theme.Glyphs.Dot + " "
	switch id {
	case panelELBO:
		return "ELBO", d.look.y.String() + sep + "over " + d.xAxisName()
	case panelValidation:
		note = d.look.y.String() + sep + "over " + d.xAxisName()
		if s := d.snap; s != nil && s.ValPoints > 0 && s.ValPoints < s.NumValidation {
			note += sep + kit.Grouped(s.ValPoints) + " of " + kit.Grouped(s.NumValidation) + " points"
		}
		return "Validation log-likelihood", note
	case panelCovariance:
		return "Covariance of q(f_M)", d.diagnosedAt()
	}
	layer, gp, ok := d.layer()
	if !ok {
		return "Layers", ""
	}
	return fmt.Sprintf("Layer %d, GP %d", layer+1, gp+1), d.diagnosedAt()
}

// diagnosedAt names the step that the views of the posterior belong to.
func (d *Dash) diagnosedAt() string {
	if d.snap == nil || d.snap.Diagnostics == nil {
		return ""
	}
	return "at step " + kit.Grouped(d.snap.Diagnostics.Step)
}

// panelBody draws what is inside a panel, at most h lines of at most w cells.
func (d *Dash) panelBody(id panelID, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	s := d.snap
	switch {
	case d.run == nil:
		return d.notice("no run yet: n sets one up", w, h)
	case s == nil:
		return d.notice("preparing", w, h)
	}
	switch id {
	case panelELBO, panelValidation:
		if len(s.Curve) == 0 {
			return d.notice(d.noDataYet("the first step"), w, h)
		}
		return drawCurve(d.theme, id, s, d.look, w, h)
	case panelCovariance:
		if s.Diagnostics == nil {
			return d.notice(d.noDataYet("the first look at the posterior"), w, h)
		}
		if s.Diagnostics.Covariance == nil {
			return d.notice("this family has no joint covariance to show", w, h)
		}
		return drawCovariance(d.theme, s.Diagnostics.Covariance, w, h)
	}
	layer, gp, ok := d.layer()
	if !ok {
		if s.Diagnostics != nil {
			return d.notice("this family has no layers to look into", w, h)
		}
		return d.notice(d.noDataYet("the first look at the posterior"), w, h)
	}
	return drawLayer(d.theme, s.Diagnostics.Layers, layer, gp, w, h)
}

// noDataYet says what a panel waits for, or why it will stay empty.
func (d *Dash) noDataYet(what string) string {
	switch {
	case d.snap.Err != nil:
		return d.snap.Err.Error()
	case d.snap.State == session.Ended:
		return "the run ended before " + what
	}
	return "waiting for " + what
}

// notice centres a sentence.
func (d *Dash) notice(text string, w, h int) []string {
	rows := kit.Wrap(text, w)
	lines := make([]string, 0, h)
	for range (h - len(rows)) / 2 {
		lines = append(lines, "")
	}
	for _, row := range rows {
		pad := (w - kit.Cells(row)) / 2
		lines = append(lines, fmt.Sprintf("%*s", max(pad, 0), "")+d.theme.Dim.Render(row))
	}
	return lines
}

// tabs are the names of the panels on a line of w cells.
func tabs(w int) kit.Tabs {
	if w < 48 {
		return kit.Tabs{"ELBO", "Valid", "Cov", "Layers"}
	}
	return kit.Tabs{"ELBO", "Validation", "Covariance", "Layers"}
}

// PlainText returns the picture of the panel in focus, as it was drawn last.
func (d *Dash) PlainText() string {
	return ansi.Strip(strings.Join(d.cache[d.focus].lines, "\n"))
}
