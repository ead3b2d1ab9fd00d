package dash

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/probe"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// suggestedMsg carries the suggestions of the model of the last checkpoint of the run of generation gen.
type suggestedMsg struct {
	gen         int
	suggestions *probe.Suggestions
	err         error
}

// suggestBarred returns the reason why no inputs can be suggested with the selected run, or "" if they
// can.
func (d *Dash) suggestBarred() string {
	if why := d.checkpointMissing(); why != "" {
		return why
	}
	if d.current().suggesting {
		return "the suggestions are being computed"
	}
	return ""
}

// suggest rebuilds the model of the last checkpoint of the selected run in the background and marks the
// inputs that it suggests for the next experiments. If these are marked, suggest removes the marks.
func (d *Dash) suggest() tea.Cmd {
	r := d.current()
	if r.Suggested != nil {
		r.Suggested = nil
		return d.say("suggestions removed")
	}
	r.suggesting = true
	ctx := d.host.Context()
	e := d.engine
	id := r.ID
	gen := r.gen
	return tea.Batch(d.host.Say(kit.Calm,
		"computing suggestions with the last checkpoint; this takes as long as starting the run"),
		func() tea.Msg {
			msg := suggestedMsg{gen: gen}
			msg.err = kit.Try(func() (err error) {
				msg.suggestions, err = e.Suggest(ctx, id)
				return err
			})
			return msg
		})
}

// marked shows suggestions if their run is still on the screen.
func (d *Dash) marked(msg suggestedMsg) (cmd tea.Cmd, changed bool) {
	for _, r := range d.watched {
		if r.gen != msg.gen {
			continue
		}
		r.suggesting = false
		if msg.err != nil {
			return d.host.Say(kit.Bad, "cannot suggest inputs with "+r.ID+": "+msg.err.Error()), false
		}
		r.Suggested = msg.suggestions
		return d.host.Say(kit.Good, fmt.Sprintf("marked the next %d inputs by %s at step %s in the fit",
			len(msg.suggestions.List), msg.suggestions.Criterion,
			report.Grouped(msg.suggestions.Step))), true
	}
	return nil, false
}
