package cli

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"dgplab/models/family"
	"dgplab/session/bench"
	"dgplab/session/memory"
	"dgplab/viz/golden"
)

// Each command line that fails before measuring has a golden file.
func TestBenchCommandLines(t *testing.T) {
	cases := []struct{ name, args string }{
		{"bench_help", "bench --help"},
		{"bench_argument", "bench star"},
		{"bench_unknown_family", "bench --family star,fully-copled"},
		{"bench_no_family", "bench --family ,"},
		{"bench_bad_list", "bench --inducing 32;64"},
		{"bench_empty_list", "bench --layers ,"},
		{"bench_out_of_bounds", "bench --inducing 32,0"},
		{"bench_bad_width", "bench --width 65"},
		{"bench_bad_batch", "bench --batch 0"},
		{"bench_bad_inputs", "bench --inputs 0"},
		{"bench_bad_seconds", "bench --seconds 0"},
		{"bench_bad_set", "bench --family svgp --set speed=1"},
		{"bench_bad_rows", "bench --rows 0"},
		{"bench_twice", "bench --inducing 4 --set inducing=8"},
		{"bench_seconds_no_number", "bench --seconds long"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			isolate(t)
			o := dgplab(t, strings.Fields(c.args)...)
			golden.Check(t, c.name, "$ dgplab "+c.args+"\n"+scrub(o.String()))
			if o.status != statusOK &&
				(o.status != statusUsage || strings.Count(o.err, "\n") != 1 || o.out != "") {
				t.Errorf("an error is not one line:\n%v", o)
			}
		})
	}
}

// benchLineJSON is a line of bench --json.
type benchLineJSON struct {
	Event, Error string
	Inducing     int
	Layers       *int
	Width        *int
	Set          map[string]any
	Steps        int
	Median       *float64 `json:"ms_median"`
	FLOPs        *float64 `json:"flops_per_step"`
	PeakShare    *float64 `json:"peak_share"`
	PeakGFLOPS   *float64 `json:"peak_gflops"`
	N            *int
	Batch        *int
	Cells        int
	Measured     int
	Scaling      []struct {
		Axis   string
		Values []float64
		Theory *int
	}
}

// benchLines runs dgplab bench --json with very short measurements.
func benchLines(t *testing.T, args ...string) []benchLineJSON {
	t.Helper()
	isolate(t)
	o := mustRun(t, append([]string{"bench", "--inputs", "2", "--seconds", "1e-9", "--json"}, args...)...)
	var lines []benchLineJSON
	for text := range strings.Lines(o.out) {
		var line benchLineJSON
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		lines = append(lines, line)
	}
	if o.err != "" {
		t.Errorf("got\n%v", o)
	}
	return lines
}

// TestBench measures two tiny models and checks the counts, not the times.
func TestBench(t *testing.T) {
	lines := benchLines(t, "--family", "svgp", "--inducing", "4,8", "--batch", "8")
	if len(lines) != 3 || lines[0].Event != "cell" || lines[1].Inducing != 8 {
		t.Fatalf("got %+v", lines)
	}
	for _, c := range lines[:2] {
		if c.Steps != 3 || c.Width != nil || c.Layers != nil || c.Set != nil || c.Median == nil ||
			c.FLOPs == nil || *c.FLOPs <= 0 || c.PeakShare == nil || c.Error != "" {
			t.Errorf("cell %+v", c)
		}
	}
	s := lines[2]
	if s.Event != "summary" || s.Cells != 2 || s.Measured != 2 || s.PeakGFLOPS == nil || *s.PeakGFLOPS <= 0 ||
		s.N == nil || *s.N != 2048 || s.Batch == nil {
		t.Errorf("summary %+v", s)
	}
	if len(s.Scaling) != 1 || s.Scaling[0].Axis != "inducing" || s.Scaling[0].Theory == nil ||
		*s.Scaling[0].Theory != 2 {
		t.Errorf("scaling %+v", s.Scaling)
	}
}

// Only explicit flags replace the values of a preset, because the defaults of the flags may be invalid for a
// family.
func TestBenchOfAPreset(t *testing.T) {
	lines := benchLines(t, "--family", "avdgp", "--preset", "meng2024", "--layers", "1", "--set",
		"inducing=3", "--rows", "200")
	if len(lines) != 2 || *lines[0].Layers != 1 || lines[0].Inducing != 3 || lines[0].Median == nil ||
		lines[1].Batch != nil || *lines[1].N != 200 {
		t.Errorf("got %+v", lines)
	}
}

// TestBenchAlongAnything varies the rows and a hyperparameter that replaces a flag.
func TestBenchAlongAnything(t *testing.T) {
	lines := benchLines(t, "--family", "svgp", "--inducing", "4", "--rows", "30,60", "--set", "batch=8,16",
		"--set", "kernel=rbf,matern32")
	if len(lines) != 9 || lines[1].Set["batch"] != 16.0 || lines[8].N != nil || lines[8].Batch != nil {
		t.Fatalf("got %+v", lines)
	}
	if set := lines[7].Set; set["rows"] != 60.0 || set["batch"] != 16.0 || set["kernel"] != "matern32" {
		t.Errorf("the last cell has %v", set)
	}
	if s := lines[8].Scaling; len(s) != 2 || s[0].Axis != "batch" || s[1].Axis != "rows" ||
		s[1].Values[1] != 60 || s[1].Theory != nil {
		t.Errorf("scaling %+v", s)
	}
}

func TestBenchInterrupted(t *testing.T) {
	isolate(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := run(t, ctx, "bench")
	if o.status != statusInterrupted || !strings.HasPrefix(o.out, "machine  ") ||
		o.err != "dgplab: interrupted after 0 of 28 cells\n" {
		t.Errorf("got\n%v", o)
	}
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

func TestBenchText(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	plan, steadyPeak := benchSweep()
	_, several := benchSweep()
	several.Peak.After = 60e9
	several.Cells = append(several.Cells,
		bench.Cell{
			Setting:   benchSetting("svgp", 32),
			Steps:     3,
			Median:    0.04,
			Min:       0.03,
			GFLOPS:    bench.Measure(math.NaN()),
			PeakShare: bench.Measure(math.NaN()),
		})
	for name, r := range map[string]bench.Result{
		"bench_text": steadyPeak, "bench_text_several": several,
		"bench_text_nothing": {Machine: steadyPeak.Machine},
	} {
		var out strings.Builder
		c := &console{Streams: Streams{Out: &out}, getenv: func(string) string { return "" }}
		if err := c.benchText(plan, r); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, name, out.String())
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(line)); n > 81 && name == "bench_text" {
				t.Errorf("%s: %d columns: %q", name, n, line)
			}
		}
	}
}

func TestBenchFloors(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	plan, r := benchSweep()
	r.Trips.Far = r.Trips.Near
	var out strings.Builder
	c := &console{Streams: Streams{Out: &out}, getenv: func(string) string { return "" }}
	if err := c.benchFloors(plan, r); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "bench_floors", out.String())
}

func TestBenchJSON(t *testing.T) {
	plan, r := benchSweep()
	var out strings.Builder
	c := &console{Streams: Streams{Out: &out}}
	if err := c.benchJSON(plan, r, true); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "bench_json", out.String())
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
