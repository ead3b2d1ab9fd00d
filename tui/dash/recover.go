package dash

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Recover implements kit.Recoverer. It removes the runs that cannot be drawn together with the others, and
// reports them.
func (d *Dash) Recover(why error) tea.Cmd {
	chosen, all := d.current(), d.runs
	// Runs that this program trains come first, so that they stay if two runs exclude each other.
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *watchedRun) int { return rank(a) - rank(b) })
	d.runs, d.zoomed = nil, false
	var bad []*watchedRun
	for _, r := range order {
		good := d.runs
		d.runs = append(slices.Clone(good), r)
		d.chosen = len(good)
		err := kit.CatchPanic(func() {
			d.drawings = map[*panel]drawnPanel{}
			d.relabel()
			d.View("", "")
		})
		if err != nil {
			d.runs, bad, why = good, append(bad, r), err
		}
	}
	slices.SortFunc(d.runs, func(a, b *watchedRun) int { return slices.Index(all, a) - slices.Index(all, b) })
	d.chosen = max(slices.Index(d.runs, chosen), 0)
	d.drawings = map[*panel]drawnPanel{}
	d.relabel()
	text := "the dashboard"
	switch {
	case len(bad) == 1 && rank(bad[0]) == 0:
		text = bad[0].id + " (training continues)"
	case len(bad) == 1:
		text = bad[0].id
	case len(bad) > 1:
		text = report.Plural(len(bad), "run", "runs")
	}
	return tea.Batch(d.host.Say(kit.Bad, "cannot show "+text+": "+why.Error()), d.poll())
}

// rank returns 0 for a run that this program trains, and 1 otherwise.
func rank(r *watchedRun) int {
	if r.run != nil && !r.over {
		return 0
	}
	return 1
}
