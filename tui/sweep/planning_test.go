package sweep

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dgplab/datasets/table"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/report"
)

// A sweep form has no columns page and no flags, so problems with a file are fixed on the set-up screen.
func TestPlanTrouble(t *testing.T) {
	missing := &table.Error{
		File:     "f.csv",
		Line:     7,
		Problem:  "the cell is missing",
		Remedies: []table.Answer{table.Choose("missing", table.MissingDrop, "omits such rows")},
	}
	for want, err := range map[string]error{
		"f.csv, line 7: the cell is missing; fix it on the set-up screen's columns " +
			"page": fmt.Errorf("seed=0: %w", missing),
		"f.csv: no rows of numbers": &table.Error{File: "f.csv", Problem: "no rows of numbers"},
		"no such family":            errors.New("no such family"),
	} {
		if got := planTrouble(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTimeTexts checks the texts with the estimated time of a sweep.
func TestTimeTexts(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	for _, c := range []struct {
		estimate sweeps.Estimate
		jobs     string
		want     string
	}{
		{sweeps.Estimate{}, "1", "nothing left to train"},
		{sweeps.Estimate{Runs: 4, Seconds: 60}, "2",
			"at most about 1m00s of training, or 30s with 2 runs in parallel if there are enough cores, " +
				"based on earlier runs"},
		{sweeps.Estimate{Runs: 1, Seconds: 1e6}, "1",
			"at most about 11d14h of training, based on earlier runs; budget limits each run"},
	} {
		d.grid.plan.Known.cost = c.estimate
		d.row(t, jobsField).Input = kit.NewLine(c.jobs)
		if got, _ := d.grid.timeText(); got != c.want {
			t.Errorf("%+v with %s jobs: %q, want %q", c.estimate, c.jobs, got, c.want)
		}
	}
	d.grid.cores = 2
	if got := d.grid.sharedText(); got != "" {
		t.Errorf("without shared cores: %q", got)
	}
	d.row(t, jobsField).Input = kit.NewLine("2")
	d.grid.plan.Known.cost = sweeps.Estimate{Runs: 3}
	for cores, want := range map[int]string{1: "2 training runs share 1 core: each is slower", 2: ""} {
		if d.grid.cores = cores; d.grid.sharedText() != want {
			t.Errorf("on %d cores: %q, want %q", cores, d.grid.sharedText(), want)
		}
	}
	d.Started = []kit.Run{kittest.NewRun("x", nil)}
	want := "3 training runs share 2 cores: each is slower; 1 already running"
	if d.grid.cores = 2; d.grid.sharedText() != want {
		t.Errorf("beside a run: %q, want %q", d.grid.sharedText(), want)
	}
	d.grid.plan.Known.cost = sweeps.Estimate{}
	if got := d.grid.sharedText(); got != "" {
		t.Errorf("without remaining runs: %q", got)
	}
}

// The plan of an existing sweep counts its finished and failed cells.
func TestPlanOfAnEarlierSweep(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	d.grid.plan.Known.state = middle(t)
	rows := strings.Join(d.grid.planRows(200), "\n")
	for _, want := range []string{"24 runs, 16 already done, 1 failed", "named abl"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
}

// The plan counts pruned cells and describes the rungs of successive halving.
func TestPlanOfHalving(t *testing.T) {
	d := newHarness(t, 120, 40)
	d.open(kit.Fill{Config: base})
	s := middle(t)
	s.Cells[0].Status, s.Cells[1].Status = sweeps.Pruned, sweeps.Pruned
	s.Grid.Halving, s.Grid.Rungs = 2, 3
	d.grid.plan.Known.state = s
	rows := strings.Join(d.grid.planRows(200), "\n")
	for _, want := range []string{", 2 pruned, ", report.Halving(s.Grid)} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
}
