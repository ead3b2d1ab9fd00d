package dash

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Recover implements kit.Recoverer. It removes the runs that cannot be drawn together with the others, and
// reports them.
func (d *Dash) Recover(why error) tea.Cmd {
	chosen, all := d.current(), d.watched
	// Runs that this program trains come first, so that they stay if two runs exclude each other.
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *watched) int { return rank(a) - rank(b) })
	d.zoomed = false
	var good, bad []*watched
	for _, r := range order {
		err := kit.CatchPanic(func() {
			d.drawings = map[*board.Panel]drawnPanel{}
			d.show(append(slices.Clone(good), r), len(good))
			d.View("", "")
		})
		if err != nil {
			bad, why = append(bad, r), err
		} else {
			good = d.watched
		}
	}
	slices.SortFunc(good, func(a, b *watched) int { return slices.Index(all, a) - slices.Index(all, b) })
	d.drawings = map[*board.Panel]drawnPanel{}
	d.show(good, max(slices.Index(good, chosen), 0))
	text := "the dashboard"
	switch {
	case len(bad) == 1 && rank(bad[0]) == 0:
		text = bad[0].ID + " (training continues)"
	case len(bad) == 1:
		text = bad[0].ID
	case len(bad) > 1:
		text = report.Plural(len(bad), "run", "runs")
	}
	return tea.Batch(d.host.Say(kit.Bad, "cannot show "+text+": "+why.Error()), d.poll())
}

// rank returns 0 for a run that this program trains, and 1 otherwise.
func rank(r *watched) int {
	if r.own != nil && !r.over {
		return 0
	}
	return 1
}
