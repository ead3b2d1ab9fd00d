package kit

import (
	"fmt"

	"dgplab/session/metric"
	"dgplab/session/sweep"
	"dgplab/tui/report"
)

// DoneText returns a text with the number of done cells of a group, the number of them that were still
// improving at the end, and the rung after which others were pruned.
func DoneText(s *sweep.State, g sweep.Group) string {
	done, improving := s.Done(g)
	text := fmt.Sprintf("%d/%d", done, len(g.Cells))
	if improving > 0 {
		text += fmt.Sprintf(", %d improving", improving)
	}
	if pruned, rung := s.PrunedCells(g); pruned > 0 {
		text += fmt.Sprintf(" at rung %d", rung)
	}
	return text
}

// ScoreText formats the score of a group. A star marks a score with fewer steps, because successive halving
// pruned some of its runs.
func ScoreText(s *sweep.State, g sweep.Group, m metric.Column) string {
	text := report.Mean(m, s.Score(g, m))
	pruned, _ := s.PrunedCells(g)
	switch {
	case text == "":
		return ""
	case pruned > 0:
		return text + "*"
	case s.Count(sweep.Pruned) > 0:
		return text + " " // The blank keeps the digits aligned.
	}
	return text
}

// SweepRun is a sweep that this program trains. *sweep.Sweep implements it. No method blocks.
type SweepRun interface {
	Name() string
	Latest() *sweep.State
	Pause()
	Continue()
	Cancel()
	RetryFailed()
	// Done is closed when the goroutine of the sweep has returned.
	Done() <-chan struct{}
}

// Training returns the number of runs of a sweep that train, at least one until the sweep has ended.
func Training(s SweepRun) int {
	if !Going(s) {
		return 0
	}
	return max(1, s.Latest().Count(sweep.Running))
}
