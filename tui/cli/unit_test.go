package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/interrupt"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui"
	"dgplab/tui/report"
	"dgplab/viz/golden"
)

// The printed command, parsed by a shell, gives the same configuration.
func TestCommandLineMeansTheSame(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	c := rundir.Config{
		Dataset: "my data/it's $HOME.csv", Targets: []string{"a b", `"q"`, "-1"},
		Split: "extrapolation:3", Family: "mask", Seed: 9,
		Set: map[string]string{"mask": "1/01/101;*", "width": "2,3", "steps": "50"},
	}
	line := strings.TrimPrefix(commandLine(c), "dgplab train ")
	out, err := exec.Command(shell, "-c", `printf '%s\n' `+line).Output()
	if err != nil {
		t.Fatal(err)
	}
	got, err := parsed(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(c) {
		t.Errorf("%s means\n%+v; want\n%+v", line, got, c)
	}
}

// parsed returns the configuration for arguments of dgplab train.
func parsed(args []string) (rundir.Config, error) {
	f := new(fieldFlags)
	cmd := &cobra.Command{Use: "train", SilenceErrors: true, SilenceUsage: true}
	f.register(cmd, false)
	if err := cmd.ParseFlags(args); err != nil {
		return rundir.Config{}, flagError(cmd, err)
	}
	return f.config(cmd)
}

// Invalid arguments lead to usage errors or file errors.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"--dataset steps --family star --set inducing=8 --steps 3", "--set width=1,2,3 --set layers=4",
		"--split standard:9 --seed 18446744073709551615", "--set mask=2.1-1.1 --family mask", "--set =",
		"--set a", "--steps -1", "--target 0 --target",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c, err := parsed(strings.Fields(line))
		if err == nil {
			err = check(&cobra.Command{Use: "train"}, withDefaults(c))
		}
		if err != nil && strings.ContainsAny(oneLine(err), "\n\r") {
			t.Errorf("%q: more than one line: %q", line, oneLine(err))
		}
	})
}

// Text from a run directory is printed on one line without escape sequences.
func TestPrintable(t *testing.T) {
	var rows facts
	rows.add("name", "%s", "x\x07\ny")
	if got := rows.String(); got != "name  x y\n" {
		t.Errorf("%q", got)
	}
	var said strings.Builder
	(&console{Streams: Streams{Err: &said}}).say("%s", "x\x1b[2J\ny")
	if got := said.String(); got != "dgplab: x[2J y\n" {
		t.Errorf("%q", got)
	}
}

func TestOneLine(t *testing.T) {
	if got := oneLine(errors.Join(errors.New("first"), errors.New(" second\n\nthird"))); got !=
		"first; second; third" {
		t.Errorf("%q", got)
	}
}

func TestVersionText(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"},
	}}
	info.Main.Version = "v1.2.3"
	if got := versionText(info); !strings.HasPrefix(got, "dgplab v1.2.3 0123456789ab (modified), go") {
		t.Error(got)
	}
	if got := versionText(nil); !strings.HasPrefix(got, "dgplab (devel), go") {
		t.Error(got)
	}
}

func TestProgressLines(t *testing.T) {
	elbo := family.Objective{Name: "ELBO", Terms: []family.Reading{family.KL}}
	s := &session.Snapshot{
		Summary:   rundir.Summary{Step: 1200, Seconds: 61, StepsPerSecond: 19.67, ObjectiveIs: elbo},
		Steps:     20000,
		Remaining: 16 * time.Minute,
		Last:      rundir.Point{Objective: -1234.5, Readings: []rundir.Reading{{Key: "kl", Value: 678.9}}},
		Curve:     []rundir.Point{{Step: 1190, ValLogLik: -0.5}, {Step: 1200, ValLogLik: math.NaN()}},
	}
	golden.Check(t, "progress", progressHeader(s)+progressLine(s))
}

// A run of one hour at 50 steps per second prints few progress lines.
func TestProgressIsCalm(t *testing.T) {
	var out strings.Builder
	r := newPlainReporter(&console{Streams: Streams{Out: &out}})
	for step := 1; step <= 180_000; step += 5 {
		s := &session.Snapshot{
			Summary: rundir.Summary{
				Data: rundir.DataFacts{N: 10}, Parameters: 3, Step: step, Seconds: float64(step) / 50,
			},
			Steps: 180_000,
			State: rundir.Running,
		}
		if err := r.report(s); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(out.String(), "/180,000"); n < 30 || n > 80 {
		t.Errorf("%d lines; want about 70", n)
	}
}

// Each phase is reported once, on one line.
func TestPhasesAreTold(t *testing.T) {
	var out strings.Builder
	r := newPlainReporter(&console{Streams: Streams{Out: &out}})
	curve := []rundir.Point{{Step: 1, Phase: "start 1 of 2, bound -9, best -9"}, {Step: 2,
		Phase: "start 2 of 2, bound -7, best -7"}, {Step: 3}, {Step: 4}, {Step: 5, Phase: "late"},
		{Step: 6, Phase: "late"}}
	for _, n := range []int{1, 1, 4, 6} {
		built := rundir.Summary{Data: rundir.DataFacts{N: 10}, Parameters: 3}
		if err := r.report(&session.Snapshot{Summary: built, Steps: 9, Curve: curve[:n]}); err != nil {
			t.Fatal(err)
		}
	}
	_, told, _ := strings.Cut(out.String(), "\n\n")
	if want := "step 1: start 1 of 2, bound -9, best -9\nstep 2: start 2 of 2, bound -7, best -7\nstep 5: " +
		"late\n"; told != want {
		t.Errorf("%q", told)
	}
}

// The introduction of a resumed run waits for its model, because the size of the model is unknown until then.
func TestIntroductionWaitsForTheModel(t *testing.T) {
	var out strings.Builder
	r := newPlainReporter(&console{Streams: Streams{Out: &out}})
	s := &session.Snapshot{
		Summary: rundir.Summary{ID: "id", Data: rundir.DataFacts{N: 1000}, Step: 20},
		State:   rundir.Preparing,
		Steps:   30,
	}
	if err := r.report(s); err != nil || out.Len() > 0 {
		t.Fatalf("%v; without a model the output is %q", err, out.String())
	}
	s.Parameters = 1234
	if err := r.report(s); err != nil || !strings.Contains(out.String(), "\n1,234 parameters; run id\n") {
		t.Errorf("%v; with a model the output is %q", err, out.String())
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -100: "-100", 1234567: "1,234,567",
	} {
		if got := report.Grouped(n); got != want {
			t.Errorf("report.Grouped(%d) = %q; want %q", n, got, want)
		}
	}
}

func TestStopTextOfAConvergedRun(t *testing.T) {
	s := &session.Snapshot{
		Summary: rundir.Summary{Stop: rundir.StopConverged, Step: 70}, State: rundir.Ended, Steps: 1000,
	}
	if got := stopText(s); got != "convergence at step 70 of 1,000" {
		t.Errorf("%q", got)
	}
}

// Failed writes are errors, even when help is printed. A closed pipe is not an error.
func TestOutputThatCannotBeWritten(t *testing.T) {
	isolate(t)
	fakeSlurm(t)
	file := writeExperiment(t)
	slurm := "sweep --on slurm --dataset steps --family linear --steps 2 --seed "
	mustRun(t, "train", "--dataset", "steps", "--family", "linear", "--steps", "2")
	mustRun(t, tinySweep("--name", "saved", "--on", "none")...)
	for _, line := range []string{"reproduce", "reproduce --json", "reproduce --results --file " + file,
		"reproduce --results --json --file " + file, "reproduce --results --csv --file " + file,
		"sweep show saved", "sweep show saved --json", slurm + "0 --dry-run", slurm + "0 --dry-run --json",
		slurm + "1", slurm + "2 --json", "sweep --on none --dataset steps --family linear --name by-hand",
		"suggest latest", "suggest latest --json", "export latest --report " + t.TempDir() + "/page.html",
		"help", "--help", "-h", "help train", "runs --help", "--version", "version",
		"families", "families star", "families --json",
		"datasets", "datasets --json", "datasets show steps", "runs", "runs --json", "runs trash --json",
		"completion bash", "__complete runs s", "runs show latest", "runs show latest --json",
		"datasets show steps --json", "sweep --dry-run --dataset steps --family linear", "sweep list --json",
		"compare family:linear --csv", "compare family:linear --latex", "compare family:linear --markdown",
		"compare family:linear --json", "export latest --figure predicted --json --out " + t.TempDir(),
		"sweep --dataset steps --family linear --steps 2 --name plain",
		"sweep --dataset steps --family linear --steps 2 --name listed --json",
		"train --dataset steps --family linear --steps 2",
		"train --dataset steps --family linear --steps 2 --json"} {
		for err, want := range map[error]int{syscall.ENOSPC: statusFailed, io.ErrClosedPipe: statusOK} {
			trains := strings.HasPrefix(line, "train ") || strings.HasPrefix(line, "sweep --dataset")
			if trains && want == statusOK {
				continue // The lost output is the result.
			}
			var errs bytes.Buffer
			status := Run(context.Background(),
				Streams{In: strings.NewReader(""), Out: failingWriter{err}, Err: &errs}, strings.Fields(line))
			if status != want || (want == statusFailed) != strings.Contains(errs.String(), err.Error()) {
				t.Errorf("%s: status %d, want %d; %s", line, status, want, errs.String())
			}
		}
	}
}

// failingWriter always fails.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// A command returns the error of writing its output, or the error of the output.
func TestAnswerErrors(t *testing.T) {
	full := errors.New("disk full")
	empty := errors.New("no runs")
	for _, c := range []struct {
		args   []string
		output output
		want   error
	}{
		{[]string{"--csv"}, output{csv: func(io.Writer) error { return full }}, full},
		{[]string{"--json"}, output{each: func(func(any) error) error { return full }}, full},
		{nil, output{text: func() string { return "text" }, trouble: empty}, empty},
		{nil, output{text: func() string { return "text" }}, nil},
	} {
		var out bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetArgs(c.args)
		console := &console{Streams: Streams{Out: &out}}
		console.withOutput(cmd, func(*cobra.Command, []string) (output, error) { return c.output, nil })
		formFlags(cmd, csvForm)
		if err := cmd.Execute(); !errors.Is(err, c.want) {
			t.Errorf("%v: error %v, want %v", c.args, err, c.want)
		}
		if want := c.output.text != nil; (out.String() == "text") != want {
			t.Errorf("%v: wrote %q", c.args, out.String())
		}
	}
}

// TestStopTexts checks the text about the end of a run.
func TestStopTexts(t *testing.T) {
	for want, s := range map[string]*session.Snapshot{
		"completion of all 1,000 steps":       {Summary: rundir.Summary{Stop: rundir.StopSteps}},
		"early stopping at step 70 of 1,000":  {Summary: rundir.Summary{Stop: rundir.StopEarly}},
		"until_converged at step 70 of 1,000": {Summary: rundir.Summary{Stop: rundir.StopSettled}},
		"request at step 70 of 1,000":         {Summary: rundir.Summary{Stop: rundir.StopAsked}},
		"end of a rung at step 70 of 1,000":   {Summary: rundir.Summary{Stop: rundir.StopRung}},
		"failure at step 70":                  {Summary: rundir.Summary{Stop: rundir.StopFailed}},
		"failure at step 70: bad; luck": {
			Summary: rundir.Summary{Stop: rundir.StopFailed}, Err: errors.New("bad\nluck"),
		},
		"termination of its process at step 70": {State: rundir.Interrupted},
		"not ended, at step 70":                 {State: rundir.Running},
	} {
		s.Step, s.Steps = 70, 1000
		if got := stopText(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// If the result of a run cannot be written, the error gives the command that shows the result or continues
// the run.
func TestLostOutput(t *testing.T) {
	full := errors.New("no space left")
	for _, c := range []struct {
		stop   rundir.Stop
		err    error
		want   string
		status int
	}{
		{rundir.StopFailed, full, "run failed: bad luck; its files are in /runs/id", statusFailed},
		{rundir.StopSteps, full,
			"cannot write the result (no space left); to see it, run: dgplab runs show id",
			statusFailed},
		{rundir.StopSteps, io.ErrClosedPipe, "to see it, run: dgplab runs show id", statusInterrupted},
		{rundir.StopAsked, full, "standard output: no space left; stopped at step 1,234, checkpoint saved; " +
			"to continue, run: dgplab train --resume id", statusFailed},
		{rundir.StopAsked, io.ErrClosedPipe,
			"standard output was closed; stopped at step 1,234, checkpoint saved",
			statusInterrupted},
		{rundir.StopAsked, interrupt.ErrUnread,
			"standard output was not read; stopped at step 1,234, checkpoint saved",
			statusInterrupted},
	} {
		err := outputLost(&session.Snapshot{
			Summary:        rundir.Summary{ID: "id", Dir: "/runs/id", Stop: c.stop, Step: 1234},
			CheckpointStep: 1200,
			Err:            errors.New("bad luck"),
		}, c.err)
		var errs bytes.Buffer
		status := (&console{Streams: Streams{Err: &errs}}).report(err)
		if !strings.Contains(errs.String(), c.want) || status != c.status {
			t.Errorf("%s: status %d, want %d; %q, want %q", c.stop, status, c.status, errs.String(), c.want)
		}
	}
	if got := place(&session.Snapshot{
		Summary:        rundir.Summary{ID: "id"},
		CheckpointStep: -1,
	}); !strings.Contains(got, "no checkpoint yet") {
		t.Errorf("%q", got)
	}
}

// TestStatuses checks the exit status and the error line for every kind of error.
func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		line   string
	}{
		{nil, statusOK, ""}, {io.ErrClosedPipe, statusOK, ""},
		{errors.New("disk\nfull"), statusFailed, "dgplab: disk; full\n"},
		{usage(nil, "bad value"), statusUsage, "dgplab: bad value\n"},
		{usage(&cobra.Command{Use: "x"}, "bad value"), statusUsage, "dgplab: bad value (see x --help)\n"},
		{&interruptedError{"stopped"}, statusInterrupted, "dgplab: stopped\n"},
		{fmt.Errorf("read: %w", context.Canceled), statusInterrupted, "dgplab: interrupted\n"},
		{tui.ErrQuit, statusQuit, "dgplab: " + tui.ErrQuit.Error() + "\n"},
		{fmt.Errorf("write: %w", interrupt.ErrUnread), statusInterrupted,
			"dgplab: write: the output is not read\n"},
		{tui.ErrAtOnce, statusAtOnce, "dgplab: " + tui.ErrAtOnce.Error() + "\n"},
		{tui.ErrInterrupted, statusInterrupted, "dgplab: " + tui.ErrInterrupted.Error() + "\n"},
	} {
		var errs bytes.Buffer
		if status := (&console{Streams: Streams{Err: &errs}}).report(c.err); status != c.status ||
			errs.String() != c.line {
			t.Errorf("%v: status %d, %q; want %d, %q", c.err, status, errs.String(), c.status, c.line)
		}
	}
}

// Ten failures are listed, and the others are counted.
func TestSweepFailures(t *testing.T) {
	s := &sweep.State{Cells: make([]sweep.CellState, 13)}
	for i := range s.Cells[1:] {
		s.Cells[i].Status = sweep.Failed
		s.Cells[i].Key = fmt.Sprint("cell", i)
		s.Cells[i].Err = errors.New("bad\nluck")
	}
	text := sweepFailures(s)
	if !strings.HasPrefix(text, "failed: cell0: bad; luck\n") ||
		strings.Count(text, "\n") != failuresShown+1 ||
		!strings.HasSuffix(text, "\nand 2 more\n") {
		t.Errorf("failures\n%s", text)
	}
	s.Cells = s.Cells[:failuresShown]
	if text := sweepFailures(s); strings.Contains(text, "more") ||
		strings.Count(text, "\n") != failuresShown {
		t.Errorf("failures\n%s", text)
	}
}

// Rows that were not predicted are counted, and scores are shown if there are any.
func TestPredictedRows(t *testing.T) {
	rmse := rundir.Number(2)
	done := &probe.Predicted{Run: "id", Step: 1000, Rows: 1, Dropped: 1200}
	text := predictedText(done, "new.csv", "out.csv")
	if !strings.Contains(text, "1,200 rows with missing inputs") ||
		!strings.Contains(text, "id, step 1,000") ||
		!strings.Contains(text, "out.csv") || strings.Contains(text, "scores") {
		t.Errorf("without targets:\n%s", text)
	}
	done.Dropped, done.Scores = 0, &rundir.Metrics{N: 1, LogLik: -1, RMSE: &rmse}
	text = predictedText(done, "new.csv", "out.csv")
	if strings.Contains(text, "left out") || !strings.Contains(text, "1 row with targets, original units") ||
		!strings.Contains(text, "2.0") {
		t.Errorf("with targets:\n%s", text)
	}
	var errs bytes.Buffer
	done.Dropped = 1
	c := &console{Streams: Streams{Err: &errs}}
	if err := c.reportPredicted(nil, done, "new.csv", standard); err != nil ||
		!strings.Contains(errs.String(), "1 row of new.csv predicted by id, step 1,000") ||
		!strings.Contains(errs.String(), "left out: 1 row with") ||
		!strings.Contains(errs.String(), "with targets: ") {
		t.Errorf("%v; standard error:\n%s", err, errs.String())
	}
}

// Flags override the settings file. Problems in the file are reported.
func TestWorkbenchSettings(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	path := filepath.Join(dir, "dgplab", "settings.toml")
	text := "frame_rate = 7\ncolour = true\n"
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
		os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	s, wrong := (&workbenchFlags{}).settings()
	if s.FrameRate != 7 || s.ASCII || !s.Mouse || len(wrong) != 1 ||
		!strings.Contains(wrong[0].Error(), "colour") {
		t.Errorf("%+v, problems %v", s, wrong)
	}
	s, _ = (&workbenchFlags{ascii: true, noMouse: true, frameRate: 12}).settings()
	if s.FrameRate != 12 || !s.ASCII || s.Mouse {
		t.Errorf("flags: %+v", s)
	}
}

// The printed command of an old run sets the values that have since ceased to be defaults.
func TestRecordedCommandAfterDefaultsChanged(t *testing.T) {
	c := rundir.Config{Dataset: "steps", Family: "star", Set: map[string]string{"layers": "2"}}
	r, err := config.DefaultRegistry().Resolve(c)
	if err != nil {
		t.Fatal(err)
	}
	run := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "id", Config: c, Values: r.Values}}
	want := "dgplab train --dataset steps --family star --set layers=2"
	if got := recordedCommand(run); got != want {
		t.Errorf("a run with the defaults: %s, want %s", got, want)
	}
	delete(run.Values, "coupling_rate")
	run.Values["schedule"] = "stairs"
	run.Adapted = []rundir.Adaptation{{Name: "inducing", From: run.Values["inducing"], To: "7"}}
	run.Values["inducing"] = "7"
	want = "dgplab train --dataset steps --family star --set coupling_rate=1 --set layers=2 " +
		"--set schedule=stairs"
	if got := recordedCommand(run); got != want {
		t.Errorf("a run with older defaults: %s, want %s", got, want)
	}
}
