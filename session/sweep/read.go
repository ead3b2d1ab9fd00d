package sweep

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dgplab/session"
	"dgplab/session/rundir"
)

// Open reads the state of a sweep from its files, even while another process trains it. It returns an error
// if the sweep does not exist, or if its grid is no longer valid, for example because a data set was removed.
// If the sweep was submitted to Slurm and this machine lacks the file of a data set, the cells are those of
// the submissions.
func Open(name string) (*State, error) {
	runs, err := rundir.List()
	if err != nil {
		return nil, err
	}
	return OpenAmong(name, runs)
}

// OpenAmong is like Open, but with a given list of all runs.
func OpenAmong(name string, runs []rundir.Info) (*State, error) {
	dir, f, cells, err := stored(name)
	if errors.Is(err, fs.ErrNotExist) {
		listed, failed := submittedCells(dir)
		if failed == nil && len(listed) > 0 {
			cells, err = listed, nil
		}
	}
	if err != nil {
		return nil, err
	}
	s := &State{
		Name:    name,
		Dir:     dir,
		Created: f.Created,
		Grid:    f.Grid,
		Phase:   Over,

		Decisions: f.Decisions,
		data:      f.Data,
	}
	s.take(cells, runs)
	if rundir.Locked(dir) {
		s.Phase = Going
	}
	return s, nil
}

// Preview returns the initial state of a sweep. Cells that have a run in an existing sweep of that
// name keep its progress. in reads files for their default splits. Preview writes nothing.
func Preview(ctx context.Context, in *session.Inspector, grid Grid, name string) (*State, error) {
	grid, err := grid.withDefaultSplits(ctx, in)
	if err != nil {
		return nil, err
	}
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
	}
	s.data, err = contentsOf(ctx, in, s.Grid)
	if err != nil {
		return nil, err
	}
	old, _, err := extended(s, cells)
	if err != nil {
		return nil, err
	}
	if old != nil {
		s.Created, s.Decisions, s.data = old.Created, old.Decisions, old.Data.with(s.data)
	}
	runs, err := rundir.List()
	s.take(cells, runs)
	return s, err
}

// take sets the cells and their progress according to their runs, the decisions and the files of tasks.
func (s *State) take(cells []Cell, runs []rundir.Info) {
	s.Cells = match(s.Name, cells, s.data.own(runs))
	s.adopt(runs)
	s.follow()
	s.Submitted = folderExists(filepath.Join(s.Dir, listsName))
	if s.Submitted {
		s.readTasks()
	}
}

// adopt takes runs that were trained outside of sweeps for cells without a run. They have the configuration
// of the cell and the same data, so another run would have the same result. Successive halving trains its
// runs to its rungs.
func (s *State) adopt(runs []rundir.Info) {
	if s.Grid.Halving > 0 {
		return
	}
	type kind struct{ dataset, split, family string }
	kinds := map[kind]bool{} // Most runs are of no such kind, and keys take time.
	without := map[string]*CellState{}
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Run == "" {
			without[c.Key] = c
			kinds[kind{c.Config.Dataset, c.Config.Split, c.Config.Family}] = true
		}
	}
	for _, info := range runs { // Runs are sorted newest first.
		if !kinds[kind{info.Config.Dataset, info.Config.Split, info.Config.Family}] || !s.data.trained(info) {
			continue
		}
		key := Key(info.Config)
		c, wanted := without[key]
		found := stateOf(info)
		if wanted && found.Status == Done {
			found.Cell = c.Cell
			*c = found
			delete(without, key)
		}
	}
}

// readTasks completes the cells that are not done by the files that their tasks have written.
func (s *State) readTasks() {
	root := filepath.Dir(filepath.Dir(s.Dir))
	taken := map[string]bool{}
	folders, _ := os.ReadDir(filepath.Join(s.Dir, cellsName))
	for _, f := range folders {
		taken[f.Name()] = true
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		name := cellFolderName(c.Key)
		if c.Status == Done || !taken[name] {
			continue
		}
		dir := filepath.Join(s.Dir, cellsName, name)
		f, err := readCell(dir)
		if err != nil {
			continue // The run directory is the record of the cell.
		}
		c.list, c.Task = f.List, f.Task
		if f.Task != "" {
			c.Log = filepath.Join(s.Dir, listsName, f.List, logsName, f.Task+".log")
		}
		if f.status(c.Status) != c.Status {
			c.Status, c.Err = Failed, errors.New(f.Error)
		}
		holder := dir
		if c.Status == Running {
			holder = filepath.Join(root, c.Run)
		} else if !rundir.Locked(dir) {
			continue
		}
		c.Status = Running // A task is about to start or to continue the run.
		if owner := rundir.OwnerOf(holder); owner != nil {
			c.Node = owner.Host
		}
	}
}

// Only returns the state of some cells of the sweep, in the given order.
func (s *State) Only(cells []Cell) *State {
	byKey := make(map[string]*CellState, len(s.Cells))
	for i := range s.Cells {
		byKey[s.Cells[i].Key] = &s.Cells[i]
	}
	part := *s
	part.Cells = make([]CellState, len(cells))
	for i, c := range cells {
		part.Cells[i] = *byKey[c.Key]
	}
	return &part
}

// Left returns the cells that remain to be trained. These are all cells that are neither done nor pruned;
// failed cells are included only if retry is true.
func (s *State) Left(retry bool) []Cell {
	var left []Cell
	for i := range s.Cells {
		if c := &s.Cells[i]; c.left(retry) {
			left = append(left, c.Cell)
		}
	}
	return left
}

// left reports whether a cell remains to be trained; see Left.
func (c *CellState) left(retry bool) bool {
	return c.Status != Done && !c.out && (c.Status != Failed || retry)
}

// Entry is a sweep in a list.
type Entry struct {
	Name string
	// State is nil if the sweep cannot be read. Err then holds the reason.
	State *State
	Err   error
}

// List returns all sweeps, newest first. Unreadable sweeps are last.
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
		s, err := OpenAmong(name, runs)
		if errors.Is(err, ErrNone) {
			continue // The process died before writing the grid.
		}
		list = append(list, Entry{name, s, err})
	}
	slices.SortStableFunc(list, func(a, b Entry) int { // The list is sorted by name.
		return b.created().Compare(a.created())
	})
	return list, nil
}

// created returns the creation time, or the zero time if the sweep cannot be read.
func (e Entry) created() (t time.Time) {
	if e.State != nil {
		t = e.State.Created
	}
	return t
}

// Runs returns the runs of a sweep in the order of its cells, one for each started cell.
func Runs(name string) ([]rundir.Info, error) {
	all, err := rundir.List()
	if err != nil {
		return nil, err
	}
	s, err := OpenAmong(name, all)
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

// match finds the run of each cell. Of several runs it selects the one with the most progress, or the newest
// of equal runs.
func match(name string, cells []Cell, runs []rundir.Info) []CellState {
	best := map[string]CellState{}
	for _, info := range runs { // Runs are sorted newest first.
		if info.Sweep != name {
			continue
		}
		key := Key(info.Config)
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

// progress orders statuses by progress.
func progress(s Status) int {
	return slices.Index([]Status{Failed, Stopped, Waiting, Running, Done}, s)
}

// stateOf returns the cell state for a run directory.
func stateOf(info rundir.Info) CellState {
	c := CellState{Run: info.ID, Step: info.Step, Steps: info.Steps, Err: info.Err}
	if info.Results != nil {
		c.Seconds = info.Results.Seconds
	}
	switch {
	case info.State == rundir.Running:
		c.Status = Running
	case info.State == rundir.Broken:
		c.Status = Failed
	case info.State == rundir.Interrupted:
		c.Status = Stopped
	default:
		c.end(info.Results)
	}
	return c
}

// end records the end of a run.
func (c *CellState) end(s *rundir.Summary) {
	c.Summary = s
	c.Step = s.Step
	c.Seconds = s.Seconds
	c.Remaining = 0
	c.Err = nil
	switch s.Stop {
	case rundir.StopFailed:
		c.Status, c.Err = Failed, errors.New(s.Error)
	case rundir.StopAsked:
		c.Status = Stopped
	case rundir.StopRung:
		c.Status = Waiting
	default:
		c.Status = Done
	}
}
