//go:build unix

package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/session/slurm"
)

func TestMemoryOf(t *testing.T) {
	for text, want := range map[string]float64{"100": 100 << 20, "2G": 2 << 30, "2g": 2 << 30,
		"512K": 512 << 10, "1": 1 << 20, "0.5G": 1 << 29, "1.5T": 1.5 * (1 << 40)} {
		if got, ok := memoryOf(text); !ok || got != want {
			t.Errorf("%s is %v bytes, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "0", "x", "G", "-1"} {
		if got, ok := memoryOf(text); ok {
			t.Errorf("%s is %v bytes", text, got)
		}
	}
}

// AskTasks counts the running and pending tasks of the sweep, but not the jobs of another sweep of that
// name. It awaits the cells in the lists of these tasks, except cells that are done or have failed.
func TestAskTasks(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	s := saved(t)
	if tasks, err := AskTasks(t.Context(), s); tasks != nil || err != nil {
		t.Errorf("before a submission: %+v, %v", tasks, err)
	}
	p := planned(t)
	p.cells = p.cells[:5]
	p.cells[3].Retry = true
	if err := p.Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "queue", "101_1|PENDING||Resources\n101_2|PENDING||Resources\n101_0|RUNNING|n1|None\n"+
		"101_3|COMPLETING|n1|None\n99_0|RUNNING|n7|None\n")
	s, err := Open("a")
	if err != nil || !s.Submitted {
		t.Fatalf("%+v, %v", s, err)
	}
	for cell, status := range []Status{Done, Running, Failed, Failed, Stopped, Waiting} {
		s.Cells[cell].Status = status
	}
	tasks, err := AskTasks(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	want := Tasks{Running: 2, Pending: 2, Nodes: []string{"n1"}, Jobs: []string{"101"},
		Reasons: []string{"waits for free cores or memory (Resources)"}, awaited: tasks.awaited}
	if !reflect.DeepEqual(*tasks, want) {
		t.Errorf("got %+v\nwant %+v", *tasks, want)
	}
	var idle []int
	for _, c := range s.Idle(tasks).Cells {
		same := func(other CellState) bool { return other.Key == c.Key }
		idle = append(idle, slices.IndexFunc(s.Cells, same))
	}
	if want := []int{0, 2, 5, 6, 7}; !slices.Equal(idle, want) {
		t.Errorf("the cells %v are neither running nor awaited, want %v", idle, want)
	}
	put(t, dir, "down", "")
	if tasks, err := AskTasks(t.Context(), s); err != nil || !errors.Is(tasks.Err, slurm.ErrSilent) ||
		tasks.Active() > 0 {
		t.Errorf("without a controller: %+v, %v", tasks, err)
	}
}

// A cell that another process has locked is running, on its machine.
func TestCellsHeldByTasks(t *testing.T) {
	w := newTaskTest(t)
	w.list("001", ListedCell{Cell: w.cells[0]})
	w.lock(0)
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	if c := s.Cells[0]; c.Status != Running || c.Node != host || s.Count(Running) != 1 {
		t.Errorf("the cell is %s on %q; %s", c.Status, c.Node, counts(s))
	}
}

// All cells that are neither done nor awaited are submitted again, with the last options.
func TestResubmit(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	p := planned(t)
	p.cells = p.cells[:4]
	p.Options.Mem, p.AllowMemory = "1M", true
	if err := p.Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "queue", "101_1|PENDING||None\n")
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	made, err := Resubmit(t.Context(), s)
	if err != nil || made.Cells != 4 || made.Options.Partition != "long" || made.Options.Pack != 2 {
		t.Fatalf("%+v, %v", made, err)
	}
	if script := get(t, made.Dir, scriptName); !strings.HasSuffix(script, " --list 002 --allow-memory\n") {
		t.Errorf("the memory is checked although the first submission skips that:\n%s", script)
	}
	put(t, dir, "queue", "101_1|PENDING||None\n102_0|PENDING||None\n")
	if _, err := Resubmit(t.Context(), s); !errors.Is(err, ErrNothingLeft) {
		t.Errorf("error %v", err)
	}
}

// All jobs of a sweep are cancelled together.
func TestCancelTasks(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	for range 2 {
		if err := planned(t).Submit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := CancelTasks(t.Context(), s); n != 0 || err != nil {
		t.Errorf("without tasks: %d, %v", n, err)
	}
	put(t, dir, "queue", "101_1|PENDING||None\n102_0|PENDING||None\n102_1|RUNNING|n1|None\n")
	n, err := CancelTasks(t.Context(), s)
	if calls := get(t, dir, "scancel.calls"); n != 3 || err != nil || calls != "101 102\n" {
		t.Errorf("cancelled %d tasks, %v, by %q", n, err, calls)
	}
}

// A task gets the memory that its runs need.
func TestEstimated(t *testing.T) {
	e := Estimate{Runs: 2, Longest: 600, Memory: 1e9}
	got, err := estimated(slurm.Options{Pack: 3}, e, false)
	if err != nil || got.Mem != "1500M" || got.Time != "70" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := estimated(slurm.Options{Mem: "500M"}, e, false); err == nil {
		t.Error("too little memory is accepted")
	}
	for _, c := range []struct {
		o    slurm.Options
		e    Estimate
		want string
	}{
		{slurm.Options{}, Estimate{Runs: 2, Longest: 600, Unknown: 1}, ""},
		{slurm.Options{}, Estimate{Longest: 600}, ""},
		{slurm.Options{Time: "5"}, e, "5"},
		{slurm.Options{}, Estimate{Runs: 1, Longest: 300}, "20"},
		{slurm.Options{}, Estimate{Runs: 1, Longest: 301}, "30"},
	} {
		if got, err := estimated(c.o, c.e, false); err != nil || got.Time != c.want {
			t.Errorf("%+v: time limit %q, %v; want %q", c.e, got.Time, err, c.want)
		}
	}
	if got, err := estimated(slurm.Options{Mem: "500M"}, e, true); err != nil || got.Mem != "500M" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A resubmission and a cancellation that cannot be made return the reason.
func TestResubmissionErrors(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	s := saved(t)
	refused := func(resubmit, cancel string) {
		t.Helper()
		_, err := Resubmit(t.Context(), s)
		if !strings.Contains(errorText(err), resubmit) {
			t.Errorf("Resubmit: %v; want %s", err, resubmit)
		}
		_, err = CancelTasks(t.Context(), s)
		if errorText(err) != cancel {
			t.Errorf("CancelTasks: %v; want %s", err, cancel)
		}
	}
	refused("the sweep a was not submitted to Slurm", "")
	s.Name = "../a"
	refused("invalid", CheckName("../a").Error())
	s.Name = "a"
	small := planned(t)
	small.cells, small.Options.Mem = small.cells[:4], "1M"
	if err := small.Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused("--mem=1M is less than", "")
	put(t, dir, "queue", "101_1|PENDING||None\n")
	put(t, dir, "scancel", "#!/bin/sh\necho no controller >&2; exit 1\n")
	refused("--mem=1M is less than", "no controller")
	whole := s.Cells
	s.Cells = slices.Clone(whole)
	s.Cells[7].Config.Dataset = "unknown"
	refused("unknown", "no controller")
	s.Cells = whole
	put(t, dir, "down", "")
	refused(slurm.ErrSilent.Error(), "squeue: the Slurm controller does not answer")
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

// The newest log of all submissions is the last one.
func TestLastLog(t *testing.T) {
	s := &State{Dir: t.TempDir()}
	if log := s.LastLog(); log != "" {
		t.Errorf("the log is %s, want none", log)
	}
	for i, name := range []string{"101_0.log", "101_1.log", "101_2.log"} {
		logs := filepath.Join(s.Dir, listsName, "001", logsName)
		path := filepath.Join(logs, name)
		at := time.Unix([]int64{5, 9, 7}[i], 0)
		err := errors.Join(os.MkdirAll(logs, 0o755), os.WriteFile(path, nil, 0o644), os.Chtimes(path, at, at))
		if err != nil {
			t.Fatal(err)
		}
	}
	if log := s.LastLog(); filepath.Base(log) != "101_1.log" {
		t.Errorf("the log is %s, want 101_1.log", log)
	}
}
