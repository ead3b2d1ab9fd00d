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

// SharedText returns a remark that several trainings share fewer cores, or "" if there are enough
// cores.
func SharedText(trainings, cores int) string {
	if trainings <= cores {
		return ""
	}
	return Plural(trainings, "training shares", "trainings share") + " " + Plural(cores, "core", "cores") +
		": each is slower"
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

// driftText returns a remark that the run was still improving or overfitting when it ended, or ""
// if it was neither.
func driftText(s *session.Snapshot) string {
	if !s.Drift.Improving() && !s.Drift.Overfitting() {
		return ""
	}
	return "; " + s.DriftText()
}

// checkpointText returns a remark on the checkpointText checkpoint, or "" if there is none.
func checkpointText(s *session.Snapshot) string {
	switch {
	case s.CheckpointStep < 0:
		return ""
	case s.CheckpointStep == s.Step:
		return "; checkpoint kept"
	}
	return "; checkpoint of step " + Grouped(s.CheckpointStep) + " kept"
}

// ScoredText returns a remark on the parameters that the scores of an ended run belong to, or "" if
// they belong to the last step.
func ScoredText(kept, steps int) string {
	if kept == 0 || kept == steps {
		return ""
	}
	return "parameters of step " + Grouped(kept) + " (best validation, mean over 50 steps)"
}

// StopReason describes why a run ended and which checkpoint was kept.
func StopReason(s *session.Snapshot) string {
	kept := checkpointText(s)
	if s.Died() {
		return "interrupted at step " + Grouped(s.Step) + ": the process died" + kept
	}
	switch s.Stop {
	case rundir.StopSteps:
		return "all " + Grouped(s.Steps) + " steps done in " + Seconds(s.Seconds) + kept + driftText(s)
	case rundir.StopEarly:
		return "stopped early at step " + Grouped(s.Step) + ": no improvement since step " +
			Grouped(s.BestStep) + kept
	case rundir.StopSettled:
		return "settled at step " + Grouped(s.Step) + " in " + Seconds(s.Seconds) +
			": no further improvement" + kept
	case rundir.StopConverged:
		return "converged at step " + Grouped(s.Step) + " in " + Seconds(s.Seconds) + kept
	case rundir.StopAsked:
		return "stopped at step " + Grouped(s.Step) + kept
	}
	if s.Err != nil {
		return "failed: " + s.Err.Error() + kept
	}
	return "failed" + kept
}
