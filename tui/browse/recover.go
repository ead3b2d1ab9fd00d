package browse

import (
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Mend lists the runs that cannot be shown as runs that cannot be read, and leaves what was being
// typed. It makes a kit.Mender of the screen.
func (b *Browse) Recover(err error) tea.Cmd {
	found := 0
	for i := range b.all {
		if err := kit.CatchPanic(func() { b.try(b.all[i]) }); err != nil {
			b.bad[b.all[i].ID] = err
			found++
		}
	}
	b.prompt, b.form = nil, nil
	b.withoutBad()
	b.arrangeRuns()
	text := "the list of runs"
	if found > 0 {
		text = kit.Plural(found, "run", "runs")
	}
	return tea.Batch(b.host.Say(kit.Bad, "cannot show "+text+": "+err.Error()), b.relist())
}

// try does everything with a run alone that is done to draw it.
func (b *Browse) try(run rundir.Info) {
	alone := *b
	alone.all = []rundir.Info{run}
	alone.query, alone.marks = query.Query{}, nil
	alone.arrangeRuns()
	alone.detailLines(max(b.w, 1))
	_ = query.Sort([]rundir.Info{run, run}, b.look.Sort, b.look.Descending) // The key is one that there is.
	b.query.Filter([]rundir.Info{run})
}

// noPoint is the last report line of a run that has none.
var noPoint = rundir.Point{Seconds: math.NaN(), Objective: math.NaN(), ValLogLik: math.NaN()}

// withoutBad puts runs that cannot be read in the place of those that cannot be shown.
func (b *Browse) withoutBad() {
	for i, run := range b.all {
		if err := b.bad[run.ID]; err != nil {
			b.all[i] = rundir.Info{ID: run.ID, Dir: run.Dir, Created: run.Created, Changed: run.Changed,
				State: rundir.Broken, Err: err, Last: noPoint}
		}
	}
}
