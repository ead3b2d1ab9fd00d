package kit

import (
	"io"

	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Run is a run that this program trains; *session.Run implements it. No method blocks.
type Run interface {
	ID() string
	Dir() string
	// Latest returns the newest snapshot, or nil before the first one.
	Latest() *session.Snapshot
	Pause()
	Continue()
	Stop()
	Checkpoint()
	Diagnose()
	Evaluate()
	// Done is closed when the goroutine of the run has returned.
	Done() <-chan struct{}
	// WriteFile writes a file of the run directory atomically.
	WriteFile(name string, write func(io.Writer) error) (path string, err error)
}

// Going reports whether the goroutine of a run or of a sweep is still running.
func Going(work interface{ Done() <-chan struct{} }) bool {
	select {
	case <-work.Done():
		return false
	default:
		return true
	}
}

// StateSign returns the glyph, the word and the tone of the state of a run. The words are the same
// as in lists of runs, with the addition of preparing, paused and finishing for the runs of this
// program.
func (g Glyphs) StateSign(s *session.Snapshot) (glyph, word string, t Tone) {
	word = metric.OfSnapshot(s).State()
	switch {
	case s == nil:
		return g.Preparing, word, Calm
	case s.State == session.Training:
		return g.Training, word, Good
	case s.State == session.Paused:
		return g.Paused, word, Warn
	case s.State == session.Finishing:
		return g.Finishing, word, Calm
	case s.Died():
		return g.Asked, word, Warn
	case s.State == session.Ended:
		glyph, t = g.StopSign(s.Stop)
		return glyph, word, t
	}
	return g.Preparing, word, Calm
}

// StopSign returns the glyph and the tone of the reason why a run ended.
func (g Glyphs) StopSign(why rundir.Stop) (glyph string, t Tone) {
	switch why {
	case rundir.StopSteps, rundir.StopEarly, rundir.StopSettled, rundir.StopConverged:
		return g.Check, Good
	case rundir.StopAsked:
		return g.Asked, Warn
	}
	return g.Cross, Bad
}
