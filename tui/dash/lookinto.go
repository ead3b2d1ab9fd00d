package dash

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// lookedIntoMsg brings what the model of the last checkpoint of the run of generation gen
// shows of itself.
type lookedIntoMsg struct {
	gen         int
	diagnostics *rundir.Diagnostics
	err         error
}

// lookIntoBarred says why the last checkpoint of the chosen run, which has ended, cannot be
// looked into, "" if it can.
func (d *Dash) lookIntoBarred() string {
	r := d.current()
	switch {
	case r.snap == nil:
		return noRun
	case r.snap.CheckpointStep < 0:
		return "the run has no checkpoint to look into"
	case r.looking:
		return "the checkpoint is being looked into"
	}
	return ""
}

// lookInto rebuilds the model of the chosen run's last checkpoint in the background and looks
// into it.
func (d *Dash) lookInto() tea.Cmd {
	if why := d.lookIntoBarred(); why != "" {
		return d.say(why)
	}
	r := d.current()
	r.looking = true
	ctx := d.host.Context()
	e := d.engine
	id := r.id
	gen := r.gen
	return tea.Batch(d.host.Say(kit.Calm,
		"looking into the last checkpoint: this takes as long as starting the run"), func() tea.Msg {
		msg := lookedIntoMsg{gen: gen}
		if panicked := kit.CatchPanic(func() {
			msg.diagnostics, msg.err = e.Look(ctx, id)
		}); panicked != nil {
			msg.err = panicked
		}
		return msg
	})
}

// lookedInto takes what a checkpoint shows, if its run is still there.
func (d *Dash) lookedInto(msg lookedIntoMsg) (cmd tea.Cmd, changed bool) {
	for _, r := range d.runs {
		if r.gen != msg.gen {
			continue
		}
		r.looking = false
		if msg.err != nil {
			return d.host.Say(kit.Bad, "cannot look into "+r.id+": "+msg.err.Error()), false
		}
		r.looked = msg.diagnostics
		r.snap = r.withLook(r.snap)
		return d.host.Say(kit.Good,
			"looked into the checkpoint of step "+kit.Grouped(msg.diagnostics.Step)), true
	}
	return nil, false
}

// withLook returns a snapshot with what was seen in the last checkpoint, unless it has
// something later of its own.
func (r *watchedRun) withLook(s *session.Snapshot) *session.Snapshot {
	if r.looked == nil || s.Diagnostics != nil && s.Diagnostics.Step > r.looked.Step {
		return s
	}
	own := *s
	own.Diagnostics = r.looked
	return &own
}
