package report

import (
	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/viz/tables"
)

// Column completes the layout of a column of runs with its title and alignment.
func Column(c metric.Column, layout tables.Column) tables.Column {
	layout.Title, layout.Right = c.Short, c.IsNumber()
	return layout
}

// SharedText returns a remark that the training runs outnumber the cores, or "" if there are enough cores.
func SharedText(training, cores int) string {
	if training <= cores {
		return ""
	}
	return Plural(training, "training run shares", "training runs share") + " " +
		Plural(cores, "core", "cores") + ": each is slower"
}

// driftText returns a remark that the run was still improving or overfitting when it ended, or ""
// if it was neither.
func driftText(s *session.Snapshot) string {
	if !s.Drift.Improving() && !s.Drift.Overfitting() {
		return ""
	}
	return "; " + s.DriftText()
}

// checkpointText returns a remark on the checkpoint, or "" if there is none.
func checkpointText(s *session.Snapshot) string {
	switch {
	case s.CheckpointStep < 0:
		return ""
	case s.CheckpointStep == s.Step:
		return "; checkpoint kept"
	}
	return "; checkpoint at step " + Grouped(s.CheckpointStep) + " kept"
}

// ScoredText returns a remark on the step whose parameters were scored, or "" if it is the last step.
func ScoredText(kept, steps int) string {
	if kept == 0 || kept == steps {
		return ""
	}
	return "parameters from step " + Grouped(kept) + " (best validation, mean over 50 steps)"
}

// StopReason describes why a run ended and which checkpoint was kept.
func StopReason(s *session.Snapshot) string {
	kept := checkpointText(s)
	if s.State == rundir.Interrupted {
		return "interrupted at step " + Grouped(s.Step) + ": the process died" + kept
	}
	switch s.Stop {
	case rundir.StopFinished:
		return "finished at step " + Grouped(s.Step) + " in " + Seconds(s.Seconds) + kept + driftText(s)
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
	case rundir.StopRung:
		return "stopped at the end of a rung, step " + Grouped(s.Step) + " of " + Grouped(s.Steps) + kept
	}
	if s.Err != nil {
		return "failed: " + s.Err.Error() + kept
	}
	return "failed" + kept
}
