package dash

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/tui/kit"
)

// Typed takes nothing: no text is typed here.
func (d *Dash) Typed(tea.KeyMsg) (cmd tea.Cmd, taken bool) { return nil, false }

// Act does what a key asks for.
func (d *Dash) Act(act kit.Action, _ tea.KeyMsg) tea.Cmd {
	switch act {
	case actNew:
		return d.host.Go(kit.Setup, nil)
	case actPause, actStop, actCheckpoint:
		return d.steer(act)
	case actExport:
		if d.exporting || d.run == nil {
			return nil
		}
		d.exporting = true
		return tea.Batch(d.host.Say(kit.Calm, "exporting"), d.export())
	}
	if note := d.lookAt(act); note != "" {
		return d.host.Say(kit.Calm, note)
	}
	return nil
}

// steer asks something of the run.
func (d *Dash) steer(act kit.Action) tea.Cmd {
	switch {
	case d.run == nil:
		return d.host.Say(kit.Calm, "there is no run yet")
	case d.over:
		return d.host.Say(kit.Calm, "the run has ended")
	case act == actStop:
		d.run.Stop()
		return d.host.Say(kit.Warn, "stopping after this step")
	case act == actCheckpoint:
		d.run.Checkpoint()
		return d.host.Say(kit.Calm, "checkpoint asked for")
	case d.snap != nil && d.snap.State == session.Paused:
		d.run.Continue()
		return d.host.Say(kit.Calm, "continuing")
	}
	d.run.Pause()
	return d.host.Say(kit.Calm, "pausing after this step")
}

// shows reports whether a panel is on the screen with its title.
func (d *Dash) shows(id panelID) bool {
	for _, p := range arrange(d.w, d.h, d.focus, d.zoomed).panels {
		if p.id == id && !p.bare {
			return true
		}
	}
	return false
}

// lookAt changes focus or look. It returns what to say about it, "" when a panel
// on the screen says it.
func (d *Dash) lookAt(act kit.Action) string {
	note := d.change(act)
	concerned := panelELBO
	switch act {
	case actPreviousLayer, actNextLayer, actPreviousGP, actNextGP:
		concerned = panelLayers
	}
	if _, _, known := d.layer(); d.shows(concerned) && (concerned == panelELBO || known) {
		return ""
	}
	return note
}

// change does what a key asks for and names the result.
func (d *Dash) change(act kit.Action) string {
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
func (d *Dash) chooseLayer(act kit.Action) string {
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

// Mouse focuses the panel or tab that was clicked; the wheel goes through the GPs
// when it is over the layers.
func (d *Dash) Mouse(x, y, wheel int) tea.Cmd {
	l := arrange(d.w, d.h, d.focus, d.zoomed)
	id, ok := l.at(x, y)
	if wheel != 0 {
		if ok && id == panelLayers {
			d.chooseLayer(map[int]kit.Action{-1: actPreviousGP, 1: actNextGP}[wheel])
		}
		return nil
	}
	if tab, on := tabs(l.tabs.W).At(x); on && l.tabs.Contains(x, y) {
		id, ok = panelID(tab), true
	}
	if ok {
		d.focus = id
	}
	return nil
}
