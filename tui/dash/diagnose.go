package dash

import (
	tea "github.com/charmbracelet/bubbletea"

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

// diagnoseCheckpoint rebuilds the model of the last checkpoint of the selected run in the background
// and computes its diagnostics.
func (d *Dash) diagnoseCheckpoint() tea.Cmd {
	r := d.current()
	r.loading = true
	ctx := d.host.Context()
	e := d.engine
	id := r.ID
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
	for _, r := range d.watched {
		if r.gen != msg.gen {
			continue
		}
		r.loading = false
		if msg.err != nil {
			return d.host.Say(kit.Bad, "cannot diagnose "+r.ID+": "+msg.err.Error()), false
		}
		r.loaded = msg.diagnostics
		r.Snapshot = r.withLoaded(r.Snapshot)
		return d.host.Say(kit.Good,
			"computed the diagnostics at step "+report.Grouped(msg.diagnostics.Step)), true
	}
	return nil, false
}
