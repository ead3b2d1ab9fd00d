package dash

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/tui/kit"
)

// inputsReadMsg carries the inputs of the test rows of the run of generation gen.
type inputsReadMsg struct {
	gen    int
	inputs *session.TestInputs
	err    error
}

// readInputs reads the inputs of the test rows of the selected run in the background if the focused panel
// shows them. It does so once for each run.
func (d *Dash) readInputs() tea.Cmd {
	if len(d.Runs) == 0 || !d.WantsInputs(d.Focused()) || d.current().inputsAsked {
		return nil
	}
	r := d.current()
	r.inputsAsked = true
	ctx := d.host.Context()
	e := d.engine
	id := r.ID
	gen := r.gen
	return func() tea.Msg {
		msg := inputsReadMsg{gen: gen}
		msg.err = kit.Try(func() (err error) {
			msg.inputs, err = e.TestInputs(ctx, id)
			return err
		})
		return msg
	}
}

// inputsRead shows the inputs if their run is still on the screen.
func (d *Dash) inputsRead(msg inputsReadMsg) (changed bool) {
	for _, r := range d.watched {
		if r.gen == msg.gen {
			r.Inputs = msg.inputs
			if msg.err != nil {
				r.WithoutInputs = msg.err.Error()
			}
			return true
		}
	}
	return false
}
