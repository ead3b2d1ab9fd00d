package sweep

import (
	"time"

	"dgplab/session/rundir"
)

// Phase is the phase of a sweep.
type Phase string

const (
	// Going means that some process is training runs.
	Going Phase = "running"
	// Resting means that the sweep is paused.
	Resting Phase = "paused"
	// Stopping means that the sweep was cancelled and that its runs are writing checkpoints.
	Stopping Phase = "stopping"
	// Over means that no process trains the sweep. Cells may remain; see State.Count.
	Over Phase = "ended"
)

// Status is the status of a cell.
type Status string

const (
	Waiting Status = "waiting" // not started, or waiting to continue
	Running Status = "running"
	Done    Status = "done"    // its run has finished
	Pruned  Status = "pruned"  // successive halving ended its run early
	Failed  Status = "failed"  // see CellState.Err
	Stopped Status = "stopped" // interrupted; continues when the sweep is resumed
)

// Statuses returns all statuses in display order.
func Statuses() []Status { return []Status{Done, Pruned, Running, Waiting, Stopped, Failed} }

// CellState is a cell with its progress.
type CellState struct {
	Cell
	Status Status `json:"status"`
	// Rung is the current rung of the setting, counted from 1, or the rung after which it did not continue.
	// It is 0 for cells that do not compete in successive halving.
	Rung int `json:"rung,omitempty"`
	// out is set if the setting did not continue after Rung.
	out bool
	// Run is the ID of the run, or "" before it starts.
	Run string `json:"run,omitempty"`
	// Step is the current step out of Steps. Steps is 0 before the run starts.
	Step  int `json:"step"`
	Steps int `json:"-"`
	// Seconds is the training time so far.
	Seconds float64 `json:"seconds"`
	// Remaining is the remaining training time at the current speed, or 0 if unknown.
	Remaining time.Duration `json:"-"`
	// Curve holds the report lines of a run that this program trains or has trained; see session.Snapshot.
	Curve []rundir.Point `json:"-"`
	// Err explains why the run failed or could not continue.
	Err error `json:"-"`
	// Summary is set for runs that have ended.
	Summary *rundir.Summary `json:"summary,omitempty"`
	// Task is the Slurm task that trained the cell last, and Log the path of its log. Both are "" if the
	// cell is done or was never taken by a task. Node is the machine of a running cell.
	Task string `json:"task,omitempty"`
	Log  string `json:"log,omitempty"`
	Node string `json:"node,omitempty"`
	// list is the list of that task.
	list string
}

// Speed returns the number of steps per second of training so far, or 0 if unknown.
func (c *CellState) Speed() float64 {
	if c.Seconds <= 0 {
		return 0
	}
	return float64(c.Step) / c.Seconds
}

// State is a consistent, immutable state of a sweep. Neither the package nor its callers may modify
// it.
type State struct {
	Name    string    `json:"name"`
	Dir     string    `json:"dir,omitempty"`
	Created time.Time `json:"created,omitzero"`
	Phase   Phase     `json:"state,omitempty"`
	Grid    Grid      `json:"grid,omitzero"`
	// Jobs is the number of parallel runs. It is 0 if another process trains the sweep.
	Jobs int `json:"-"`
	// Submitted is set if runs of the sweep were submitted to Slurm; see AskTasks.
	Submitted bool `json:"-"`
	// Decisions holds the decisions of successive halving, oldest first.
	Decisions []Decision `json:"decisions,omitempty"`

	Cells []CellState `json:"-"`

	data contents
}

// Count returns the number of cells with a status.
func (s *State) Count(status Status) int {
	n := 0
	for i := range s.Cells {
		if s.Cells[i].Status == status {
			n++
		}
	}
	return n
}

// Complete reports whether every cell is done or pruned.
func (s *State) Complete() bool { return s.Count(Done)+s.Count(Pruned) == len(s.Cells) }

// Remaining estimates the time until all waiting and running cells have ended. It uses the training
// times of finished cells that differ only in split and seed, or of all finished cells if there are
// none. Early stopping may shorten it. Remaining returns 0 if there is no information or if this
// process does not train the sweep.
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
	if s.Grid.Halving > 0 {
		return s.halvingRemaining()
	}
	left, longest, known := 0.0, 0.0, false
	for _, c := range s.Cells {
		seconds := 0.0
		m := same[c.setting]
		switch {
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

// halvingRemaining estimates the remaining time with successive halving, assuming that the slowest settings
// continue. The times of whole runs are extrapolated from the steps done so far.
func (s *State) halvingRemaining() time.Duration {
	var all mean
	same := map[string]*mean{}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Step == 0 || c.Steps == 0 || c.Seconds == 0 {
			continue
		}
		if same[c.setting] == nil {
			same[c.setting] = new(mean)
		}
		whole := c.Seconds / float64(c.Step) * float64(c.Steps)
		same[c.setting].add(whole)
		all.add(whole)
	}
	if all.n == 0 {
		return 0
	}
	left := s.halvingSeconds(func(c *CellState) bool { return c.left(false) },
		func(c *CellState) float64 {
			if m := same[c.setting]; m != nil {
				return m.value()
			}
			return all.value()
		}, func(c *CellState) float64 { return c.Seconds })
	return duration(left / float64(s.Jobs))
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

// duration converts seconds to a Duration and saturates at the maximum.
func duration(seconds float64) time.Duration {
	if most := time.Duration(1<<63 - 1); seconds < most.Seconds() {
		return time.Duration(seconds * float64(time.Second))
	}
	return 1<<63 - 1
}
