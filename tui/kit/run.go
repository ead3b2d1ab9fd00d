package kit

import (
	"io"

	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Run is a run that this program trains. *session.Run implements it. No method blocks.
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
	Finish()
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

// StateSign returns the glyph, the word and the tone of the state of a run.
func (g Glyphs) StateSign(r metric.Run) (glyph, word string, t Tone) {
	word = r.State()
	switch word {
	case string(rundir.Running):
		return g.Training, word, Good
	case string(rundir.Paused):
		return g.Paused, word, Warn
	case string(rundir.Finishing):
		return g.Finishing, word, Calm
	case rundir.StopSteps.Word(), rundir.StopEarly.Word(), rundir.StopSettled.Word(),
		rundir.StopConverged.Word():
		return g.Check, word, Good
	case rundir.StopAsked.Word(), string(rundir.Interrupted):
		return g.Asked, word, Warn
	case rundir.StopFailed.Word(), string(rundir.Broken):
		return g.Cross, word, Bad
	}
	return g.Preparing, word, Calm
}
