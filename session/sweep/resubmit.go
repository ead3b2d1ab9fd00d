package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"dgplab/session"
	"dgplab/session/slurm"
)

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

// Estimated returns options with defaults for the memory and the time limit of a task that follow from
// an estimate of its cells. It returns an error if the given memory is less than the estimate, unless
// allowMemory is set.
func Estimated(o slurm.Options, e Estimate, allowMemory bool) (slurm.Options, error) {
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

// Idle returns the sweep without the cells that are running, or active on Slurm. p can be nil.
func (s *State) Idle(p *Placements) *State {
	part := *s
	part.Cells = nil
	for i, c := range s.Cells {
		active := p != nil && p.Cells[i] != nil && p.Cells[i].Active()
		if c.Status != Running && !active {
			part.Cells = append(part.Cells, c)
		}
	}
	return &part
}

// ErrNothingLeft is the error of a submission without cells.
var ErrNothingLeft = errors.New("nothing to submit: all runs are done, pending or running")

// Resubmit submits all cells of a sweep to Slurm again that are neither done nor active, with the options
// of the last submission.
func Resubmit(ctx context.Context, s *State) (*Submission, error) {
	before, err := Submissions(s.Name)
	if err != nil {
		return nil, err
	}
	if len(before) == 0 {
		return nil, fmt.Errorf("the sweep %s was not submitted to Slurm", s.Name)
	}
	placed, err := Placed(ctx, s)
	if err == nil {
		err = placed.Err
	}
	if err != nil {
		return nil, err
	}
	idle := s.Idle(placed)
	cells := idle.Left(true)
	if len(cells) == 0 {
		return nil, ErrNothingLeft
	}
	// The memory of this machine does not matter.
	estimate, err := Inspect(ctx, &session.Inspector{AllowMemory: true}, idle, true)
	if err != nil {
		return nil, err
	}
	last := before[len(before)-1]
	options, err := Estimated(last.Options, estimate, last.AllowMemory)
	if err != nil {
		return nil, err
	}
	plan, err := NewPlan(ctx, s, cells, options, last.AllowMemory)
	if err != nil {
		return nil, err
	}
	return plan.Submit(ctx)
}

// ErrNoTasks is the error of a change of tasks if there are none.
var ErrNoTasks = errors.New("no tasks are pending or running")

// Throttle changes the maximum number of tasks of a sweep that run at the same time. change returns the
// new number for the present one.
func Throttle(ctx context.Context, s *State, change func(int) int) (int, error) {
	placed, err := Placed(ctx, s)
	switch {
	case err != nil:
		return 0, err
	case placed == nil:
		return 0, ErrNoTasks
	case placed.Err != nil:
		return 0, placed.Err
	case len(placed.Jobs) == 0:
		return 0, ErrNoTasks
	}
	now, err := slurm.Throttles(ctx, placed.Jobs)
	if err != nil {
		return 0, err
	}
	n := max(1, change(now))
	return n, slurm.SetThrottles(ctx, placed.Jobs, n)
}
