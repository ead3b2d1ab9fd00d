package sweep

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// placed holds the known places of the cells of a sweep on Slurm.
type placed struct {
	cells *sweeps.Placements // nil if the sweep was not submitted, or before the first answer
	// changing is set while Slurm is asked to change tasks.
	changing bool
	// log is the path of the log whose last lines are in lines.
	log   string
	lines []string
}

// Slurm is asked at most once per placePeriod, and at most 1/placeShare of the time.
const (
	placePeriod = 5 * time.Second
	placeShare  = 10
)

// onSlurm reports whether the cells are shown with their places.
func (p *Progress) onSlurm() bool { return p.live == nil && p.placed.cells != nil }

// placeOf returns the place of a cell, or nil if it was not submitted.
func (p *Progress) placeOf(cell int) *sweeps.Placement {
	if !p.onSlurm() || cell >= len(p.placed.cells.Cells) {
		return nil
	}
	return p.placed.cells.Cells[cell]
}

// active returns the number of pending and running cells.
func (p *Progress) active() (n int) {
	if !p.onSlurm() {
		return 0
	}
	for _, at := range p.placed.cells.Cells {
		if at != nil && at.Active() {
			n++
		}
	}
	return n
}

// askPlaces asks for the places of the cells in the background.
func (p *Progress) askPlaces() tea.Cmd {
	gen, s, e, ctx := p.gen, p.state, p.engine, p.host.Context()
	return func() tea.Msg {
		began := time.Now()
		cells, err := e.PlaceSweep(ctx, s)
		return sweepPlacedMsg{gen, cells, err, time.Since(began)}
	}
}

// place shows the places of the cells, and asks again later while cells are active.
func (p *Progress) place(msg sweepPlacedMsg) (cmd tea.Cmd, changed bool) {
	if msg.gen != p.gen || p.live != nil {
		return nil, false
	}
	switch {
	case msg.err != nil:
		return p.host.Say(kit.Bad, msg.err.Error()), true
	case msg.placed == nil:
		return nil, false // The process that submitted it died before it recorded that.
	}
	if p.placed.cells == nil && p.cell == 0 {
		p.cell = firstUnfinished(msg.placed)
	}
	p.placed.cells = msg.placed
	cmd = p.readLog()
	if p.active() > 0 || p.state.Phase == sweeps.Going {
		cmd = tea.Batch(cmd, p.lookAgain(max(placePeriod, placeShare*msg.took)))
	}
	return cmd, true
}

// firstUnfinished returns the first cell that is not done, or 0 if all are.
func firstUnfinished(s *sweeps.Placements) int {
	return max(0, slices.IndexFunc(s.Cells, func(at *sweeps.Placement) bool {
		return at == nil || at.Place != sweeps.PlaceDone
	}))
}

// logLines is the number of lines at the end of a log that are shown.
const logLines = 3

// readLog reads the end of the log of the selected cell in the background, if its task failed.
func (p *Progress) readLog() tea.Cmd {
	at := p.placeOf(p.cell)
	if at == nil || at.Log == p.placed.log || at.Place != sweeps.PlaceFailed && at.Place != sweeps.PlaceLost {
		return nil
	}
	return func() tea.Msg { return logReadMsg{at.Log, sweeps.LastLines(at.Log, logLines)} }
}

// change asks Slurm to change tasks in the background. The answer is a text for the footer.
func (p *Progress) change(ask func(ctx context.Context, e Engine, s *sweeps.State) (string, error)) tea.Cmd {
	p.placed.changing = true
	gen, s, e, ctx := p.gen, p.state, p.engine, p.host.Context()
	return func() tea.Msg {
		text, err := ask(ctx, e, s)
		return tasksChangedMsg{gen, text, err}
	}
}

// tasksChanged reports a change of tasks and reads the sweep again.
func (p *Progress) tasksChanged(msg tasksChangedMsg) tea.Cmd {
	p.placed.changing = false
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

// slurmNow implements Now for the keys that change tasks on Slurm. known is false for other keys.
func (p *Progress) slurmNow(act kit.Action) (word, reason string, known bool) {
	switch act {
	case actCancelCell, actMoreTasks, actFewerTasks:
		if !p.onSlurm() {
			return "", "this sweep is not on Slurm", true
		}
	case kit.ActStop, actRetry, kit.ActPause:
		if !p.onSlurm() {
			return "", "", false
		}
	default:
		return "", "", false
	}
	at := p.placeOf(p.cell)
	switch {
	case p.placed.changing:
		return "", "Slurm is working on the last request", true
	case p.placed.cells.Err != nil:
		return "", p.placed.cells.Err.Error(), true
	case act == actRetry && p.active() == len(p.state.Cells)-p.state.Count(sweeps.Done):
		return "submit again", "all cells are done, pending or running", true
	case act == actRetry:
		return "submit again", "", true
	case act == kit.ActPause && p.active() > 0:
		return "", "its tasks are on Slurm; s: cancel them", true
	case act == kit.ActPause:
		return "", "", false
	case p.active() == 0:
		return "", "no tasks are pending or running", true
	case act == actCancelCell && (at == nil || !at.Active()):
		return "", "this cell is not pending or running", true
	case act == kit.ActStop:
		return "cancel all", "", true
	case act == actCancelCell:
		return "cancel cell", "", true
	case act == actMoreTasks:
		return "more tasks", "", true
	case act == actFewerTasks:
		return "fewer tasks", "", true
	}
	return "", "", true
}

// cancelTasks cancels the task of the selected cell or, after confirmation, all tasks.
func (p *Progress) cancelTasks(all bool) tea.Cmd {
	selected := p.cell
	cancel := func() tea.Cmd {
		return p.change(func(ctx context.Context, e Engine, s *sweeps.State) (string, error) {
			n, err := e.CancelTasks(ctx, s, func(cell int) bool { return all || cell == selected })
			return "cancelled " + report.Plural(n, "cell", "cells"), err
		})
	}
	if !all {
		return cancel()
	}
	key, _ := kit.Find(progressBindings, kit.ActStop)
	p.host.Ask(kit.Question{
		Text: fmt.Sprintf("Cancel all tasks (%s)? They keep their checkpoints.",
			report.Plural(p.active(), "cell", "cells")),
		Short: "Cancel all tasks?",
		Again: key.Binding,
		Yes:   cancel,
	})
	return nil
}

// resubmit submits all unfinished cells again.
func (p *Progress) resubmit() tea.Cmd {
	return p.change(func(ctx context.Context, e Engine, s *sweeps.State) (string, error) {
		made, err := e.ResubmitSweep(ctx, s)
		if err != nil {
			return "", err
		}
		return "submitted " + report.Plural(made.Cells, "cell", "cells"), nil
	})
}

// throttle changes the maximum number of tasks that run at the same time.
func (p *Progress) throttle(change func(int) int) tea.Cmd {
	return p.change(func(ctx context.Context, e Engine, s *sweeps.State) (string, error) {
		n, err := e.ThrottleSweep(ctx, s, change)
		return "at most " + report.Plural(n, "task", "tasks") + " at the same time", err
	})
}

// placeWords explains the place of the selected cell, with the last lines of its log if its task failed.
func (p *Progress) placeWords() (tone kit.Tone, lines []string) {
	at := p.placeOf(p.cell)
	if at == nil {
		return kit.Calm, nil
	}
	text := fmt.Sprintf("%d: %s", p.cell, at.Place)
	if at.Timeouts > 0 {
		text += fmt.Sprintf(" after %d of %s", min(at.Timeouts, at.Most),
			report.Plural(at.Most, "time limit", "time limits"))
	}
	if at.Reason != "" {
		text += ": " + at.Reason
	}
	tone, lines = kit.Calm, []string{text}
	if at.Place == sweeps.PlaceFailed || at.Place == sweeps.PlaceLost {
		tone = kit.Bad
		if at.Log == p.placed.log {
			for _, line := range p.placed.lines {
				lines = append(lines, report.Printable(line))
			}
		}
	}
	return tone, lines
}
