package cli

import (
	"context"
	"errors"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"dgplab/models/family"
	"dgplab/session/bench"
	"dgplab/session/memory"
	"dgplab/viz/golden"
)

// Flags determine the cells of a benchmark. Defaults of flags may be invalid for a family, so only explicit
// flags override the values of a preset.
func TestBenchPlan(t *testing.T) {
	for _, c := range []struct {
		args  string
		cells int
		set   map[string]string // values by name,
		rows  int               // 0 if they differ between cells
	}{
		{"--family svgp --inducing 4,8 --batch 8", 2,
			map[string]string{"inducing": "4,8", "layers": "3", "width": "5", "batch": "8"}, 2048},
		{"--family svgp --inducing 4 --rows 30,60 --set batch=8,16 --set kernel=rbf,matern32", 8,
			map[string]string{"inducing": "4", "layers": "3", "width": "5", "rows": "30,60", "batch": "8,16",
				"kernel": "rbf,matern32"}, 0},
		{"--family avdgp --preset meng2024 --layers 1 --set inducing=3 --rows 200", 1,
			map[string]string{"layers": "1", "inducing": "3", "rows": "200"}, 200},
	} {
		f := &benchFlags{options: bench.Defaults(), axes: map[string]*string{}}
		cmd := &cobra.Command{}
		f.register(cmd)
		if err := cmd.ParseFlags(strings.Fields(c.args)); err != nil {
			t.Fatal(err)
		}
		plan, err := f.plan(cmd)
		if err != nil {
			t.Fatal(err)
		}
		set := maps.Clone(plan.Set)
		for _, axis := range plan.Axes {
			set[axis.Name] = strings.Join(axis.Values, ",")
		}
		if !maps.Equal(set, c.set) || plan.Len() != c.cells || plan.N != c.rows {
			t.Errorf("bench %s: want %d cells of %d rows with %v, found %d of %d with %v",
				c.args, c.cells, c.rows, c.set, plan.Len(), plan.N, set)
		}
	}
}

// An interrupted benchmark prints what it has, as text and as JSON.
func TestBenchInterrupted(t *testing.T) {
	isolate(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := run(t, ctx, "bench")
	want := "dgplab: interrupted after 0 of 28 cells\n"
	if o.status != statusInterrupted || !strings.HasPrefix(o.out, "machine  ") || o.err != want {
		t.Errorf("want status %d and %q, found\n%v", statusInterrupted, want, o)
	}
	o = run(t, ctx, "bench", "--json")
	if o.status != statusInterrupted || o.err != want {
		t.Errorf("want status %d and %q, found\n%v", statusInterrupted, want, o)
	}
	checkFields(t, "bench --json", o.out,
		"event=summary cells=28 measured=0 interrupted=true n=2048 batch=512")
}

// benchSetting returns a cell setting with values in the order of the axes.
func benchSetting(family string, values ...int) bench.Setting {
	s := bench.Setting{Family: family}
	for i, v := range values {
		s.Values = append(s.Values, bench.Value{Name: usualAxes[i], Text: strconv.Itoa(v)})
	}
	return s
}

// benchSweep returns a synthetic result with two numbers of layers, a failed cell, a cell without hidden
// layers, and unknown operation counts.
func benchSweep() (*bench.Benchmark, bench.Result) {
	o := bench.Defaults()
	plan, err := bench.New(o)
	if err != nil {
		panic(err)
	}
	r := bench.Result{
		Machine: bench.Machine{CPU: "Some CPU @ 2 GHz", Cores: 2, Kernels: "AVX2", Go: "go1.26"},
		Peak: bench.Peak{Before: 98.76e9, After: 96e9,
			Shape: family.Shape{Rows: 1024, Inner: 1024, Cols: 1024}},
		Trips: bench.Trips{Near: 81.4, Far: 430.2},
	}
	for i, m := range []int{32, 64, 128} {
		r.Cells = append(r.Cells, bench.Cell{
			Setting: benchSetting("fully-coupled", m, 3, 5), Steps: 10, Allocs: 12.3, Bytes: 1234,
			Sizes: []bench.Value{
				{Name: bench.Rows, Text: "2048"}, {Name: "inducing", Text: strconv.Itoa(m)}},
			Floor:  bench.Measure(2 * math.Pow(3, float64(i))),
			CPU:    bench.Measure(7 * math.Pow(3, float64(i))),
			Median: bench.Measure(4 * math.Pow(3, float64(i))),
			Min:    bench.Measure(3 * math.Pow(3, float64(i))),
			FLOPs:  bench.Count(83e6 * math.Pow(4, float64(i))),
		})
		c := &r.Cells[i]
		c.GFLOPS = bench.Measure(float64(c.FLOPs) / float64(c.Median) / 1e6)
		c.PeakShare = bench.Measure(r.Peak.Share(bench.Rate(1e9 * c.GFLOPS)))
	}
	no := bench.Measure(math.NaN())
	r.Cells = append(r.Cells, bench.Cell{
		Setting: benchSetting("fully-coupled", 4096, 3, 5), FLOPs: 4e18, Median: no, Min: no, GFLOPS: no,
		PeakShare: no, Allocs: no, Bytes: no, Floor: no, CPU: no,
		Err: &memory.Error{Need: 54.2e9, Free: 8e9},
	})
	r.Scaling = bench.Scaling(r.Cells, plan.AxesOf(r.Cells))
	return plan, r
}

// printed returns what a function prints to a console without a terminal.
func printed(t *testing.T, print func(c *console) error) string {
	t.Helper()
	t.Setenv("LC_ALL", "C.UTF-8")
	var out strings.Builder
	c := &console{Streams: Streams{Out: &out}, getenv: func(string) string { return "" }}
	if err := print(c); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The table of one family fits into 80 columns. A table of several families names them. A note reports that
// the machine was under load.
func TestBenchText(t *testing.T) {
	plan, r := benchSweep()
	text := func(r bench.Result) string {
		return printed(t, func(c *console) error { return c.benchText(plan, r) })
	}
	got := text(r)
	golden.Check(t, "bench_text", got)
	for line := range strings.Lines(got) {
		if n := utf8.RuneCountInString(line); n > 81 {
			t.Errorf("want at most 80 columns, found %d: %q", n-1, line)
		}
	}
	r.Peak.After = 60e9
	no := bench.Measure(math.NaN())
	r.Cells = append(r.Cells, bench.Cell{Setting: benchSetting("svgp", 32), Steps: 3, Median: 0.04, Min: 0.03,
		GFLOPS: no, PeakShare: no})
	got = text(r)
	for _, want := range []string{"the machine is under other load; shares refer to the larger value\n",
		"\nfully-coupled    32  3      5 ", "\nsvgp             32  -      - "} {
		if !strings.Contains(got, want) {
			t.Errorf("two families under load: want %q, found\n%s", want, got)
		}
	}
	want := "machine  Some CPU @ 2 GHz, 2 cores, AVX2 kernels, go1.26\n" +
		"setting  N=2048, D=9, batch 512, 5 samples\n"
	if got := text(bench.Result{Machine: r.Machine}); got != want {
		t.Errorf("no cells: want %q, found %q", want, got)
	}
}

func TestBenchFloors(t *testing.T) {
	plan, r := benchSweep()
	r.Trips.Far = r.Trips.Near
	golden.Check(t, "bench_floors", printed(t, func(c *console) error { return c.benchFloors(plan, r) }))
}

// The table of cores has a row for each number, with the measured and the predicted time, and marks the
// shortest; the table of loops begins with the one that limits 16 cores.
func TestBenchCores(t *testing.T) {
	plan, r := benchSweep()
	no := bench.Measure(math.NaN())
	cell := &r.Cells[0]
	cell.OnCores = []bench.OnCores{{Cores: 1, Median: 4, Predicted: 4},
		{Cores: 2, Median: 2.2, Predicted: 2.1}, {Cores: 8, Median: no, Predicted: 0.8}}
	cell.Loops = []bench.LoopCost{
		{Name: "dgp.(*moments).evaluate", Runs: 2, Parts: 4, Milliseconds: 3.5,
			Predicted: []bench.Measure{0.9, 0.5, 0.5, 0.5}},
		{Name: bench.Serial, Runs: 1, Parts: 1, Milliseconds: 0.5,
			Predicted: []bench.Measure{0.1, 0.1, 0.1, 0.1}}}
	r.Cells = []bench.Cell{r.Cells[0], r.Cells[3]}
	golden.Check(t, "bench_cores", printed(t, func(c *console) error { return c.benchCores(plan, r, true) }))
}

// The JSON has a line per cell, with null for what a failed cell has not measured, and a summary.
func TestBenchJSON(t *testing.T) {
	plan, r := benchSweep()
	lines := strings.Split(printed(t, func(c *console) error { return c.benchJSON(plan, r, true) }), "\n")
	if len(lines) != 6 {
		t.Fatalf("want four cells and a summary, found %q", lines)
	}
	checkFields(t, "a cell", lines[0], "event=cell family=fully-coupled inducing=32 layers=3 width=5 "+
		"steps=10 ms_floor=2 ms_median=4 ms_min=3 ms_cpu=7 flops_per_step=8.3e+07 gflops=20.75 "+
		"peak_share=0.210105 allocs_per_step=12.3 bytes_per_step=1234")
	checkFields(t, "a failed cell", lines[3], "event=cell inducing=4096 steps=0 ms_median=<nil> "+
		"gflops=<nil> flops_per_step=4e+18 allocs_per_step=<nil>")
	checkFields(t, "the summary", lines[4], "event=summary machine.cores=2 peak_gflops=98.76 "+
		"peak_gflops_after=96 peak_steady=true n=2048 d=9 p=1 batch=512 samples=5 cells=28 measured=3 "+
		"interrupted=true scaling.0.axis=inducing scaling.0.values.2=128 scaling.0.time=1.58496 "+
		"scaling.0.operations=2 scaling.0.theory=2")
	want := `"error":"needs about 54.2 GB of memory; 8.0 GB are available"`
	if !strings.Contains(lines[3], want) {
		t.Errorf("a failed cell: want %s, found %s", want, lines[3])
	}
}

func TestBenchVerdict(t *testing.T) {
	plan, r := benchSweep()
	if err := benchVerdict(plan, r, nil); err == nil || err.Error() != "could not measure 1 of 28 cells" {
		t.Errorf("got %v", err)
	}
	var asked *interruptedError
	if err := benchVerdict(plan, r, context.Canceled); !errors.As(err, &asked) {
		t.Errorf("got %v", err)
	}
	r.Cells = r.Cells[:3]
	if err := benchVerdict(plan, r, nil); err != nil {
		t.Errorf("got %v", err)
	}
}

// The status line is written to a terminal, but not to a file.
func TestStatusLine(t *testing.T) {
	feed := func(rewrite bool) string {
		var errs strings.Builder
		l := &statusLine{console: &console{Streams: Streams{Err: &errs}}, rewrite: rewrite}
		star := benchSetting("star", 64, 3, 5)
		l.show(benchProgress(bench.Progress{Total: 2}))
		l.show(benchProgress(bench.Progress{Done: 1, Total: 2, Setting: &star}))
		l.end()
		return errs.String()
	}
	if got := feed(false); got != "" {
		t.Errorf("wrote %q without a terminal", got)
	}
	want := "\r\x1b[Kmeasuring the machine's peak\r\x1b[K2 of 2 cells: star, M=64, L=3, width 5\r\x1b[K"
	if got := feed(true); got != want {
		t.Errorf("line %q; want %q", got, want)
	}
}
