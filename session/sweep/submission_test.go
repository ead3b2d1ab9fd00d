//go:build unix

package sweep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dgplab/session/rundir"
	"dgplab/session/slurm"
)

// fakeSlurm puts programs of Slurm on the PATH. sbatch returns the jobs 101, 102 and so on, and fails
// for the job that is named in the file "refuse". squeue prints the file "queue".
func fakeSlurm(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, script := range map[string]string{
		"sbatch": `n=$(($(cat "$D/jobs" 2>/dev/null || echo 100) + 1))
echo "$@" >> "$D/sbatch.calls"
if [ "$(cat "$D/refuse" 2>/dev/null)" = $n ]; then
	echo 'sbatch: error: no such partition' >&2
	exit 1
fi
echo $n > "$D/jobs"
echo $n`,
		"squeue": `[ ! -e "$D/down" ] || { echo 'Unable to contact slurm controller' >&2; exit 1; }
cat "$D/queue"`,
		"scancel": `echo "$@" >> "$D/scancel.calls"`,
		"scontrol": `echo "$@" >> "$D/scontrol.calls"
echo "MaxArraySize = 3"
echo "JobId=1 ArrayTaskThrottle=4 X=1"`,
		"sacct": `[ -e "$D/accounts" ] || exit 1; cat "$D/accounts"`,
	} {
		text := "#!/bin/sh\nD=" + dir + "\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, "queue", "")
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// planned plans the submission of all cells of the small grid, two in a task.
func planned(t *testing.T) *Plan {
	t.Helper()
	s, err := Preview(smallGrid(), "a")
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(t.Context(), s, s.Left(true), slurm.Options{Pack: 2, Partition: "long"}, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The small grid has 8 cells: 4 tasks in arrays of at most 3.
func TestSubmission(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	p := planned(t)
	if _, err := os.Lstat(p.state.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("planning wrote files: %v", err)
	}
	made, err := p.Submit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	calls := get(t, dir, "sbatch.calls")
	want := fmt.Sprintf("--parsable --array=0-2%%128 %s 0\n--parsable --array=0-0%%128 %[1]s 3\n", p.Path)
	if calls != want {
		t.Errorf("calls\n%swant\n%s", calls, want)
	}
	text := get(t, made.Dir, scriptName)
	if text != p.Script ||
		!strings.Contains(text, `sweep task a --list 001 --cells "$first..$last" --timeouts 3`) ||
		!strings.Contains(text, "#SBATCH --partition=long\n") {
		t.Errorf("script\n%s", text)
	}
	list, err := Submissions("a")
	if err != nil || len(list) != 1 || list[0].List != "001" ||
		strings.Join(list[0].jobs(), " ") != "101 102" {
		t.Fatalf("%+v, %v", list, err)
	}
	cells, _ := smallGrid().Cells()
	for position, task := range []string{
		"101_0", "101_0", "101_1", "101_1", "101_2", "101_2", "102_0", "102_0",
	} {
		if got := list[0].task(position); got != task {
			t.Errorf("cell %d is in task %s, want %s", position, got, task)
		}
	}
	some, err := readList(made.Dir, 6, 99)
	if err != nil || len(some) != 2 || some[1].Key != cells[7].Key || keyOf(some[1].Config) != cells[7].Key {
		t.Errorf("%+v, %v", some, err)
	}
}

// A machine without the file of a data set shows a submitted sweep.
func TestSubmissionWithoutData(t *testing.T) {
	isolate(t)
	fakeSlurm(t)
	path := filepath.Join(t.TempDir(), "pump.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n3,4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	g := smallGrid()
	g.Datasets = append(g.Datasets, path)
	s, err := Preview(g, "a")
	if err != nil {
		t.Fatal(err)
	}
	remove := func() {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := Save(s); err != nil {
		t.Fatal(err)
	}
	content := get(t, filepath.Dir(path), "pump.csv")
	remove()
	if _, err := Open("a"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a sweep that was not submitted: %v", err)
	}
	put(t, filepath.Dir(path), "pump.csv", content)
	p, err := NewPlan(t.Context(), s, s.Left(true), slurm.Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	remove()
	got, err := Open("a")
	if err != nil || len(got.Cells) != 16 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i := range got.Cells {
		if !reflect.DeepEqual(got.Cells[i].Cell, s.Cells[i].Cell) {
			t.Errorf("cell %d is %+v, want %+v", i, got.Cells[i].Cell, s.Cells[i].Cell)
		}
	}
	if placed, err := Placed(t.Context(), got); err != nil || placed.Count(PlaceCancelled) != 16 {
		t.Errorf("%+v, %v", placed, err)
	}
	task := Task{Sweep: "a", List: p.List, Positions: []int{0}}
	if list, err := task.cells(); err != nil || len(list) != 1 || list[0].Key != s.Cells[0].Key {
		t.Errorf("the task has %+v, %v", list, err)
	}
}

// If Slurm refuses an array, the arrays before it are cancelled and no file is left.
func TestSubmissionRefused(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	put(t, dir, "refuse", "102")
	p := planned(t)
	_, err := p.Submit(t.Context())
	var refused *slurm.RefusedError
	if !errors.As(err, &refused) || err.Error() != "sbatch: error: no such partition" {
		t.Errorf("error %v", err)
	}
	if got := get(t, dir, "scancel.calls"); got != "101\n" {
		t.Errorf("cancelled %q", got)
	}
	if names, err := Names(); err != nil || len(names) != 0 {
		t.Errorf("left %v, %v", names, err)
	}
	// A sweep that existed before is left as it was.
	small := smallGrid()
	small.Seeds = small.Seeds[:1]
	s, err := Preview(small, "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := Save(s); err != nil {
		t.Fatal(err)
	}
	before := get(t, s.Dir, fileName)
	put(t, dir, "refuse", "103")
	p = planned(t)
	if _, err := p.Submit(t.Context()); err == nil || get(t, s.Dir, fileName) != before {
		t.Errorf("error %v, the grid is\n%s", err, get(t, s.Dir, fileName))
	}
	if lists, err := listNames(s.Dir); err != nil || len(lists) != 0 {
		t.Errorf("left the lists %v, %v", lists, err)
	}
}

// Cells that start from a run of the sweep cannot be submitted before it is done.
func TestSubmissionOfWarmStarts(t *testing.T) {
	isolate(t)
	fakeSlurm(t)
	g := smallGrid()
	g.Families = []string{"mean-field", "star"}
	g.Set = []Axis{{Name: rundir.WarmStartSetting, Values: []string{"mean-field"}, Family: "star"}}
	s, err := Preview(g, "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewPlan(t.Context(), s, s.Left(true), slurm.Options{}, false); err == nil ||
		!strings.Contains(err.Error(), "submit the runs of mean-field first") {
		t.Errorf("error %v", err)
	}
}

// Tasks cannot make the decisions of successive halving.
func TestSubmissionOfHalving(t *testing.T) {
	isolate(t)
	fakeSlurm(t)
	g := smallGrid()
	g.Halving, g.Rungs = 2, 2
	g.Set = append(g.Set, Axis{Name: "validation", Values: []string{"0.2"}})
	s, err := Preview(g, "a")
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewPlan(t.Context(), s, s.Left(true), slurm.Options{}, false)
	if !errors.Is(err, errHalving) || !errors.Is(Save(s), errHalving) {
		t.Errorf("error %v", err)
	}
}

// recorded writes the file of a cell with events of a task.
func recorded(t *testing.T, key, job string, kinds ...EventKind) {
	t.Helper()
	recordedWith(t, key, job, "the cause", kinds...)
}

// recordedWith is recorded for a text of the events.
func recordedWith(t *testing.T, key, job, text string, kinds ...EventKind) {
	t.Helper()
	c, err := lockCell("a", key)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, kind := range kinds {
		if err := c.add(Event{Kind: kind, Time: time.Now(), List: "001", Host: "n9", Job: job,
			Text: text}); err != nil {
			t.Fatal(err)
		}
	}
}

// Places follow from Slurm, from the files of the cells, and from the accounting of the site.
func TestPlaces(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	p := planned(t)
	p.Options.Pack = 1
	p.Arrays = slurm.Split(8, 1000, 8)
	if _, err := p.Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	cells, _ := smallGrid().Cells()
	put(t, dir, "queue", `101_0|PENDING||5:00|Resources
101_1|PENDING||5:00|BeginTime
101_2|RUNNING|n1|5:00|None
101_6|RUNNING|n2|5:00|None
`)
	recorded(t, cells[1].Key, "101_1", EventStarted, EventTimeLimit, EventRequeued)
	recorded(t, cells[3].Key, "101_3", EventStarted)
	recorded(t, cells[4].Key, "101_4", EventStarted, EventInterrupted, EventCause)
	recorded(t, cells[5].Key, "101_5", EventStarted, EventTimeLimit)
	recorded(t, cells[6].Key, "101_6", EventStarted)
	places := func() []string {
		t.Helper()
		s, err := Open("a")
		if err != nil {
			t.Fatal(err)
		}
		placed, err := Placed(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range placed.Cells {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s", c.Place, c.Node, c.Reason)))
		}
		return list
	}
	compare := func(got, want []string) {
		t.Helper()
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("cell %d is %q, want %q", i, got[i], want[i])
			}
		}
	}
	want := []string{
		"pending  waits for free cores or memory (Resources)",
		"requeued  time limit; waits for its start time; Slurm delays requeued tasks by two minutes " +
			"(BeginTime)",
		"running n1 waits for the other runs of its task",
		"lost  killed, or its node was lost",
		"cancelled",
		"timed out  more time limits than allowed",
		"running n2 starting",
		"cancelled  its task ended before the cell began",
	}
	compare(places(), want)
	put(t, dir, "accounts", "101_3|NODE_FAIL\n101_7|CANCELLED by 0\n")
	want[3] = "lost  the node failed"
	want[7] = "cancelled"
	compare(places(), want)
	put(t, dir, "accounts", "101_4|TIMEOUT\n")
	want[3] = "lost  killed, or its node was lost"
	want[4] = "timed out  Slurm ended it at its time limit"
	want[7] = "cancelled  its task ended before the cell began"
	compare(places(), want)
	put(t, dir, "accounts", "")
	for cause, place := range map[slurm.Cause]string{
		slurm.TimeLimit: want[4],
		slurm.Preempted: "cancelled  pre-empted, and not queued again",
		slurm.Requeued:  "cancelled",
		slurm.Cancelled: "cancelled",
	} {
		recordedWith(t, cells[4].Key, "101_4", string(cause), EventStarted, EventInterrupted, EventCause)
		want[4] = place
		compare(places(), want)
	}
	recorded(t, cells[4].Key, "101_4", EventStarted, EventTimeLimit, EventRequeued)
	want[4] = "cancelled  cancelled while it was queued again"
	compare(places(), want)
	recorded(t, cells[4].Key, "101_4", EventStarted, EventInterrupted, EventCause)
	want[4] = "cancelled"
	// A task that could not begin has failed, and its log gives the reason.
	put(t, p.Dir, logsName+"/101_7.log", "module: command not found\n")
	want[7] = "failed  its task ended before the cell began"
	compare(places(), want)
	put(t, p.Dir, logsName+"/101_7.log",
		"slurmstepd-n1: error: *** JOB 8 ON n1 CANCELLED AT 2026-11-23T20:22:16 ***\n")
	want[7] = "cancelled  its task ended before the cell began"
	compare(places(), want)
	// Without Slurm the files remain.
	put(t, dir, "down", "")
	compare(places(), []string{"submitted", "requeued", "submitted", "submitted", "submitted",
		"timed out  more time limits than allowed", "submitted", "submitted"})
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	placed, err := Placed(t.Context(), s)
	if err != nil || !errors.Is(placed.Err, slurm.ErrSilent) || placed.Cells[1].Timeouts != 1 ||
		placed.Count(PlaceUnknown) != 6 {
		t.Errorf("%v, %+v", err, placed)
	}
	all := func(int) bool { return true }
	if _, err := CancelTasks(t.Context(), s, all); !errors.Is(err, slurm.ErrSilent) {
		t.Errorf("cancelled without Slurm: %v", err)
	}
}

// The place of a cell follows from its status, the last event of its task and the accounting.
func TestSettledPlaces(t *testing.T) {
	isolate(t)
	s := saved(t)
	folder, err := lockCell("a", s.Cells[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	accounted := map[string]string{"7_1": "OUT_OF_MEMORY", "7_2": "CANCELLED"}
	for _, c := range []struct {
		status Status
		before Place
		task   string
		last   Event
		known  bool
		want   string
	}{
		{Running, PlaceUnknown, "7_0", Event{Kind: EventStarted}, true, "running n7 "},
		{Running, PlaceRunning, "7_0", Event{Kind: EventStarted}, true, "running n7 "},
		{Failed, PlaceUnknown, "7_0", Event{Kind: EventFailed, Text: "no"}, true, "failed  no"},
		{Failed, PlaceUnknown, "7_0", Event{Kind: EventDone}, true,
			"failed  its task ended before the cell began"},
		{Waiting, PlaceUnknown, "7_0", Event{Kind: EventFailed, Text: "no"}, true, "failed  no"},
		{Waiting, PlaceRunning, "7_0", Event{Kind: EventFailed, Text: "no"}, true, "running  failed: no"},
		{Waiting, PlaceUnknown, "7_0", Event{Kind: EventRequeued}, false, "requeued  "},
		{Waiting, PlaceUnknown, "7_0", Event{Kind: EventStarted}, false, "submitted  "},
		{Waiting, PlaceUnknown, "7_0", Event{Kind: EventStarted}, true, "lost  killed, or its node was lost"},
		{Waiting, PlaceUnknown, "7_0", Event{Kind: EventInterrupted}, true, "cancelled  "},
		{Waiting, PlaceUnknown, "7_1", Event{Kind: EventStarted}, true,
			"lost  the task used more memory than it asked for"},
		{Waiting, PlaceUnknown, "7_2", Event{Kind: EventStarted}, true, "cancelled  "},
		{Waiting, PlacePending, "7_0", Event{Kind: EventCause, Text: "pre-empted"}, true,
			"requeued  pre-empted; "},
		{Waiting, PlacePending, "7_0", Event{Kind: EventInterrupted}, true, "requeued  interrupted; "},
		{Done, PlaceRunning, "7_0", Event{Kind: EventStarted}, true, "done  "},
	} {
		c.last.Job, c.last.Host = c.task, "n7"
		if err := folder.add(c.last); err != nil {
			t.Fatal(err)
		}
		p := &Placement{Place: c.before, Task: c.task}
		p.settle(s, &CellState{Cell: s.Cells[0].Cell, Status: c.status}, c.known, accounted)
		if got := fmt.Sprintf("%s %s %s", p.Place, p.Node, p.Reason); got != c.want {
			t.Errorf("%s, %s, %+v: %q, want %q", c.status, c.before, c.last, got, c.want)
		}
	}
}

// Of several submissions of a cell the last one counts, unless only an earlier one has a task.
func TestPlacesAfterResubmission(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	for _, job := range []string{"101", "103"} {
		p := planned(t)
		if _, err := p.Submit(t.Context()); err != nil || p.Arrays[0].Job != job {
			t.Fatalf("%+v, %v", p.Arrays, err)
		}
	}
	cells, _ := smallGrid().Cells()
	recorded(t, cells[0].Key, "101_0", EventStarted, EventTimeLimit)
	recorded(t, cells[0].Key, "103_0", EventStarted, EventInterrupted, EventCause)
	put(t, dir, "queue", "101_1|RUNNING|n1|5:00|None\n")
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	placed, err := Placed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]string{0: "103_0 cancelled", 2: "101_1 running", 4: "103_2 cancelled"} {
		if got := placed.Cells[i].Task + " " + string(placed.Cells[i].Place); got != want {
			t.Errorf("cell %d is %s, want %s", i, got, want)
		}
	}
}

// Single cells are cancelled by their tasks, and all of them by their jobs.
func TestCancelTasks(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	if _, err := planned(t).Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "queue", "101_1|PENDING||5:00|None\n102_0|PENDING||5:00|None\n")
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		chosen func(int) bool
		cells  int
		calls  string
	}{
		{func(i int) bool { return i == 0 }, 0, ""},
		{func(i int) bool { return i == 3 }, 2, "101_1\n"},
		{func(int) bool { return true }, 4, "101_1\n101 102\n"},
	} {
		n, err := CancelTasks(t.Context(), s, c.chosen)
		if got := get(t, dir, "scancel.calls"); err != nil || n != c.cells || got != c.calls {
			t.Errorf("cancelled %d, %v: %q; want %d, %q", n, err, got, c.cells, c.calls)
		}
	}
}

func TestLastLines(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "log", strings.Repeat("x", 2*maxTail)+"\n\na\nb\n\nc\n")
	if got := strings.Join(LastLines(filepath.Join(dir, "log"), 2), ","); got != "b,c" {
		t.Errorf("lines %q", got)
	}
	put(t, dir, "short", "a\nb")
	if got := strings.Join(LastLines(filepath.Join(dir, "short"), 3), ","); got != "a,b" {
		t.Errorf("lines %q of a short log", got)
	}
	// Only the end of a log is read.
	put(t, dir, "long", "a\n"+strings.Repeat("b", maxTail-1)+"\n")
	if got := LastLines(filepath.Join(dir, "long"), 3); len(got) != 1 || len(got[0]) != maxTail-1 {
		t.Errorf("%d lines of a long log", len(got))
	}
	if got := LastLines(filepath.Join(dir, "none"), 2); got != nil {
		t.Errorf("lines %q of no file", got)
	}
}
