package sweep

import (
	"time"

	"dgplab/session/rundir"
)

// Phase is where a sweep stands.
type Phase string

const (
	// Going means that runs are being trained, by whichever process.
	Going Phase = "running"
	// Resting means that it is paused.
	Resting Phase = "paused"
	// Stopping means that it was cancelled and its runs keep their last checkpoints.
	Stopping Phase = "stopping"
	// Over means that no process works on it; State.Count says what is left.
	Over Phase = "ended"
)

// Status is where a cell stands.
type Status string

const (
	Waiting Status = "waiting" // never started, or about to go on
	Running Status = "running"
	Done    Status = "done"    // its run reached its end
	Failed  Status = "failed"  // see CellState.Err
	Stopped Status = "stopped" // interrupted; it goes on when the sweep is resumed
)

// Statuses lists all in the order in which they are told.
func Statuses() []Status { return []Status{Done, Running, Waiting, Stopped, Failed} }

// CellState is a cell and what became of it.
type CellState struct {
	Cell
	Status Status `json:"status"`
	// Run is the ID of its run, "" before it was started.
	Run string `json:"run,omitempty"`
	// Step of Steps; Steps is 0 before it was started.
	Step  int `json:"step"`
	Steps int `json:"-"`
	// Seconds is training time so far.
	Seconds float64 `json:"seconds"`
	// Remaining is the training time left at the present rate, 0 if it is not known.
	Remaining time.Duration `json:"-"`
	// Err says why it failed, or could not go on.
	Err error `json:"-"`
	// Summary is set for runs that ended.
	Summary *rundir.Summary `json:"summary,omitempty"`
}

// State is one consistent, immutable state of a sweep. Nothing in it is written
// after it was returned: readers must not write either.
type State struct {
	Name    string    `json:"name"`
	Dir     string    `json:"dir,omitempty"`
	Created time.Time `json:"created,omitzero"`
	Phase   Phase     `json:"state,omitempty"`
	Grid    Grid      `json:"grid,omitzero"`
	// Jobs is how many runs go at once; 0 where another process decides.
	Jobs  int         `json:"-"`
	Cells []CellState `json:"-"`
}

// Count returns how many cells have a status.
func (s *State) Count(status Status) int {
	n := 0
	for i := range s.Cells {
		if s.Cells[i].Status == status {
			n++
		}
	}
	return n
}

// Complete says that every cell is done.
func (s *State) Complete() bool { return s.Count(Done) == len(s.Cells) }

// Remaining estimates the time until all cells that wait or run have ended, from
// the training times of those that are done: of cells that differ in split and
// seed alone where there are any, else of all. It returns 0 as long as nothing is
// known, or this process does not work on the sweep. Early stopping can end it sooner.
func (s *State) Remaining() time.Duration {
	if s.Jobs == 0 || s.Phase == Over {
		return 0
	}
	var all mean
	same := map[string]*mean{}
	for _, c := range s.Cells {
		if c.Status == Done {
			all.add(c.Seconds)
			if same[c.setting] == nil {
				same[c.setting] = new(mean)
			}
			same[c.setting].add(c.Seconds)
		}
	}
	left, longest, known := 0.0, 0.0, false
	for _, c := range s.Cells {
		seconds := 0.0
		switch m := same[c.setting]; {
		case c.Status == Running && c.Remaining > 0:
			seconds, known = c.Remaining.Seconds(), true
			all.add(c.Seconds + seconds)
		case c.Status != Waiting && c.Status != Running:
			continue
		case m != nil:
			seconds, known = max(0, m.value()-c.Seconds), true
		case all.n > 0:
			seconds, known = max(0, all.value()-c.Seconds), true
		}
		left, longest = left+seconds, max(longest, seconds)
	}
	if !known {
		return 0
	}
	return duration(max(left/float64(s.Jobs), longest))
}

// mean is a running mean.
type mean struct {
	n   int
	sum float64
}

func (m *mean) add(x float64) {
	m.n = m.n + 1
	m.sum = m.sum + x
}
func (m *mean) value() float64 { return m.sum / float64(m.n) }

// duration converts seconds; what does not fit is as long as possible.
func duration(seconds float64) time.Duration {
	if most := time.Duration(1<<63 - 1); seconds < most.Seconds() {
		return time.Duration(seconds * float64(time.Second))
	}
	return 1<<63 - 1
}
