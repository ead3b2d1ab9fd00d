package compare

import (
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// If a run was still improving when it ended, its numbers are marked, but there is no best mark and no test.
// A note names the improving quantity. Times are compared as usual.
func TestRunsThatStillImproveGetNoVerdict(t *testing.T) {
	runs := grid([]string{"star", "mean-field"}, []string{"boston", "energy"}, 3, 1,
		func(m, d, s int, _ uint64) float64 { return float64(-m) + 0.01*noise(m, d, s) })
	slope := &rundir.Estimate{Slope: 0.17, Trend: rundir.Rising}
	for i := range runs {
		if r := &runs[i]; r.Config.Family == "mean-field" && r.Config.Dataset == "boston" &&
			strings.HasSuffix(r.Config.Split, "1") {
			r.Summary.Drift = &rundir.Drift{Validation: slope, Verdict: rundir.Improving}
		}
	}
	set := Group(runs)
	table := set.Table(logLik, Options{})
	if boston := table.Cells[1][0]; boston.Inconclusive != 1 || table.Cells[0][0].Best ||
		table.Cells[0][0].P == table.Cells[0][0].P {
		t.Errorf("boston: %+v, %+v", table.Cells[0][0], boston)
	}
	if energy := table.Cells[0][1]; !energy.Best || table.Cells[1][1].Inconclusive != 0 {
		t.Errorf("energy: %+v", energy)
	}
	sheet := table.Sheet()
	if !strings.Contains(sheet.Markdown(), " ^ |") || !strings.Contains(sheet.LaTeX(), `^{\wedge}$`) ||
		!strings.Contains(strings.Join(sheet.Notes, "; "), inconclusiveNote) {
		t.Errorf("%s\n%s", sheet.Markdown(), sheet.LaTeX())
	}
	if notes := strings.Join(set.Notes,
		"; "); !strings.Contains(notes,
		"has not converged: validation still rose by 0.17 per 1,000 steps (at step 100)") {
		t.Errorf("notes: %s", notes)
	}
	if times := set.Table(metric.Get("seconds"), Options{}); times.Cells[1][0].Inconclusive != 0 {
		t.Errorf("times: %+v", times.Cells[1][0])
	}
	settled := &rundir.Summary{
		Stop:  rundir.StopConverged,
		Drift: &rundir.Drift{Validation: slope, Verdict: rundir.Improving},
	}
	if settled.StillImproving() != "" {
		t.Error("a run that has converged still improves")
	}
}

// Undecided and overfitting runs are marked like runs that were still improving, except for runs that
// overfitted or stopped early and whose scores belong to the parameters with the best validation.
func TestRunsWithoutConclusionGetNoVerdict(t *testing.T) {
	fall := &rundir.Fall{Best: -1, Last: -3, Step: 200, Overfits: true}
	for name, c := range map[string]struct {
		drift *rundir.Drift
		stop  rundir.Stop
		keep  string
		ranks bool
		note  string
	}{
		"settled": {&rundir.Drift{Verdict: rundir.Settled},
			rundir.StopSteps, "last", true, ""},
		"without a report": {nil, rundir.StopSteps, "last", true, ""},
		"too short": {&rundir.Drift{Verdict: rundir.Undecided}, rundir.StopSteps, "last",
			false, "is undecided: too few reports for a verdict (at step 100)"},
		"converged": {&rundir.Drift{Verdict: rundir.Undecided},
			rundir.StopConverged, "last", true, ""},
		"overfitting": {&rundir.Drift{Verdict: rundir.Overfitting, Fall: fall},
			rundir.StopSteps, "last", false,
			"is overfitting: validation fell by 2 since step 200 while ELBO rose (at step 100)"},
		"overfitting, best state kept": {&rundir.Drift{Verdict: rundir.Overfitting, Fall: fall},
			rundir.StopSteps, rundir.KeptBest, true, "is overfitting: "},
		"stopped early, best state kept": {&rundir.Drift{Verdict: rundir.Undecided}, rundir.StopEarly,
			rundir.KeptBest, true, ""},
		"stopped early, last state kept": {&rundir.Drift{Verdict: rundir.Undecided}, rundir.StopEarly,
			"last", false, "is undecided: "},
		"undecided at its best so far": {&rundir.Drift{Verdict: rundir.Undecided}, rundir.StopSteps,
			rundir.KeptBest, false, "is undecided: "},
		"improving at its best, stopped": {&rundir.Drift{Verdict: rundir.Improving}, rundir.StopAsked,
			rundir.KeptBest, false, "has not converged: "},
	} {
		runs := grid([]string{"star", "mean-field"}, []string{"boston"}, 3, 1,
			func(m, d, s int, _ uint64) float64 { return float64(-m) + 0.01*noise(m, d, s) })
		s := runs[0].Summary
		s.Drift = c.drift
		s.Stop = c.stop
		s.BestStep = 20
		s.KeptStep = 20
		s.Values = models.Values{rundir.KeepSetting: c.keep}
		s.ObjectiveIs.Name = "ELBO"
		set := Group(runs)
		table := set.Table(logLik, Options{})
		if table.Cells[0][0].Best != c.ranks || (table.Cells[0][0].Inconclusive == 0) != c.ranks {
			t.Errorf("%s: %+v", name, table.Cells[0][0])
		}
		if notes := strings.Join(set.Notes, "; "); !strings.Contains(notes, c.note) ||
			c.note == "" && strings.Contains(notes, " is ") {
			t.Errorf("%s: notes %s", name, notes)
		}
	}
}
