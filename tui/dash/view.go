package dash

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/panel"
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
		c.Put(l.pages, []string{l.pageTabs.Line(d.theme, min(d.page, len(l.pageTabs)-1), l.pages.W)})
	}
	if !l.tabs.Empty() {
		c.Put(l.tabs, []string{l.panelTabs.Line(d.theme, d.focus[d.page], l.tabs.W)})
	}
	for _, p := range l.panels {
		c.Put(p.Rect, d.panel(p))
	}
	if note != "" {
		keys = note
	}
	c.Put(l.footer, d.footer(l.footer.W, l.footer.H, l.header.H, keys))
	return c.String(d.theme)
}

// panelKey is all that a panel's picture depends on.
type panelKey struct {
	look     look
	rect     kit.Rect
	bare, on bool
	shown    [2]float64 // range of the curves
	window   window
	cursor   cursor
	chosen   int
	runs     [mostShown]runKey
	theme    [2]bool // dark, of high contrast
}

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
	k := panelKey{look: d.look, rect: p.Rect, bare: p.Bare, on: d.focused() == p.ID, chosen: d.chosen,
		theme: [2]bool{d.theme.Dark, d.theme.HighContrast}}
	switch p.ID {
	case panelELBO, panelValidation:
		k.shown, k.window, k.cursor, k.chosen = d.shownRange(), d.window, d.cursor, 0
	case panelCovariance:
		k.chosen = 0
	}
	for i, r := range d.runs {
		if p.ID == panelLayers && i != d.chosen {
			continue
		}
		k.runs[i] = runKey{r.index, r.label, errorText(r.err), d.concerns(p.ID, r)}
	}
	return k
}

// concerns returns, of a run's newest snapshot, the part that a panel shows: another
// value if and only if there is something else to show.
func (d *Dash) concerns(id panelID, r *shown) any {
	s := r.snap
	if s == nil {
		return nil
	}
	type state struct {
		part  any
		state session.State
	}
	switch id {
	case panelELBO, panelValidation:
		if len(s.Curve) > 0 {
			return state{r.curves[id].take(id, s, d.look.manner(id)), ""}
		}
	case panelCovariance, panelLayers:
		if s.Diagnostics != nil {
			return s.Diagnostics
		}
	case panelDirect, panelErrors, panelDistance, panelPIT, panelCoverage:
		return state{s.Predictions, s.State}
	default:
		return s
	}
	return state{errorText(s.Err), s.State}
}

// errorText returns what an error says, "" if there is none.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// panel draws one panel, or hands out what it drew before.
func (d *Dash) panel(p placed) []string {
	key := d.key(p)
	if c := &d.cache[p.ID]; c.lines != nil && c.key == key {
		return c.lines
	}
	inner := p.Inner()
	body := d.panelBody(p.ID, inner.W, inner.H)
	title, note := d.title(p.ID, p.Rect.W)
	lines := d.theme.Panel(p.Rect, p.Bare, title, note, body, d.focused() == p.ID)
	d.cache[p.ID] = panelCache{key, lines}
	return lines
}

// panelBody draws what is inside a panel, at most h lines of at most w cells.
func (d *Dash) panelBody(id panelID, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	s := d.snap()
	switch {
	case len(d.runs) == 0:
		return d.notice("no run yet: n sets one up", w, h)
	case len(d.runs) == 1 && s == nil:
		return d.notice(d.waiting(d.runs[0]), w, h)
	}
	switch id {
	case panelELBO, panelValidation:
		if !d.some(func(s *session.Snapshot) bool { return len(s.Curve) > 0 }) {
			return d.notice(d.noDataYet("the first step"), w, h)
		}
		return kit.Lines(d.curve(id).Render(d.theme.VizStyle(), w, h))
	case panelCovariance:
		return d.covarianceBody(w, h)
	case panelLayers:
		return d.layersBody(w, h)
	}
	return d.comparison(id, w, h)
}

// comparison draws the panels of package panel.
func (d *Dash) comparison(id panelID, w, h int) []string {
	th, runs, l := d.theme, d.panelRuns(), &d.look
	switch id {
	case panelTable:
		return panel.Table(th, runs, l.sort, w, h)
	case panelDirect:
		return panel.Direct(th, runs, d.evaluateKey(), w, h)
	case panelErrors:
		return panel.ErrorVariance(th, runs, l.target, w, h)
	case panelDistance:
		return panel.VarianceDistance(th, runs, l.target, w, h)
	case panelPIT:
		return panel.PIT(th, runs, l.target, w, h)
	case panelCoverage:
		return panel.Coverage(th, runs, l.target, w, h)
	}
	lines, top := panel.Health(th, runs, l.top, w, h)
	l.top = top // Within bounds, which only the picture knows.
	return lines
}

func (d *Dash) covarianceBody(w, h int) []string {
	switch {
	case !d.some(func(s *session.Snapshot) bool { return s.Diagnostics != nil }):
		return d.notice(d.noDataYet("the first look at the posterior"), w, h)
	case !d.some(hasCovariance):
		text := "this family has no joint covariance to show"
		if len(d.runs) > 1 {
			text = "none of these families has a joint covariance to show"
		}
		return d.notice(text, w, h)
	}
	return d.covariance(w, h)
}

func hasCovariance(s *session.Snapshot) bool {
	return s.Diagnostics != nil && s.Diagnostics.Blocks != nil
}

func (d *Dash) layersBody(w, h int) []string {
	s := d.snap()
	if s == nil {
		return d.notice(d.waiting(d.current()), w, h)
	}
	layer, gp, ok := d.layer()
	switch {
	case ok:
		return drawLayer(d.theme, s.Diagnostics.Units, layer, gp, w, h)
	case s.Diagnostics != nil:
		return d.notice("this family has no layers to look into", w, h)
	}
	return d.notice(d.noDataYet("the first look at the posterior"), w, h)
}

// some reports whether a run on the screen has what is asked for.
func (d *Dash) some(has func(*session.Snapshot) bool) bool { return d.count(has) > 0 }

// count returns how many runs on the screen have what is asked for.
func (d *Dash) count(has func(*session.Snapshot) bool) (n int) {
	for _, r := range d.runs {
		if r.snap != nil && has(r.snap) {
			n++
		}
	}
	return n
}

// waiting says what a run without a snapshot is waiting for.
func (d *Dash) waiting(r *shown) string {
	if r.run == nil {
		return "reading " + r.id
	}
	return "preparing"
}

// noDataYet says what a panel waits for, or why it will stay empty.
func (d *Dash) noDataYet(what string) string {
	s := d.snap()
	switch {
	case s == nil || len(d.runs) > 1 && d.some(func(s *session.Snapshot) bool { return s.State != session.Ended }):
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

// PlainText returns the picture of the panel in focus, as it was drawn last.
func (d *Dash) PlainText() string {
	return ansi.Strip(strings.Join(d.cache[d.focused()].lines, "\n"))
}
