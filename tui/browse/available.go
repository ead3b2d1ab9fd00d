package browse

import (
	"fmt"
	"slices"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Available returns the footer word of an action and the reason why it is unavailable.
func (b *Browse) Available(act kit.Action) (word, reason string) {
	run := b.current()
	marked := len(b.marks)
	if act == actPredict && b.prediction != nil {
		return "cancel", ""
	}
	switch act {
	case kit.ActOpen, actDelete, actTag:
		return b.targetsAvailable(act)
	}
	if why := b.missingRun(act); why != "" {
		return "", why
	}
	switch act {
	case actFork, actForkWarm, actLike, actPredict, kit.ActSweep:
		if run != nil && run.State == rundir.Broken {
			return "", label(run) + " is unreadable: " + oneLine(run.Err)
		}
	case actMark:
		if slices.Contains(b.marks, run.ID) {
			return "unmark", ""
		}
	case actResume:
		return "", resumeObstacle(run)
	case actFinish:
		return "", finishObstacle(run)
	case actUndo:
		if len(b.trashed) == 0 {
			return "", "nothing to undo; older runs: dgplab runs trash"
		}
	case actUnmark:
		if marked == 0 {
			return "", "no run is marked"
		}
	case kit.ActFocusNext:
		if b.focus == partDetails {
			return "list", ""
		}
	case kit.ActDown:
		if b.focus == partDetails {
			return "scroll", ""
		}
	}
	return "", ""
}

// missingRun returns a reason if an action needs a run and there is none, and "" otherwise.
func (b *Browse) missingRun(act kit.Action) string {
	switch act {
	case actFork, actForkWarm, actPredict, actResume, actFinish, actRename, actNote, actMark, actLike,
		kit.ActUp, kit.ActDown, kit.ActPageUp, kit.ActPageDown, kit.ActFirst, kit.ActLast, kit.ActFocusNext:
		if b.current() == nil {
			return "no run selected"
		}
	case actFilter, actSortPrev, actSortNext, kit.ActReverse:
		if len(b.all) == 0 && b.look.Filter == "" {
			return "no runs yet"
		}
	}
	return ""
}

// targetsAvailable implements Available for actions on the marked runs, or on the selected run if none is
// marked.
func (b *Browse) targetsAvailable(act kit.Action) (word, reason string) {
	runs := b.targets()
	marked := len(b.marks)
	if len(runs) == 0 {
		return "", "no run selected"
	}
	if act == kit.ActOpen {
		if marked > kit.MostWatched {
			return "", fmt.Sprintf("%d runs are marked; the dashboard shows at most %d",
				marked, kit.MostWatched)
		}
		for _, run := range runs {
			if run.State == rundir.Broken {
				return "", label(&run) + " is unreadable: " + oneLine(run.Err)
			}
		}
	}
	if act == actDelete {
		for _, run := range runs {
			if b.trains(run.ID) {
				return "", "stop it on the dashboard first: " +
					shortened(b.theme, label(&run)) + " is training"
			}
		}
	}
	if marked > 0 {
		word = fmt.Sprintf("%s %d marked",
			map[kit.Action]string{kit.ActOpen: "open", actDelete: "delete", actTag: "tag"}[act], marked)
		if n := b.hiddenMarks(); n > 0 {
			word += fmt.Sprintf(", %d hidden", n)
		}
		return word, ""
	}
	return "", ""
}

// trains reports whether this program is training a run.
func (b *Browse) trains(id string) bool {
	return slices.ContainsFunc(b.host.Runs(), func(r kit.Run) bool { return r.ID() == id && kit.Going(r) })
}

// resumeObstacle returns the reason why a run cannot be resumed, or "" if it can.
func resumeObstacle(run *rundir.Info) string {
	switch {
	case run.State == rundir.Running:
		return label(run) + " is running"
	case !run.Resumable && !run.Extendable():
		return label(run) + " cannot be resumed; f: fork it"
	}
	return ""
}

// finishObstacle returns the reason why the decay of a run cannot begin, or "" if it can.
func finishObstacle(run *rundir.Info) string {
	switch {
	case run.State == rundir.Running:
		return label(run) + " is running; open it to finish it"
	case !run.Resumable, run.Results == nil, !run.Results.Drift.Stable():
		return label(run) + " has no stable phase to finish"
	}
	return ""
}

// Types reports whether r would be typed into the open prompt, form or picker.
func (b *Browse) Types(r rune) bool {
	switch {
	case b.prompt != nil, b.picking():
		return true
	case b.form == nil:
		return false
	}
	return r != '?' || b.form.Types(r)
}
