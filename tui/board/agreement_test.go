package board

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// writtenRun is a run directory as the command and as the dashboard read it.
type writtenRun struct {
	info rundir.Info
	run  *Run
}

// writeRun writes a run with eight test points to disk and reads it in both ways.
func writeRun(t *testing.T, w kittest.WrittenRun) writtenRun {
	t.Helper()
	for i := range 8 {
		level := -2 + 0.3*float64(len(w.Family)%3)
		w.LogLik = append(w.LogLik, level+0.1*math.Sin(float64(7*i+3*w.Split+5*w.Seed+len(w.Family))))
	}
	w.Write(t)
	info, err := rundir.Find(w.ID())
	if err != nil {
		t.Fatal(err)
	}
	record, err := rundir.FindReadOnly(w.ID())
	if err != nil {
		t.Fatal(err)
	}
	return writtenRun{info, labelled(session.Open(record), 0, w.ID())}
}

// verdicts returns comparisons in words: the verdict and its reasons, and the pairs.
func verdicts(list []compare.Comparison) (lines []string) {
	for _, c := range list {
		line := fmt.Sprintf("%s against %s: %s (p %.6g over %d %s), not settled %q, pairs", c.A, c.B,
			c.Verdict, c.HolmP, c.N, c.Over, c.Inconclusive)
		for _, p := range c.Pairs {
			line += fmt.Sprintf(" %s:%s", p.A, p.B)
		}
		lines = append(lines, line)
	}
	return lines
}

// The dashboard and dgplab compare get the same pairs, verdicts and reasons for the same runs, whatever the
// splits and seeds of two methods are.
func TestScreenAndCommandAgree(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	cells := [][2]int{{0, 0}, {0, 1}, {1, 0}} // split and seed
	var methods [2][]writtenRun
	for m, family := range []string{"star", "mean-field"} {
		for _, c := range cells {
			methods[m] = append(methods[m], writeRun(t, kittest.WrittenRun{Dataset: "boston", Family: family,
				Split: c[0], Seed: c[1], Improving: m == 1 && c == [2]int{0, 1}}))
		}
	}
	failed := writeRun(t, kittest.WrittenRun{Dataset: "boston", Family: "star", Split: 2,
		Stop: rundir.StopFailed})
	memory := new(compare.Memory) // The command would read the same files many times.
	for a := 1; a < 1<<len(cells); a++ {
		for b := 1; b < 1<<len(cells); b++ {
			var infos []rundir.Info
			var runs []*Run
			use := func(r writtenRun) {
				infos = append(infos, r.info)
				runs = append(runs, r.run)
			}
			for i := range cells {
				if a>>i&1 == 1 {
					use(methods[0][i])
				}
			}
			for i := range cells {
				if b>>i&1 == 1 {
					use(methods[1][i])
				}
			}
			use(failed)
			set := compare.Group(infos)
			list, reasons, err := set.Each(context.Background(), 0, memory)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range set.LeftOut {
				reasons = append(reasons, l.ID+": "+l.Why)
			}
			screen := compareRuns(boardOf(0, runs...), "")
			var shown []compare.Comparison
			for _, m := range screen.matches {
				shown = append(shown, m.Comparison)
			}
			got, want := verdicts(shown), verdicts(list)
			slices.Sort(reasons)
			slices.Sort(screen.missing)
			if !slices.Equal(got, want) || !slices.Equal(screen.missing, reasons) {
				t.Fatalf("the dashboard shows\n%s\nwithout %q,\nthe command prints\n%s\nwithout %q",
					strings.Join(got, "\n"), screen.missing, strings.Join(want, "\n"), reasons)
			}
		}
	}
}

// Seeds that only one method has are not compared: {0, 1} and {0, 2} have one pair.
func TestOnlyEqualSeedsArePaired(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	var runs []*Run
	for family, seeds := range map[string][]int{"star": {0, 1}, "mean-field": {0, 2}} {
		for _, seed := range seeds {
			runs = append(runs, writeRun(t, kittest.WrittenRun{Dataset: "boston", Family: family,
				Seed: seed}).run)
		}
	}
	list := compareRuns(boardOf(0, runs...), "").matches
	if len(list) != 1 || len(list[0].pairs) != 1 || list[0].pairs[0][0].Snapshot.Seed != 0 ||
		list[0].pairs[0][1].Snapshot.Seed != 0 {
		t.Errorf("the pairs of seeds {0, 1} and {0, 2} are not only 0 and 0: %v", list)
	}
}
