package sweep

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"dgplab/datasets/files"
	"dgplab/session/slurm"
)

// Place is the state of an unfinished cell outside this machine.
type Place string

// The places of a cell that was submitted to Slurm.
const (
	PlacePending  Place = "pending"
	PlaceRunning  Place = "running"
	PlaceRequeued Place = "requeued" // pending again after a time limit or a pre-emption
	// PlaceTimedOut means that the time limit came more often than allowed.
	PlaceTimedOut  Place = "timed out"
	PlaceCancelled Place = "cancelled"
	PlaceFailed    Place = "failed"
	// PlaceLost means that the task ended without a record: its process was killed or its node was lost.
	PlaceLost Place = "lost"
	// PlaceUnknown means that the task may be pending. Slurm was not asked or did not answer.
	PlaceUnknown Place = "submitted"
	PlaceDone    Place = "done"
)

// Places returns all places in display order.
func Places() []Place {
	return []Place{PlaceDone, PlaceRunning, PlacePending, PlaceRequeued, PlaceUnknown, PlaceTimedOut,
		PlaceCancelled, PlaceLost, PlaceFailed}
}

// Placement is the state of a cell that was submitted to Slurm.
type Placement struct {
	Place Place `json:"place"`
	// Task is the Slurm task of the cell, and Log the path of its log.
	Task string `json:"task,omitempty"`
	Log  string `json:"log,omitempty"`
	// Reason explains the place in words.
	Reason string `json:"reason,omitempty"`
	// Node is the node of a running cell, and Left the time before the limit of its task, or 0.
	Node string        `json:"node,omitempty"`
	Left time.Duration `json:"-"`
	// Timeouts is the number of time limits so far; Most is the number after which the cell is not
	// queued again.
	Timeouts int `json:"timeouts,omitempty"`
	Most     int `json:"-"`

	list string
	// begun is set if the task is known to have begun this or another cell.
	begun bool
}

// Placements are the places of the cells of a sweep.
type Placements struct {
	// Cells has an element for each cell of the sweep. It is nil for cells that were not submitted.
	Cells []*Placement
	// Jobs holds the IDs of the jobs that have tasks.
	Jobs []string
	// Err is the reason why Slurm could not be asked. The places then follow from files alone.
	Err error
}

// Count returns the number of cells in a place.
func (p *Placements) Count(place Place) int {
	n := 0
	for _, c := range p.Cells {
		if c != nil && c.Place == place {
			n++
		}
	}
	return n
}

// Active reports whether a cell is pending or running.
func (p *Placement) Active() bool {
	switch p.Place {
	case PlacePending, PlaceRunning, PlaceRequeued, PlaceUnknown:
		return true
	}
	return false
}

// Placed returns the places of the cells of a sweep, or nil if the sweep was not submitted. It asks
// Slurm, with a deadline.
func Placed(ctx context.Context, s *State) (*Placements, error) {
	submissions, err := Submissions(s.Name)
	if err != nil || len(submissions) == 0 {
		return nil, err
	}
	tasks, asked := slurm.Queue(ctx, JobName(s.Name))
	p := &Placements{Cells: make([]*Placement, len(s.Cells)), Err: asked}
	queued := map[string]slurm.Task{}
	jobs := map[string]bool{}
	for _, t := range tasks {
		queued[t.ID()] = t
		jobs[t.Job] = true
	}
	index := make(map[string]int, len(s.Cells))
	for i := range s.Cells {
		index[s.Cells[i].Key] = i
	}
	var ended []string
	for _, sub := range submissions { // The last submission of a cell counts, unless it has ended.
		keys, err := readKeys(sub.Dir)
		if err != nil {
			return nil, err
		}
		for at, key := range keys {
			i, ok := index[key]
			if !ok {
				continue
			}
			task := sub.task(at)
			t, active := queued[task]
			if old := p.Cells[i]; old != nil && old.Place != PlaceUnknown && !active {
				continue
			}
			p.Cells[i] = placement(&sub, task, t, active)
		}
		for _, job := range sub.jobs() {
			if jobs[job] {
				p.Jobs = append(p.Jobs, job)
			} else {
				ended = append(ended, job)
			}
		}
	}
	accounted := map[string]string{}
	if asked == nil {
		accounted, _ = slurm.Accounted(ctx, append(ended, p.Jobs...)) // Many sites have no accounting.
	}
	for i := range s.Cells {
		if p.Cells[i] != nil {
			p.Cells[i].settle(s, &s.Cells[i], asked == nil, accounted)
		}
	}
	p.findBroken()
	return p, nil
}

// endedBefore is the reason of a cell whose task ended before the cell began.
const endedBefore = "its task ended before the cell began"

// findBroken finds cells whose tasks could not begin, for example because a command of the script failed.
// Their logs give the reason.
func (p *Placements) findBroken() {
	begun := map[string]bool{}
	for _, c := range p.Cells {
		if c != nil && c.begun {
			begun[c.Task] = true
		}
	}
	for _, c := range p.Cells {
		if c == nil || c.Reason != endedBefore || begun[c.Task] {
			continue
		}
		last := LastLines(c.Log, 1)
		if len(last) > 0 && !slurm.Cancels(last[0]) {
			c.Place = PlaceFailed
		}
	}
}

// placement returns the state of a cell from its task, which is active if Slurm knows it.
func placement(sub *Submission, task string, t slurm.Task, active bool) *Placement {
	p := &Placement{Task: task, Place: PlaceUnknown, Most: *sub.Options.Timeouts}
	p.list, p.Log = sub.List, filepath.Join(sub.Dir, logsName, task+".log")
	switch {
	case !active:
	case t.Pending():
		p.Place, p.Reason = PlacePending, slurm.Words(t.Reason)
	default:
		p.Place, p.Node, p.Left = PlaceRunning, t.Node, t.Left
	}
	return p
}

// settle completes the state of a cell from its run and its file. known is true if Slurm has
// answered.
func (p *Placement) settle(s *State, c *CellState, known bool, accounted map[string]string) {
	if c.Status == Done {
		*p = Placement{Place: PlaceDone, Task: p.Task, Log: p.Log, begun: true}
		return
	}
	f, err := readCell(filepath.Join(s.Dir, cellsName, cellFolderName(c.Key)))
	if err != nil {
		f = new(cellFile)
	}
	last := f.last()
	p.Timeouts = f.timeouts(p.list)
	mine := last.Job == p.Task
	p.begun = mine
	switch {
	case p.Place == PlacePending && mine:
		p.Place, p.Reason = PlaceRequeued, requeueWords(last)+"; "+p.Reason
		return
	case p.Place == PlacePending:
		return
	case c.Status == Running:
		p.Place = PlaceRunning
		if p.Node == "" {
			p.Node = last.Host
		}
		return
	case p.Place == PlaceRunning:
		p.Reason = waitingWords(f, p)
		return
	}
	p.ended(last, mine, known, accounted)
	if c.Status == Failed {
		p.Place = PlaceFailed
	}
}

// requeueWords explains why a task is pending again after an event of its cell.
func requeueWords(last Event) string {
	switch last.Kind {
	case EventRequeued:
		return "time limit"
	case EventCause:
		return last.Text
	case EventStarted:
		return "killed, or its node was lost"
	}
	return "interrupted"
}

// waitingWords explains a cell whose task runs but which is not trained.
func waitingWords(f *cellFile, p *Placement) string {
	switch last := f.last(); {
	case last.Job == p.Task && last.Kind == EventStarted:
		return "starting"
	case last.Job == p.Task && last.Kind == EventFailed:
		return "failed: " + last.Text
	}
	return "waits for the other runs of its task"
}

// ended sets the place of a cell whose task is not in the queue. mine is true if last is an event of
// this task.
func (p *Placement) ended(last Event, mine, known bool, accounted map[string]string) {
	state := accounted[p.Task]
	switch {
	case mine && last.Kind == EventTimeLimit:
		p.Place, p.Reason = PlaceTimedOut, "more time limits than allowed"
	case mine && last.Kind == EventFailed:
		p.Place, p.Reason = PlaceFailed, last.Text
	case !known:
		p.Place = PlaceUnknown
		if mine && last.Kind == EventRequeued {
			p.Place = PlaceRequeued
		}
	case mine && last.Kind == EventCause && last.Text == string(slurm.TimeLimit), state == "TIMEOUT":
		p.Place, p.Reason = PlaceTimedOut, "Slurm ended it at its time limit"
	case slurm.EndingWords(state) != "" && state != "CANCELLED":
		p.Place, p.Reason = PlaceLost, slurm.EndingWords(state)
	case mine && last.Kind == EventCause && last.Text == string(slurm.Preempted):
		p.Place, p.Reason = PlaceCancelled, "pre-empted, and not queued again"
	case mine && last.Kind == EventCause, mine && last.Kind == EventInterrupted, state == "CANCELLED":
		p.Place = PlaceCancelled
	case mine && last.Kind == EventRequeued:
		p.Place, p.Reason = PlaceCancelled, "cancelled while it was queued again"
	case mine && last.Kind == EventStarted:
		p.Place, p.Reason = PlaceLost, "killed, or its node was lost"
	default:
		p.Place, p.Reason = PlaceCancelled, endedBefore
	}
}

// CancelTasks cancels the pending and running tasks of chosen cells and returns the number of their
// cells. A task with several cells is cancelled as a whole.
func CancelTasks(ctx context.Context, s *State, chosen func(cell int) bool) (cells int, err error) {
	placed, err := Placed(ctx, s)
	if err != nil || placed == nil {
		return 0, err
	}
	if placed.Err != nil {
		return 0, placed.Err
	}
	var tasks []string
	seen := map[string]bool{}
	all := true
	for i, p := range placed.Cells {
		switch {
		case p == nil || !p.Active():
		case !chosen(i):
			all = false
		case !seen[p.Task]:
			seen[p.Task] = true
			tasks = append(tasks, p.Task)
		}
	}
	for _, p := range placed.Cells {
		if p != nil && p.Active() && seen[p.Task] {
			cells++
		}
	}
	if all {
		tasks = placed.Jobs // One call cancels a whole job.
	}
	if len(tasks) == 0 {
		return 0, nil
	}
	return cells, slurm.Cancel(ctx, tasks)
}

// maxTail is the number of bytes at the end of a log that are searched for lines.
const maxTail = 4096

// LastLines returns the last lines of a log that are not empty, at most n. A log that cannot be read
// has none.
func LastLines(path string, n int) []string {
	file, err := files.Open(files.OS, path)
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	text := make([]byte, min(maxTail, info.Size()))
	read, err := file.ReadAt(text, info.Size()-int64(len(text)))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	var lines []string
	for line := range strings.Lines(string(text[:read])) {
		line = strings.TrimSpace(line)
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-n):]
}
