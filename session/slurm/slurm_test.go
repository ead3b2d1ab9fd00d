//go:build unix

package slurm

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// program puts a shell script on the PATH as a program of Slurm. The script can write the arguments
// of its calls to $CALLS, the returned file.
func program(t *testing.T, name, script string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	text := "#!/bin/sh\necho \"$@\" >> " + calls + "\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestScript(t *testing.T) {
	timeouts := 2
	s := Script{
		Options: Options{Time: "30", CPUs: 2, Pack: 3, Constraint: "[rack1|rack2]&avx512",
			Timeouts: &timeouts, Setup: []string{"module load go"}, Sbatch: []string{"exclusive", "nice=5"}},
		Name:        "dgplab-a",
		Comment:     []string{"7 runs."},
		Logs:        "/runs/100%/logs",
		Environment: []string{"DGPLAB_RUNS=/my runs"},
		Command:     `/bin/echo --cells "$first..$last"`,
	}
	want := `#!/bin/bash
# 7 runs.
#SBATCH --job-name=dgplab-a
#SBATCH --output=/runs/100%%/logs/%A_%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR2@120
#SBATCH --cpus-per-task=2
#SBATCH --time=30
#SBATCH --constraint="[rack1|rack2]&avx512"
#SBATCH --exclusive
#SBATCH --nice=5

export DGPLAB_RUNS='/my runs'
module load go
first=$(((${1:-0} + SLURM_ARRAY_TASK_ID) * 3))
last=$((first + 2))
exec /bin/echo --cells "$first..$last"
`
	if err := s.Check(); err != nil || s.Text() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, s.Text(), want)
	}
	// The script computes the cells of a task.
	text := strings.ReplaceAll(s.Text(), "module load go\n", "")
	cmd := exec.Command("bash", "-c", text, "job.sh", "10")
	cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=4")
	out, err := cmd.Output()
	if err != nil || string(out) != "--cells 42..44\n" {
		t.Errorf("the script prints %q, %v", out, err)
	}
}

// A script hands any path to its tasks, and runs nothing that a path contains.
func TestScriptQuotesPaths(t *testing.T) {
	dir := t.TempDir()
	path := dir + "/it's $(touch " + dir + "/ran) `touch " + dir + "/ran` \"x\" \\ #\ntouch " + dir + "/ran\n"
	s := Script{
		Options:     Options{Pack: 1},
		Name:        "dgplab-a",
		Logs:        "/it's $(touch " + dir + "/ran) #/logs",
		Environment: []string{"DGPLAB_CACHE=" + path},
		Command:     `printenv DGPLAB_CACHE; printf %s ` + Quoted(path),
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(s.Text(), "exec ", "")
	cmd := exec.Command("bash", "-c", text, "job.sh", "0")
	cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=0")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != path+"\n"+path {
		t.Errorf("the tasks get %q (%v), want %q twice", out, err, path)
	}
	if _, err := os.Stat(dir + "/ran"); err == nil {
		t.Error("the script ran a command in a path")
	}
	for _, logs := range []string{"/runs\nrm -rf x", "/runs\r", `/a"b`, `/a\b`} {
		s.Logs = logs
		err := s.Check()
		if err == nil || !strings.Contains(err.Error(), "set DGPLAB_RUNS to a path without double quotes") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("logs in %q: %v, want one line that says what to do", logs, err)
		}
	}
}

func TestOptionsOver(t *testing.T) {
	two, none := 2, 0
	base := Options{Time: "10", CPUs: 4, Parallel: 9, Timeouts: &two, Setup: []string{"a"},
		Sbatch: []string{"nice=5"}}
	own := Options{Time: "20", Pack: 3, Timeouts: &none, Setup: []string{"b"}}
	want := Options{Time: "20", CPUs: 4, Parallel: 9, Pack: 3, Timeouts: &none, Setup: []string{"a", "b"},
		Sbatch: []string{"nice=5"}}
	if got := own.Over(base); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := (Options{}).Completed(); got.CPUs != 1 || got.Parallel != DefaultParallel || got.Pack != 1 ||
		*got.Timeouts != DefaultTimeouts {
		t.Errorf("defaults %+v", got)
	}
}

func TestOptionsThatCannotBeWritten(t *testing.T) {
	few := -1
	for _, c := range []struct {
		Options
		want string
	}{
		{Options{Time: "5\nrm"}, `time="5\nrm"; want text without quotes and control characters`},
		{Options{Constraint: `a"b`}, `constraint="a\"b"; want text without quotes and control characters`},
		{Options{Sbatch: []string{"--nice=5"}},
			`sbatch="--nice=5"; want KEY=VALUE with a long option of sbatch`},
		{Options{Sbatch: []string{"a b=5"}}, `sbatch="a b=5"; want KEY=VALUE with a long option of sbatch`},
		{Options{Sbatch: []string{"array=1-9"}}, `sbatch="array=1-9"; the program sets array itself`},
		{Options{Setup: []string{"a\nb"}}, `setup="a\nb"; want one line`},
		{Options{Timeouts: &few}, "timeouts=-1; want a whole number from 0"},
		{Options{Pack: -2}, "pack=-2; want a whole number from 1"},
	} {
		err := c.Check()
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

func TestOptionsThatCanBeWritten(t *testing.T) {
	none := 0
	for _, o := range []Options{
		{}, {Timeouts: &none, Parallel: 1}, {Sbatch: []string{"az-AZ09=5", "exclusive"}},
	} {
		if err := o.Check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		tasks, limit, parallel int
		want                   []Array
	}{
		{5, 10, 3, []Array{{Tasks: 5, Throttle: 3, After: -1}}},
		{10, 10, 3, []Array{{Tasks: 10, Throttle: 3, After: -1}}},
		{25, 10, 5, []Array{{Tasks: 10, Throttle: 2, After: -1},
			{Offset: 10, Tasks: 10, Throttle: 2, After: -1},
			{Offset: 20, Tasks: 5, Throttle: 1, After: -1}}},
		{25, 10, 2, []Array{{Tasks: 10, Throttle: 1, After: -1},
			{Offset: 10, Tasks: 10, Throttle: 1, After: -1},
			{Offset: 20, Tasks: 5, Throttle: 1, After: 0}}},
	} {
		if got := Split(c.tasks, c.limit, c.parallel); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Split(%d, %d, %d) = %+v, want %+v", c.tasks, c.limit, c.parallel, got, c.want)
		}
	}
}

func TestSubmit(t *testing.T) {
	calls := program(t, "sbatch", "echo '123;cluster'")
	a := Array{Offset: 1001, Tasks: 500, Throttle: 64, After: 2}
	job, err := Submit(t.Context(), "/runs/job.sh", a, "77")
	if err != nil || job != "123" {
		t.Errorf("job %q, %v", job, err)
	}
	if got := content(t, calls); got !=
		"--parsable --array=0-499%64 --dependency=afterany:77 /runs/job.sh 1001\n" {
		t.Errorf("arguments %q", got)
	}
	if got := a.CommandLine("/my runs/job.sh"); got !=
		"sbatch --parsable --array=0-499%64 --dependency=afterany:JOB3 '/my runs/job.sh' 1001" {
		t.Errorf("command line %s", got)
	}
}

func TestAnswerWithoutJob(t *testing.T) {
	program(t, "sbatch", "echo 'queued'")
	job, err := Submit(t.Context(), "job.sh", Array{Tasks: 1, Throttle: 1}, "")
	if job != "" || err == nil || !strings.Contains(err.Error(), "unexpected answer") {
		t.Errorf("job %q, %v", job, err)
	}
}

// The message of sbatch is the error.
func TestSubmitRefused(t *testing.T) {
	program(t, "sbatch", `echo "sbatch: error: invalid partition specified: nope" >&2
echo "sbatch: error: Batch job submission failed: Invalid partition name specified" >&2; exit 1`)
	var refused *RefusedError
	_, err := Submit(t.Context(), "job.sh", Array{Tasks: 1, Throttle: 1}, "")
	if !errors.As(err, &refused) || err.Error() != "sbatch: error: invalid partition specified: nope; "+
		"Batch job submission failed: Invalid partition name specified" {
		t.Errorf("error %v", err)
	}
}

// A controller that is down does not hold up the caller.
func TestDeadline(t *testing.T) {
	program(t, "squeue", "sleep 60 & wait")
	_, err := call(t.Context(), 50*time.Millisecond, "squeue")
	if !errors.Is(err, ErrSilent) || err.Error() != "squeue: the Slurm controller does not answer" {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = call(ctx, time.Minute, "squeue")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// failures calls every request to Slurm and checks that it fails with the wanted error.
func failures(t *testing.T, want error) {
	t.Helper()
	ctx := t.Context()
	jobs := []string{"1"}
	_, queue := Queue(ctx, "a")
	_, submit := Submit(ctx, "job.sh", Array{Tasks: 1, Throttle: 1}, "")
	_, limit := ArrayLimit(ctx)
	_, ending := Ending(ctx, "1_0", 0)
	_, throttles := Throttles(ctx, jobs)
	_, accounted := Accounted(ctx, jobs)
	for request, err := range map[string]error{
		"queue": queue, "submit": submit, "array limit": limit, "ending": ending, "throttles": throttles,
		"accounted": accounted, "cancel": Cancel(ctx, jobs), "requeue": Requeue(ctx, "1_0"),
		"set throttle": SetThrottles(ctx, jobs, 5),
	} {
		if !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", request, err, want)
		}
	}
}

func TestControllerDown(t *testing.T) {
	for _, name := range []string{"squeue", "sbatch", "scontrol", "scancel", "sacct"} {
		program(t, name, `echo "error: Unable to contact slurm controller (connect failure)" >&2; exit 1`)
	}
	failures(t, ErrSilent)
}

func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	failures(t, ErrMissing)
}

func TestQueue(t *testing.T) {
	calls := program(t, "squeue", `echo '1_1|PENDING||5:00|JobArrayTaskLimit'
echo '1_0|RUNNING|n1|1-02:03:04|None'
echo '7|RUNNING|n1|UNLIMITED|None'
echo '9_20|COMPLETING|n2|UNLIMITED|ReqNodeNotAvail, May be reserved|x'`)
	got, err := Queue(t.Context(), "dgplab-a")
	want := []Task{
		{Job: "1", Index: 1, State: "PENDING", Reason: "JobArrayTaskLimit", Left: 5 * time.Minute},
		{Job: "1", Index: 0, State: "RUNNING", Node: "n1", Reason: "None",
			Left: 26*time.Hour + 3*time.Minute + 4*time.Second},
		{Job: "9", Index: 20, State: "COMPLETING", Node: "n2", Reason: "ReqNodeNotAvail, May be reserved|x"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got[2].ID() != "9_20" || got[2].Pending() || !got[0].Pending() {
		t.Errorf("%s, pending %v, %v", got[2].ID(), got[2].Pending(), got[0].Pending())
	}
	if args := content(t, calls); args != "-h -r -n dgplab-a -o %i|%T|%N|%L|%r\n" {
		t.Errorf("arguments %q", args)
	}
}

func TestArrayLimit(t *testing.T) {
	for config, want := range map[string]int{
		"":                               1001,
		"MaxArraySize            = 5000": 5000,
		"MaxArraySize = 5000\nSchedulerParameters = a=1,max_array_tasks=200,b\n": 200,
		"MaxArraySize = (null)": 1001,
	} {
		program(t, "scontrol", "cat <<'END'\n"+config+"\nEND")
		if got, err := ArrayLimit(t.Context()); err != nil || got != want {
			t.Errorf("%q: limit %d, %v, want %d", config, got, err, want)
		}
	}
}

// The texts are from Slurm 22.05 during a pre-emption, a requeue, scancel and at a time limit.
func TestEnding(t *testing.T) {
	for _, c := range []struct {
		text     string
		restarts int
		want     Cause
	}{
		{"JobState=RUNNING Reason=None Restarts=0 PreemptTime=2026-11-23T18:59:47", 0, Preempted},
		{"JobState=COMPLETING Reason=None Restarts=1 PreemptTime=None", 0, Requeued},
		{"JobState=COMPLETING Reason=None Restarts=1 PreemptTime=None", 1, Cancelled},
		{"JobState=COMPLETING Reason=None Restarts=0", 0, Cancelled},
		{"JobState=COMPLETING Reason=TimeLimit Restarts=0", 0, TimeLimit},
	} {
		program(t, "scontrol", "echo '"+c.text+"'")
		if got, err := Ending(t.Context(), "1_0", c.restarts); err != nil || got != c.want {
			t.Errorf("%s: %s, %v", c.text, got, err)
		}
	}
}

// The lines are from Slurm 22.05. Lines of an earlier start of the task do not count.
func TestEndingInLog(t *testing.T) {
	const line = "slurmstepd-n1: error: *** JOB 8 ON n1 CANCELLED AT 2026-11-23T20:22:16"
	start := time.Date(2026, 11, 23, 20, 22, 16, 5e8, time.Local)
	for _, c := range []struct {
		lines []string
		since time.Time
		want  Cause
	}{
		{[]string{line + " DUE TO PREEMPTION ***", "asked to end"}, start, Preempted},
		{[]string{line + " DUE TO JOB REQUEUE ***"}, start, Requeued},
		{[]string{line + " DUE TO TIME LIMIT ***"}, start, TimeLimit},
		{[]string{line + " DUE TO PREEMPTION ***", line + " ***"}, start, ""},
		{[]string{line + " DUE TO PREEMPTION ***"}, start.Add(time.Second), ""},
		{[]string{strings.Replace(line, "JOB 8", "JOB 9", 1) + " DUE TO PREEMPTION ***"}, start, ""},
		{nil, start, ""},
	} {
		if got := EndingInLog(c.lines, "8", c.since); got != c.want {
			t.Errorf("%q: %q, want %q", c.lines, got, c.want)
		}
	}
}

func TestAccounted(t *testing.T) {
	program(t, "sacct", `echo '1_0|TIMEOUT'; echo '1_0|COMPLETED'; echo '1_1|CANCELLED by 1000'
echo '1_[2-9]|PENDING'`)
	got, err := Accounted(t.Context(), []string{"1"})
	if err != nil || !reflect.DeepEqual(got, map[string]string{"1_0": "COMPLETED", "1_1": "CANCELLED"}) {
		t.Errorf("%v, %v", got, err)
	}
	program(t, "sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1")
	if _, err := Accounted(t.Context(), []string{"1"}); err == nil {
		t.Error("no error without accounting")
	}
}

func TestCancelInPieces(t *testing.T) {
	for n, want := range map[int]int{500: 1, 501: 2} {
		calls := program(t, "scancel", "")
		ids := slices.Repeat([]string{"1_1"}, n)
		if err := Cancel(t.Context(), ids); err != nil || strings.Count(content(t, calls), "\n") != want ||
			strings.Count(content(t, calls), "1_1") != n {
			t.Errorf("%d tasks: %v", n, err)
		}
	}
}

func TestThrottle(t *testing.T) {
	calls := program(t, "scontrol", "echo '1_0-2: Job has already finished' >&2; exit 1")
	if err := SetThrottles(t.Context(), []string{"1", "2", "3"}, 5); err != nil {
		t.Error(err)
	}
	if got := content(t, calls); got != "update JobId=1 ArrayTaskThrottle=2\n"+
		"update JobId=2 ArrayTaskThrottle=2\nupdate JobId=3 ArrayTaskThrottle=1\n" {
		t.Errorf("calls\n%s", got)
	}
	calls = program(t, "scontrol", "")
	if err := SetThrottles(t.Context(), []string{"1", "2"}, 1); err != nil {
		t.Error(err)
	}
	if got := content(t, calls); got != "update JobId=1 ArrayTaskThrottle=1\n"+
		"update JobId=2 ArrayTaskThrottle=1\n" {
		t.Errorf("calls for less than one task per job\n%s", got)
	}
	program(t, "scontrol", "echo 'Access/permission denied for job 1' >&2; exit 1")
	if err := SetThrottles(t.Context(), []string{"1"}, 5); err == nil {
		t.Error("a refusal is not an error")
	}
}

func TestWords(t *testing.T) {
	for reason, want := range map[string]string{
		"None":                                 "the scheduler has not looked at it yet",
		"Resources":                            "waits for free cores or memory (Resources)",
		"ReqNodeNotAvail, UnavailableNodes:n1": "the nodes that it needs are not available (ReqNodeNotAvail)",
		"Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority " +
			"partitions": "the nodes that it needs are down, drained or reserved",
		"SomethingNew": "SomethingNew",
	} {
		if got := Words(reason); got != want {
			t.Errorf("%s: %s", reason, got)
		}
	}
}

// Slurm ends a task that queues itself again, and with it the scontrol that asked for that.
func TestRequeueEndsItsOwnProgram(t *testing.T) {
	calls := program(t, "scontrol", "kill -TERM $$")
	if err := Requeue(t.Context(), "7_3"); err != nil {
		t.Error(err)
	}
	if got := content(t, calls); got != "requeue 7_3\n" {
		t.Errorf("calls %q", got)
	}
	if err := SetThrottle(t.Context(), "7", 2); err == nil || !strings.Contains(err.Error(), "signal") {
		t.Errorf("the throttle: %v", err)
	}
}

// The output of squeue can have lines that are not tasks, and times that are not limits.
func TestParseQueue(t *testing.T) {
	out := "error: no such partition\n7_3|RUNNING|n1|1:02:03|None\n7_x|RUNNING|n1|5:00|None\n" +
		"7_4|PENDING||x-5:00|Priority\n7_5|PENDING||5:x|Priority\n"
	want := []Task{
		{Job: "7", Index: 3, State: "RUNNING", Node: "n1", Left: time.Hour + 2*time.Minute + 3*time.Second,
			Reason: "None"},
		{Job: "7", Index: 4, State: "PENDING", Reason: "Priority"},
		{Job: "7", Index: 5, State: "PENDING", Reason: "Priority"},
	}
	if got := parseQueue(out); !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if states, err := Accounted(t.Context(), nil); states != nil || err != nil {
		t.Errorf("without jobs: %v, %v", states, err)
	}
}
