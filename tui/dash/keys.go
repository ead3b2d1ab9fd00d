package dash

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/kit"
)

// Typed passes keys to the open prompt.
func (d *Dash) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	if d.prompt == nil {
		return nil, false
	}
	return d.promptKey(msg)
}

// Act performs the action of a key, which must be available (see Available).
func (d *Dash) Act(act kit.Action, _ tea.KeyMsg) tea.Cmd {
	d.changed()
	switch act {
	case kit.ActNewRun:
		if len(d.Runs) == board.MostShown && !slices.ContainsFunc(d.watched, (*watched).ended) {
			return d.host.Say(kit.Warn,
				fmt.Sprintf("%d runs are training, the maximum on this screen; N removes one from the screen",
					board.MostShown))
		}
		return d.host.Go(kit.Setup, nil)
	case kit.ActPause, kit.ActStop, actCheckpoint, board.ActDiagnose, board.ActEvaluate:
		return d.control(act)
	case actSuggest:
		return d.suggest()
	case actForkWarm:
		return d.forkWarm()
	case actResume:
		return d.resume(kit.Start{Steps: d.Snapshot().ExtendedSteps()})
	case actFinish:
		return d.finish()
	case actExport, actExportPage, actExportAll, actExportTo:
		return d.export(act)
	case kit.ActSweep:
		return d.setUpSweep()
	case board.ActGuide:
		d.explain()
		return nil
	case board.ActBaseline:
		return d.baseline()
	case actRemove:
		return d.removeChosen()
	case kit.ActBack:
		return d.back()
	}
	said := d.say(d.changeView(act))
	return tea.Batch(said, d.readInputs())
}

// explain shows the guide of the focused panel or of what is selected in it.
func (d *Dash) explain() {
	d.host.Explain(d.Focused().Explanation(d.Board))
}

// say shows a message. It does nothing if the text is empty.
func (d *Dash) say(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	return d.host.Say(kit.Calm, text)
}

// control sends a request to the selected run. The message says that it was requested, which stays
// true once it is done.
func (d *Dash) control(act kit.Action) tea.Cmd {
	r := d.current()
	if act == board.ActDiagnose && r.ended() {
		return d.diagnoseCheckpoint()
	}
	switch act {
	case kit.ActStop:
		r.own.Stop()
		return d.host.Say(kit.Warn, "stop requested after this step")
	case actCheckpoint:
		r.own.Checkpoint()
		return d.host.Say(kit.Calm, "checkpoint requested")
	case board.ActDiagnose:
		r.own.Diagnose()
		return d.host.Say(kit.Calm, "diagnostics requested after this step")
	case board.ActEvaluate:
		r.own.Evaluate()
		return d.host.Say(kit.Calm,
			"test scores and the objective over all points requested after this step")
	}
	if r.Snapshot != nil && r.Snapshot.State == rundir.Paused {
		r.own.Continue()
		return d.host.Say(kit.Calm, "continuation requested")
	}
	r.own.Pause()
	return d.host.Say(kit.Calm, "pause requested after this step")
}

// forkWarm sets up a run that starts from the parameters of the selected run.
func (d *Dash) forkWarm() tea.Cmd {
	s := d.Snapshot()
	switch {
	case s == nil:
		return d.say(noRun)
	case s.CheckpointStep < 0:
		return d.say("the run has no checkpoint yet; k writes one")
	}
	config := s.Config.Clone()
	for name, value := range s.Values {
		config.Set[name] = value
	}
	config.Set[rundir.WarmStartSetting] = s.ID
	return d.host.Go(kit.Setup, kit.Fill{Config: config, Parent: s.ID})
}

// resume resumes the selected run as asked.
func (d *Dash) resume(asked kit.Start) tea.Cmd {
	r := d.current()
	asked.Config, asked.Resume = r.Snapshot.Config, r.ID
	asked.Config.Set = r.Snapshot.Values
	return d.host.Start(asked)
}

// finish begins the decay of the selected run, which is resumed if it has ended.
func (d *Dash) finish() tea.Cmd {
	r := d.current()
	if r.ended() {
		return d.resume(kit.Start{Finish: true})
	}
	r.own.Finish()
	return d.host.Say(kit.Calm, "the learning rate falls after this step, and the run ends then")
}

// setUpSweep opens the form of a sweep around the selected run.
func (d *Dash) setUpSweep() tea.Cmd {
	if s := d.Snapshot(); s != nil {
		return d.host.Go(kit.Sweep, kit.Fill{Config: s.Config, Parent: d.Current().ID})
	}
	return d.host.Go(kit.Sweep, nil)
}

// baseline trains the linear baseline on the data of the selected run.
func (d *Dash) baseline() tea.Cmd {
	s := d.Snapshot()
	switch {
	case s == nil:
		return d.host.Say(kit.Calm, "there is no run to compare with the baseline")
	case d.Board.HasBaseline():
		return d.host.Say(kit.Calm, "the baseline "+models.BaselineFamily+" is already on the screen")
	}
	return d.host.Start(kit.Start{Config: config.BaselineOf(s.Config)})
}

// removeChosen removes the selected run from the screen.
func (d *Dash) removeChosen() tea.Cmd {
	r := d.current()
	what := r.ID + " is no longer shown"
	if !r.ended() {
		what += "; training continues"
	}
	d.remove(d.Chosen)
	return d.host.Say(kit.Calm, what)
}

// back removes a cursor, leaves the full-screen panel, or leaves the dashboard: the first of these that
// applies.
func (d *Dash) back() tea.Cmd {
	switch {
	case d.cancelCursor():
	case d.zoomed:
		d.zoomed = false
	default:
		return d.host.Back()
	}
	return nil
}

// cancelCursor removes the cursor of the first panel on the screen that has one, and reports whether there
// was one.
func (d *Dash) cancelCursor() bool {
	for _, p := range d.arrange().panels {
		if m := p.ID.Mover; m != nil && m.HasCursor() {
			m.RemoveCursor()
			return true
		}
	}
	return false
}

// Inside returns the inside of a panel. It is empty if the panel is not on the screen.
func (d *Dash) Inside(panel *board.Panel) (r kit.Rect) {
	for _, p := range d.arrange().panels {
		if p.ID == panel {
			return p.Inner()
		}
	}
	return r
}

// Enlarge shows a panel on the whole screen.
func (d *Dash) Enlarge(panel *board.Panel) {
	d.FocusOn(panel)
	d.zoomed = true
}

// keyLabel returns the label of the key of an action. It is empty if the action is unavailable.
func (d *Dash) keyLabel(act kit.Action) string {
	if _, barred := d.Available(act); barred != "" {
		return ""
	}
	b, _ := kit.Find(d.bindings, act)
	return d.Theme.Glyphs.KeyLabel(b.Label())
}

// Shows reports whether a panel is on the screen with its title.
func (d *Dash) Shows(panel *board.Panel) bool {
	return slices.ContainsFunc(d.arrange().panels, func(p placed) bool { return p.ID == panel && !p.Bare })
}

// changeView changes the page, the focus, the selected run or the contents of a panel. It returns a
// message, or "" if the screen shows the change.
func (d *Dash) changeView(act kit.Action) string {
	if i := d.pageBy(act); i >= 0 {
		if why := d.pageBarred(i); why != "" {
			return why
		}
		d.page = i
		return ""
	}
	switch act {
	case kit.ActFocusNext:
		d.turnFocus(1)
	case kit.ActFocusPrevious:
		d.turnFocus(-1)
	case board.ActEnlarge:
		d.zoomed = !d.zoomed
	case actNextRun:
		return d.choose(1)
	case actPreviousRun:
		return d.choose(-1)
	case kit.ActLeft:
		return d.arrow(d.Focused(), -1, 0)
	case kit.ActRight:
		return d.arrow(d.Focused(), 1, 0)
	case kit.ActUp:
		return d.arrow(d.Focused(), 0, -1)
	case kit.ActDown:
		return d.arrow(d.Focused(), 0, 1)
	default:
		return d.actOnPanel(act)
	}
	return ""
}

// actOnPanel performs an action of the focused panel or else of the first panel that has it.
func (d *Dash) actOnPanel(act kit.Action) string {
	p := d.Focused()
	if p.Mover != nil {
		if message, taken := p.Mover.Act(d, act); taken {
			return message
		}
	}
	c, _ := p.Acts(act)
	if c == nil || c.Count(d.Board) < 2 {
		p, c = d.actingPanel(act)
	}
	switch {
	case c != nil:
		return d.turnByKey(p, c)
	case p != nil && p.Mover != nil:
		message, _ := p.Mover.Act(d, act)
		return message
	}
	return ""
}

// actingPanel returns the first panel with an action, and the choice that the action changes, or nil if it
// changes none. The panel is nil if no panel has the action.
func (d *Dash) actingPanel(act kit.Action) (*board.Panel, *board.Choice) {
	for _, p := range d.AllPanels() {
		if c, acts := p.Acts(act); acts {
			return p, c
		}
	}
	return nil, nil
}

// turnFocus moves the focus by the given number of panels on the page.
func (d *Dash) turnFocus(by int) {
	list := d.Panels(d.onPage())
	at := slices.Index(list, d.Focused())
	d.focus[d.onPage()] = list[(at+by+len(list))%len(list)]
}

// choose selects another run. It returns the name of the run if the header does not have a line for each run.
func (d *Dash) choose(by int) string {
	n := len(d.Runs)
	if n < 2 {
		return "there is no other run on the screen"
	}
	d.Chosen = (d.Chosen + by + n) % n
	if header, _ := edges(d.h, d.Rows()); header >= n {
		return ""
	}
	return "selected: " + d.Mark(d.Current()) + " " + d.Current().Label
}
