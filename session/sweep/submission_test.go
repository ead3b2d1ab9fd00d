//go:build unix

package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/session/slurm"
)

// fakeSlurm puts programs of Slurm on the PATH. sbatch returns the jobs 101, 102 and so on, and fails
// for the job that is named in the file "refuse". squeue prints the file "queue", or fails if there is a file
// "down".
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
		"scancel":  `echo "$@" >> "$D/scancel.calls"`,
		"scontrol": `echo "MaxArraySize = 3"`,
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

// planOf plans the submission of all cells of a sweep that are left.
func planOf(t *testing.T, s *State, o slurm.Options) (*Plan, error) {
	t.Helper()
	return NewPlan(t.Context(), s, s.Left(true), Estimate{}, o, false)
}

// planned plans the submission of all cells of the small grid with a task for each two of them.
func planned(t *testing.T) *Plan {
	t.Helper()
	s, err := Preview(t.Context(), new(session.Inspector), smallGrid(), "a")
	if err != nil {
		t.Fatal(err)
	}
	p, err := planOf(t, s, slurm.Options{Pack: 2, Partition: "long"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The small grid has 8 cells: there are 4 tasks for pairs of them, of which the site allows 3.
func TestSubmission(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	p := planned(t)
	if _, err := os.Lstat(p.state.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("planning wrote files: %v", err)
	}
	if err := p.Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if calls := get(t, dir, "sbatch.calls"); calls != "--parsable --array=0-2 "+p.Path+"\n" {
		t.Errorf("calls\n%s", calls)
	}
	text := get(t, p.Dir, scriptName)
	if text != p.Script || !strings.HasSuffix(text, " sweep task a --list 001\n") ||
		!strings.Contains(text, "#SBATCH --partition=long\n") {
		t.Errorf("script\n%s", text)
	}
	list, err := Submissions("a")
	if err != nil || len(list) != 1 || list[0].List != "001" || list[0].Job != "101" || list[0].Tasks != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	cells, _ := smallGrid().Cells()
	some, err := readList(p.Dir)
	if err != nil || len(some) != 8 || some[7].Key != cells[7].Key || keyOf(some[7].Config) != cells[7].Key {
		t.Errorf("%+v, %v", some, err)
	}
}

// There is a task for each cell or for each packed group, but no more than allowed.
func TestNumberOfTasks(t *testing.T) {
	isolate(t)
	fakeSlurm(t) // The site allows 3.
	s := saved(t)
	for _, c := range []struct {
		cells int
		slurm.Options
		want int
	}{
		{1, slurm.Options{}, 1}, {2, slurm.Options{}, 2}, {8, slurm.Options{}, 3},
		{8, slurm.Options{Parallel: 2}, 2}, {8, slurm.Options{Pack: 4}, 2}, {8, slurm.Options{Pack: 7}, 2},
		{8, slurm.Options{Pack: 9}, 1},
	} {
		p, err := NewPlan(t.Context(), s, s.cells()[:c.cells], Estimate{}, c.Options, false)
		if err != nil || p.Tasks != c.want || p.Cells != c.cells {
			t.Errorf("%d cells, %+v: %d tasks, %v; want %d", c.cells, c.Options, p.Tasks, err, c.want)
		}
	}
}

// A sweep that an earlier version has submitted can be read. Its tasks are not known.
func TestSubmissionOfAnEarlierVersion(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	s := saved(t)
	list := filepath.Join(s.Dir, listsName, "001")
	if err := os.MkdirAll(list, 0o755); err != nil {
		t.Fatal(err)
	}
	key := s.Cells[0].Key
	cell := filepath.Join(s.Dir, cellsName, cellFolderName(key))
	if err := os.MkdirAll(cell, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, list, listFileName, `{"key": "`+key+`"}`+"\n")
	put(t, list, submissionFileName, `{"format": 1, "list": "001", "cells": 1, "options": {"timeouts": 3, `+
		`"pack": 2}, "arrays": [{"job": "101", "offset": 0, "tasks": 1, "throttle": 256, "after": -1}]}`)
	put(t, cell, cellFileName, `{"key": "`+key+`", "starting": true, "events": [{"kind": "started"}]}`)
	put(t, dir, "queue", "101_0|PENDING||None\n")
	s, err := Open("a")
	if err != nil || s.Count(Waiting) != 8 {
		t.Fatalf("%s, %v", counts(s), err)
	}
	if tasks, err := AskTasks(t.Context(), s); err != nil || tasks.Active() != 0 {
		t.Errorf("%+v, %v", tasks, err)
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
	s, err := Preview(t.Context(), new(session.Inspector), g, "a")
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
	p, err := planOf(t, s, slurm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Submit(t.Context()); err != nil {
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
	task := Task{Sweep: "a", List: p.List}
	if list, err := task.cells(); err != nil || len(list) != 16 || list[0].Key != s.Cells[0].Key {
		t.Errorf("the task has %+v, %v", list, err)
	}
}

// If Slurm refuses an array, no file is left.
func TestSubmissionRefused(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	put(t, dir, "refuse", "101")
	p := planned(t)
	err := p.Submit(t.Context())
	var refused *slurm.RefusedError
	if !errors.As(err, &refused) || err.Error() != "sbatch: error: no such partition" {
		t.Errorf("error %v", err)
	}
	if names, err := Names(); err != nil || len(names) != 0 {
		t.Errorf("left %v, %v", names, err)
	}
	// A sweep that existed before is left as it was.
	small := smallGrid()
	small.Seeds = small.Seeds[:1]
	s, err := Preview(t.Context(), new(session.Inspector), small, "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := Save(s); err != nil {
		t.Fatal(err)
	}
	before := get(t, s.Dir, fileName)
	p = planned(t)
	if err := p.Submit(t.Context()); err == nil || get(t, s.Dir, fileName) != before {
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
	s, err := Preview(t.Context(), new(session.Inspector), g, "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := planOf(t, s, slurm.Options{}); err == nil ||
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
	s, err := Preview(t.Context(), new(session.Inspector), g, "a")
	if err != nil {
		t.Fatal(err)
	}
	_, err = planOf(t, s, slurm.Options{})
	if !errors.Is(err, errHalving) || !errors.Is(Save(s), errHalving) {
		t.Errorf("error %v", err)
	}
}
