package dash

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// desk is a dashboard with its host and with run directories in memory.
type desk struct {
	*kittest.Host
	dash *Dash
	engine
}

// emptyDesk returns a dashboard of w x h cells without runs.
func emptyDesk(w, h int) *desk {
	d := &desk{Host: kittest.NewHost(), engine: engine{folders{}, &exported{files: map[string][]byte{}}}}
	d.dash = New(d, d.engine)
	d.Screen = d.dash
	d.Size(w, h)
	return d
}

// newDesk returns a dashboard of w x h cells that watches a run with snapshot s.
func newDesk(s *session.Snapshot, w, h int) (*desk, *kittest.Run) {
	d := emptyDesk(w, h)
	return d, d.start(s)
}

// start starts another run of the program with snapshot s.
func (d *desk) start(s *session.Snapshot) *kittest.Run {
	id := fmt.Sprintf("fake-%d", len(d.Started)+1)
	if s != nil {
		s.ID = id
	}
	r := kittest.NewRun(id, s)
	if s != nil && !s.State.Going() {
		r.Close()
	}
	d.Started = append(d.Started, r)
	d.Send(kit.RunStartedMsg{Run: r})
	return r
}

// watch shows runs by their identifiers and reads their directories.
func (d *desk) watch(ids ...string) {
	d.dash.Open(kit.Watch{Runs: ids})
	for _, r := range d.dash.watched {
		if r.own == nil && r.record == nil {
			d.Send(open(d.engine, r.ID, r.gen)())
		}
	}
}

// engine is the Engine of tests.
type engine struct {
	folders
	*exported
}

// exported is a folder in memory that receives all exports.
type exported struct {
	path  string
	files map[string][]byte
}

func (e *exported) Exports(folder string) (Exports, error) {
	e.path = folder
	return e, nil
}

func (e *exported) Path() string { return e.path }
func (e *exported) Close() error { return nil }

func (e *exported) WriteFile(name string, write func(io.Writer) error) (string, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return "", err
	}
	e.files[name] = b.Bytes()
	return e.path + "/" + name, nil
}

// folders holds run directories by identifier.
type folders map[string]*folder

func (f folders) Open(id string) (Record, error) {
	if r, ok := f[id]; ok {
		return r, nil
	}
	return nil, errors.New("no run " + id)
}

func (f folders) Names(ids []string) map[string]string {
	names := map[string]string{}
	for _, id := range ids {
		if r, ok := f[id]; ok && r.name != "" {
			names[id] = r.name
		}
	}
	return names
}

// Diagnose returns the diagnostics of the folder.
func (f folders) Diagnose(_ context.Context, id string) (*rundir.Diagnostics, error) {
	if r, ok := f[id]; ok && r.inside != nil {
		return r.inside, nil
	}
	return nil, errors.New("the data have changed since the run")
}

// Suggest returns a suggestion for the folder.
func (f folders) Suggest(_ context.Context, id string) (*probe.Suggestions, error) {
	if r, ok := f[id]; ok && r.suggestions != nil {
		return r.suggestions, nil
	}
	return nil, errors.New("the data have changed since the run")
}

// TestInputs returns the inputs of the test rows of the folder.
func (f folders) TestInputs(_ context.Context, id string) (*session.TestInputs, error) {
	if r, ok := f[id]; ok && r.inputs != nil {
		return r.inputs, nil
	}
	return nil, errors.New("the data have changed since the run")
}

// folder is a run directory in memory.
type folder struct {
	id   string
	name string
	snap *session.Snapshot
	// inputs holds the inputs of the test rows.
	inputs *session.TestInputs
	err    error
	reads  int
	// inside holds the diagnostics of the last checkpoint, or nil.
	inside *rundir.Diagnostics
	// suggestions holds the inputs suggested with the last checkpoint, or nil.
	suggestions *probe.Suggestions
}

// folder adds a run directory with snapshot s.
func (d *desk) folder(id string, s *session.Snapshot) *folder {
	if s != nil {
		s.ID = id
	}
	f := &folder{id: id, snap: s}
	d.folders[id] = f
	return f
}

func (f *folder) ID() string  { return f.id }
func (f *folder) Dir() string { return "/runs/" + f.id }

func (f *folder) Latest() (*session.Snapshot, error) {
	f.reads++
	return f.snap, f.err
}

// panel returns the panel with a name.
func (d *desk) panel(name string) *board.Panel {
	for _, p := range d.dash.AllPanels() {
		if p.Name == name {
			return p
		}
	}
	panic("no panel " + name)
}

// focused returns the name of the focused panel.
func (d *desk) focused() string { return d.dash.Focused().Name }

// chosen returns the value of a choice in a panel.
func (d *desk) chosen(panel string, choice int) int {
	return d.dash.Value(d.panel(panel).Choices[choice])
}
