package compare

import (
	"strings"
	"testing"

	"dgplab/session/drift"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Where a run still improved when it ended, numbers are marked, no best is, nothing is
// tested, and a note says what improved; times are compared as ever.
func TestRunsThatStillImproveGetNoVerdict(t *testing.T) {
	runs := grid([]string{"star", "mean-field"}, []string{"boston", "energy"}, 3, 1,
		func(m, d, s int, _ uint64) float64 { return float64(-m) + 0.01*noise(m, d, s) })
	slope := &drift.Estimate{Slope: 0.17, Trend: drift.Rising}
	for i := range runs {
		if r := &runs[i]; r.Config.Family == "mean-field" && r.Config.Dataset == "boston" && strings.HasSuffix(r.Config.Split, "1") {
			r.Summary.Drift = &drift.Report{Validation: slope, Verdict: drift.Improving}
		}
	}
	set := Group(runs)
	table := set.Table(logLik, Options{})
	if boston := table.Cells[1][0]; boston.Improving != 1 || table.Cells[0][0].Best || table.Cells[0][0].P == table.Cells[0][0].P {
		t.Errorf("boston: %+v, %+v", table.Cells[0][0], boston)
	}
	if energy := table.Cells[0][1]; !energy.Best || table.Cells[1][1].Improving != 0 {
		t.Errorf("energy: %+v", energy)
	}
	sheet := table.Sheet()
	if !strings.Contains(sheet.Markdown(), " ^ |") || !strings.Contains(sheet.LaTeX(), `^{\wedge}$`) || !strings.Contains(strings.Join(sheet.Notes, "; "), improvingNote) {
		t.Errorf("%s\n%s", sheet.Markdown(), sheet.LaTeX())
	}
	if notes := strings.Join(set.Notes, "; "); !strings.Contains(notes, "has not converged: validation still rose by 0.17 per 1,000 steps at step 100") {
		t.Errorf("notes: %s", notes)
	}
	if times := set.Table(metric.Get("seconds"), Options{}); times.Cells[1][0].Improving != 0 {
		t.Errorf("times: %+v", times.Cells[1][0])
	}
	c := Comparison{Verdict: "A"}
	if c.Withhold(false, false); c.Verdict != "A" {
		t.Errorf("%+v", c)
	}
	if c.Withhold(true, true); c.Verdict != "~" || c.verdictText() != "~ ^A and B" {
		t.Errorf("%+v", c)
	}
	settled := &rundir.Summary{Stop: rundir.StopConverged, Drift: &drift.Report{Validation: slope, Verdict: drift.Improving}}
	if settled.StillImproving() != "" {
		t.Error("a run that no further step would change still improves")
	}
}
