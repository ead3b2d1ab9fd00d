package report

import (
	"strings"
	"testing"

	"dgplab/session/reproduce"
	"dgplab/session/sweep"
)

// TestExperimentTexts checks the texts on existing and missing runs.
func TestExperimentTexts(t *testing.T) {
	x, err := reproduce.Get("wilson2012/jura")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		e          reproduce.Entry
		runs, time string
	}{
		{reproduce.Entry{Experiment: x, Unknown: 6}, "0/6", "?"},
		{reproduce.Entry{Experiment: x, Done: 4, Seconds: 90, Unknown: 3}, "4/6", "1m30s+"},
		{reproduce.Entry{Experiment: x, Done: 4, Seconds: 90}, "4/6", "1m30s"},
		{reproduce.Entry{Experiment: x, Done: 6}, "6/6", ""},
	} {
		if runs := ExistingRuns(c.e); runs != c.runs {
			t.Errorf("%+v: runs %q, want %q", c.e, runs, c.runs)
		}
		if time := MissingTime(c.e); time != c.time {
			t.Errorf("%+v: time %q, want %q", c.e, time, c.time)
		}
		marked := strings.ContainsAny(c.time, "?+")
		if HasUnknownTime([]reproduce.Entry{{Experiment: x, Done: 6}, c.e}) != marked {
			t.Errorf("%+v: the footnote is wrong", c.e)
		}
	}
	cells := []sweep.CellState{{Status: sweep.Waiting}, {Status: sweep.Failed}, {Status: sweep.Waiting}}
	for _, c := range []struct {
		cells    []sweep.CellState
		selected int
		want     string
	}{
		{nil, 0, "no data set is downloaded"},
		{nil, 1, "1 run, of which 1 exist"},
		{cells[:1], 10, "10 runs, of which 9 exist"},
		{cells, 10, "10 runs, of which 7 exist and 1 failed"},
	} {
		p := &reproduce.Plan{State: &sweep.State{Cells: c.cells}, Selected: c.selected}
		if got := PlanRuns(p); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := NotDownloaded([]string{"boston", "jura"}); got !=
		"not downloaded: boston, jura; run: dgplab datasets fetch boston jura" {
		t.Errorf("%q", got)
	}
}

// TestSweepTimes checks the text with the estimated time of a sweep.
func TestSweepTimes(t *testing.T) {
	for _, c := range []struct {
		e    sweep.Estimate
		jobs int
		want string
	}{
		{sweep.Estimate{Runs: 2, Unknown: 2}, 1, "unknown: no similar run has been measured yet"},
		{sweep.Estimate{Runs: 3, Unknown: 1, Seconds: 60}, 2,
			"at most about 1m00s of training, plus 1 run of unknown duration"},
		{sweep.Estimate{Runs: 3, Seconds: 60}, 1, "at most about 1m00s of training, based on earlier runs"},
		{sweep.Estimate{Runs: 1, Seconds: 60}, 2, "at most about 1m00s of training, based on earlier runs"},
	} {
		if got := SweepTime(c.e, c.jobs); got != c.want {
			t.Errorf("%+v with %d jobs: %q, want %q", c.e, c.jobs, got, c.want)
		}
	}
	got := SweepTime(sweep.Estimate{Runs: 3, Seconds: 60}, 2)
	if !strings.Contains(got, " with 2 runs in parallel if there are enough cores, based on earlier runs") {
		t.Errorf("%q", got)
	}
}
