package board

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// The panel of direct comparisons states the sample, the verdict, the tests and their limitations.
func TestTextsOfMatches(t *testing.T) {
	nan := rundir.Number(math.NaN())
	run := func(name string, state rundir.State, step int) *Run {
		s := &session.Snapshot{State: state, TestStep: step}
		s.Family = name
		return labelled(s, 0, name)
	}
	a := run("svgp", rundir.Ended, 0)
	b := run("linear", rundir.Ended, 0)
	plain := match{a: a, b: b}
	plain.Pairs = []compare.Pair{{Split: "x", Points: 10, Of: 10}}
	plain.N, plain.Over, plain.TP, plain.HolmP, plain.WilcoxonP = 3, compare.OverSplits, 0.02, 0.02, nan
	changed := func(change func(*match)) match {
		m := plain
		change(&m)
		return m
	}
	for _, c := range []struct {
		of   string
		m    match
		want string
	}{
		{"extent", plain, "10 test points"},
		{"extent", changed(func(m *match) { m.Pairs = []compare.Pair{{Points: 1, Of: 10}} }),
			"1 of 10 test points"},
		{"extent", changed(func(m *match) {
			m.Pairs = []compare.Pair{{Split: "x", Points: 6, Of: 600}, {Split: "y", Points: 4, Of: 600}}
		}), "10 of 1,200 test points of 2 splits"},
		{"verdict", plain, "~ not distinguishable, over 3 splits"},
		{"verdict", changed(func(m *match) { m.Verdict, m.N = "A", 1 }), "A is better, over 1 split"},
		{"verdict", changed(func(m *match) { m.Verdict, m.Over = "B", compare.OverSeeds }),
			"B is better, over 3 seeds of one split"},
		{"verdict", changed(func(m *match) { m.Over = compare.OverPoints }),
			"~ not distinguishable, over 3 points"},
		{"verdict", changed(func(m *match) { m.Single, m.Verdict = true, "A" }),
			"~ one split, one seed: no verdict"},
		{"verdict", changed(func(m *match) { m.Inconclusive = "A and B" }),
			"~ A and B had not settled: no verdict"},
		{"tests", plain, "t p 0.020, Wilcoxon p -"},
		{"tests", changed(func(m *match) { m.HolmP, m.WilcoxonP = 0.06, 0.0001 }),
			"t p 0.020, by Holm p 0.060, Wilcoxon p < 0.001"},
		{"tests", changed(func(m *match) { m.HolmP = nan }), "t p 0.020, Wilcoxon p -"},
		{"remarks", plain, ""},
		{"remarks", changed(func(m *match) { m.Ratio, m.Remark, m.Difference = 0.1, "few", -1 }),
			"splits share rows: the t-test is corrected for this, Wilcoxon's test is not; few; " +
				"A is worse than the baseline linear"},
		{"remarks", changed(func(m *match) { m.Single, m.Remark, m.Difference = true, "few", 1 }), ""},
		{"remarks", changed(func(m *match) { m.a, m.b, m.Difference = b, a, 1 }),
			"B is worse than the baseline linear"},
		{"not yet", plain, ""},
		{"not yet", changed(func(m *match) {
			m.pairs = [][2]*Run{{b, run("gp", rundir.Running, 20)}}
		}), "so far: a run is still training"},
		{"not yet", changed(func(m *match) {
			m.a = run("svgp", rundir.Running, 20)
			m.b = run("gp", rundir.Running, 1300)
		}), "so far: A as of step 20, B as of step 1,300"},
	} {
		sign, words := verdict(c.m)
		got := map[string]string{
			"extent": c.m.extent(), "verdict": sign + " " + words, "tests": c.m.testsText(),
			"remarks": strings.Join(c.m.remarks(), "; "), "not yet": c.m.notYet(),
		}[c.of]
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.of, got, c.want)
		}
	}
}

// The table of matrices has a row for each matrix; layers and GPs count from 1.
func TestMatricesCSV(t *testing.T) {
	list := []view.Matrix{
		{Name: "K_MM", Kind: view.PriorMatrix, Layer: 1, GP: 0, Condition: 100, SmallestPivot: 0.5,
			Jitter: 1e-6, Rescues: 3},
		{Name: "S", Kind: view.PosteriorMatrix, Layer: -1, GP: -1, Condition: 2},
	}
	var out bytes.Buffer
	err := matricesCSV(&out, list)
	want := "name,kind,layer,gp,condition,smallest_pivot,jitter,rescues\n" +
		"K_MM,prior,2,1,100,0.5,1e-06,3\nS,posterior,,,2,0,0,0\n"
	if err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
	}
}

// The notes on leave-one-out predictions give the scores, the number of points and the method.
func TestNotesOnLeaveOneOut(t *testing.T) {
	s := &session.Snapshot{}
	d := New(kit.NewTheme(termenv.Ascii, false, kit.Unicode))
	d.Runs = []*Run{{ID: "a", Snapshot: s}}
	if notes := d.leftOutNotes(); notes != nil {
		t.Errorf("notes %q on nothing", notes)
	}
	rate := rundir.Number(0.25)
	s.LeaveOneOut = &rundir.LeaveOneOut{Of: 1500, Exact: true,
		Metrics: rundir.Metrics{N: 1500, LogLik: -0.5, ErrorRate: &rate}}
	for of, want := range map[int]string{
		1500: "1,500 training points", 1600: "1,500 of 1,600 training points",
	} {
		s.LeaveOneOut.Of = of
		got := d.leftOutNotes()
		if len(got) != 3 || !strings.Contains(got[0], "-0.5") || !strings.Contains(got[0], "25.0%") ||
			got[1] != want || got[2] != "in closed form" {
			t.Errorf("of %d: %q", of, got)
		}
	}
}

// The first of several runs is selected in figures without a screen.
func TestFiguresSelectTheFirstRun(t *testing.T) {
	d := Of(&Run{Snapshot: new(session.Snapshot)}, &Run{Snapshot: new(session.Snapshot)})
	if len(d.Runs) != 2 || d.Chosen != 0 {
		t.Errorf("run %d of %d is selected", d.Chosen, len(d.Runs))
	}
}
