//go:build unix

package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/session/rundir"
	"dgplab/session/slurm"
	"dgplab/viz/golden"
)

// TestRecordedPlaces compares the places of cells with random events, queues and accounts with recorded
// checksums.
func TestRecordedPlaces(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	f := golden.NewFiller(13)
	var sums golden.Sums
	folder := ""
	for range 2 {
		p := planned(t)
		folder = p.Dir
		if _, err := p.Submit(t.Context()); err != nil {
			t.Fatal(err)
		}
		lines := strings.ReplaceAll(fmt.Sprint(p.CommandLines()), p.Path, "PATH")
		sums.Add("plans", fmt.Sprint(p.List, p.Arrays, p.Cells, lines))
	}
	cells, err := smallGrid().Cells()
	if err != nil {
		t.Fatal(err)
	}
	runs := make([]rundir.Info, len(cells))
	tasks := []string{"101_0", "101_1", "101_2", "102_0", "103_0", "103_1", "103_2", "104_0"}
	kinds := []EventKind{EventStarted, EventTimeLimit, EventRequeued, EventInterrupted, EventCause, EventDone,
		EventFailed}
	causes := []string{string(slurm.TimeLimit), string(slurm.Preempted), string(slurm.Cancelled), "no"}
	for range 10 {
		var queue, accounts strings.Builder
		for _, task := range tasks {
			switch f.IntN(6) {
			case 0:
				reason := golden.Pick(f, "Resources", "BeginTime", "None")
				fmt.Fprintf(&queue, "%s|PENDING||5:00|%s\n", task, reason)
			case 1:
				fmt.Fprintf(&queue, "%s|RUNNING|n%d|1-02:0%d:00|None\n", task, f.IntN(3), f.IntN(9))
			case 2, 3:
				end := golden.Pick(f, "NODE_FAIL", "TIMEOUT", "CANCELLED by 0", "COMPLETED")
				fmt.Fprintf(&accounts, "%s|%s\n", task, end)
			}
			put(t, folder, logsName+"/"+task+".log", golden.Pick(f, "", "one\n\n two \n",
				"slurmstepd-n1: error: *** JOB 8 ON n1 CANCELLED AT 2026-11-23T20:22:16 ***\n"))
		}
		put(t, dir, "queue", queue.String())
		put(t, dir, "accounts", accounts.String())
		for i, c := range cells {
			if f.IntN(2) == 0 {
				task := golden.Pick(f, tasks[i/2], tasks[4+i/2], "7_0")
				recordedWith(t, c.Key, task, golden.Pick(f, causes...), golden.Pick(f, kinds...))
			}
			runs[i] = rundir.Info{ConfigFile: rundir.ConfigFile{
				ID: fmt.Sprint("run", i), Config: c.Config, Sweep: "a", Values: models.Values{},
			}}
			runs[i].State = golden.Pick(f, rundir.Running, rundir.Interrupted, rundir.Ended)
			if runs[i].State == rundir.Ended {
				runs[i].Summary = &rundir.Summary{Stop: golden.Pick(f, rundir.StopSteps, rundir.StopFailed)}
			}
		}
		s, err := OpenAmong("a", runs[:f.IntN(len(runs)+1)])
		if err != nil {
			t.Fatal(err)
		}
		placed, err := Placed(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range placed.Cells {
			sums.Add("places", describePlacement(c))
		}
		for _, place := range Places() {
			sums.Add("counts", fmt.Sprint(placed.Count(place)))
		}
		sums.Add("counts", fmt.Sprint(placed.Jobs, placed.Err))
		sums.Add("idle", describeCells(s.Idle(placed)))
		last := f.IntN(len(cells))
		n, err := CancelTasks(t.Context(), s, func(i int) bool { return i <= last })
		sums.Add("cancelled", fmt.Sprint(n, err))
		now, err := Throttle(t.Context(), s, func(n int) int { return n - f.IntN(6) })
		sums.Add("throttled", fmt.Sprint(now, err))
	}
	sums.Add("calls", get(t, dir, "scancel.calls")+get(t, dir, "scontrol.calls"))
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	list, err := Submissions("a")
	if err != nil {
		t.Fatal(err)
	}
	p := &Placements{}
	for range 400 {
		c := golden.Pick(f, s.Cells...)
		c.Status = golden.Pick(f, Waiting, Waiting, Stopped, Running, Failed, Done)
		task := golden.Pick(f, tasks[:4]...)
		file := cellFile{Key: c.Key}
		for range f.IntN(4) {
			file.Events = append(file.Events, Event{
				Kind: golden.Pick(f, kinds...), Job: golden.Pick(f, task, task, task, "7_0"), Host: "n7",
				Text: golden.Pick(f, causes...), List: golden.Pick(f, "001", "002"),
			})
		}
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(s.Dir, cellsName, cellFolderName(c.Key)), cellFileName, string(text))
		queued := slurm.Task{
			State:  golden.Pick(f, "PENDING", "RUNNING", "REQUEUED"),
			Reason: golden.Pick(f, "Resources", "Other"),
			Node:   golden.Pick(f, "", "n3"), Left: time.Hour,
		}
		placed := placement(&list[0], task, queued, f.IntN(2) == 0)
		accounted := map[string]string{}
		if f.IntN(3) == 0 {
			accounted[task] = golden.Pick(f, "NODE_FAIL", "TIMEOUT", "CANCELLED", "COMPLETED")
		}
		placed.settle(s, &c, f.IntN(4) > 0, accounted)
		sums.Add("settled", describePlacement(placed))
		p.Cells = append(p.Cells, placed, nil)
		if len(p.Cells) == 8 {
			p.findBroken()
			for _, c := range p.Cells {
				sums.Add("broken", describePlacement(c))
			}
			p.Cells = nil
		}
	}
	sums.Check(t, "places")
}

// describePlacement returns the place of a cell as text.
func describePlacement(p *Placement) string {
	if p == nil {
		return "none"
	}
	return fmt.Sprint(p.Place, p.Task, p.Reason, p.Node, p.Left, p.Timeouts, p.Most, p.begun, p.list,
		filepath.Base(p.Log), p.Active())
}

// TestRecordedTasks compares the results, the logs and the events of random tasks, whose runs end at random,
// with recorded checksums.
func TestRecordedTasks(t *testing.T) {
	w := newTaskTest(t)
	f := golden.NewFiller(18)
	var sums golden.Sums
	cells, err := smallGrid().Cells()
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		w.log, w.requeued = nil, nil
		w.refused = golden.Pick(f, nil, nil, errDisk)
		w.cause = golden.Pick(f, slurm.TimeLimit, slurm.Preempted, slurm.Cancelled)
		w.world.resumeErr = golden.Pick(f, nil, nil, nil, nil, errDisk)
		if all := w.world.all; len(all) > 0 && f.IntN(6) == 0 {
			run := &all[f.IntN(len(all))]
			run.State, run.Err = rundir.Broken, errDisk
		}
		task := Task{Timeouts: f.IntN(3), Retry: f.IntN(3) == 0}
		for range 1 + f.IntN(3) {
			task.Positions = append(task.Positions, f.IntN(len(cells)+1))
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		done := w.start(ctx, task, f.IntN(3))
		var e ending
		for ended := false; !ended; {
			select {
			case e = <-done:
				ended = true
			case j := <-w.world.begun:
				sums.Add("begun", fmt.Sprint(j.id, keyOf(j.config), j.part, j.resumed, j.sweep))
				switch f.IntN(6) {
				case 0:
					j.fail(errDisk)
				case 1:
					cancel(ErrTimeLimit)
				case 2:
					cancel(ErrTerminated)
				case 3:
					j.end(rundir.StopEarly)
				default:
					j.end(rundir.StopSteps)
				}
			}
		}
		cancel(nil)
		sums.Add("results", fmt.Sprint(e.Done, e.Failed, e.Requeued, e.err, w.requeued))
		sums.Add("log", strings.Join(w.log, "\n"))
		for i := range cells {
			sums.Add("events", w.events(i))
		}
	}
	sums.Check(t, "tasks")
}
