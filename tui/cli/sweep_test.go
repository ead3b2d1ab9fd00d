package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/viz/golden"
)

// A plan counts the combinations that a sweep trains, and names the settings that a family does not have.
// Nothing is saved.
func TestSweepPlans(t *testing.T) {
	isolate(t)
	for _, c := range []struct {
		args string
		want []string
	}{
		{"--family star,svgp,gp --set layers=2,3 --inducing 8,16 --set svgp.inducing=4 --seed 0..1 " +
			"--baseline",
			[]string{"runs      12 (3 of family x 2 of layers x 3 of inducing x 2 of seed = 36, less 25, " +
				"plus 1 of linear)\n", "left out  layers for svgp, layers for gp, inducing for gp\n"}},
		{"--family star,svgp --set layers=2,3 --inducing 8,16 --random 3 --seed 0..1",
			[]string{"runs      6 (3 of 6 combinations x 2 of seed)\n"}},
		{"--family svgp --inducing 8,16 --random 1", []string{"runs      1\n"}},
		// Commas do not separate values of flags that control parameters, and semicolons do.
		{"--family svgp --fix none;noise_variance,variance --bound lengthscale=0.1..9 --bound Z=-9..9",
			[]string{"runs     2\n", "bound    lengthscale=0.1..9,Z=-9..9\n"}},
	} {
		line := "sweep --dataset steps --dry-run " + c.args
		o := mustRun(t, strings.Fields(line)...)
		for _, want := range c.want {
			if !strings.Contains(o.out, want) {
				t.Errorf("dgplab %s: want %q, found\n%v", line, want, o)
			}
		}
		if _, err := os.Stat(filepath.Join(os.Getenv("DGPLAB_RUNS"), ".sweeps")); err == nil {
			t.Errorf("dgplab %s: a sweep was created", line)
		}
	}
}

// tinySweep returns the arguments of a sweep of four very short runs.
func tinySweep(args ...string) []string {
	return append([]string{"sweep", "--dataset", "steps", "--family", "svgp", "--set", "inducing=4,6",
		"--set", "test_samples=2",
		"--set", "batch=20", "--steps", "20", "--seed", "0..1"}, args...)
}

// seconds matches training times, which differ between runs.
var seconds = regexp.MustCompile(`<?[\d.]+m?s \(<?[\d.]+m?s\)$|in <?[\d.]+m?s$`)

// scrubSweep replaces the varying parts of a sweep's output. Scores have the same number of digits
// on all machines.
func scrubSweep(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = seconds.ReplaceAllString(strings.TrimSuffix(line, "\n"), "TIME")
		out.WriteString(regexp.MustCompile(`-?\d+\.\d{4}`).ReplaceAllString(line, "#.####") + "\n")
	}
	return regexp.MustCompile(` {2,}`).ReplaceAllString(scrub(out.String()), "  ")
}

// TestSweep runs a sweep, repeats the command, and shows the sweep.
func TestSweep(t *testing.T) {
	isolate(t)
	first := mustRun(t, tinySweep("--jobs", "2")...)
	if n := strings.Count(first.err, "test LL"); n != 4 {
		t.Errorf("%d runs are reported:\n%s", n, first.err)
	}
	first.err = "" // The messages depend on the order in which runs end.
	golden.Check(t, "sweep_first", scrubSweep(first.String()))

	again := mustRun(t, tinySweep()...)
	_, table, _ := strings.Cut(scrubSweep(first.out), "\n\n")
	plan, shown, _ := strings.Cut(scrubSweep(again.out), "\n\n")
	if !strings.HasSuffix(plan, "\n  4 of them already done") || shown != table || again.err != "" {
		t.Errorf("repeated: want the same scores and no training, found\n%v", again)
	}
	runs, err := rundir.List()
	if err != nil || len(runs) != 4 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	name := runs[0].Sweep
	if o := mustRun(t, "sweep", "--resume", name); o.String() != again.String() {
		t.Errorf("--resume does\n%v\nwant\n%v", o, again)
	}
	golden.Check(t, "sweep_show", scrubSweep(mustRun(t, "sweep", "show", name).out))
	list := regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`).ReplaceAllString(mustRun(t, "sweep", "list").out,
		"DATE")
	golden.Check(t, "sweep_list", list)

	other := dgplab(t, "sweep", "--dataset", "steps", "--name", name)
	if other.status != statusUsage || !strings.Contains(other.err, "choose another name") {
		t.Errorf("another grid of the same name:\n%v", other)
	}
	if typo := dgplab(t, "sweep", "show", name+"x"); typo.status != statusUsage ||
		!strings.Contains(typo.err, "did you mean "+name+"?") {
		t.Errorf("a typing error in the name:\n%v", typo)
	}
}

// The pruned runs of a sweep with successive halving are marked when it is trained and shown.
func TestSweepHalving(t *testing.T) {
	isolate(t)
	args := tinySweep("--name", "h", "--halving", "2", "--set", "validation=0.2")
	o := mustRun(t, args...)
	for _, want := range []string{
		"1/2 and all steps", "0/2 at rung 1", "*", " 2/2 ", "successive halving pruned",
	} {
		if !strings.Contains(o.out, want) {
			t.Errorf("no %q:\n%s", want, o.out)
		}
	}
	n := strings.Count(o.err, "pruned at rung 1, test LL")
	if n != 2 || strings.Count(o.err, "test LL") != 4 {
		t.Errorf("%d pruned runs are reported:\n%s", n, o.err)
	}
	shown := mustRun(t, "sweep", "show", "h")
	if !strings.Contains(shown.out, "rung 1: 1 of 2 settings kept, best svgp batch=20 inducing=") ||
		strings.Contains(shown.out, "to continue") {
		t.Errorf("shown as\n%s", shown.out)
	}
	if list := mustRun(t, "sweep", "list").out; !strings.Contains(list, "pruned") {
		t.Errorf("listed as\n%s", list)
	}
	for _, bad := range [][]string{{"--halving", "1"}, {"--rungs", "2"}, {"--halving", "2", "--rungs", "1"}} {
		o := dgplab(t, tinySweep(bad...)...)
		if o.status != statusUsage || !strings.Contains(o.err, "bad value") {
			t.Errorf("%v:\n%v", bad, o)
		}
	}
}

// sweepEvent is a line of sweep --json.
type sweepEvent struct {
	Event, Key, Name, Status, Run, State string
	Summary                              *rundir.Summary
	Counts                               map[string]int
	Runs                                 int
	Rows                                 []struct {
		Values map[string]string
		Scores map[string]struct {
			Mean, SE *float64
			N        int
		}
	}
	Estimate *struct{ Runs, Unknown int }
}

func sweepEvents(t *testing.T, text string) []sweepEvent {
	t.Helper()
	var list []sweepEvent
	for line := range strings.Lines(text) {
		var e sweepEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		list = append(list, e)
	}
	return list
}

func TestSweepJSON(t *testing.T) {
	isolate(t)
	for i, done := range []int{0, 4} {
		o := mustRun(t, tinySweep("--json")...)
		list := sweepEvents(t, o.out)
		if len(list) != 6 || o.err != "" {
			t.Fatalf("pass %d:\n%v", i, o)
		}
		if e := list[0]; e.Event != "plan" || e.Runs != 4 || e.Counts["done"] != done || e.Estimate == nil ||
			e.Estimate.Runs != 4-done {
			t.Errorf("pass %d: plan %+v", i, e)
		}
		for _, e := range list[1:5] {
			if e.Event != "run" || e.Status != "done" || e.Run == "" ||
				e.Summary == nil || e.Summary.Test == nil {
				t.Errorf("pass %d: run %+v", i, e)
			}
		}
		e := list[5]
		if e.Event != "sweep" || e.State != "ended" || e.Counts["done"] != 4 || len(e.Rows) != 2 {
			t.Fatalf("pass %d: sweep %+v", i, e)
		}
		var four []float64 // the runs of the first row, in the order in which they ended
		for _, e := range list[1:5] {
			if strings.Contains(e.Key, "inducing=4") {
				four = append(four, float64(e.Summary.Test.LogLik))
			}
		}
		if len(four) != 2 {
			t.Fatalf("pass %d: want two runs with inducing=4, found\n%s", i, o.out)
		}
		a, b := four[0], four[1]
		score := e.Rows[0].Scores["log_lik"]
		if e.Rows[0].Values["inducing"] != "4" || score.N != 2 || math.Abs(*score.Mean-(a+b)/2) > 1e-12 ||
			math.Abs(*score.SE-math.Abs(a-b)/2) > 1e-12 {
			t.Errorf("pass %d: row %+v; the runs have %v and %v", i, e.Rows[0], a, b)
		}
	}
	name := sweepEvents(t, mustRun(t, tinySweep("--json")...).out)[5].Name
	var shown struct {
		Name  string
		Cells []sweepEvent
	}
	if err := json.Unmarshal([]byte(mustRun(t, "sweep", "show", name, "--json").out), &shown); err != nil ||
		shown.Name != name || len(shown.Cells) != 4 {
		t.Errorf("%+v, %v", shown, err)
	}
	var listed []sweepEvent
	if err := json.Unmarshal([]byte(mustRun(t, "sweep", "list", "--json").out), &listed); err != nil ||
		len(listed) != 1 || listed[0].Name != name {
		t.Errorf("%+v, %v", listed, err)
	}
}

// A failed run does not end the sweep but sets the exit status. It is retried only on request.
func TestSweepWithFailures(t *testing.T) {
	isolate(t)
	table := filepath.Join(t.TempDir(), "table.csv")
	text := "a,b\n" + strings.Repeat("1,2\n3,5\n4,4\n6,9.5\n8,7\n", 8)
	if err := os.WriteFile(table, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"sweep", "--dataset", table, "--family", "svgp", "--set", "inducing=4,6",
		"--steps", "5", "--name", "s"}
	mustRun(t, args...)
	const limits = "DGPLAB_CSV_LIMITS"
	t.Setenv(limits, "numbers=5")
	if o := dgplab(t, args...); o.status != statusFailed ||
		!strings.Contains(o.err, "to allow twice as much") || o.out != "" {
		t.Errorf("a limit exceeded, found before the start:\n%v", o)
	}
	t.Setenv(limits, "")
	state, err := sweep.Open("s")
	if err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(state.Cells[1].Summary.Dir, "summary.json")
	if err := os.WriteFile(damaged, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := dgplab(t, args...)
	if o.status != statusFailed || !strings.Contains(o.out, "1 of them failed earlier; use --retry") ||
		!strings.Contains(o.out, "\nfailed: "+table) ||
		!strings.HasSuffix(o.err,
			"dgplab: 1 of 2 runs failed; to retry, run: dgplab sweep --resume s --retry\n") {
		t.Errorf("a sweep with a failure:\n%v", o)
	}
	if o := mustRun(t, "sweep", "show",
		"s"); !strings.HasSuffix(o.out, "\nto continue, run: dgplab sweep --resume s --retry\n") {
		t.Errorf("shown as\n%s", o.out)
	}
	if o := mustRun(t, "sweep", "--resume", "s", "--retry"); strings.Contains(o.out, "failed") {
		t.Errorf("after the second attempt:\n%v", o)
	}
}

func TestSweepInterrupted(t *testing.T) {
	isolate(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // Cancel the sweep once a run is training.
		for ctx.Err() == nil {
			if runs, _ := rundir.List(); len(runs) > 0 && runs[0].Step > 10 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	args := []string{"sweep", "--dataset", "steps", "--family", "svgp", "--set", "inducing=4,6", "--set",
		"early_stopping=off", "--steps", "1000000", "--name", "s"}
	o := run(t, ctx, args...)
	if o.status != statusInterrupted ||
		!strings.HasSuffix(o.err, "dgplab: 0 of 2 runs done; to continue, run: dgplab sweep --resume s\n") {
		t.Errorf("interrupted:\n%v", o)
	}
	state, err := sweep.Open("s")
	if err != nil || state.Count(sweep.Stopped) != 1 || state.Count(sweep.Waiting) != 1 {
		t.Errorf("%+v, %v", state, err)
	}
	done, stop := context.WithCancel(context.Background())
	stop()
	if o := run(t, done, "sweep", "--dataset", "steps"); o.status != statusInterrupted || o.out != "" {
		t.Errorf("interrupted before the start:\n%v", o)
	}
}

// closedWriter is a pipe whose reader closes it after some lines.
type closedWriter struct{ lines int }

func (w *closedWriter) Write(p []byte) (int, error) {
	w.lines--
	if w.lines < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestSweepOutputLost(t *testing.T) {
	isolate(t)
	var errs strings.Builder
	status := Run(context.Background(), Streams{In: strings.NewReader(""), Out: &closedWriter{2}, Err: &errs},
		tinySweep("--json", "--steps", "200", "--name", "s"))
	if status != statusInterrupted || !strings.Contains(errs.String(), "standard output was closed; ") {
		t.Errorf("status %d, %s", status, errs.String())
	}
	err := sweepOutputLost(&sweep.State{Name: "s"}, errors.New("disk full"))
	want := "standard output: disk full; to see the results, run: dgplab sweep show s"
	if err.Error() != want {
		t.Error(err)
	}
}

func TestSweepProgress(t *testing.T) {
	s := &sweep.State{Phase: sweep.Going, Jobs: 2, Cells: make([]sweep.CellState, 6)}
	for i, status := range []sweep.Status{sweep.Done, sweep.Done, sweep.Running, sweep.Failed,
		sweep.Waiting, sweep.Waiting} {
		s.Cells[i].Status, s.Cells[i].Seconds = status, 60
	}
	for i, want := range map[sweep.Phase]string{
		sweep.Going:    "2 of 6 runs done, 1 running, 1 failed",
		sweep.Stopping: "2 of 6 runs done, 1 running, 1 failed, stopping",
	} {
		s.Phase = i
		if got := sweepProgress(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	s.Phase, s.Cells[4].Seconds = sweep.Going, 0
	if got, want := sweepProgress(s), "2 of 6 runs done, 1 running, 1 failed, about 1m00s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// If nothing is varied, a sweep prints its plan and trains nothing.
func TestSweepOfNothing(t *testing.T) {
	isolate(t)
	for _, args := range [][]string{{"sweep"}, {"sweep", "--jobs", "2"}} {
		o := dgplab(t, args...)
		want := "dgplab: nothing is varied; add values, such as --set inducing=32,64, or --yes to train this"
		if o.status != statusUsage || !strings.Contains(o.out, "runs     1\n") ||
			!strings.HasPrefix(o.err, want) {
			t.Errorf("want the plan, status %d and %q, found\n%v", statusUsage, want, o)
		}
	}
}
