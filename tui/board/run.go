package board

import (
	"slices"

	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// Run is a run on a board.
type Run struct {
	ID string
	// Name is the name that the user gave to the run, or "" if there is none.
	Name     string
	Snapshot *session.Snapshot // nil before the first snapshot
	// Suggested holds the suggested inputs that are marked in the fit, or is nil.
	Suggested *probe.Suggestions
	// Inputs holds the inputs of the test rows for the table of predictions. It is nil before they have been
	// read; WithoutInputs is the reason why they cannot be read.
	Inputs        *session.TestInputs
	WithoutInputs string

	// Index determines the colour and the marker. It does not change while the run is on the board.
	Index int
	// Label distinguishes the run from the others. It is the name of the run or its differing settings. Brief
	// is the label in pictures: a shorter form for crowded legends on the screen, and Label in files.
	Label, Brief string
	// curves holds the points of the curve panels.
	curves [numQuantities]growingCurve
}

// forFiles returns a copy of the run with its full label. Files are written in the background while the run
// on the screen changes.
func (r *Run) forFiles() *Run {
	c := *r
	c.Brief = r.Label
	c.curves = [numQuantities]growingCurve{}
	return &c
}

// Ended reports whether the run has ended in its last snapshot.
func (r *Run) Ended() bool { return r.Snapshot != nil && !r.Snapshot.State.Going() }

// info returns the configuration of the run for config.Differences.
func (r *Run) info() rundir.Info {
	i := rundir.Info{ConfigFile: rundir.ConfigFile{ID: r.ID}}
	if r.Snapshot != nil {
		i.Config, i.Values = r.Snapshot.Config, r.Snapshot.Values
	}
	return i
}

// Add adds a run with the first free colour, and selects it.
func (b *Board) Add(r *Run) {
	taken := func(index int) bool {
		return slices.ContainsFunc(b.Runs, func(o *Run) bool { return o.Index == index })
	}
	for r.Index = 0; taken(r.Index); {
		r.Index++
	}
	b.Runs = append(b.Runs, r)
	b.Chosen = len(b.Runs) - 1
	b.Relabel()
}

// Remove removes run i.
func (b *Board) Remove(i int) {
	b.Runs = slices.Delete(slices.Clone(b.Runs), i, i+1)
	if b.Chosen > i || b.Chosen == len(b.Runs) {
		b.Chosen = max(b.Chosen-1, 0)
	}
	b.Relabel()
}

// Current returns the selected run, or nil if there is none.
func (b *Board) Current() *Run {
	if len(b.Runs) == 0 {
		return nil
	}
	return b.Runs[b.Chosen]
}

// Snapshot returns the newest snapshot of the selected run, or nil if there is none.
func (b *Board) Snapshot() *session.Snapshot {
	if r := b.Current(); r != nil {
		return r.Snapshot
	}
	return nil
}

// Mark returns the marker of a run.
func (b *Board) Mark(r *Run) string { return b.Theme.VizStyle().RunMarker(r.Index) }

// Marker returns the marker of a run in its colour.
func (b *Board) Marker(r *Run) string { return b.Theme.Marker(r.Index) }
