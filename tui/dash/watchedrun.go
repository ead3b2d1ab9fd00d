package dash

import (
	"slices"

	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// mostShown is the maximum number of runs that are shown individually. More runs are shown in
// groups (see kit.MostWatched).
const mostShown = 4

// watchedRun is a run on the screen. It is a run of this program (run) or a run directory that is only read
// (record).
type watchedRun struct {
	id string
	// index determines the colour and the marker. It does not change while the run is shown.
	index int
	// gen is the generation of the commands that read the run directory. Messages of other
	// generations are dropped.
	gen    int
	run    kit.Run
	record Record // nil while it is being opened

	snap *session.Snapshot // nil before the first snapshot
	// taken is the snapshot from which snap was made. snap also has loaded, the diagnostics of a checkpoint,
	// if they were computed on request. loading is set during the computation.
	taken   *session.Snapshot
	loading bool
	loaded  *rundir.Diagnostics
	// suggested holds the suggested inputs that are marked in the fit, or is nil. suggesting is set during
	// their computation.
	suggesting bool
	suggested  *probe.Suggestions
	// over is set when the run can no longer change.
	over bool
	// err is the reason why the directory can no longer be read.
	err error
	// name is the name that the user gave to the run, or "" if there is none.
	name string
	// label distinguishes the run from the others. It is the name of the run or its differing settings. brief
	// is a shorter form for crowded legends.
	label, brief string
	// curves holds the points of the curve panels.
	curves [numQuantities]growingCurve
}

// take sets the snapshot to show and reports whether it is new.
func (r *watchedRun) take(s *session.Snapshot) bool {
	if s == nil || s == r.taken {
		return false
	}
	r.taken, r.snap = s, r.withLoaded(s)
	return true
}

// ended reports whether the run has ended, here and in any other process.
func (r *watchedRun) ended() bool {
	return r.over || r.run == nil && r.snap != nil && r.snap.State == session.Ended
}

// info returns the configuration of the run for config.Differences.
func (r *watchedRun) info() rundir.Info {
	i := rundir.Info{ConfigFile: rundir.ConfigFile{ID: r.id}}
	if r.snap != nil {
		i.Config, i.Values = r.snap.Config, r.snap.Values
	}
	return i
}

// remove removes run i from the screen. Training continues.
func (b *Board) remove(i int) {
	b.runs = slices.Delete(slices.Clone(b.runs), i, i+1)
	if b.chosen > i || b.chosen == len(b.runs) {
		b.chosen = max(b.chosen-1, 0)
	}
	b.relabel()
}

// place returns the index of a run on the screen, or -1 if it is not shown.
func (b *Board) place(id string) int {
	return slices.IndexFunc(b.runs, func(r *watchedRun) bool { return r.id == id })
}

// current returns the selected run, or nil if there is none.
func (b *Board) current() *watchedRun {
	if len(b.runs) == 0 {
		return nil
	}
	return b.runs[b.chosen]
}

// snap returns the newest snapshot of the selected run, or nil if there is none.
func (b *Board) snap() *session.Snapshot {
	if r := b.current(); r != nil {
		return r.snap
	}
	return nil
}

// group groups runs that differ only in the seed or, if there are many runs, in the seed and the split. The
// group of the first run comes first. A group may have a single run.
func (b *Board) group() {
	b.groups = b.groups[:0:0]
	for i, r := range b.runs {
		g := slices.IndexFunc(b.groups, func(g []int) bool { return b.sameGroup(b.runs[g[0]], r) })
		if g < 0 {
			b.groups = append(b.groups, []int{i})
		} else {
			b.groups[g] = append(b.groups[g], i)
		}
	}
	b.colorGroups()
}

// mark returns the marker of a run.
func (b *Board) mark(r *watchedRun) string { return b.theme.VizStyle().RunMarker(r.index) }

// marker returns the marker of a run in its colour.
func (b *Board) marker(r *watchedRun) string { return b.theme.Marker(r.index) }

// withLoaded adds the diagnostics of the last checkpoint to a snapshot unless it has later ones.
func (r *watchedRun) withLoaded(s *session.Snapshot) *session.Snapshot {
	if r.loaded == nil || s.Diagnostics != nil && s.Diagnostics.Step > r.loaded.Step {
		return s
	}
	own := *s
	own.Diagnostics = r.loaded
	return &own
}

// Record is a run directory that is watched while this or another process writes to it.
type Record interface {
	ID() string
	Dir() string
	// Latest reads the changes and returns the newest snapshot. It returns the same snapshot if nothing has
	// changed. It must not be called concurrently.
	Latest() (*session.Snapshot, error)
}

// add adds a run with the first free colour, and selects it.
func (b *Board) add(r *watchedRun) {
	taken := func(index int) bool {
		return slices.ContainsFunc(b.runs, func(o *watchedRun) bool { return o.index == index })
	}
	for r.index = 0; taken(r.index); {
		r.index++
	}
	b.runs = append(b.runs, r)
	b.chosen = len(b.runs) - 1
	b.relabel()
}
