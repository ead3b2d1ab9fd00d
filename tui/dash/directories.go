package dash

import (
	"context"
	"time"

	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Directories is the Engine of the program. It reads the run directories of this machine.
type Directories struct{}

// Open opens the run directory with this identifier.
func (Directories) Open(id string) (Record, error) {
	run, err := rundir.FindReadOnly(id)
	if err != nil {
		return nil, err
	}
	return &directory{run: run}, nil
}

// Names reads the names from the notes of the runs.
func (Directories) Names(ids []string) map[string]string {
	names := map[string]string{}
	for _, id := range ids {
		if info, err := rundir.Find(id); err == nil && info.Notes.Name != "" {
			names[id] = info.Notes.Name
		}
	}
	return names
}

// Diagnose returns the diagnostics of the last checkpoint of a run.
func (Directories) Diagnose(ctx context.Context, id string) (*rundir.Diagnostics, error) {
	run, err := rundir.FindReadOnly(id)
	if err != nil {
		return nil, err
	}
	return session.Diagnose(ctx, run)
}

// Suggest returns inputs suggested with the last checkpoint of a run, the same as dgplab suggest with
// as many suggestions.
func (Directories) Suggest(ctx context.Context, id string) (*probe.Suggestions, error) {
	run, err := rundir.FindReadOnly(id)
	if err != nil {
		return nil, err
	}
	o := probe.SuggestOptions{Criterion: probe.ALM, Count: suggestions, Hypercube: probe.UsualCandidates}
	return session.Suggest(ctx, run, "", nil, o)
}

// TestInputs reads the data of a run and returns the inputs of its test rows.
func (Directories) TestInputs(ctx context.Context, id string) (*session.TestInputs, error) {
	run, err := rundir.FindReadOnly(id)
	if err != nil {
		return nil, err
	}
	return session.ReadTestInputs(ctx, run)
}

// suggestions is the number of suggested inputs on the screen.
const suggestions = 5

// Exports opens a folder for exports, and creates it if necessary.
func (Directories) Exports(folder string) (Exports, error) {
	e, err := rundir.CreateExports(kit.ExpandPath(folder))
	if err != nil {
		return nil, err // Do not return e: an interface that holds a nil pointer is not nil.
	}
	return e, nil
}

// directory is a run directory. It is read again whenever one of its files has changed, because a run may be
// resumed, evaluated and ended while it is watched.
type directory struct {
	run  rundir.Info
	snap *session.Snapshot // of run; nil before the first Latest
	err  error             // reason why snap lacks data
}

func (d *directory) ID() string  { return d.run.ID }
func (d *directory) Dir() string { return d.run.Dir }

// Latest returns the snapshot of the current state of the directory.
func (d *directory) Latest() (*session.Snapshot, error) {
	run := d.run
	if d.snap != nil {
		now, err := rundir.FindReadOnly(run.Dir)
		if err != nil {
			return d.snap, err
		}
		if now.State == run.State && now.Changed.Equal(run.Changed) {
			return d.snap, d.err
		}
		run = now
	}
	s := session.Open(run)
	diagnostics, err := run.Diagnostics()
	if err == nil && diagnostics != nil {
		s.Diagnostics = diagnostics
		if d.snap != nil && d.snap.Diagnostics != nil && d.snap.Diagnostics.Step == diagnostics.Step {
			s.Diagnostics = d.snap.Diagnostics // Keep the pointer, so that panels are not drawn again.
		}
	}
	addPace(s)
	d.run, d.snap, d.err = run, s, err
	return s, err
}

// addPace adds the speed and the remaining time of a run in progress, computed from the report lines of the
// last seconds of training.
func addPace(s *session.Snapshot) {
	const window = 5.0 // seconds, as in a run of this program
	n := len(s.Curve)
	if !s.State.Going() || n < 2 {
		return
	}
	last, i := s.Curve[n-1], n-2
	for i > 0 && last.Seconds-s.Curve[i].Seconds < window {
		i--
	}
	took := last.Seconds - s.Curve[i].Seconds
	if !(took > 0) {
		return
	}
	speed := float64(last.Step-s.Curve[i].Step) / took
	s.StepsPerSecond = rundir.Number(speed)
	if left := float64(s.Steps-s.Step) / speed; left > 0 && left < 1e9 {
		s.Remaining = time.Duration(left * float64(time.Second))
	}
}
