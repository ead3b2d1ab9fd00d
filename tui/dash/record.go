package dash

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Engine is the interface of the dashboard to the rest of the program. Its methods read files.
type Engine interface {
	// Open opens the run directory with this identifier (see rundir.Find).
	Open(id string) (Record, error)
	// Names returns the names of runs by identifier. It omits runs without a name.
	Names(ids []string) map[string]string
	// Diagnose builds the model of the last checkpoint of a run and returns its diagnostics. This takes about
	// as long as starting the run. It stops when ctx is cancelled.
	Diagnose(ctx context.Context, id string) (*rundir.Diagnostics, error)
	// Suggest builds the model of the last checkpoint of a run and returns the next inputs of an experiment.
	Suggest(ctx context.Context, id string) (*probe.Suggestions, error)
	// TestInputs reads the data of a run and returns the inputs of its test rows.
	TestInputs(ctx context.Context, id string) (*session.TestInputs, error)
	// Exports opens a folder for exports, and creates it if necessary.
	Exports(folder string) (Exports, error)
}

const (
	// readPeriod is the time between two reads of a run directory that has a writer. idlePeriod is the time
	// between two reads of other run directories.
	readPeriod, idlePeriod = time.Second, 5 * time.Second
	// readShare limits the share of time spent on reading a long run: after a read that took t, the next one
	// follows at least readShare t later.
	readShare = 10
)

// readNames reads the names of the runs on the screen.
func (d *Dash) readNames() tea.Cmd {
	if len(d.Runs) == 0 {
		return nil
	}
	var ids []string
	for _, r := range d.Runs {
		ids = append(ids, r.ID)
	}
	e := d.engine
	return func() tea.Msg {
		var names map[string]string
		if kit.CatchPanic(func() { names = e.Names(ids) }) != nil {
			return nil // Runs keep their names.
		}
		return namesReadMsg{names}
	}
}

// namesRead updates the names of runs and reports whether one has changed.
func (d *Dash) namesRead(msg namesReadMsg) (changed bool) {
	for _, r := range d.Runs {
		if name := msg.names[r.ID]; name != r.Name {
			r.Name, changed = name, true
		}
	}
	if changed {
		d.Relabel()
	}
	return changed
}

// open opens and reads a run directory.
func open(e Engine, id string, gen int) tea.Cmd {
	return func() tea.Msg {
		var r Record
		err := kit.Try(func() (err error) {
			r, err = e.Open(id)
			return err
		})
		if err != nil {
			return recordReadMsg{gen: gen, err: err}
		}
		msg := read(r, gen)
		if msg.snapshot == nil && msg.err != nil {
			msg.record = nil // There is nothing to show.
		}
		return msg
	}
}

// read reads an opened run directory.
func read(r Record, gen int) recordReadMsg {
	began := time.Now()
	msg := recordReadMsg{gen: gen, record: r}
	msg.err = kit.Try(func() (err error) {
		msg.snapshot, err = r.Latest()
		return err
	})
	msg.took = time.Since(began)
	return msg
}

// readLater reads a run directory again after a while.
func readLater(msg recordReadMsg) tea.Cmd {
	rest := readPeriod
	if msg.err != nil || msg.snapshot != nil && !msg.snapshot.State.Going() {
		rest = idlePeriod
	}
	return tea.Tick(max(rest, readShare*msg.took), func(time.Time) tea.Msg {
		return read(msg.record, msg.gen)
	})
}

// recordRead shows the content of a run directory. A directory that cannot be opened is removed from the
// screen. A directory that can no longer be read keeps its last state.
func (d *Dash) recordRead(msg recordReadMsg) (cmd tea.Cmd, changed bool) {
	i := -1
	for k, r := range d.watched {
		if r.gen == msg.gen {
			i = k
		}
	}
	if i < 0 {
		return nil, false
	}
	r := d.watched[i]
	if msg.record == nil {
		d.remove(i)
		return d.host.Say(kit.Bad, "cannot show "+r.ID+": "+msg.err.Error()), true
	}
	changed = (r.err == nil) != (msg.err == nil)
	first := r.Snapshot == nil
	r.record, r.ID, r.err = msg.record, msg.record.ID(), msg.err
	if r.take(msg.snapshot) {
		changed = true
	}
	if first {
		d.Relabel()
	}
	return readLater(msg), changed
}
