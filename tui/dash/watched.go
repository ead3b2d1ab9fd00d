package dash

import (
	"slices"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/kit"
)

// watched is a run on the screen. It is a run of this program (own) or a run directory that is only read
// (record).
type watched struct {
	*board.Run
	// gen is the generation of the commands that read the run directory. Messages of other
	// generations are dropped.
	gen    int
	own    kit.Run
	record Record // nil while it is being opened
	// taken is the snapshot from which the shown one was made. The shown one also has loaded, the diagnostics
	// of a checkpoint, if they were computed on request. loading is set during the computation.
	taken   *session.Snapshot
	loading bool
	loaded  *rundir.Diagnostics
	// suggesting is set while suggested inputs are being computed.
	suggesting bool
	// inputsAsked is set once the inputs of the test rows have been asked for.
	inputsAsked bool
	// over is set when the run can no longer change.
	over bool
	// err is the reason why the directory can no longer be read.
	err error
}

// Record is a run directory that is watched while this or another process writes to it.
type Record interface {
	ID() string
	Dir() string
	// Latest reads the changes and returns the newest snapshot. It returns the same snapshot if nothing has
	// changed. It must not be called concurrently.
	Latest() (*session.Snapshot, error)
}

// take sets the snapshot to show and reports whether it is new.
func (r *watched) take(s *session.Snapshot) bool {
	if s == nil || s == r.taken {
		return false
	}
	r.taken, r.Snapshot = s, r.withLoaded(s)
	return true
}

// withLoaded adds the diagnostics of the last checkpoint to a snapshot unless it has later ones.
func (r *watched) withLoaded(s *session.Snapshot) *session.Snapshot {
	if r.loaded == nil || s.Diagnostics != nil && s.Diagnostics.Step > r.loaded.Step {
		return s
	}
	own := *s
	own.Diagnostics = r.loaded
	return &own
}

// ended reports whether the run has ended, here and in any other process.
func (r *watched) ended() bool { return r.over || r.own == nil && r.Run.Ended() }

// add puts a run on the screen.
func (d *Dash) add(r *watched) {
	d.gen++
	r.gen = d.gen
	d.watched = append(d.watched, r)
	d.Add(r.Run)
}

// remove removes run i from the screen. Training continues.
func (d *Dash) remove(i int) {
	d.watched = slices.Delete(slices.Clone(d.watched), i, i+1)
	d.Remove(i)
}

// show puts exactly the given runs on the screen. They keep their colours.
func (d *Dash) show(list []*watched, chosen int) {
	d.watched, d.Runs, d.Chosen = list, nil, chosen
	for _, r := range list {
		d.Runs = append(d.Runs, r.Run)
	}
	d.Relabel()
}

// current returns the selected run, or nil if there is none.
func (d *Dash) current() *watched {
	if len(d.watched) == 0 {
		return nil
	}
	return d.watched[d.Chosen]
}

// place returns the index of a run on the screen, or -1 if it is not shown.
func (d *Dash) place(id string) int {
	return slices.IndexFunc(d.watched, func(r *watched) bool { return r.ID == id })
}
