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
	s := Script{
		Options: Options{Time: "30", CPUs: 2, Pack: 3, Constraint: "[rack1|rack2]&avx512",
			Setup: []string{"module load go"}, Sbatch: []string{"exclusive", "nice=5"}},
		Name:        "dgplab-a",
		Comment:     []string{"7 runs."},
		Logs:        "/runs/100%/logs",
		Environment: []string{"DGPLAB_RUNS=/my runs"},
		Command:     "/bin/dgplab sweep task a",
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
exec /bin/dgplab sweep task a
`
	if err := s.Check(); err != nil || s.Text() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, s.Text(), want)
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
	out, err := exec.Command("bash", "-c", text).CombinedOutput()
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
	base := Options{Time: "10", CPUs: 4, Parallel: 9, Setup: []string{"a"}, Sbatch: []string{"nice=5"}}
	own := Options{Time: "20", Pack: 3, Setup: []string{"b"}}
	want := Options{Time: "20", CPUs: 4, Parallel: 9, Pack: 3, Setup: []string{"a", "b"},
		Sbatch: []string{"nice=5"}}
	if got := own.Over(base); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := (Options{}).Completed(); got.CPUs != 1 || got.Parallel != DefaultParallel || got.Pack != 1 {
		t.Errorf("defaults %+v", got)
	}
}

func TestOptionsThatCannotBeWritten(t *testing.T) {
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
		{Options{Pack: -2}, "pack=-2; want a whole number from 1"},
	} {
		err := c.Check()
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

func TestOptionsThatCanBeWritten(t *testing.T) {
	for _, o := range []Options{{}, {Parallel: 1}, {Sbatch: []string{"az-AZ09=5", "exclusive"}}} {
		if err := o.Check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestSubmit(t *testing.T) {
	calls := program(t, "sbatch", "echo '123;cluster'")
	job, err := Submit(t.Context(), "/runs/job.sh", 500)
	if err != nil || job != "123" {
		t.Errorf("job %q, %v", job, err)
	}
	if got := content(t, calls); got != "--parsable --array=0-499 /runs/job.sh\n" {
		t.Errorf("arguments %q", got)
	}
	if got := CommandLine("/my runs/job.sh", 1); got != "sbatch --parsable --array=0-0 '/my runs/job.sh'" {
		t.Errorf("command line %s", got)
	}
}

func TestAnswerWithoutJob(t *testing.T) {
	program(t, "sbatch", "echo 'queued'")
	job, err := Submit(t.Context(), "job.sh", 1)
	if job != "" || err == nil || !strings.Contains(err.Error(), "unexpected answer") {
		t.Errorf("job %q, %v", job, err)
	}
}

// The message of sbatch is the error.
func TestSubmitRefused(t *testing.T) {
	program(t, "sbatch", `echo "sbatch: error: invalid partition specified: nope" >&2
echo "sbatch: error: Batch job submission failed: Invalid partition name specified" >&2; exit 1`)
	var refused *RefusedError
	_, err := Submit(t.Context(), "job.sh", 1)
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
	_, submit := Submit(ctx, "job.sh", 1)
	_, limit := ArrayLimit(ctx)
	for request, err := range map[string]error{
		"queue": queue, "submit": submit, "array limit": limit, "cancel": Cancel(ctx, jobs),
		"requeue": Requeue(ctx, "1_0"),
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

// Lines that are not tasks of arrays are skipped. A reason can hold any character.
func TestQueue(t *testing.T) {
	calls := program(t, "squeue", `echo 'error: no such partition'
echo '1_1|PENDING||JobArrayTaskLimit'
echo '1_0|RUNNING|n1|None'
echo '7|RUNNING|n1|None'
echo '9_20|COMPLETING|n2|ReqNodeNotAvail, May be reserved|x'`)
	got, err := Queue(t.Context(), "dgplab-a")
	want := []Task{
		{Job: "1", State: "PENDING", Reason: "JobArrayTaskLimit"},
		{Job: "1", State: "RUNNING", Node: "n1", Reason: "None"},
		{Job: "9", State: "COMPLETING", Node: "n2", Reason: "ReqNodeNotAvail, May be reserved|x"},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if !want[0].Pending() || want[2].Pending() || !(Task{State: "REQUEUE_HOLD"}).Pending() {
		t.Error("tasks that are pending or requeued are pending, and no others")
	}
	if args := content(t, calls); args != "-h -r -n dgplab-a -o %i|%T|%N|%r\n" {
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
}
