package sweep

import (
	"errors"
	"slices"
	"time"

	"dgplab/session"
	"dgplab/session/rundir"
)

// Open returns the state of a sweep as its files tell, whichever process works on
// it. There is an error when there is no such sweep, or when its grid is no
// longer one, for example because a data set is gone.
func Open(name string) (*State, error) {
	runs, err := rundir.List()
	if err != nil {
		return nil, err
	}
	return open(name, runs)
}

// open is Open with the list of all runs.
func open(name string, runs []rundir.Info) (*State, error) {
	dir, f, cells, err := stored(name)
	if err != nil {
		return nil, err
	}
	s := &State{
		Name:    name,
		Dir:     dir,
		Created: f.Created,
		Grid:    f.Grid,
		Phase:   Over,
		Cells:   match(name, cells, runs),
	}
	if rundir.Locked(dir) {
		s.Phase = Going
	}
	return s, nil
}

// Preview returns the state that the sweep of a grid would begin with: cells that
// have a run in a sweep of that name are as far as it came. Nothing is written.
func Preview(grid Grid, name string) (*State, error) {
	cells, err := grid.Cells()
	if err != nil {
		return nil, err
	}
	if err := grid.checkEffect(cells); err != nil {
		return nil, err
	}
	if name == "" {
		name = grid.DefaultName(cells)
	}
	dir, err := folderOf(name)
	if err != nil {
		return nil, err
	}
	s := &State{
		Name:  name,
		Dir:   dir,
		Grid:  grid.completed(cells),
		Phase: Over,
		Cells: match(name, cells, nil),
	}
	created, _, err := extended(name, cells)
	if err != nil {
		return nil, err
	}
	if created.IsZero() {
		return s, nil
	}
	runs, err := rundir.List()
	s.Created, s.Cells = created, match(name, cells, runs)
	return s, err
}

// Left returns the cells that would be trained: all but those that are done and,
// unless they are asked for again, those that failed.
func (s *State) Left(retry bool) []Cell {
	var left []Cell
	for _, c := range s.Cells {
		if c.Status != Done && (c.Status != Failed || retry) {
			left = append(left, c.Cell)
		}
	}
	return left
}

// Entry is a sweep of the list.
type Entry struct {
	Name string
	// State is nil when the sweep cannot be read; Err says why.
	State *State
	Err   error
}

// List returns all sweeps, the newest first and those that cannot be read last.
func List() ([]Entry, error) {
	all, err := Names()
	if err != nil || len(all) == 0 {
		return nil, err
	}
	runs, err := rundir.List()
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, name := range all {
		s, err := open(name, runs)
		if errors.Is(err, ErrNone) {
			continue // A folder without a grid: its process died before it was written.
		}
		list = append(list, Entry{name, s, err})
	}
	slices.SortStableFunc(list, func(a, b Entry) int { // They are in the order of their names.
		return b.created().Compare(a.created())
	})
	return list, nil
}

// created returns when the sweep was created; the zero time if it cannot be read.
func (e Entry) created() (t time.Time) {
	if e.State != nil {
		t = e.State.Created
	}
	return t
}

// Runs returns the runs of a sweep, in the order of its cells, one for each cell that was
// ever started.
func Runs(name string) ([]rundir.Info, error) {
	all, err := rundir.List()
	if err != nil {
		return nil, err
	}
	s, err := open(name, all)
	if err != nil {
		return nil, err
	}
	byID := map[string]rundir.Info{}
	for _, info := range all {
		byID[info.ID] = info
	}
	var runs []rundir.Info
	for _, c := range s.Cells {
		if c.Run != "" {
			runs = append(runs, byID[c.Run])
		}
	}
	return runs, nil
}

// match finds the run of every cell. Of several runs of a cell the one counts that
// came farthest, and of equal ones the newest.
func match(name string, cells []Cell, runs []rundir.Info) []CellState {
	best := map[string]CellState{}
	for _, info := range runs { // The newest first.
		if info.Sweep != name {
			continue
		}
		key := keyOf(session.Effective(info.Config))
		c := stateOf(info)
		if old, ok := best[key]; !ok || progress(c.Status) > progress(old.Status) {
			best[key] = c
		}
	}
	states := make([]CellState, len(cells))
	for i, cell := range cells {
		if found, ok := best[cell.Key]; ok {
			states[i] = found
		} else {
			states[i].Status = Waiting
		}
		states[i].Cell = cell
	}
	return states
}

// progress orders what became of runs.
func progress(s Status) int { return slices.Index([]Status{Failed, Stopped, Running, Done}, s) }

// stateOf says what a run directory means for its cell.
func stateOf(info rundir.Info) CellState {
	c := CellState{Run: info.ID, Step: info.Step, Steps: info.Steps, Err: info.Err, Summary: info.Summary}
	if s := info.Last.Seconds; s > 0 { // It is NaN where there is no line.
		c.Seconds = s
	}
	switch {
	case info.State == rundir.Running:
		c.Status = Running
	case info.State == rundir.Broken:
		c.Status = Failed
	case info.Summary == nil:
		c.Status = Stopped
	default:
		c.end(info.Summary)
	}
	return c
}

// end takes over how a run ended.
func (c *CellState) end(s *rundir.Summary) {
	c.Summary = s
	c.Step = s.Steps
	c.Seconds = s.Seconds
	c.Remaining = 0
	c.Err = nil
	switch s.Stop {
	case rundir.StopFailed:
		c.Status, c.Err = Failed, errors.New(s.Error)
	case rundir.StopAsked:
		c.Status = Stopped
	default:
		c.Status = Done
	}
}
