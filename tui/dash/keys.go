package dash

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/panel"
)

// Typed takes nothing: no text is typed here.
func (d *Dash) Typed(tea.KeyMsg) (cmd tea.Cmd, taken bool) { return nil, false }

// Act does what a key asks for.
func (d *Dash) Act(act kit.Action, _ tea.KeyMsg) tea.Cmd {
	switch act {
	case kit.ActNewRun:
		if len(d.runs) == mostShown && !slices.ContainsFunc(d.runs, (*shown).ended) {
			return d.host.Say(kit.Warn, fmt.Sprintf("%d runs are going here, which is all there is room for; N takes one away", mostShown))
		}
		return d.host.Go(kit.Setup, nil)
	case kit.ActPause, kit.ActStop, actCheckpoint, actDiagnose, actEvaluate:
		return d.steer(act)
	case actExport:
		return d.export()
	case kit.ActAblate:
		return d.ablate()
	case actTakeAway:
		return d.takeAway()
	case kit.ActBack:
		return d.back()
	}
	return d.say(d.lookAt(act))
}

// say shows a line, if there is one.
func (d *Dash) say(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	return d.host.Say(kit.Calm, text)
}

// steer asks something of the chosen run.
func (d *Dash) steer(act kit.Action) tea.Cmd {
	if why := d.steerBarred(); why != "" {
		return d.say(why)
	}
	r := d.current()
	switch act {
	case kit.ActStop:
		r.run.Stop()
		return d.host.Say(kit.Warn, "stopping after this step")
	case actCheckpoint:
		r.run.Checkpoint()
		return d.host.Say(kit.Calm, "checkpoint asked for")
	case actDiagnose:
		r.run.Diagnose()
		return d.host.Say(kit.Calm, "looking at the posterior after this step")
	case actEvaluate:
		return d.evaluate(r)
	}
	if r.snap != nil && r.snap.State == session.Paused {
		r.run.Continue()
		return d.host.Say(kit.Calm, "continuing")
	}
	r.run.Pause()
	return d.host.Say(kit.Calm, "pausing after this step")
}

// evaluator is a run that can be evaluated while it goes on; *session.Run is one.
type evaluator interface{ Evaluate() }

func (d *Dash) evaluate(r *shown) tea.Cmd {
	e, ok := r.run.(evaluator)
	if !ok {
		return d.host.Say(kit.Calm, "this run is evaluated when it ends")
	}
	e.Evaluate()
	return d.host.Say(kit.Calm, "evaluating on the test part after this step")
}

// evaluateKey is the label of the key that evaluates the chosen run, "" if it cannot
// be evaluated now.
func (d *Dash) evaluateKey() string {
	r := d.current()
	if r.run == nil || r.over {
		return ""
	}
	if _, ok := r.run.(evaluator); !ok {
		return ""
	}
	for _, b := range bindings {
		if b.Action == actEvaluate {
			return d.theme.Glyphs.KeyLabel(b.Label())
		}
	}
	return ""
}

// ablate lays out a grid around the chosen run.
func (d *Dash) ablate() tea.Cmd {
	if s := d.snap(); s != nil {
		return d.host.Go(kit.Ablate, kit.Fill{Config: s.Config, Parent: d.current().id})
	}
	return d.host.Go(kit.Ablate, nil)
}

// takeAway takes the chosen run from the screen.
func (d *Dash) takeAway() tea.Cmd {
	r := d.current()
	if r == nil {
		return d.host.Say(kit.Calm, "there is no run to take away")
	}
	what := r.id + " is no longer shown"
	if !r.ended() {
		what += "; it goes on"
	}
	d.remove(d.chosen)
	return d.host.Say(kit.Calm, what)
}

// back leaves one thing after the other: the cursor, the whole screen, the dashboard.
func (d *Dash) back() tea.Cmd {
	switch {
	case d.cursor.on && d.showsCurves():
		d.cursor = cursor{}
	case d.zoomed:
		d.zoomed = false
	default:
		return d.host.Back()
	}
	return nil
}

// shows reports whether a panel is on the screen with its title.
func (d *Dash) shows(id panelID) bool {
	return slices.ContainsFunc(d.arrange().panels, func(p placed) bool { return p.ID == id && !p.Bare })
}

// showsCurves reports whether there are curves on the screen, and so their cursor.
func (d *Dash) showsCurves() bool {
	return slices.ContainsFunc(d.arrange().panels, func(p placed) bool { return p.ID == panelELBO || p.ID == panelValidation })
}

// lookAt changes focus or look. It returns what to say about it, "" when a panel
// on the screen says it.
func (d *Dash) lookAt(act kit.Action) string {
	if i := slices.Index(actPages[:], act); i >= 0 {
		d.page = i
		return ""
	}
	switch act {
	case kit.ActFocusNext, kit.ActFocusPrevious:
		n := len(pages[d.page].panels)
		step := map[kit.Action]int{kit.ActFocusNext: 1, kit.ActFocusPrevious: n - 1}[act]
		d.focus[d.page] = (d.focus[d.page] + step) % n
	case actZoom:
		d.zoomed = !d.zoomed
	case actNextRun:
		return d.choose(1)
	case actPreviousRun:
		return d.choose(-1)
	case kit.ActReverse:
		d.look.sort.Descending = !d.look.sort.Descending
	case kit.ActLeft, kit.ActRight, kit.ActUp, kit.ActDown:
		return d.arrow(act)
	default:
		return d.curveKey(act)
	}
	return ""
}

// choose goes to another run, and says which it is where the header has no line for
// each.
func (d *Dash) choose(by int) string {
	n := len(d.runs)
	if n < 2 {
		return "there is no other run on the screen"
	}
	d.chosen = (d.chosen + by + n) % n
	if header, _ := edges(d.h, n); header >= n {
		return ""
	}
	return "chosen: " + d.mark(d.current()) + " " + d.current().label
}

// arrow does what an arrow means in the panel in focus.
func (d *Dash) arrow(act kit.Action) string {
	across := map[kit.Action]int{kit.ActLeft: -1, kit.ActRight: 1}[act]
	down := map[kit.Action]int{kit.ActUp: -1, kit.ActDown: 1}[act]
	switch id := d.focused(); id {
	case panelELBO, panelValidation:
		if across != 0 {
			return d.moveCursor(across)
		}
		return d.choose(down)
	case panelCovariance, panelLayers:
		return d.layerKey(across, down)
	case panelTable:
		if across != 0 {
			d.look.sort = d.look.sort.Next(d.panelRuns(), across)
			return ""
		}
		return d.chooseRow(down)
	case panelErrors, panelDistance, panelPIT, panelCoverage:
		n := d.targets()
		d.look.target = (d.look.target%n + across + down + n) % n
		return d.targetNote()
	case panelHealth:
		d.look.top = max(d.look.top+down, 0)
		if across != 0 {
			return d.choose(across)
		}
		return ""
	}
	return d.choose(across + down)
}

// chooseRow chooses the run in the next row of the table.
func (d *Dash) chooseRow(by int) string {
	order := panel.Order(d.panelRuns(), d.look.sort)
	at := slices.Index(order, d.chosen)
	if at < 0 {
		return d.choose(by)
	}
	d.chosen = order[min(max(at+by, 0), len(order)-1)]
	return ""
}

// layerKey moves to another layer, or to another GP of it.
func (d *Dash) layerKey(across, down int) string {
	layer, gp, ok := d.layer()
	if !ok {
		return "there are no layer samples yet"
	}
	layers := d.layers()
	if across != 0 {
		layer, gp = min(max(layer+across, 0), len(layers)-1), 0
	}
	gp = min(max(gp+down, 0), len(layers[layer].Units)-1)
	d.look.layer, d.look.gp = layer, gp
	if d.shows(panelLayers) {
		return ""
	}
	return fmt.Sprintf("layer %d of %d, GP %d of %d", layer+1, len(layers), gp+1, len(layers[layer].Units))
}
