package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/files"
	"dgplab/session"
	"dgplab/session/slurm"
)

// Tasks are the tasks of a sweep that are pending or running on Slurm.
type Tasks struct {
	Running int `json:"running"`
	Pending int `json:"pending"`
	// Nodes are the nodes of running tasks, and Reasons explains in words why others are pending.
	Nodes   []string `json:"nodes,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
	// Jobs holds the IDs of the job arrays.
	Jobs []string `json:"jobs,omitempty"`
	// Err is the reason why Slurm could not be asked. Nothing is then known about tasks.
	Err error `json:"-"`
	// awaited holds the keys of the cells that these tasks will train.
	awaited map[string]bool
}

// Active returns the number of tasks. It is 0 for nil.
func (t *Tasks) Active() int {
	if t == nil {
		return 0
	}
	return t.Running + t.Pending
}

// Awaits reports whether a pending or running task will train a cell. It is false for nil.
func (t *Tasks) Awaits(c *CellState) bool {
	return t != nil && c.Status != Running && c.Status != Done && t.awaited[c.Key]
}

// AskTasks asks Slurm for the tasks of a sweep, with a deadline. It returns nil if the sweep was not
// submitted.
func AskTasks(ctx context.Context, s *State) (*Tasks, error) {
	submissions, err := Submissions(s.Name)
	if err != nil || len(submissions) == 0 {
		return nil, err
	}
	t := &Tasks{awaited: map[string]bool{}}
	queue, err := slurm.Queue(ctx, JobName(s.Name))
	if err != nil {
		t.Err = err
		return t, nil
	}
	cells := make(map[string]*CellState, len(s.Cells))
	for i := range s.Cells {
		cells[s.Cells[i].Key] = &s.Cells[i]
	}
	for _, sub := range submissions {
		before := t.Active()
		for _, task := range queue {
			if task.Job == sub.Job {
				t.add(task)
			}
		}
		if t.Active() == before {
			continue
		}
		t.Jobs = append(t.Jobs, sub.Job)
		list, err := readList(sub.Dir)
		if err != nil {
			return nil, err
		}
		for _, l := range list {
			c := cells[l.Key]
			if c != nil && !(c.Status == Failed && (!l.Retry || c.list == sub.List)) {
				t.awaited[l.Key] = true
			}
		}
	}
	return t, nil
}

// add adds a task of the queue.
func (t *Tasks) add(task slurm.Task) {
	if !task.Pending() {
		t.Running++
		if task.Node != "" && !slices.Contains(t.Nodes, task.Node) {
			t.Nodes = append(t.Nodes, task.Node)
		}
		return
	}
	t.Pending++
	if words := slurm.Words(task.Reason); !slices.Contains(t.Reasons, words) {
		t.Reasons = append(t.Reasons, words)
	}
}

// Idle returns the sweep without the cells that are running or awaited. t can be nil.
func (s *State) Idle(t *Tasks) *State {
	part := *s
	part.Cells = nil
	for _, c := range s.Cells {
		if c.Status != Running && !t.Awaits(&c) {
			part.Cells = append(part.Cells, c)
		}
	}
	return &part
}

// CancelTasks cancels all jobs of a sweep and returns the number of their tasks.
func CancelTasks(ctx context.Context, s *State) (tasks int, err error) {
	t, err := AskTasks(ctx, s)
	if err == nil && t != nil {
		err = t.Err
	}
	if err != nil || t.Active() == 0 {
		return 0, err
	}
	return t.Active(), slurm.Cancel(ctx, t.Jobs)
}

// ErrNothingLeft is the error of a submission without cells.
var ErrNothingLeft = errors.New("nothing to submit: all runs are done, running or awaited by tasks")

// Resubmit submits all cells of a sweep again that are neither done, nor running, nor awaited, with the
// options of the last submission.
func Resubmit(ctx context.Context, s *State) (*Plan, error) {
	submissions, err := Submissions(s.Name)
	if err != nil {
		return nil, err
	}
	if len(submissions) == 0 {
		return nil, fmt.Errorf("the sweep %s was not submitted to Slurm", s.Name)
	}
	t, err := AskTasks(ctx, s)
	if err == nil {
		err = t.Err
	}
	if err != nil {
		return nil, err
	}
	idle := s.Idle(t)
	cells := idle.Left(true)
	if len(cells) == 0 {
		return nil, ErrNothingLeft
	}
	// The memory of this machine does not matter.
	estimate, err := Inspect(ctx, &session.Inspector{AllowMemory: true}, idle, true)
	if err != nil {
		return nil, err
	}
	last := submissions[len(submissions)-1]
	p, err := NewPlan(ctx, s, cells, estimate, last.Options, last.AllowMemory)
	if err != nil {
		return nil, err
	}
	return p, p.Submit(ctx)
}

const (
	// memoryMargin multiplies the estimated memory of a run, and programMemory is added for the
	// program itself, in bytes.
	memoryMargin  = 1.25
	programMemory = 200e6
	// timeMargin multiplies the estimated time of a task, and startMinutes is added for its start and
	// its last checkpoint.
	timeMargin   = 2
	startMinutes = 10
)

// estimated returns complete options. The defaults of the memory and of the time limit of a task follow from
// an estimate of its cells. It returns an error if the given memory is less than the estimate, unless
// allowMemory is set.
func estimated(o slurm.Options, e Estimate, allowMemory bool) (slurm.Options, error) {
	need := e.Memory + programMemory
	bytes, known := memoryOf(o.Mem)
	if known && bytes < need && !allowMemory {
		return o, fmt.Errorf("--mem=%s is less than the estimated need of %s "+
			"(--allow-memory skips this check)", o.Mem, megabytes(need))
	}
	if o.Mem == "" {
		o.Mem = megabytes(memoryMargin*e.Memory + programMemory)
	}
	o = o.Completed()
	if o.Time == "" && e.Unknown == 0 && e.Runs > 0 {
		minutes := timeMargin*e.Longest*float64(o.Pack)/60 + startMinutes
		o.Time = strconv.Itoa(int(math.Ceil(minutes/10) * 10))
	}
	return o, nil
}

// megabytes returns a number of bytes for --mem, rounded up to 100 MB.
func megabytes(bytes float64) string { return fmt.Sprintf("%dM", int(math.Ceil(bytes/1e8))*100) }

// memoryOf parses a value of --mem. Slurm's units are powers of 1024; without a unit they are megabytes.
func memoryOf(text string) (float64, bool) {
	unit := 1024.0 * 1024
	if n := len(text); n > 0 {
		if at := strings.IndexByte("KMGT", strings.ToUpper(text)[n-1]); at >= 0 {
			unit = math.Pow(1024, float64(at+1))
			text = text[:n-1]
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x * unit, err == nil && x > 0 // 0 asks for all memory of a node.
}

// LastLog returns the path of the newest log of the tasks of a sweep, or "" if there is none.
func (s *State) LastLog() string {
	logs, _ := filepath.Glob(filepath.Join(s.Dir, listsName, "*", logsName, "*.log"))
	newest := ""
	var at int64
	for _, path := range logs {
		info, err := os.Stat(path)
		if err == nil && info.ModTime().UnixNano() >= at {
			newest, at = path, info.ModTime().UnixNano()
		}
	}
	return newest
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
