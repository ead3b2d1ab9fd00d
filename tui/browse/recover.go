package browse

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Recover implements kit.Recoverer. It lists the runs that cause panics as unreadable, and closes the prompt
// and the form.
func (b *Browse) Recover(err error) tea.Cmd {
	found := 0
	for i := range b.all {
		if err := kit.CatchPanic(func() { b.try(b.all[i]) }); err != nil {
			b.bad[b.all[i].ID] = err
			found++
		}
	}
	b.prompt, b.form = nil, nil
	b.replaceBad()
	b.arrangeRuns()
	text := "the list of runs"
	if found > 0 {
		text = report.Plural(found, "run", "runs")
	}
	return tea.Batch(b.host.Say(kit.Bad, "cannot show "+text+": "+err.Error()), b.relist())
}

// try draws a list with only this run.
func (b *Browse) try(run rundir.Info) {
	alone := *b
	alone.all = []rundir.Info{run}
	alone.query, alone.marks = query.Query{}, nil
	alone.arrangeRuns()
	alone.detailLines(max(b.w, 1))
	_ = query.Sort([]rundir.Info{run, run}, b.look.Sort, b.look.Descending) // The key is valid.
	b.query.Filter([]rundir.Info{run})
}

// replaceBad replaces the runs that cannot be shown with unreadable runs.
func (b *Browse) replaceBad() {
	for i, run := range b.all {
		if err := b.bad[run.ID]; err != nil {
			b.all[i] = rundir.Info{
				ConfigFile: rundir.ConfigFile{ID: run.ID, Created: run.Created},
				Dir:        run.Dir, Changed: run.Changed, State: rundir.Broken, Err: err,
			}
		}
	}
}
