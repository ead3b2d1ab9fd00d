package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/infer"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// A method that was still improving when it ended is neither best nor tied, although its mean is the highest.
// The other methods are judged as if it were not there. Times are compared as usual.
func TestOtherMethodsAreJudged(t *testing.T) {
	improving := &rundir.Drift{Validation: &rundir.Estimate{Slope: 0.17, Trend: rundir.Rising},
		Verdict: rundir.Improving}
	all := grid([]string{"star", "mean-field", "svgp", "gp"}, []string{"boston", "energy"}, 3, 1,
		func(m, d, s int, _ uint64) float64 {
			return []float64{-1, -2, -2, -9}[m] + 0.01*noise(m, d, s)
		})
	var others []rundir.Info
	improved := ""
	for i := range all {
		r := &all[i]
		switch {
		case r.Config.Family != "star":
			others = append(others, *r)
		case r.Config.Dataset == "boston" && r.Config.Split == "standard:1":
			r.Results.Drift, improved = improving, r.ID
		}
	}
	set := Group(all)
	table, alone := set.Table(logLik, Options{}), Group(others).Table(logLik, Options{})
	star := table.Cells[0]
	if star[0].Inconclusive != 1 || star[0].Best || star[0].Tied || star[0].P == star[0].P {
		t.Errorf("star on boston is judged although a run had not settled: %+v", star[0])
	}
	if !star[1].Best || star[1].Inconclusive != 0 {
		t.Errorf("star on energy, where all runs had settled, is not the best: %+v", star[1])
	}
	for i, row := range alone.Cells {
		got, want := table.Cells[i+1][0], row[0]
		tested := want.HolmP == want.HolmP
		if got.Best != want.Best || got.Tied != want.Tied || tested && got.HolmP != want.HolmP {
			t.Errorf("%s is judged by best %t, tied %t, p %v; without star by %t, %t, %v", got.Method,
				got.Best, got.Tied, got.HolmP, want.Best, want.Tied, want.HolmP)
		}
	}
	if !table.Cells[1][0].Best && !table.Cells[2][0].Best || table.Cells[3][0].Tied {
		t.Errorf("no mark for the best settled method, or a tie at a distance of 7: %+v", table.Cells)
	}
	note := "^ had not settled when training ended, so neither best nor tied: star"
	sheet := table.Sheet()
	for form, text := range map[string]string{"Markdown": sheet.Markdown(), "LaTeX": sheet.LaTeX(),
		"notes": strings.Join(table.Notes(), "\n")} {
		if !strings.Contains(text, strings.NewReplacer("~", `\~`).Replace(note)) {
			t.Errorf("%s has no note %q:\n%s", form, note, text)
		}
	}
	if !strings.Contains(sheet.Markdown(), " ^ |") || !strings.Contains(sheet.LaTeX(), `^{\wedge}$`) {
		t.Errorf("no mark ^ in\n%s\n%s", sheet.Markdown(), sheet.LaTeX())
	}
	if notes := strings.Join(set.Notes, "; "); !strings.Contains(notes, improved+
		" has not converged: validation still rose by 0.17 per 1,000 steps (at step 100)") {
		t.Errorf("the notes do not say what still improved: %s", notes)
	}
	if times := set.Table(metric.Get("seconds"), Options{}); times.Cells[0][0].Inconclusive != 0 {
		t.Errorf("the time of a run depends on whether it settled: %+v", times.Cells[0][0])
	}
	settled := &rundir.Summary{Stop: rundir.StopConverged, Drift: improving}
	if settled.StillImproving() != "" {
		t.Error("a run that has converged still improves")
	}
}

// With a single settled method there is nothing to compare.
func TestOneSettledMethodIsNotTheBest(t *testing.T) {
	runs := grid([]string{"star", "mean-field"}, []string{"boston"}, 3, 1,
		func(m, d, s int, _ uint64) float64 { return float64(-m) + 0.01*noise(m, d, s) })
	runs[0].Results.Drift = &rundir.Drift{Verdict: rundir.Undecided}
	for _, row := range Group(runs).Table(logLik, Options{}).Cells {
		if c := row[0]; c.Best || c.Tied {
			t.Errorf("%s is marked: best %t, tied %t", c.Method, c.Best, c.Tied)
		}
	}
}

// Only runs that are compared count: a run on a split of its own, or without a partner, withholds nothing.
func TestRunsThatAreLeftOutNeedNotSettle(t *testing.T) {
	runs := savedGrid(t, []string{"star", "mean-field"}, []string{"boston"}, 2, 2)
	runs = runs[:len(runs)-2] // Without mean-field on the last split.
	for i := range runs {
		r := &runs[i]
		if r.Config.Split == "standard:1" {
			r.Results.Drift = &rundir.Drift{Verdict: rundir.Undecided}
		}
	}
	table := Group(runs).Table(logLik, Options{})
	if c := table.Cells[0][0]; c.Inconclusive != 0 || !c.Best && !c.Tied {
		t.Errorf("the table withholds its marks because of a run that it leaves out: %+v", c)
	}
	if c := Group(runs).Table(logLik, Options{Unmatched: true}).Cells[0][0]; c.Inconclusive != 2 {
		t.Errorf("%d runs of the mean had not settled, want 2", c.Inconclusive)
	}
	if c := each(t, runs, nil)[0]; c.Inconclusive != "" || c.Decaying != "" {
		t.Errorf("the direct comparison withholds its verdict because of %s", c.Inconclusive)
	}
}

// The direct comparison names the method whose learning rate has yet to fall.
func TestComparisonBeforeTheDecay(t *testing.T) {
	runs := savedGrid(t, []string{"star", "mean-field"}, []string{"boston"}, 2, 2)
	for i := range runs {
		runs[i].Results.Drift = &rundir.Drift{Verdict: rundir.Settled, Phase: infer.DecayPhase}
	}
	if c := each(t, runs, nil)[0]; c.Inconclusive != "" || c.Decaying != "" {
		t.Errorf("after the decay: inconclusive %q, decaying %q", c.Inconclusive, c.Decaying)
	}
	runs[0].Results.Drift.Phase = infer.StablePhase
	if c := each(t, runs, nil)[0]; c.Verdict != "~" || c.Decaying != "A" || c.Inconclusive != "A" {
		t.Errorf("before the decay: verdict %s, inconclusive %q, decaying %q",
			c.Verdict, c.Inconclusive, c.Decaying)
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
		"settled in its stable phase": {
			&rundir.Drift{Verdict: rundir.Settled, Phase: infer.StablePhase}, rundir.StopAsked,
			rundir.KeptBest, false,
			"is still in its stable phase: its final value is expected to be higher (at step 100)"},
		"stopped in its decay": {&rundir.Drift{Verdict: rundir.Settled, Phase: infer.DecayPhase},
			rundir.StopAsked, "last", false, "is still in its decay phase: "},
		"settled, after its decay": {&rundir.Drift{Verdict: rundir.Settled, Phase: infer.DecayPhase},
			rundir.StopSteps, "last", true, ""},
		"improving at its best, stopped": {&rundir.Drift{Verdict: rundir.Improving}, rundir.StopAsked,
			rundir.KeptBest, false, "has not converged: "},
	} {
		runs := grid([]string{"star", "mean-field"}, []string{"boston"}, 3, 1,
			func(m, d, s int, _ uint64) float64 { return float64(-m) + 0.01*noise(m, d, s) })
		s := runs[0].Results
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

// Up to three runs that had not converged have notes of their own; more share one.
func TestManyUnsettledRunsShareANote(t *testing.T) {
	for n := 1; n <= 6; n++ {
		runs := grid([]string{"svgp"}, []string{"energy"}, n, 1, func(_, _, _ int, _ uint64) float64 {
			return -1
		})
		for i := range runs {
			runs[i].Results.Drift = &rundir.Drift{Verdict: rundir.Improving}
		}
		notes := Group(runs).Notes
		if own := len(notes) == n; n <= 3 && !own {
			t.Errorf("%d runs have the notes %q", n, notes)
		}
		want := fmt.Sprintf("%d of %d runs have not converged", n, n)
		if n > 3 && !slices.Equal(notes, []string{want}) {
			t.Errorf("%d runs have the notes %q, want %q", n, notes, want)
		}
	}
}
