package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"dgplab/session/rundir"
	"dgplab/viz/golden"
)

// tiny returns the arguments of a very short run.
func tiny(args ...string) []string {
	return append([]string{"train", "--dataset", "steps", "--family", "star",
		"--set", "inducing=8", "--set", "test_samples=10", "--seed", "7"}, args...)
}

// event is a line of train --json.
type event struct {
	Event          string
	Step           int
	Seconds        *float64
	Objective      *float64
	ExpectedLogLik *float64 `json:"expected_log_lik"`
	KL             *float64
	ValLogLik      *float64 `json:"val_log_lik"`

	ID, Dir, Stop string
	Steps         int
	Test          *struct {
		LogLik   float64 `json:"log_lik"`
		NLL      float64
		RMSE     float64
		CRPS     float64
		Coverage map[string]float64
	}
}

// events parses the lines of train --json and fails the test for any other text.
func events(t *testing.T, text string) (steps []event, summary event) {
	t.Helper()
	for line := range strings.Lines(text) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in line %q", err, line)
		}
		switch {
		case summary.Event != "":
			t.Fatalf("a line after the summary: %q", line)
		case e.Event == "step":
			steps = append(steps, e)
		case e.Event == "summary":
			summary = e
		default:
			t.Fatalf("event %q in line %q", e.Event, line)
		}
	}
	return steps, summary
}

// metrics returns metrics.jsonl of a run in the format of train --json.
func metrics(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), `{"step":`, `{"event":"step","step":`)
}

func TestTrainJSON(t *testing.T) {
	isolate(t)
	o := mustRun(t, tiny("--steps", "20", "--json")...)
	steps, summary := events(t, o.out)
	var at []int
	for _, e := range steps {
		at = append(at, e.Step)
	}
	if want := []int{1, 10, 16, 20}; !slices.Equal(at, want) { // The decay begins at step 16.
		t.Fatalf("report lines at steps %v, want %v", at, want)
	}
	if steps[0].ValLogLik != nil || steps[1].ValLogLik == nil ||
		steps[0].Objective == nil || steps[0].KL == nil ||
		steps[0].Seconds == nil || steps[0].ExpectedLogLik == nil {
		t.Errorf("the wrong values are null: %+v, %+v", steps[0], steps[1])
	}
	if !strings.HasPrefix(o.out, metrics(t, summary.Dir)) {
		t.Errorf("not the lines of metrics.jsonl:\n%s\nwant\n%s", o.out, metrics(t, summary.Dir))
	}
	if summary.Stop != "steps" || summary.Steps != 20 || summary.Test == nil {
		t.Fatalf("summary %+v", summary)
	}
	if m := summary.Test; m.NLL != -m.LogLik || m.RMSE <= 0 || m.CRPS <= 0 || len(m.Coverage) != 3 {
		t.Errorf("test scores %+v", m)
	}
	for _, level := range []string{"50", "90", "95"} {
		if share, ok := summary.Test.Coverage[level]; !ok || share < 0 || share > 1 {
			t.Errorf("coverage of %s %% is %v, %v", level, share, ok)
		}
	}
	if !strings.HasPrefix(o.err, "dgplab: run "+summary.ID+" in ") || strings.Count(o.err, "\n") != 1 {
		t.Errorf("messages:\n%s", o.err)
	}
}

// figures matches numbers in a result.
var figures = regexp.MustCompile(`-?\d+[\d.,]*([eE][-+]?\d+)?(ms|m\d+s|[kMs])?`)

// scrubResult replaces numbers, which differ between machines in their last digits, and their
// alignment.
func scrubResult(text string) string {
	text = figures.ReplaceAllString(scrub(text), "#")
	return regexp.MustCompile(` {2,}`).ReplaceAllString(text, "  ")
}

func TestTrainPlain(t *testing.T) {
	isolate(t)
	o := mustRun(t, tiny("--steps", "20")...)
	words, pictures, ok := strings.Cut(o.out, "● ELBO")
	if !ok || !strings.Contains(pictures, "Covariance of the inducing outputs") {
		t.Fatalf("no pictures:\n%s", o.out)
	}
	// The number of progress lines, and which of them precedes the decay, depend on the speed of the machine.
	lines := regexp.MustCompile(`(?m)^ *\d+/20 .*\n`)
	if n := len(lines.FindAllString(words, -1)); n < 1 {
		t.Errorf("no line of progress:\n%s", words)
	}
	words = lines.ReplaceAllString(words, "")
	const decay = "step 16: decay\n"
	if !strings.Contains(words, decay) {
		t.Errorf("no line %q:\n%s", decay, words)
	}
	words = strings.Replace(words, decay, "", 1)
	golden.Check(t, "train_plain", scrubResult(words))
	if o.err != "" {
		t.Errorf("messages:\n%s", o.err)
	}
	if strings.Contains(o.out, "\x1b") {
		t.Error("escape codes without a terminal")
	}
}

func TestTrainClasses(t *testing.T) {
	isolate(t)
	path := filepath.Join(t.TempDir(), "classes.csv")
	var table strings.Builder
	for i := range 60 {
		table.WriteString(strconv.Itoa(i%13) + "," + strconv.Itoa(i%7) + "," + strconv.Itoa(i%2) + "\n")
	}
	if err := os.WriteFile(path, []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	o := mustRun(t, "train", "--dataset", path, "--family", "svgp", "--set", "inducing=5", "--steps", "5")
	for _, want := range []string{"error rate", "accuracy", "log-loss"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("no %s:\n%s", want, o.out)
		}
	}
	if o.err != "dgplab: note: target x3 has only the values 0 and 1: treated as two classes, 0 and 1\n" {
		t.Errorf("the note about the classes is missing: %q", o.err)
	}
}

// writer is an output that calls a function on its first write.
type writer struct {
	text  bytes.Buffer
	once  sync.Once
	first func() error
}

func (w *writer) Write(text []byte) (int, error) {
	var err error
	w.once.Do(func() { err = w.first() })
	if err != nil {
		return 0, err
	}
	return w.text.Write(text)
}

func (w *writer) String() string { return w.text.String() }

func TestTrainLosesNoLineToASlowReader(t *testing.T) {
	isolate(t)
	w := &writer{first: func() error {
		eventually(t, "the end of the run", func() bool {
			list, err := rundir.List()
			return err == nil && len(list) == 1 && list[0].Results != nil
		})
		return nil
	}}
	status := Run(context.Background(), Streams{Out: w, Err: new(bytes.Buffer)},
		tiny("--steps", "120", "--set", "metrics_every=1", "--json"))
	steps, summary := events(t, w.String())
	if status != statusOK || len(steps) != 120 || summary.Steps != 120 {
		t.Fatalf("status %d, %d lines; want 120", status, len(steps))
	}
	if !strings.HasPrefix(w.String(), metrics(t, summary.Dir)) {
		t.Error("not the lines of metrics.jsonl")
	}
}

// interruptRun starts a long run and cancels its context at the first report.
func interruptRun(t *testing.T) (o outcome, steps []event, summary event) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &writer{first: func() error { cancel(); return nil }}
	var errs bytes.Buffer
	status := Run(ctx, Streams{Out: w, Err: &errs}, tiny("--steps", "1000000", "--json"))
	steps, summary = events(t, w.String())
	return outcome{w.String(), errs.String(), status}, steps, summary
}

// withoutSeconds removes seconds, the only field that differs between equal runs.
func withoutSeconds(text string) string {
	return regexp.MustCompile(`"seconds":[^,]*,`).ReplaceAllString(text, "")
}

func TestTrainInterruptedAndResumed(t *testing.T) {
	isolate(t)
	o, steps, summary := interruptRun(t)
	if o.status != statusInterrupted || summary.Stop != "asked" || summary.Test != nil || len(steps) == 0 {
		t.Fatalf("status %d, %d steps, summary %+v", o.status, len(steps), summary)
	}
	if want := "checkpoint saved; to continue, run: dgplab train --resume " + summary.ID +
		"\n"; !strings.HasSuffix(o.err, want) {
		t.Errorf("messages:\n%s", o.err)
	}
	limit := strconv.Itoa(2*summary.Steps + 20) // The decay begins after the interruption.
	resumed := mustRun(t, "train", "--resume", summary.ID, "--steps", limit, "--json")
	again, end := events(t, resumed.out)
	if end.Stop != "steps" || end.ID != summary.ID || end.Test == nil || len(again) == 0 ||
		again[0].Step <= summary.Steps {
		t.Fatalf("resumed at %d: %d lines from step %d, summary %+v",
			summary.Steps, len(again), again[0].Step, end)
	}
	whole := mustRun(t, tiny("--steps", limit, "--json")...)
	_, other := events(t, whole.out)
	got := withoutSeconds(metrics(t, end.Dir))
	want := withoutSeconds(metrics(t, other.Dir))
	if got != want {
		t.Errorf("the resumed run differs from the uninterrupted run:\n%s\nwant\n%s", got, want)
	}
	if !reflect.DeepEqual(end.Test, other.Test) {
		t.Errorf("test scores %+v; want %+v", end.Test, other.Test)
	}
	if o := dgplab(t, "train", "--resume", summary.ID); o.status != statusFailed ||
		!strings.Contains(o.err, "has done all of its") {
		t.Errorf("resumed once more:\n%v", o)
	}
}

func TestTrainIntoAClosedPipe(t *testing.T) {
	isolate(t)
	for _, mode := range []string{"--json", "--json=false"} {
		var errs bytes.Buffer
		w := &writer{first: func() error { return syscall.EPIPE }}
		status := Run(context.Background(), Streams{Out: w, Err: &errs}, tiny("--steps", "1000000", mode))
		if status != statusInterrupted ||
			!strings.Contains(errs.String(), "standard output was closed; stopped at step ") {
			t.Errorf("%s: status %d, messages\n%s", mode, status, errs.String())
		}
	}
}

func TestTrainIntoAFullDisk(t *testing.T) {
	isolate(t)
	var errs bytes.Buffer
	w := &writer{first: func() error { return syscall.ENOSPC }}
	status := Run(context.Background(), Streams{Out: w, Err: &errs}, tiny("--steps", "1000000", "--json"))
	if status != statusFailed || !strings.Contains(errs.String(), "dgplab: standard output: ") {
		t.Errorf("status %d, messages\n%s", status, errs.String())
	}
}

// Resuming fails if the data of the run have changed.
func TestTrainFailed(t *testing.T) {
	isolate(t)
	path := filepath.Join(t.TempDir(), "table.csv")
	write := func(factor int) {
		var table strings.Builder
		for i := range 30 {
			table.WriteString(strconv.Itoa(i) + "," + strconv.Itoa(factor*i*i) + "\n")
		}
		if err := os.WriteFile(path, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(1)
	o := mustRun(t, "train", "--dataset", path, "--family", "svgp", "--set",
		"inducing=4", "--steps", "3", "--json")
	_, summary := events(t, o.out)
	write(-2)
	o = dgplab(t, "train", "--resume", summary.ID, "--steps", "6", "--json")
	_, end := events(t, o.out)
	if o.status != statusFailed || end.Stop != "failed" || !strings.Contains(o.err, "dgplab: run failed: ") ||
		strings.Contains(o.err, "goroutine") {
		t.Errorf("got\n%v", o)
	}
}

func TestRunsAfterTraining(t *testing.T) {
	isolate(t)
	_, summary := events(t, mustRun(t, tiny("--steps", "20", "--json")...).out)
	golden.Check(t, "runs_one", scrubResult(mustRun(t, "runs").out))

	var list []struct{ ID, State string }
	if err := json.Unmarshal([]byte(mustRun(t, "runs", "--json").out), &list); err != nil || len(list) != 1 ||
		list[0].ID != summary.ID {
		t.Errorf("runs --json: %v, %v", list, err)
	}
	shown := mustRun(t, "runs", "show", summary.ID)
	words, pictures, _ := strings.Cut(shown.out, "● ELBO")
	golden.Check(t, "runs_show", scrubResult(words))
	for _, want := range []string{"validation log-likelihood", "Covariance of the inducing outputs"} {
		if !strings.Contains(pictures, want) {
			t.Errorf("no picture %q:\n%s", want, pictures)
		}
	}
	var one struct{ ID string }
	if err := json.Unmarshal([]byte(mustRun(t, "runs", "show", summary.ID[:8], "--json").out),
		&one); err != nil || one.ID != summary.ID {
		t.Errorf("runs show --json: %v, %v", one, err)
	}
}

// A run with damaged report lines is resumed only with --repair.
func TestRepair(t *testing.T) {
	isolate(t)
	mustRun(t, "train", "--dataset", "steps", "--family", "svgp", "--steps", "5", "--set", "inducing=4")
	runs, err := rundir.List()
	if err != nil {
		t.Fatal(err)
	}
	id := runs[0].ID
	path := filepath.Join(runs[0].Dir, "metrics.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte("x\n"), text...), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"train", "--resume", id, "--steps", "9"}
	o := dgplab(t, args...)
	if o.status != statusFailed || !strings.Contains(o.err, "use dgplab train --resume "+id+" --repair to") {
		t.Errorf("without --repair: %v", o)
	}
	if o := mustRun(t, append(args, "--repair")...); !strings.Contains(o.err, "metrics.damaged.jsonl") {
		t.Errorf("with --repair: %v", o)
	}
}
