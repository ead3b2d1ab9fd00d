package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/session/memory"
)

// Result is what a sweep came to.
type Result struct {
	Machine Machine
	Peak    Peak
	// Cells are those that were measured or failed, in the order in which they are measured.
	Cells []Cell
	// Scaling has the exponents of the cells; see Scaling.
	Scaling []Exponent
}

// Failed counts the cells that have an error.
func (r *Result) Failed() int {
	n := 0
	for _, c := range r.Cells {
		if c.Err != nil {
			n++
		}
	}
	return n
}

// Progress says what is measured next.
type Progress struct {
	// Done cells out of Total are behind.
	Done, Total int
	// Setting is the next cell; nil while the peak of the machine is measured.
	Setting *Setting
}

// Run measures all cells. report, unless nil, is called before each part, from
// the calling goroutine; it must not go on working when it has returned, since
// that would be measured. When ctx ends, Run returns after the current step what
// it has until then, together with the error of ctx.
func (p *Benchmark) Run(ctx context.Context, report func(Progress)) (Result, error) {
	m := realMeter()
	return m.run(ctx, p, report)
}

// seed is of the synthetic data and the models.
const seed = 1

const (
	warmUps    = 2 // the least steps before the measured ones
	leastSteps = 3
	mostSteps  = 1 << 16
)

// meter is what measuring needs from the world. Tests replace parts of it.
type meter struct {
	now func() time.Time
	// heap returns the objects and bytes that the process has allocated so far.
	heap func() (allocs, bytes uint64)
	// memory is what the cells have to fit into.
	memory *memory.Ledger
	// side is that of the matrices of the peak.
	side int
	data models.Data // of the last cell
}

func realMeter() *meter {
	stats := new(runtime.MemStats)
	return &meter{
		now: time.Now,
		heap: func() (allocs, bytes uint64) {
			runtime.ReadMemStats(stats)
			return stats.Mallocs, stats.TotalAlloc
		},
		memory: memory.Process,
		side:   PeakSide,
	}
}

func (m *meter) run(ctx context.Context, p *Benchmark, report func(Progress)) (Result, error) {
	if report == nil {
		report = func(Progress) {}
	}
	r := Result{Machine: ThisMachine()}
	forPeak := min(peakSeconds, p.Seconds)
	report(Progress{Total: p.Len()})
	r.Peak.Before = m.product(ctx, m.side, forPeak)
	for i, j := range p.jobs {
		if ctx.Err() != nil {
			break
		}
		report(Progress{Done: i, Total: p.Len(), Setting: &j.Setting})
		if cell, ok := m.cell(ctx, j, p.Options); ok {
			r.Cells = append(r.Cells, cell)
		}
	}
	if ctx.Err() == nil {
		report(Progress{Done: p.Len(), Total: p.Len()})
		r.Peak.After = m.product(ctx, m.side, forPeak)
	}
	for i := range r.Cells {
		if share := r.Peak.Share(Rate(giga * r.Cells[i].GFLOPS)); share > 0 {
			r.Cells[i].PeakShare = Measure(share)
		}
	}
	r.Scaling = Scaling(r.Cells, p.AxesOf(r.Cells))
	return r, ctx.Err()
}

// synthetic returns the data of a cell: those of the cell before if they are as many.
func (m *meter) synthetic(n, d, p int) models.Data {
	if x := m.data.X; x == nil || x.RawMatrix().Rows != n || x.RawMatrix().Cols != d {
		m.data = synthetic(n, d, p)
	}
	return m.data
}

// synthetic returns n rows of d standard normal inputs and p such targets: the
// cost of a step does not depend on what the data say.
func synthetic(n, d, p int) models.Data {
	stream := rand.New(rand.NewPCG(seed, 1))
	normals := func(count int) []float64 {
		list := make([]float64, count)
		for i := range list {
			list[i] = stream.NormFloat64()
		}
		return list
	}
	return models.Data{
		X:    mat.NewDense(n, d, normals(n*d)),
		Y:    mat.NewDense(n, p, normals(n*p)),
		Task: task.Regression,
	}
}

// cell measures one cell. It returns false when ctx ended before enough steps
// were taken.
func (m *meter) cell(ctx context.Context, j job, o Options) (c Cell, ok bool) {
	c = newCell(j)
	debug.FreeOSMemory() // What is left of the cell before is no part of this one.
	c.Err = cmp.Or(j.err, m.memory.Check(j.memory))
	if c.Err != nil {
		return c, true
	}
	defer func() {
		if p := recover(); p != nil {
			line, _, _ := strings.Cut(fmt.Sprint(p), "\n") // The rest may be a stack.
			c.Err, ok = fmt.Errorf("internal error: %s", line), true
		}
	}()
	ok, c.Err = m.measure(ctx, &c, j, o, o.Seconds/10)
	if !ok && c.Err == nil && ctx.Err() == nil { // It converged, which leaves the steps before that.
		ok, c.Err = m.measure(ctx, &c, j, o, 0)
		if !ok && c.Err == nil && ctx.Err() == nil {
			c.Err = errors.New("it converges before there is enough to measure")
		}
	}
	return c, ok || c.Err != nil
}

// measure builds the model of a cell, takes steps that warm up for some seconds
// (none for 0), and fills in what those after them cost. It returns false when ctx
// ended or the model converged before enough steps were taken.
func (m *meter) measure(
	ctx context.Context, c *Cell, j job, o Options, warm float64,
) (enough bool, err error) {
	model, err := j.spec.New(j.values, m.synthetic(j.rows, o.Inputs, o.Outputs), seed)
	if err != nil {
		return false, err
	}
	times := make([]float64, 0, mostSteps)
	if warm > 0 {
		if err := m.steps(ctx, model, warm, warmUps, &times); err != nil {
			return false, err
		}
	}
	times = times[:0]
	runtime.GC()
	allocs, bytes := m.heap()
	err = m.steps(ctx, model, o.Seconds, leastSteps, &times)
	moreAllocs, moreBytes := m.heap()
	if err != nil || len(times) < leastSteps {
		return false, err
	}
	c.summarise(times, moreAllocs-allocs, moreBytes-bytes)
	return true, nil
}

// steps takes steps for some seconds, but no fewer than least and no more than
// fit into times, to which it adds the seconds that each took. It ends early
// when ctx does or the model has converged, after which steps do nothing.
func (m *meter) steps(
	ctx context.Context, model models.Model, seconds float64, least int, times *[]float64,
) error {
	start := m.now()
	last := start
	for ctx.Err() == nil && len(*times) < cap(*times) &&
		(len(*times) < least || last.Sub(start).Seconds() < seconds) {
		report, err := model.Step(ctx)
		if err != nil || report.Converged {
			return err
		}
		now := m.now()
		*times = append(*times, now.Sub(last).Seconds())
		last = now
	}
	return nil
}
