package kit

import "dgplab/session/sweep"

// SweepRun is a sweep that this program works on; *sweep.Sweep is one. No method
// blocks.
type SweepRun interface {
	Name() string
	Latest() *sweep.State
	Pause()
	Continue()
	Cancel()
	RetryFailed()
	// Done is closed when the sweep's goroutine has returned.
	Done() <-chan struct{}
}
