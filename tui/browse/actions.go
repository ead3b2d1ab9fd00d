package browse

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// open shows the marked runs, or the selected run if none is marked, on the dashboard and clears the marks.
func (b *Browse) open() tea.Cmd {
	list := ids(b.targets())
	b.marks = nil
	return b.host.Go(kit.Dash, kit.Watch{Runs: list})
}

// unlessHidden performs an action on the marked runs. If the filter hides some of them, it asks
// first. verb describes the action.
func (b *Browse) unlessHidden(act kit.Action, verb string, do func() tea.Cmd) tea.Cmd {
	n := b.hiddenMarks()
	if n == 0 {
		return do()
	}
	key, _ := kit.Find(bindings, act)
	text := fmt.Sprintf("%s %d marked runs?", verb, len(b.marks))
	b.host.Ask(kit.Question{
		Text:  text + fmt.Sprintf(" The filter hides %d of them.", n),
		Short: fmt.Sprintf("%s %d, %d hidden?", verb, len(b.marks), n),
		Again: key.Binding,
		Yes:   do,
	})
	return nil
}

// annotate changes the notes of runs. done is a past participle that describes the change.
func (b *Browse) annotate(ids []string, done string, change func(*rundir.Notes)) tea.Cmd {
	e := b.engine
	return func() tea.Msg {
		changed, _, err := each(ids, func(id string) error { return e.Annotate(id, change) })
		return changedMsg{text: counted(done, len(changed)), err: err}
	}
}

// remove moves runs to the trash.
func (b *Browse) remove() tea.Cmd {
	e, list := b.engine, ids(b.targets())
	return func() tea.Msg {
		var msg changedMsg
		msg.trashed, _, msg.err = each(list, e.Trash)
		msg.text = counted("moved to the trash", len(msg.trashed))
		if msg.text != "" {
			msg.text += "; u: undo"
		}
		return msg
	}
}

// undo restores the last batch from the trash.
func (b *Browse) undo() tea.Cmd {
	n := len(b.trashed)
	e, list := b.engine, b.trashed[n-1]
	b.trashed = b.trashed[:n-1]
	return func() tea.Msg {
		back, left, err := each(list, e.Untrash)
		return changedMsg{text: counted("restored", len(back)), left: left, err: err}
	}
}

// each calls do for each run. It returns the IDs of the runs for which do succeeded and failed, and the
// errors.
func each(ids []string, do func(id string) error) (done, left []string, err error) {
	var errs []error
	for _, id := range ids {
		err := kit.Try(func() error { return do(id) })
		if err != nil {
			left = append(left, id)
			errs = append(errs, err)
			continue
		}
		done = append(done, id)
	}
	return done, left, errors.Join(errs...)
}

// counted returns "N runs" and a past participle, or "" if n is 0.
func counted(done string, n int) string {
	if n == 0 {
		return ""
	}
	return report.Plural(n, "run", "runs") + " " + done
}

// finishChange reports the result of a change and reads the list of runs.
func (b *Browse) finishChange(msg changedMsg) tea.Cmd {
	for _, batch := range [][]string{msg.trashed, msg.left} {
		if len(batch) > 0 {
			b.trashed = append(b.trashed, batch)
		}
	}
	text, tone := msg.text, kit.Good
	if msg.err != nil {
		tone = kit.Bad
		if text != "" {
			text += "; "
		}
		text += oneLine(msg.err)
	}
	return tea.Batch(b.host.Say(tone, text), b.relist())
}

// resume resumes the selected run, with more steps if it has done all of its steps.
func (b *Browse) resume() tea.Cmd {
	run := b.current()
	config := run.Config
	config.Set = run.Values
	return b.host.Start(kit.Start{Config: config, Resume: run.ID, Steps: run.Results.ExtendedSteps()})
}

// like opens a screen filled in from the selected run.
func (b *Browse) like(to kit.ScreenID) tea.Cmd {
	run := b.current()
	if run == nil {
		return b.host.Go(to, nil)
	}
	config := run.Config
	config.Set = run.Values
	return b.host.Go(to, kit.Fill{Config: config, Parent: run.ID})
}
