package dash

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Engine is what the dashboard asks of the rest of the program.
type Engine interface {
	// Open returns the run directory that id means (see rundir.Find). It reads
	// files.
	Open(id string) (Record, error)
	// Names returns the names that people gave to runs, by their identifiers; those
	// that have none are left out. It reads files.
	Names(ids []string) map[string]string
	// Look builds the model of the last checkpoint of a run and returns what there is to see
	// of it. It takes as long as starting the run, and ends with ctx.
	Look(ctx context.Context, id string) (*rundir.Diagnostics, error)
}

// Record is a run directory to be watched, whoever writes it.
type Record interface {
	ID() string
	Dir() string
	// Latest reads what has changed and returns the newest snapshot: the same as
	// before when nothing has. One goroutine at a time may call it.
	Latest() (*session.Snapshot, error)
	// WriteFile writes a file into the directory, whole or not at all. It may be
	// called at any time.
	WriteFile(name string, write func(io.Writer) error) (path string, err error)
}

const (
	// readPeriod is the time between two looks at a run directory, idlePeriod that
	// of a run that nobody writes.
	readPeriod, idlePeriod = time.Second, 5 * time.Second
	// readShare bounds the share of time that reading a long run takes: a look that
	// took t is followed by a rest of readShare t at least.
	readShare = 10
)

// readNames asks what the runs on the screen are called.
func (d *Dash) readNames() tea.Cmd {
	if len(d.runs) == 0 {
		return nil
	}
	var ids []string
	for _, r := range d.runs {
		ids = append(ids, r.id)
	}
	e := d.engine
	return func() tea.Msg {
		var names map[string]string
		if kit.CatchPanic(func() { names = e.Names(ids) }) != nil {
			return nil // Runs keep the names that they have.
		}
		return namesReadMsg{names}
	}
}

// namesRead takes the names of runs and reports whether one has changed.
func (d *Dash) namesRead(msg namesReadMsg) (changed bool) {
	for _, r := range d.runs {
		if name := msg.names[r.id]; name != r.name {
			r.name, changed = name, true
		}
	}
	if changed {
		d.relabel()
	}
	return changed
}

// open looks at a run directory for the first time.
func open(e Engine, id string, gen int) tea.Cmd {
	return func() tea.Msg {
		var r Record
		var err error
		if panicked := kit.CatchPanic(func() { r, err = e.Open(id) }); panicked != nil {
			err = panicked
		}
		if err != nil {
			return recordReadMsg{gen: gen, err: err}
		}
		msg := read(r, gen)
		if msg.snapshot == nil && msg.err != nil {
			msg.record = nil // There is nothing to show of it.
		}
		return msg
	}
}

// read looks at a run directory.
func read(r Record, gen int) recordReadMsg {
	began := time.Now()
	msg := recordReadMsg{gen: gen, record: r}
	if panicked := kit.CatchPanic(func() { msg.snapshot, msg.err = r.Latest() }); panicked != nil {
		msg.err = panicked
	}
	msg.took = time.Since(began)
	return msg
}

// readLater looks at a run directory again after a rest.
func readLater(msg recordReadMsg) tea.Cmd {
	rest := readPeriod
	if msg.err != nil || msg.snapshot != nil && msg.snapshot.State == session.Ended {
		rest = idlePeriod
	}
	return tea.Tick(max(rest, readShare*msg.took), func(time.Time) tea.Msg {
		return read(msg.record, msg.gen)
	})
}

// recordRead takes what was read of a run directory. One that cannot be opened
// leaves the screen; of one that cannot be read any more the last state stays.
func (d *Dash) recordRead(msg recordReadMsg) (cmd tea.Cmd, changed bool) {
	i := -1
	for k, r := range d.runs {
		if r.gen == msg.gen {
			i = k
		}
	}
	if i < 0 {
		return nil, false
	}
	r := d.runs[i]
	if msg.record == nil {
		d.remove(i)
		return d.host.Say(kit.Bad, "cannot show "+r.id+": "+msg.err.Error()), true
	}
	changed = (r.err == nil) != (msg.err == nil)
	first := r.snap == nil
	r.record, r.id, r.err = msg.record, msg.record.ID(), msg.err
	if r.take(msg.snapshot) {
		changed = true
	}
	if first {
		d.relabel()
	}
	return readLater(msg), changed
}
