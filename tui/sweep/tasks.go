package sweep

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Slurm is asked for tasks at most once per tasksPeriod, and at most 1/tasksShare of the time.
const (
	tasksPeriod = 5 * time.Second
	tasksShare  = 10
)

// onSlurm reports whether the sweep has pending or running tasks.
func (p *Progress) onSlurm() bool { return p.live == nil && p.tasks.Active() > 0 }

// tasksText describes the tasks of the sweep, or returns "" if it was not submitted to Slurm.
func (p *Progress) tasksText() string {
	switch {
	case p.live != nil || p.tasks == nil:
		return ""
	case p.tasks.Err != nil:
		return p.tasks.Err.Error()
	}
	return "tasks: " + report.Tasks(p.tasks)
}

// slurmAvailable implements Available for the keys that change tasks on Slurm. known is false if the key has
// another meaning.
func (p *Progress) slurmAvailable(act kit.Action) (word, reason string, known bool) {
	submitted := p.live == nil && p.tasks != nil
	switch {
	case !submitted || act != kit.ActStop && act != actRetry && act != kit.ActPause:
		return "", "", false
	case act == kit.ActPause && !p.onSlurm():
		return "", "", false
	case act == kit.ActPause:
		return "", "its tasks are on Slurm; s: cancel them", true
	case p.changing:
		return "", "Slurm is working on the last request", true
	case p.tasks.Err != nil:
		return "", p.tasks.Err.Error(), true
	case act == actRetry && len(p.state.Idle(p.tasks).Left(true)) == 0:
		return "", "all cells are done, running or awaited by tasks", true
	case act == actRetry:
		return "submit again", "", true
	case !p.onSlurm():
		return "", "no tasks are pending or running", true
	}
	return "cancel tasks", "", true
}

// cancelTasks cancels all tasks after confirmation.
func (p *Progress) cancelTasks() tea.Cmd {
	key, _ := kit.Find(progressBindings, kit.ActStop)
	p.host.Ask(kit.Question{
		Text: "Cancel " + report.Plural(p.tasks.Active(), "task", "tasks") +
			" on Slurm? The runs keep their checkpoints.",
		Short: "Cancel all tasks?",
		Again: key.Binding,
		Yes: func() tea.Cmd {
			return p.change(func(ctx context.Context, s *sweeps.State) (string, error) {
				n, err := p.engine.CancelTasks(ctx, s)
				return "cancelled " + report.Plural(n, "task", "tasks"), err
			})
		},
	})
	return nil
}

// resubmit submits all unfinished cells again.
func (p *Progress) resubmit() tea.Cmd {
	return p.change(func(ctx context.Context, s *sweeps.State) (string, error) {
		made, err := p.engine.ResubmitSweep(ctx, s)
		if err != nil {
			return "", err
		}
		return "submitted " + report.Plural(made.Cells, "cell", "cells"), nil
	})
}

// change asks Slurm to change tasks in the background. The answer is a text for the footer.
func (p *Progress) change(ask func(ctx context.Context, s *sweeps.State) (string, error)) tea.Cmd {
	p.changing = true
	gen, s, ctx := p.gen, p.state, p.host.Context()
	return func() tea.Msg {
		text, err := ask(ctx, s)
		return tasksChangedMsg{gen, text, err}
	}
}

// tasksChanged reports a change of tasks and reads the sweep again.
func (p *Progress) tasksChanged(msg tasksChangedMsg) tea.Cmd {
	p.changing = false
	if msg.err != nil {
		return p.host.Say(kit.Bad, msg.err.Error())
	}
	say := p.host.Say(kit.Good, msg.text)
	if msg.gen != p.gen || p.away {
		return say
	}
	p.gen++
	return tea.Batch(say, p.read())
}
