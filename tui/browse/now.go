package browse

import (
	"fmt"
	"slices"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Now says what an action does now, and what keeps it from being done.
func (b *Browse) Now(act kit.Action) (word, barred string) {
	run := b.current()
	marked := len(b.marks)
	if act == actPredict && b.prediction != nil {
		return "cancel", ""
	}
	switch act {
	case kit.ActOpen, actDelete, actTag:
		return b.targetsNow(act)
	}
	if why := b.nothingFor(act); why != "" {
		return "", why
	}
	switch act {
	case actFork, actForkWarm, actLike, actPredict, kit.ActAblate:
		if run != nil && run.State == rundir.Broken {
			return "", label(run) + " cannot be read: " + oneLine(run.Err)
		}
	case actMark:
		if slices.Contains(b.marks, run.ID) {
			return "unmark", ""
		}
	case actResume:
		return "", resumeBarred(run)
	case actUndo:
		if len(b.trashed) == 0 {
			return "", "nothing was deleted here since the program started; see dgplab runs trash"
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

// nothingFor says why an action that is about the chosen run, or about several, has
// nothing to be about, "" if it has.
func (b *Browse) nothingFor(act kit.Action) string {
	switch act {
	case actFork, actForkWarm, actPredict, actResume, actRename, actNote, actMark, actLike, kit.ActUp,
		kit.ActDown, kit.ActPageUp, kit.ActPageDown, kit.ActFirst, kit.ActLast, kit.ActFocusNext:
		if b.current() == nil {
			return "there is no run here"
		}
	case actFilter, actSortPrev, actSortNext, kit.ActReverse:
		if len(b.all) == 0 && b.look.Filter == "" {
			return "there are no runs yet"
		}
	}
	return ""
}

// targetsNow is Now of what is done to the marked runs, or else to the chosen one.
func (b *Browse) targetsNow(act kit.Action) (word, barred string) {
	runs := b.targets()
	marked := len(b.marks)
	if len(runs) == 0 {
		return "", "there is no run"
	}
	if act == kit.ActOpen {
		if marked > kit.MostWatched {
			return "", fmt.Sprintf("%d runs are marked; the dashboard shows at most %d together",
				marked, kit.MostWatched)
		}
		for _, run := range runs {
			if run.State == rundir.Broken {
				return "", label(&run) + " cannot be read: " + oneLine(run.Err)
			}
		}
	}
	if act == actDelete {
		for _, run := range runs {
			if b.trains(run.ID) {
				return "", "stop it first, on the dashboard: this program trains " +
					shortened(b.theme, label(&run))
			}
		}
	}
	if marked > 0 {
		return fmt.Sprintf("%s %d marked",
			map[kit.Action]string{kit.ActOpen: "open", actDelete: "delete", actTag: "tag"}[act], marked), ""
	}
	return "", ""
}

// trains reports whether this program trains a run.
func (b *Browse) trains(id string) bool {
	return slices.ContainsFunc(b.host.Runs(), func(r kit.Run) bool { return r.ID() == id && kit.Going(r) })
}

// resumeBarred says why a run cannot go on, "" if it can.
func resumeBarred(run *rundir.Info) string {
	switch {
	case run.State == rundir.Running:
		return label(run) + " is running"
	case !run.Resumable && !run.Extendable():
		return label(run) + " has come to its end; fork it (f) to train it anew"
	}
	return ""
}

// Types reports whether r is typed into the line or the form that is open.
func (b *Browse) Types(r rune) bool {
	switch {
	case b.prompt != nil, b.picking():
		return true
	case b.form == nil:
		return false
	}
	return r != '?' || b.form.Types(r)
}
