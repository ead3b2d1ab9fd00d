package tui

import (
	"fmt"

	"dgplab/session"
)

// view draws the dashboard in w x h cells. The footnote, when there is one,
// takes the place of the keys.
func (d *dash) view(w, h int, footnote string) string {
	l := arrange(w, h, d.focus, d.zoomed)
	c := newCanvas(w, h)
	header := d.header(l.header.w, l.header.h)
	if footnote != "" && l.footer.empty() {
		header = d.theme.box([]string{footnote}, w, l.header.h)
	}
	c.put(l.header, header)
	if !l.tabs.empty() {
		c.put(l.tabs, []string{d.theme.tabLine(d.focus, l.tabs.w)})
	}
	for _, p := range l.panels {
		c.put(p.rect, d.panel(p))
	}
	c.put(l.footer, d.footer(l.footer.w, l.footer.h, l.header.h, footnote))
	return c.String(d.theme)
}

// panelKey is all that a panel's picture depends on.
type panelKey struct {
	snap *session.Snapshot
	look look
	rect rect
	bare bool
	on   bool
}

// panelCache is the picture that was drawn last.
type panelCache struct {
	key   panelKey
	lines []string
}

// panel draws one panel, or hands out what it drew before.
func (d *dash) panel(p placed) []string {
	key := panelKey{d.snap, d.look, p.rect, p.bare, d.focus == p.id}
	if c := &d.cache[p.id]; c.lines != nil && c.key == key {
		return c.lines
	}
	inner := rect{w: p.rect.w - 4, h: p.rect.h - 2}
	if p.bare {
		inner = rect{w: p.rect.w, h: p.rect.h}
	}
	body := d.panelBody(p.id, inner.w, inner.h)
	lines := d.theme.box(body, p.rect.w, p.rect.h)
	if !p.bare {
		title, note := d.panelTitle(p.id)
		lines = d.theme.frame(title, note, body, p.rect.w, p.rect.h, d.focus == p.id)
	}
	d.cache[p.id] = panelCache{key, lines}
	return lines
}

// panelTitle returns a panel's title and what to know about how it is drawn.
func (d *dash) panelTitle(id panelID) (title, note string) {
	sep := " " + d.theme.glyphs.dot + " "
	switch id {
	case panelELBO:
		return "ELBO", d.look.y.String() + sep + "over " + d.xAxisName()
	case panelValidation:
		note = d.look.y.String() + sep + "over " + d.xAxisName()
		if s := d.snap; s != nil && s.ValPoints > 0 && s.ValPoints < s.NumValidation {
			note += sep + grouped(s.ValPoints) + " of " + grouped(s.NumValidation) + " points"
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
func (d *dash) diagnosedAt() string {
	if d.snap == nil || d.snap.Diagnostics == nil {
		return ""
	}
	return "at step " + grouped(d.snap.Diagnostics.Step)
}

// panelBody draws what is inside a panel, at most h lines of at most w cells.
func (d *dash) panelBody(id panelID, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	s := d.snap
	if s == nil {
		return d.notice("preparing", w, h)
	}
	switch id {
	case panelELBO, panelValidation:
		if len(s.Curve) == 0 {
			return d.notice(d.noDataYet("the first step"), w, h)
		}
		return d.theme.drawCurve(id, s, d.look, w, h)
	case panelCovariance:
		if s.Diagnostics == nil {
			return d.notice(d.noDataYet("the first look at the posterior"), w, h)
		}
		if s.Diagnostics.Covariance == nil {
			return d.notice("this family has no joint covariance to show", w, h)
		}
		return d.theme.drawCovariance(s.Diagnostics.Covariance, w, h)
	}
	layer, gp, ok := d.layer()
	if !ok {
		if s.Diagnostics != nil {
			return d.notice("this family has no layers to look into", w, h)
		}
		return d.notice(d.noDataYet("the first look at the posterior"), w, h)
	}
	return d.theme.drawLayer(s.Diagnostics.Layers, layer, gp, w, h)
}

// noDataYet says what a panel waits for, or why it will stay empty.
func (d *dash) noDataYet(what string) string {
	switch {
	case d.snap.Err != nil:
		return d.snap.Err.Error()
	case d.snap.State == session.Ended:
		return "the run ended before " + what
	}
	return "waiting for " + what
}

// notice centres a sentence.
func (d *dash) notice(text string, w, h int) []string {
	rows := wrap(text, w)
	lines := make([]string, 0, h)
	for range (h - len(rows)) / 2 {
		lines = append(lines, "")
	}
	for _, row := range rows {
		pad := (w - cells(row)) / 2
		lines = append(lines, fmt.Sprintf("%*s", max(pad, 0), "")+d.theme.dim.Render(row))
	}
	return lines
}

// tabSpan is where a tab is on its line.
type tabSpan struct {
	id   panelID
	x, w int
	name string
}

// tabSpans places the names of the panels on a line of w cells.
func (th *theme) tabSpans(focus panelID, w int) []tabSpan {
	names := [numPanels]string{"ELBO", "Validation", "Covariance", "Layers"}
	if w < 48 {
		names = [numPanels]string{"ELBO", "Valid", "Cov", "Layers"}
	}
	spans := make([]tabSpan, 0, numPanels)
	x := 1
	for id, name := range names {
		n := cells(name) + 2
		spans = append(spans, tabSpan{panelID(id), x, n, name})
		x += n + 1
	}
	return spans
}

// tabLine draws the tabs; the focused one is marked by a sign and its weight.
func (th *theme) tabLine(focus panelID, w int) string {
	line := ""
	for _, t := range th.tabSpans(focus, w) {
		if t.id == focus {
			line += " " + th.focusTitle.Render(th.glyphs.focus+" "+t.name)
		} else {
			line += " " + th.dim.Render("  "+t.name)
		}
	}
	return th.fit(line, w)
}
