package dash

import (
	"slices"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// mostShown is how many runs are on the screen at most, each for itself (see kit.MostWatched).
const mostShown = 4

// watchedRun is a run on the screen: one of this program (run), or a run directory that
// is only read (record).
type watchedRun struct {
	id string
	// index picks colour and marker, the same for as long as the run is shown.
	index int
	// gen is of the commands that read the run directory: messages of another one
	// are dropped.
	gen    int
	run    kit.Run
	record Record // nil while it is being opened

	snap *session.Snapshot // nil before the first
	// taken is the snapshot that snap was made of: the same unless the checkpoint was looked
	// into. looking says that this goes on, looked is what was seen.
	taken   *session.Snapshot
	looking bool
	looked  *rundir.Diagnostics
	// over says that nothing will change any more.
	over bool
	// err says why the directory can no longer be read.
	err error
	// name is what people call the run, "" if they do not.
	name string
	// label tells the run from the others: its name, or the fields in which they differ. brief is
	// as much of it as it takes, where all of them are too long for a legend.
	label, brief string
	// curves are those of the panels of curves.
	curves [numQuantities]growingCurve
}

// take shows a snapshot and reports whether it is a new one.
func (r *watchedRun) take(s *session.Snapshot) bool {
	if s == nil || s == r.taken {
		return false
	}
	r.taken, r.snap = s, r.withLook(s)
	return true
}

// ended reports whether the run is not going, here or anywhere else.
func (r *watchedRun) ended() bool {
	return r.over || r.run == nil && r.snap != nil && r.snap.State == session.Ended
}

// info returns the run as package session compares configurations.
func (r *watchedRun) info() rundir.Info {
	i := rundir.Info{ID: r.id}
	if r.snap != nil {
		i.Config, i.Values = r.snap.Config, r.snap.Values
	}
	return i
}

// add puts a run on the screen with the first colour that is free, and chooses it.
func (d *Dash) add(r *watchedRun) {
	taken := func(index int) bool {
		return slices.ContainsFunc(d.runs, func(o *watchedRun) bool { return o.index == index })
	}
	for r.index = 0; taken(r.index); {
		r.index++
	}
	d.gen++
	r.gen = d.gen
	d.runs = append(d.runs, r)
	d.chosen = len(d.runs) - 1
	d.relabel()
}

// remove takes the run at a place from the screen. It goes on.
func (d *Dash) remove(i int) {
	d.runs = slices.Delete(slices.Clone(d.runs), i, i+1)
	if d.chosen > i || d.chosen == len(d.runs) {
		d.chosen = max(d.chosen-1, 0)
	}
	d.relabel()
}

// place returns where a run is on the screen, -1 if it is not.
func (d *Dash) place(id string) int {
	return slices.IndexFunc(d.runs, func(r *watchedRun) bool { return r.id == id })
}

// current returns the chosen run, nil if there is none.
func (d *Dash) current() *watchedRun {
	if len(d.runs) == 0 {
		return nil
	}
	return d.runs[d.chosen]
}

// snap returns the chosen run's newest snapshot, nil if there is none.
func (d *Dash) snap() *session.Snapshot {
	if r := d.current(); r != nil {
		return r.snap
	}
	return nil
}

// group finds the runs that differ in nothing but the seed, or of many the split: groups
// holds places, the first run's group first. A run that is alone is a group of one.
func (d *Dash) group() {
	d.groups = d.groups[:0:0]
	for i, r := range d.runs {
		g := slices.IndexFunc(d.groups, func(g []int) bool { return d.alike(d.runs[g[0]], r) })
		if g < 0 {
			d.groups = append(d.groups, []int{i})
		} else {
			d.groups[g] = append(d.groups[g], i)
		}
	}
	d.color()
}
