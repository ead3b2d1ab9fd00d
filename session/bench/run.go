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
	"dgplab/models/family"
	"dgplab/session/memory"
)

// Result holds the measurements of a sweep.
type Result struct {
	Machine Machine
	Peak    Peak
	Trips   Trips
	// Cells holds the measured and failed cells in the order of measurement.
	Cells []Cell
	// Scaling holds the exponents; see the function Scaling.
	Scaling []Exponent
}

// Failed returns the number of cells with an error.
func (r *Result) Failed() int {
	n := 0
	for _, c := range r.Cells {
		if c.Err != nil {
			n++
		}
	}
	return n
}

// Progress describes the next part of the sweep to be measured.
type Progress struct {
	// Done is the number of finished cells out of Total.
	Done, Total int
	// Setting is the next cell, or nil while the peak of the machine is measured.
	Setting *Setting
}

// Run measures all cells. If report is not nil, Run calls it before each part, in the calling goroutine.
// report must not leave work running, because that would distort the measurement. When ctx is done, Run
// finishes the current step and returns the partial result and the error of ctx.
func (p *Benchmark) Run(ctx context.Context, report func(Progress)) (Result, error) {
	m := realMeter()
	return m.run(ctx, p, report)
}

// seed is the seed of the synthetic data and of the models.
const seed = 1

const (
	minWarmUp = 2 // minimum number of steps before the measured ones
	minSteps  = 3
	maxSteps  = 1 << 16
)

// meter holds the dependencies of a measurement, which tests replace.
type meter struct {
	now func() time.Time
	// heap returns the number of objects and bytes allocated by the process so far.
	heap func() (allocs, bytes uint64)
	// cpu returns the processor time of the process so far in seconds, or NaN if it is unknown.
	cpu func() float64
	// memory is the ledger that the cells must fit into.
	memory *memory.Ledger
	// shapes are the shapes of the products in the peak measurement.
	shapes []family.Shape
	// rates holds the measured rates of the products of floors; the key of elementwise operations is
	// the zero shape.
	rates map[family.Shape]Rate
	// trips measures round trips between cores.
	trips func(ctx context.Context) Trips
	data  models.Data // data of the last cell
}

func realMeter() *meter {
	stats := new(runtime.MemStats)
	return &meter{
		now: time.Now,
		heap: func() (allocs, bytes uint64) {
			runtime.ReadMemStats(stats)
			return stats.Mallocs, stats.TotalAlloc
		},
		cpu:    processorTime,
		memory: memory.Process,
		shapes: peakShapes,
		rates:  map[family.Shape]Rate{},
		trips:  measureTrips,
	}
}

func (m *meter) run(ctx context.Context, p *Benchmark, report func(Progress)) (Result, error) {
	if report == nil {
		report = func(Progress) {}
	}
	r := Result{Machine: ThisMachine()}
	forPeak := min(peakSeconds, p.Seconds)
	report(Progress{Total: p.Len()})
	r.Trips = m.trips(ctx)
	before, shapeBefore := m.peak(ctx, forPeak)
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
		r.Peak.After, r.Peak.Shape = m.peak(ctx, forPeak)
	}
	r.Peak.Before = before
	if before > r.Peak.After {
		r.Peak.Shape = shapeBefore
	}
	for i := range r.Cells {
		if share := r.Peak.Share(Rate(giga * r.Cells[i].GFLOPS)); share > 0 {
			r.Cells[i].PeakShare = Measure(share)
		}
	}
	r.Scaling = Scaling(r.Cells, p.AxesOf(r.Cells))
	return r, ctx.Err()
}

// synthetic returns the data of a cell. It reuses the previous data if they have the same shape.
func (m *meter) synthetic(n, d, p int) models.Data {
	if x := m.data.X; x == nil || x.RawMatrix().Rows != n || x.RawMatrix().Cols != d {
		m.data = synthetic(n, d, p)
	}
	return m.data
}

// synthetic returns n rows of d inputs and p targets, all standard normal. The cost of a step does
// not depend on the values.
func synthetic(n, d, p int) models.Data {
	stream := rand.New(rand.NewPCG(seed, 1))
	return models.Data{
		X:    mat.NewDense(n, d, normals(stream, n*d)),
		Y:    mat.NewDense(n, p, normals(stream, n*p)),
		Task: task.Regression,
	}
}

// cell measures one cell. It returns false if ctx was done before enough steps were taken.
func (m *meter) cell(ctx context.Context, j job, o Options) (c Cell, ok bool) {
	c = newCell(j)
	debug.FreeOSMemory() // Release the memory of the previous cell.
	c.Err = cmp.Or(j.err, m.memory.Check(j.memory))
	if c.Err != nil {
		return c, true
	}
	defer func() {
		if p := recover(); p != nil {
			line, _, _ := strings.Cut(fmt.Sprint(p), "\n") // The other lines may hold a stack trace.
			c.Err, ok = fmt.Errorf("internal error: %s", line), true
		}
	}()
	c.Floor = Measure(m.floor(ctx, j.size) / milli)
	ok, c.Err = m.measure(ctx, &c, j, o, o.Seconds/10)
	if !ok && c.Err == nil && ctx.Err() == nil { // It converged during the warm-up.
		ok, c.Err = m.measure(ctx, &c, j, o, 0)
		if !ok && c.Err == nil && ctx.Err() == nil {
			c.Err = errors.New("the model converges before enough steps can be measured")
		}
	}
	if ok && len(o.Cores) > 0 {
		c.Err = m.onCores(ctx, &c, j, o)
		if ctx.Err() != nil {
			return c, false
		}
	}
	return c, ok || c.Err != nil
}

// measure builds the model of a cell, takes warm-up steps for warm seconds (none for 0), and fills
// in the cost of the steps that follow. It returns false if ctx was done, or the model converged,
// before enough steps were taken.
func (m *meter) measure(
	ctx context.Context, c *Cell, j job, o Options, warm float64,
) (enough bool, err error) {
	model, err := j.spec.New(j.values, m.synthetic(j.rows, o.Inputs, o.Outputs), seed)
	if err != nil {
		return false, err
	}
	times := make([]float64, 0, maxSteps)
	if warm > 0 {
		if err := m.steps(ctx, model, warm, minWarmUp, &times); err != nil {
			return false, err
		}
	}
	times = times[:0]
	runtime.GC()
	allocs, bytes := m.heap()
	cpu := m.cpu()
	cycle := max(j.size.Cycle, 1)
	err = m.steps(ctx, model, o.Seconds, minSteps*cycle, &times)
	moreCPU := m.cpu() - cpu
	moreAllocs, moreBytes := m.heap()
	if err != nil || len(times) < minSteps*cycle {
		return false, err
	}
	c.CPU = Measure(moreCPU / float64(len(times)) / milli)
	c.summarise(times, cycle, moreAllocs-allocs, moreBytes-bytes)
	return true, nil
}

// steps takes steps for the given time, but not fewer than least and at most as many as fit into times. It
// appends the duration of each to times in seconds. It stops early when ctx is done or the model has
// converged.
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
