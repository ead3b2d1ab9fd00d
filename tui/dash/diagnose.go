package dash

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// checkpointDiagnosedMsg carries the diagnostics of the last checkpoint of the run of generation
// gen.
type checkpointDiagnosedMsg struct {
	gen         int
	diagnostics *rundir.Diagnostics
	err         error
}

// diagnoseBarred returns the reason why the last checkpoint of the selected run, which has ended,
// cannot be diagnosed, or "" if it can.
func (b *Board) diagnoseBarred() string {
	r := b.current()
	switch {
	case r.snap == nil:
		return noRun
	case r.snap.CheckpointStep < 0:
		return "the run has no checkpoint"
	case r.loading:
		return "the diagnostics of the checkpoint are being computed"
	}
	return ""
}

// diagnoseCheckpoint rebuilds the model of the last checkpoint of the selected run in the background
// and computes its diagnostics.
func (d *Dash) diagnoseCheckpoint() tea.Cmd {
	r := d.current()
	r.loading = true
	ctx := d.host.Context()
	e := d.engine
	id := r.id
	gen := r.gen
	return tea.Batch(d.host.Say(kit.Calm,
		"computing the diagnostics of the last checkpoint; this takes as long as starting the run"),
		func() tea.Msg {
			msg := checkpointDiagnosedMsg{gen: gen}
			msg.err = kit.Try(func() (err error) {
				msg.diagnostics, err = e.Diagnose(ctx, id)
				return err
			})
			return msg
		})
}

// checkpointDiagnosed shows the diagnostics of a checkpoint if its run is still on the screen.
func (d *Dash) checkpointDiagnosed(msg checkpointDiagnosedMsg) (cmd tea.Cmd, changed bool) {
	for _, r := range d.runs {
		if r.gen != msg.gen {
			continue
		}
		r.loading = false
		if msg.err != nil {
			return d.host.Say(kit.Bad, "cannot diagnose "+r.id+": "+msg.err.Error()), false
		}
		r.loaded = msg.diagnostics
		r.snap = r.withLoaded(r.snap)
		return d.host.Say(kit.Good,
			"computed the diagnostics at step "+report.Grouped(msg.diagnostics.Step)), true
	}
	return nil, false
}

// withLoaded adds the diagnostics of the last checkpoint to a snapshot unless it has later ones.
func (r *watchedRun) withLoaded(s *session.Snapshot) *session.Snapshot {
	if r.loaded == nil || s.Diagnostics != nil && s.Diagnostics.Step > r.loaded.Step {
		return s
	}
	own := *s
	own.Diagnostics = r.loaded
	return &own
}
