//go:build unix

package sweep

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"dgplab/datasets/files/filestest"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/session/slurm"
)

// saved writes the small grid as the sweep a.
func saved(t *testing.T) *State {
	t.Helper()
	s, err := Preview(t.Context(), new(session.Inspector), smallGrid(), "a")
	if err == nil {
		err = Save(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every function that reads or writes a sweep returns the error of any disk operation that fails.
func TestDiskFaults(t *testing.T) {
	dir := fakeSlurm(t)
	var s *State
	var p *Plan
	empty := func(t *testing.T) {
		isolate(t)
		var err error
		s, err = Preview(t.Context(), new(session.Inspector), smallGrid(), "a")
		if err != nil {
			t.Fatal(err)
		}
	}
	stored := func(t *testing.T) {
		isolate(t)
		s = saved(t)
	}
	submitted := func(t *testing.T) {
		stored(t)
		put(t, dir, "jobs", "100")
		p = planned(t)
		if err := p.Submit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	two := []rundir.Info{
		{ConfigFile: rundir.ConfigFile{ID: "x"}}, {ConfigFile: rundir.ConfigFile{ID: "y"}},
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T)
		do      func(t *testing.T) error
		// harmless holds the operations whose faults do not matter.
		harmless []string
	}{
		"save": {empty, func(*testing.T) error { return Save(s) }, nil},
		"extend": {stored, func(*testing.T) error {
			s.Grid.Seeds = append(s.Grid.Seeds, 7)
			more, err := Preview(t.Context(), new(session.Inspector), s.Grid, "a")
			if err != nil {
				return err
			}
			return Save(more)
		}, nil},
		"list of cells": {stored, func(*testing.T) error {
			dir, err := rundir.OpenFolder(folderName, "a")
			if err != nil {
				return err
			}
			defer dir.Close()
			return writeList(dir, slices.Repeat([]ListedCell{{Cell: s.Cells[0].Cell}}, 500))
		}, nil},
		"all": {stored, func(*testing.T) error {
			list, err := List()
			for _, e := range list {
				err = errors.Join(err, e.Err)
			}
			return err
		}, nil},
		"open": {stored, func(*testing.T) error { _, err := Open("a"); return err }, nil},
		"runs": {stored, func(*testing.T) error { _, err := Runs("a"); return err }, nil},
		"preview": {stored, func(t *testing.T) error {
			_, err := Preview(t.Context(), new(session.Inspector), s.Grid, "a")
			return err
		}, nil},
		"plan": {stored, func(t *testing.T) error {
			_, err := planOf(t, s, slurm.Options{Pack: 2})
			return err
		}, nil},
		"submissions": {submitted, func(*testing.T) error { _, err := Submissions("a"); return err }, nil},
		"tasks": {submitted, func(t *testing.T) error {
			_, err := AskTasks(t.Context(), s)
			return err
		}, nil},
		"list": {submitted, func(*testing.T) error {
			cells, err := readList(p.Dir)
			if err == nil && (len(cells) != 8 || cells[2].Key != s.Cells[2].Key) {
				t.Errorf("read %+v", cells)
			}
			return err
		}, nil},
		"cell": {stored, func(t *testing.T) error {
			c, err := lockCell("a", s.Cells[0].Key)
			if err != nil {
				return err
			}
			defer c.Close()
			return c.save()
		}, nil},
		"exports": {stored, func(*testing.T) error {
			e, err := OpenExports(two)
			if err != nil {
				return err
			}
			defer e.Close()
			_, err = e.WriteFile("f.txt", func(io.Writer) error { return nil })
			return err
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			harmless := slices.Concat(unlocking, c.harmless, []string{"open .index"})
			filestest.EveryFault(t, c.prepare, c.do, harmless...)
		})
	}
}

// After a failed submission, the sweep is as it was before. Only if writing its new file was the last step
// and fails, that file can be there.
func TestFailedSubmissionIsUndone(t *testing.T) {
	fakeSlurm(t)
	for existed, prepare := range map[string]func(t *testing.T){
		"no sweep": func(*testing.T) {},
		"a sweep":  func(t *testing.T) { saved(t) },
		"a sweep without its file": func(t *testing.T) {
			if err := os.Remove(filepath.Join(saved(t).Dir, fileName)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		var p *Plan
		var before string
		filestest.EveryFault(t, func(t *testing.T) {
			isolate(t)
			prepare(t)
			p = planned(t)
			before = get(t, p.state.Dir, fileName)
		}, func(t *testing.T) error {
			err := p.Submit(t.Context())
			lists, listed := os.ReadDir(filepath.Join(p.state.Dir, listsName))
			changed := get(t, p.state.Dir, fileName) != before
			last := strings.HasPrefix(errorText(err), "save the sweep: ")
			if err != nil && (len(lists) > 0 || changed && !last) {
				t.Errorf("existed: %s: left %v, %v after %v", existed, lists, listed, err)
			}
			return err
		}, unlocking...)
	}
}

// If the files of a failed submission cannot be removed, the error says both.
func TestFailedSubmissionIsNotUndone(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	root := os.Getenv("DGPLAB_RUNS")
	script := "#!/bin/sh\nmv " + filepath.Join(root, folderName) + " " + filepath.Join(root, "gone") +
		"\necho no partition >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "sbatch"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	err := planned(t).Submit(t.Context())
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "no partition") {
		t.Errorf("error %v", err)
	}
}

// unlocking lists the operations after the end of a function, whose faults do not matter.
var unlocking = []string{
	"open lock", "read lock", "stat lock", "truncate lock", "remove lock.claim",
}

// Without a folder for runs, with a bad name and with a damaged file, every function returns an error.
func TestSweepErrors(t *testing.T) {
	calls := func(t *testing.T, name string) map[string]error {
		_, open := Open(name)
		_, runs := Runs(name)
		_, preview := Preview(t.Context(), new(session.Inspector), smallGrid(), name)
		_, submissions := Submissions(name)
		_, tasks := AskTasks(t.Context(), &State{Name: name})
		folder, locked := lockFolder(name)
		if locked == nil {
			folder.Close()
		}
		_, resumed := Resume(t.Context(), name, Options{})
		_, started := Start(t.Context(), smallGrid(), Options{Name: name})
		_, task := (&Task{Sweep: name, Positions: []int{0}, Log: t.Logf}).Run(t.Context())
		return map[string]error{
			"Open": open, "Runs": runs, "Preview": preview, "Submissions": submissions, "AskTasks": tasks,
			"lockFolder": locked, "Resume": resumed, "Start": started, "Task.Run": task,
			"Save": Save(&State{Name: name, Grid: smallGrid()}),
		}
	}
	t.Run("no folder", func(t *testing.T) {
		isolate(t)
		for _, name := range []string{"DGPLAB_RUNS", "XDG_DATA_HOME", "HOME"} {
			t.Setenv(name, "")
		}
		all := calls(t, "a")
		_, all["Names"] = Names()
		_, all["List"] = List()
		_, all["OpenExports"] = OpenExports(make([]rundir.Info, 2))
		_, all["validation"] = validation(&CellState{}, 1)
		_, all["script"] = (&Plan{state: &State{}}).script()
		for call, err := range all {
			if err == nil || !strings.Contains(err.Error(), "set DGPLAB_RUNS") {
				t.Errorf("%s: %v", call, err)
			}
		}
	})
	t.Run("a file in the way", func(t *testing.T) {
		isolate(t)
		put(t, os.Getenv("DGPLAB_RUNS"), "file", "")
		t.Setenv("DGPLAB_RUNS", filepath.Join(os.Getenv("DGPLAB_RUNS"), "file"))
		all := calls(t, "a")
		_, all["Names"] = Names()
		_, all["List"] = List()
		_, all["OpenExports"] = OpenExports(make([]rundir.Info, 2))
		for call, err := range all {
			if !errors.Is(err, syscall.ENOTDIR) {
				t.Errorf("%s: %v", call, err)
			}
		}
	})
	t.Run("name", func(t *testing.T) {
		isolate(t)
		for call, err := range calls(t, "../a") {
			if err == nil || !strings.Contains(err.Error(), `invalid sweep name "../a"`) {
				t.Errorf("%s: %v", call, err)
			}
		}
		saved(t)
		task := &Task{Sweep: "a", List: "../a", Positions: []int{0}, Log: t.Logf}
		if _, err := task.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "invalid") {
			t.Errorf("a bad list: %v", err)
		}
	})
	t.Run("file", func(t *testing.T) {
		isolate(t)
		s := saved(t)
		put(t, s.Dir, fileName, "{")
		all := calls(t, "a")
		delete(all, "lockFolder")
		delete(all, "Submissions")
		delete(all, "AskTasks")
		for call, err := range all {
			if err == nil || !strings.Contains(err.Error(), fileName) {
				t.Errorf("%s: %v", call, err)
			}
		}
		put(t, s.Dir, fileName, `{"format": 1, "name": "a", "grid": {}}`)
		all = calls(t, "a")
		for _, harmless := range []string{"lockFolder", "Submissions", "AskTasks"} {
			delete(all, harmless)
		}
		for call, err := range all {
			if err == nil || !strings.Contains(err.Error(), "a sweep needs at least one data set") {
				t.Errorf("%s without data sets: %v", call, err)
			}
		}
		put(t, s.Dir, fileName, `{"format": 9}`)
		if _, err := Open("a"); err == nil || !strings.Contains(err.Error(), "unsupported format 9") {
			t.Errorf("another format: %v", err)
		}
	})
	t.Run("submission", func(t *testing.T) {
		isolate(t)
		fakeSlurm(t)
		saved(t)
		p := planned(t)
		if err := p.Submit(t.Context()); err != nil {
			t.Fatal(err)
		}
		unsubmitted := filepath.Join(p.state.Dir, listsName, "000")
		if err := os.MkdirAll(unsubmitted, 0o755); err != nil {
			t.Fatal(err)
		}
		if list, err := Submissions("a"); err != nil || len(list) != 1 {
			t.Errorf("with a list that was not submitted: %+v, %v", list, err)
		}
		if err := os.Remove(unsubmitted); err != nil {
			t.Fatal(err)
		}
		put(t, p.Dir, listFileName, "{}\n{\n")
		want := listFileName + ": line 2: "
		if _, err := readList(p.Dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a damaged list: %v", err)
		}
		task := &Task{Sweep: "a", List: p.List, Positions: []int{1}, Log: t.Logf}
		if _, err := task.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a damaged list: %v", err)
		}
		if _, err := submittedCells(p.state.Dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the cells of a damaged list: %v", err)
		}
		for _, n := range []int{maxLine * 2 / 3, maxLine * 3 / 2} {
			put(t, p.Dir, listFileName, `{"key": "`+strings.Repeat("x", n)+`"}`)
			cells, err := readList(p.Dir)
			if good := n < maxLine; good && (err != nil || len(cells[0].Key) != n) || !good && err == nil {
				t.Errorf("a line of %d bytes: %v", n, err)
			}
		}
		put(t, p.Dir, submissionFileName, `{"format": 9}`)
		if _, err := Submissions("a"); err == nil || !strings.Contains(err.Error(), "unsupported format 9") {
			t.Errorf("another format: %v", err)
		}
		if err := p.Submit(t.Context()); err == nil || !strings.Contains(err.Error(), "at the same time") {
			t.Errorf("a second submission of a plan: %v", err)
		}
	})
	t.Run("lists", func(t *testing.T) {
		isolate(t)
		fakeSlurm(t)
		s := saved(t)
		put(t, s.Dir, listsName, "")
		_, submissions := Submissions("a")
		_, cells := submittedCells(s.Dir)
		_, plan := planOf(t, s, slurm.Options{})
		for call, err := range map[string]error{
			"Submissions": submissions, "submittedCells": cells, "NewPlan": plan,
		} {
			if !errors.Is(err, syscall.ENOTDIR) {
				t.Errorf("%s: %v", call, err)
			}
		}
		if err := Save(&State{Name: "b"}); err == nil || !strings.Contains(err.Error(), "at least one data") {
			t.Errorf("saved without data sets: %v", err)
		}
	})
	t.Run("halving", func(t *testing.T) {
		isolate(t)
		s := &State{Name: "a", Grid: smallGrid()}
		s.Grid.Halving = 2
		if err := Save(s); !errors.Is(err, errHalving) {
			t.Errorf("saved: %v", err)
		}
		if _, err := planOf(t, s, slurm.Options{}); !errors.Is(err, errHalving) {
			t.Errorf("planned: %v", err)
		}
		s.Grid.Rungs = 2
		s.Grid.Set = append(s.Grid.Set, Axis{Name: "validation", Values: []string{"0.2"}})
		folder, err := lockFolder("a")
		if err == nil {
			err = errors.Join(writeFile(folder.dir, s, nil), folder.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		task := &Task{Sweep: "a", Positions: []int{0}, Log: t.Logf}
		if _, err := task.Run(t.Context()); !errors.Is(err, errHalving) {
			t.Errorf("trained: %v", err)
		}
		random := smallGrid()
		random.Random = -1
		if _, err := random.Cells(); err == nil || err.Error() != "a sweep cannot draw -1 combinations" {
			t.Errorf("drawn: %v", err)
		}
		damaged := &CellState{Run: "r", Summary: &rundir.Summary{}}
		_, err = validation(damaged, 1)
		if err == nil || !strings.Contains(err.Error(), "r: validation_every") {
			t.Errorf("a summary without values: %v", err)
		}
		damaged.Summary.Values = map[string]string{config.ValidationEvery: "1"}
		put(t, os.Getenv("DGPLAB_RUNS"), "r", "")
		if _, err := validation(damaged, 1); !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("a run that cannot be read: %v", err)
		}
	})
}

// If Slurm does not answer or would reject the options, an error is returned before anything is written.
func TestPlanErrors(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	s := saved(t)
	if _, err := planOf(t, s, slurm.Options{Pack: -1}); err == nil {
		t.Error("a task has a negative number of cells")
	}
	odd := *s
	odd.Dir += "\ntouch ran"
	if _, err := planOf(t, &odd, slurm.Options{}); err == nil ||
		!strings.Contains(err.Error(), "set DGPLAB_RUNS to a path without") {
		t.Errorf("the path of the runs has a line with a command: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "scontrol"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := planOf(t, s, slurm.Options{}); err == nil {
		t.Error("Slurm has no size of arrays")
	}
	fakeSlurm(t)
	warm := smallGrid()
	warm.Families = []string{"mean-field", "star"}
	warm.Set = append(warm.Set, Axis{Family: "star", Name: rundir.WarmStartSetting,
		Values: []string{"mean-field"}})
	w, err := Preview(t.Context(), new(session.Inspector), warm, "warm")
	if err != nil {
		t.Fatal(err)
	}
	const want = "starts from a run of mean-field that is not done; submit the runs of mean-field first"
	if _, err := planOf(t, w, slurm.Options{}); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("submitted at once: %v", err)
	}
	if names, err := listNames(s.Dir); len(names) > 0 || err != nil {
		t.Errorf("left %v, %v", names, err)
	}
}

// A fault while a cell is recorded is the error of the task, or the reason why the cell has failed. The same
// holds for a cell whose run was not recorded, and for a task at its time limit.
func TestTaskOnAFaultyDisk(t *testing.T) {
	var w *taskTest
	for limit, prepare := range map[bool]func(t *testing.T){
		false: func(t *testing.T) { w = newTaskTest(t) },
		true: func(t *testing.T) {
			w = newTaskTest(t)
			folder := w.lock(1)
			folder.Key = w.cells[1].Key
			if err := errors.Join(folder.save(), folder.Close()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		filestest.EveryFault(t, prepare, func(t *testing.T) error {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			done := w.start(ctx, Task{Positions: []int{1}})
			var e ending
			select {
			case j := <-w.dependencies.begun:
				if limit {
					cancel(ErrTimeLimit)
				} else {
					j.end(rundir.StopSteps)
				}
				e = w.wait(done)
			case e = <-done:
			}
			switch {
			case e.Failed > 0 && strings.Contains(strings.Join(w.log, "\n"), syscall.EIO.Error()):
				return syscall.EIO
			case e.Requeued:
				return nil
			}
			return e.err
		}, unlocking...)
	}
}
