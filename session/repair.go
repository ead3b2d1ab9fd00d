package session

import (
	"errors"
	"fmt"

	"dgplab/session/rundir"
)

// WithRepair makes Resume continue runs with damaged or missing files from their intact parts.
// Warnings list the losses.
func WithRepair() Option { return func(o *options) { o.repair = true } }

// refuseDamage returns the error for a run with damaged files. then describes the effect of a repair.
func (t *trainer) refuseDamage(err error, then string) error {
	id := t.store.config.ID
	return fmt.Errorf("%s cannot be resumed: %w; use dgplab train --resume %s --repair to %s",
		id, err, id, then)
}

// checkLines checks the result of reading the report lines. It returns an error if lines are damaged or
// missing. With the repair option it removes damaged lines and returns true to have the lines read again, or
// records the missing lines.
func (t *trainer) checkLines(lines *audit, read error) (again bool, err error) {
	damage := errors.Join(read, lines.err)
	gap, gone := lines.missing()
	switch {
	case damage != nil && t.repair:
		t.warn("removed unreadable and misplaced lines from metrics.jsonl; the old file is %s",
			rundir.DamagedFile)
		return true, t.store.Salvage(t.soundLines(lines))
	case damage != nil && read == nil:
		return false, t.refuseDamage(fmt.Errorf("metrics.jsonl is damaged: %w", damage),
			"keep the intact lines")
	case damage != nil:
		return false, t.refuseDamage(damage, "keep the intact lines")
	case gone && !t.repair:
		return false,
			t.refuseDamage(fmt.Errorf("metrics.jsonl lacks the report lines of %s before the "+
				"checkpoint", gap), "continue without them")
	}
	t.store.config.Lost = lines.gaps
	for _, gap := range lines.gaps {
		t.warn("the report lines of %s are lost", gap)
	}
	return false, nil
}

// soundLines returns a function that reports whether the next line is at a valid step.
func (t *trainer) soundLines(before *audit) func(rundir.Point) bool {
	lines := audit{Settings: t.Settings, end: before.end, checkpoint: before.checkpoint}
	last := newReport(t.Spec.Objective)
	return func(p rundir.Point) bool {
		if p.Step > lines.end || !lines.take(p, last.beginsPhase(p)) {
			return false
		}
		last.restore(p)
		return true
	}
}

// checkAbsence handles a missing checkpoint. If the run must have had one, it returns an error, or a warning
// with the repair option. Otherwise it warns that training restarts.
func (t *trainer) checkAbsence(summary *rundir.Summary) error {
	lines, any := overdue{Settings: t.Settings}, false
	_, err := rundir.ReadPoints(t.store.Dir(), func(rundir.Point) bool { return true }, func(p rundir.Point) {
		any = true
		lines.take(p)
	})
	kept := summary != nil && summary.Stop != rundir.StopFailed && summary.Step > 0
	switch {
	case t.repair && (kept || lines.missed || err != nil):
		t.warn("the checkpoint is missing: training restarted from the first step")
	case kept || lines.missed:
		return t.refuseDamage(errors.New("the checkpoint is missing"), "restart from the first step")
	case err != nil:
		return t.refuseDamage(err, "restart from the first step")
	case any:
		t.warn("no checkpoint yet: training restarted from the first step")
	}
	return nil
}
