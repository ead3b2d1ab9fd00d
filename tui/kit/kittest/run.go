package kittest

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"dgplab/session"
	"dgplab/session/rundir"
)

// Run is a run with snapshots set by the test. It records requests.
type Run struct {
	// StopEnds is set if stopping or cancelling the run ends it immediately.
	StopEnds bool

	id     string
	latest atomic.Pointer[session.Snapshot]
	done   chan struct{}

	mu    sync.Mutex
	asked []string
	files map[string][]byte
}

// NewRun returns a run with an ID and a snapshot, which may be nil.
func NewRun(id string, s *session.Snapshot) *Run {
	r := &Run{id: id, done: make(chan struct{}), files: map[string][]byte{}, StopEnds: true}
	r.latest.Store(s)
	return r
}

// Show sets the newest snapshot.
func (r *Run) Show(s *session.Snapshot) { r.latest.Store(s) }

// Close closes Done.
func (r *Run) Close() { close(r.done) }

// The methods of kit.Run.

func (r *Run) ID() string                { return r.id }
func (r *Run) Dir() string               { return "/runs/" + r.id }
func (r *Run) Latest() *session.Snapshot { return r.latest.Load() }
func (r *Run) Pause()                    { r.ask("pause"); r.state(rundir.Paused) }
func (r *Run) Continue()                 { r.ask("continue"); r.state(rundir.Running) }
func (r *Run) Checkpoint()               { r.ask("checkpoint") }
func (r *Run) Diagnose()                 { r.ask("diagnose") }
func (r *Run) Evaluate()                 { r.ask("evaluate") }
func (r *Run) Finish()                   { r.ask("finish") }
func (r *Run) Done() <-chan struct{}     { return r.done }

// Stop ends the run if StopEnds is set.
func (r *Run) Stop() {
	r.ask("stop")
	r.end()
}

// Cancel is like Stop, as if the run's context had ended.
func (r *Run) Cancel() {
	r.ask("cancel")
	r.end()
}

func (r *Run) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.done:
	default:
		if r.StopEnds {
			s := *r.latest.Load()
			s.State, s.Stop = rundir.Ended, rundir.StopAsked
			r.latest.Store(&s)
			close(r.done)
		}
	}
}

// WriteFile stores the file for File.
func (r *Run) WriteFile(name string, write func(io.Writer) error) (string, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[name] = b.Bytes()
	return filepath.Join(r.Dir(), name), nil
}

func (r *Run) ask(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, what)
}

// Asked returns all requests in order.
func (r *Run) Asked() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.asked)
}

// File returns the content of a written file.
func (r *Run) File(name string) (content []byte, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	content, ok = r.files[name]
	return content, ok
}

// Count returns the number of requests of one kind.
func (r *Run) Count(what string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, a := range r.asked {
		if a == what {
			n++
		}
	}
	return n
}

func (r *Run) state(to rundir.State) {
	s := *r.latest.Load()
	s.State = to
	r.latest.Store(&s)
}
