package bench

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/memory"
)

// fakeMeter has a clock that advances by tick per reading, a heap that grows by 30 objects of 100
// bytes per reading, and unlimited memory.
func fakeMeter(tick time.Duration) *meter {
	var now time.Time
	var allocs uint64
	return &meter{
		now:    func() time.Time { now = now.Add(tick); return now },
		heap:   func() (uint64, uint64) { allocs += 30; return allocs, 100 * allocs },
		cpu:    func() float64 { return 2 * now.Sub(time.Time{}).Seconds() },
		memory: memory.NewLedger(func() float64 { return math.Inf(1) }),
		shapes: []family.Shape{{Rows: 64, Inner: 64, Cols: 64}},
		rates:  map[family.Shape]Rate{},
		trips:  func(context.Context) Trips { return Trips{80, 430} },
	}
}

func mustBenchmark(t *testing.T, o Options) *Benchmark {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRun measures two small models with a clock on which each step takes a quarter of a second.
func TestRun(t *testing.T) {
	p := mustBenchmark(t, small(func(o *Options) {
		o.Seconds = 2.5
		o.on("inducing", "4", "8")
	}))
	var told []Progress
	r, err := fakeMeter(250*time.Millisecond).run(context.Background(), p, func(p Progress) {
		told = append(told, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cells) != 2 || r.Failed() != 0 {
		t.Fatalf("cells %+v", r.Cells)
	}
	for i, c := range r.Cells {
		// The clock is read eleven times during the ten steps.
		if c.String() != p.jobs[i].String() || c.Steps != 10 || c.Median != 250 || c.Min != 250 ||
			c.CPU != 550 || c.Allocs != 3 || c.Bytes != 300 {
			t.Errorf("cell %+v", c)
		}
		if c.FLOPs <= 0 || float64(c.FLOPs) != p.jobs[i].size.StepFLOPs {
			t.Errorf("%s: %v operations", c.Setting, c.FLOPs)
		}
	}
	// A 64 x 64 x 64 product per core in a quarter of a second.
	want := Rate(runtime.GOMAXPROCS(0) * 2 * 64 * 64 * 64 * 4)
	if r.Peak.Before != want || r.Peak.After != want {
		t.Errorf("peak %+v; want %v", r.Peak, want)
	}
	if len(r.Scaling) != 1 || r.Scaling[0].Time != 0 || r.Scaling[0].Theory != 2 {
		t.Errorf("scaling %+v", r.Scaling)
	}
	if len(told) != 4 || told[0].Setting != nil || told[1].Setting.On("inducing") != "4" ||
		told[2].Done != 1 || told[3].Done != 2 || told[3].Total != 2 {
		t.Errorf("progress %+v", told)
	}
}

// At least three steps are measured, even if they are longer than the time per cell.
func TestLeastSteps(t *testing.T) {
	r, err := fakeMeter(time.Minute).run(context.Background(), mustBenchmark(t, small(nil)), nil)
	if err != nil || len(r.Cells) != 1 || r.Cells[0].Steps != minSteps {
		t.Errorf("cells %+v, %v", r.Cells, err)
	}
}

// A model that converges early is measured up to the last step. There is no warm-up if it would leave too few
// steps. If even so there are too few, the cell holds an error.
func TestModelThatConverges(t *testing.T) {
	after := func(steps int) func() (models.Model, error) {
		return func() (models.Model, error) {
			return &scripted{step: func(int) error { return nil }, converges: steps + 1}, nil
		}
	}
	const warm = 100 // 0.1 seconds of steps of 1 ms
	counts := []int{minSteps, warm, warm + minSteps - 1, warm + minSteps}
	p := benchmarkOf(t, after(minSteps-1), after(counts[0]), after(counts[1]),
		after(counts[2]), after(counts[3]))
	r, err := fakeMeter(time.Millisecond).run(context.Background(), p, nil)
	if err != nil || len(r.Cells) != 5 {
		t.Fatalf("cells %+v, %v", r.Cells, err)
	}
	if c := r.Cells[0]; c.Err == nil || !strings.Contains(c.Err.Error(), "converges") {
		t.Errorf("cell %+v", c)
	}
	counts[3] -= warm
	for i, want := range counts {
		if c := r.Cells[i+1]; c.Err != nil || c.Steps != want {
			t.Errorf("%d steps of %+v; want %d", c.Steps, c, want)
		}
	}
}

// The cell of a model that cannot be built holds the error; other cells are not affected.
func TestModelThatCannotBe(t *testing.T) {
	no := errors.New("too many rows")
	p := benchmarkOf(t, stepping(func(int) error { return nil }), stepping(func(int) error { return nil }))
	p.jobs[0].err = no
	r, err := fakeMeter(time.Second).run(context.Background(), p, nil)
	if err != nil || len(r.Cells) != 2 || !errors.Is(r.Cells[0].Err, no) || r.Cells[1].Err != nil {
		t.Errorf("cells %+v, %v", r.Cells, err)
	}
}

// The data of each cell have the number of rows given by its setting.
func TestRowsOfCells(t *testing.T) {
	p := mustBenchmark(t, small(func(o *Options) { o.on(Rows, "20", "40") }))
	var rows []int
	for i := range p.jobs {
		p.jobs[i].spec.New = func(_ models.Values, data models.Data, _ uint64) (models.Model, error) {
			rows = append(rows, data.X.RawMatrix().Rows)
			return &scripted{step: func(int) error { return nil }}, nil
		}
	}
	r, err := fakeMeter(time.Second).run(context.Background(), p, nil)
	if err != nil || !slices.Equal(rows, []int{20, 40}) || len(r.Scaling) != 1 ||
		r.Scaling[0].Axis != Rows || r.Scaling[0].Time != 0 {
		t.Errorf("rows %v, scaling %+v, %v", rows, r.Scaling, err)
	}
}

// scripted is a model with steps that call a function.
type scripted struct {
	models.Model
	step  func(n int) error
	taken int
	// converges is the step at which the model converges; 0 means never.
	converges int
}

func (s *scripted) Step(context.Context) (models.Report, error) {
	s.taken++
	return models.Report{Converged: s.converges > 0 && s.taken >= s.converges}, s.step(s.taken)
}

// benchmarkOf returns a benchmark with one cell per model constructor.
func benchmarkOf(t *testing.T, makers ...func() (models.Model, error)) *Benchmark {
	t.Helper()
	p := mustBenchmark(t, small(func(o *Options) {
		var values []string
		for i := range makers {
			values = append(values, strconv.Itoa(i+1))
		}
		o.on("inducing", values...)
	}))
	for i, make := range makers {
		p.jobs[i].spec.New = func(models.Values, models.Data, uint64) (models.Model, error) { return make() }
	}
	return p
}

func stepping(step func(n int) error) func() (models.Model, error) {
	return func() (models.Model, error) { return &scripted{step: step}, nil }
}

// TestFailures covers all failures of cells. The last cell succeeds.
func TestFailures(t *testing.T) {
	boom := errors.New("boom")
	fine := stepping(func(int) error { return nil })
	p := benchmarkOf(t,
		func() (models.Model, error) { return nil, boom },
		stepping(func(int) error { return boom }),
		stepping(func(n int) error {
			if n > 6 {
				return boom
			}
			return nil
		}),
		stepping(func(int) error { panic("a shape\nand a stack") }),
		fine, fine,
	)
	p.jobs[4].memory = 1e12
	m := fakeMeter(time.Millisecond)
	m.memory = memory.NewLedger(func() float64 { return 1e9 })
	r, err := m.run(context.Background(), p, nil)
	if err != nil || len(r.Cells) != 6 || r.Failed() != 5 {
		t.Fatalf("cells %+v, %v", r.Cells, err)
	}
	for i, c := range r.Cells[:5] {
		if c.Err == nil || c.Steps != 0 || c.Median.Known() {
			t.Errorf("cell %d: %+v", i, c)
		}
	}
	for i := range 3 {
		if !errors.Is(r.Cells[i].Err, boom) {
			t.Errorf("cell %d: %v", i, r.Cells[i].Err)
		}
	}
	if text := r.Cells[3].Err.Error(); text != "internal error: a shape" {
		t.Error(text)
	}
	var full *memory.Error
	if !errors.As(r.Cells[4].Err, &full) || *full != (memory.Error{Need: 1e12, Free: 1e9}) {
		t.Error(r.Cells[4].Err)
	}
	if r.Cells[5].Steps != 1000 {
		t.Errorf("the last cell: %+v", r.Cells[5])
	}
}

// TestInterrupted cancels the context during the second cell. The cell is dropped if it has too few measured
// steps, and kept otherwise.
func TestInterrupted(t *testing.T) {
	const warm = 100 // 0.1 seconds of steps of 1 ms
	for _, c := range []struct{ at, cells int }{{1, 1}, {warm + minSteps - 1, 1},
		{warm + minSteps, 2}, {warm + 50, 2}} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		fine := stepping(func(int) error { return nil })
		p := benchmarkOf(t, fine, stepping(func(n int) error {
			if n == c.at {
				cancel()
			}
			return nil
		}), fine)
		r, err := fakeMeter(time.Millisecond).run(ctx, p, nil)
		if !errors.Is(err, context.Canceled) || len(r.Cells) != c.cells ||
			r.Peak.Before == 0 || r.Peak.After != 0 {
			t.Errorf("at step %d: %d cells, peak %+v, %v", c.at, len(r.Cells), r.Peak, err)
		}
		if c.cells == 2 && r.Cells[1].Steps != c.at-warm {
			t.Errorf("at step %d: %d steps were measured", c.at, r.Cells[1].Steps)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := fakeMeter(time.Millisecond).run(ctx, benchmarkOf(t, stepping(nil)), nil); err == nil ||
		len(r.Cells) != 0 || r.Peak.Best() != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSyntheticData(t *testing.T) {
	a := synthetic(5, 3, 2)
	b := synthetic(5, 3, 2)
	if _, p := a.Y.Dims(); p != 2 {
		t.Errorf("%d targets", p)
	}
	if n, d := a.X.Dims(); n != 5 || d != 3 || a.Task != task.Regression {
		t.Errorf("%d x %d, %v", n, d, a.Task)
	}
	if !mat.Equal(a.X, b.X) || !mat.Equal(a.Y, b.Y) {
		t.Error("the same seed gives other data")
	}
	if raw := a.X.RawMatrix().Data; slices.Max(raw) == slices.Min(raw) {
		t.Error("constant inputs")
	}
}
