package kit

import (
	"fmt"

	"dgplab/session/sweep"
)

// DoneText returns the number of cells of a group that are done, and the number of these that ended
// while still improving.
func DoneText(s *sweep.State, g sweep.Group) string {
	done, improving := s.Done(g)
	text := fmt.Sprintf("%d/%d", done, len(g.Cells))
	if improving > 0 {
		text += fmt.Sprintf(", %d improving", improving)
	}
	return text
}

// SweepRun is a sweep that this program runs; *sweep.Sweep implements it. No method blocks.
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
