package tui

import (
	"fmt"

	"dgplab/session"
)

// yAxis is how the curves' values are drawn.
type yAxis int

const (
	yLinear yAxis = iota
	// ySymlog is linear around zero and logarithmic beyond, so that a negative
	// ELBO can be drawn.
	ySymlog
	// yGap is the distance to the best value so far, on a log axis.
	yGap
	numYAxes
)

// String returns the name that the panels show.
func (y yAxis) String() string {
	return [...]string{"linear", "symmetric log", "gap to best, log"}[y]
}

// strengths are the steps of the smoothing keys: weights of an exponential
// moving average.
var strengths = []float64{0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995}

// look is how a person wants the panels drawn. It is theirs: data never changes it.
type look struct {
	timeAxis  bool
	y         yAxis
	smoothing int // index of strengths
	layer, gp int
}

// strength returns the weight of the smoothing, 0 for none.
func (l look) strength() float64 { return strengths[l.smoothing] }

// dash is the screen that watches one run.
type dash struct {
	theme  *theme
	run    run
	gen    int // of the run; messages of another one are dropped
	config session.Config

	snap *session.Snapshot // nil before the first
	over bool              // the run's goroutine has returned

	focus     panelID
	zoomed    bool
	look      look
	exporting bool
	cache     [numPanels]panelCache
}

// newDash returns a dashboard of r. The look of the dashboard before is kept.
func newDash(th *theme, r run, gen int, c session.Config, before *dash) *dash {
	d := &dash{theme: th, run: r, gen: gen, config: c, look: look{y: yLinear, smoothing: 3}}
	if before != nil {
		d.look, d.focus, d.zoomed = before.look, before.focus, before.zoomed
		d.look.layer, d.look.gp = 0, 0
	}
	return d
}

// take shows a snapshot and reports whether it is a new one.
func (d *dash) take(s *session.Snapshot) bool {
	if s == nil || s == d.snap {
		return false
	}
	d.snap = s
	return true
}

// layers returns what the samples did in each layer when last looked at.
func (d *dash) layers() []layerSamples {
	if d.snap == nil || d.snap.Diagnostics == nil {
		return nil
	}
	return d.snap.Diagnostics.Layers
}

// layer returns the chosen layer and GP, and whether they exist.
func (d *dash) layer() (layer, gp int, ok bool) {
	layers := d.layers()
	if len(layers) == 0 {
		return 0, 0, false
	}
	layer = min(max(d.look.layer, 0), len(layers)-1)
	gps := len(layers[layer].GPs)
	if gps == 0 {
		return layer, 0, false
	}
	return layer, min(max(d.look.gp, 0), gps-1), true
}

// shows reports whether a panel with its title is on a screen of w x h cells.
func (d *dash) shows(id panelID, w, h int) bool {
	for _, p := range arrange(w, h, d.focus, d.zoomed).panels {
		if p.id == id && !p.bare {
			return true
		}
	}
	return false
}

// action changes focus or look. It returns what to say about it, "" when a panel
// says it on a screen of w x h cells.
func (d *dash) action(act action, w, h int) string {
	note := d.change(act)
	concerned := panelELBO
	switch act {
	case actPreviousLayer, actNextLayer, actPreviousGP, actNextGP:
		concerned = panelLayers
	}
	if _, _, known := d.layer(); d.shows(concerned, w, h) && (concerned == panelELBO || known) {
		return ""
	}
	return note
}

// change does what a key asks for and names the result.
func (d *dash) change(act action) string {
	switch act {
	case actFocusNext:
		d.focus = (d.focus + 1) % numPanels
	case actFocusPrevious:
		d.focus = (d.focus + numPanels - 1) % numPanels
	case actZoom:
		d.zoomed = !d.zoomed
	case actTimeAxis:
		d.look.timeAxis = !d.look.timeAxis
		return "horizontal axis: " + d.xAxisName()
	case actLogAxis:
		d.look.y = (d.look.y + 1) % numYAxes
		return "vertical axis: " + d.look.y.String()
	case actSmoother, actRougher:
		change := 1
		if act == actRougher {
			change = -1
		}
		d.look.smoothing = min(max(d.look.smoothing+change, 0), len(strengths)-1)
		return "smoothing " + smoothingText(d.look.strength())
	case actPreviousLayer, actNextLayer, actPreviousGP, actNextGP:
		return d.chooseLayer(act)
	}
	return ""
}

// chooseLayer moves to another layer, or to another GP of it.
func (d *dash) chooseLayer(act action) string {
	layer, gp, ok := d.layer()
	if !ok {
		return "there are no layer samples yet"
	}
	layers := d.layers()
	switch act {
	case actPreviousLayer:
		layer, gp = max(layer-1, 0), 0
	case actNextLayer:
		layer, gp = min(layer+1, len(layers)-1), 0
	case actPreviousGP:
		gp = max(gp-1, 0)
	case actNextGP:
		gp = min(gp+1, len(layers[layer].GPs)-1)
	}
	d.look.layer, d.look.gp = layer, gp
	return fmt.Sprintf("layer %d of %d, GP %d of %d", layer+1, len(layers), gp+1, len(layers[layer].GPs))
}

// mouse focuses the panel or tab that was clicked; the wheel goes through the GPs
// when it is over the layers.
func (d *dash) mouse(x, y, wheel, w, h int) {
	l := arrange(w, h, d.focus, d.zoomed)
	if wheel != 0 {
		if id, ok := l.at(x, y); ok && id == panelLayers {
			d.chooseLayer(map[int]action{-1: actPreviousGP, 1: actNextGP}[wheel])
		}
		return
	}
	if l.tabs.contains(x, y) {
		for _, t := range d.theme.tabSpans(d.focus, l.tabs.w) {
			if x >= t.x && x < t.x+t.w {
				d.focus = t.id
			}
		}
		return
	}
	if id, ok := l.at(x, y); ok {
		d.focus = id
	}
}

func (d *dash) xAxisName() string {
	if d.look.timeAxis {
		return "time"
	}
	return "steps"
}

func smoothingText(strength float64) string {
	if strength == 0 {
		return "off"
	}
	return fmt.Sprintf("%g", strength)
}
