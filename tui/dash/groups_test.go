package dash

import (
	"fmt"
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// seedsOf starts runs of families with the given number of seeds each. The first run has ended.
func seedsOf(d *desk, seeds int, families ...string) {
	for _, family := range families {
		for seed := range seeds {
			c := kittest.OfFamily(family, uint64(seed))
			s := kittest.Training(c, 400+10*seed)
			if seed == 0 {
				s = kittest.Ended(c, rundir.StopSteps)
			}
			s.ID = fmt.Sprintf("fake-%s-%d", family, seed)
			d.dash.add(d.dash.ownRun(kittest.NewRun(s.ID, s)))
		}
	}
}

// Ten seeds of three families are drawn as three lines, rows and colours.
func TestGroupsOfSeeds(t *testing.T) {
	d := emptyDesk(120, 40)
	seedsOf(d, 10, "star", "mean-field", "fully-coupled")
	frame := d.View()
	kittest.CheckFrame(t, "crowd", frame, 120, 40)
	for _, want := range []string{"star 10 seeds", "mean-field 10 seeds", "● 9 running", "✓ 1 finished",
		"test LL -2.41, 1 of 10", "runs grouped", "n=1–10", "fully-coupled seed 9: "} {
		if !strings.Contains(frame, want) {
			t.Errorf("no %q in\n%s", want, frame)
		}
	}
	d.Keys("g")
	if !strings.Contains(d.Note, "in groups") {
		t.Errorf("%q", d.Note)
	}
	for len(d.dash.Runs) > 4 {
		d.dash.Remove(4)
	}
	seen := map[int]bool{}
	for _, r := range d.dash.Runs {
		seen[r.Index] = true
	}
	if len(seen) != 4 {
		t.Errorf("four runs have %d colours", len(seen))
	}
	seedsOf(d, 2, "star")
	kittest.CheckSizes(t, "six runs", d.ViewAt)
}

// Splits with equal settings form a group.
func TestGroupsOfSplits(t *testing.T) {
	d := emptyDesk(120, 40)
	for split := range 6 {
		c := kittest.OfFamily("star", 0)
		c.Split = fmt.Sprintf("standard:%d", split)
		if split == 5 {
			c = kittest.OfFamily("svgp", 0)
		}
		s := kittest.Training(c, 300)
		s.ID, s.Split = fmt.Sprintf("fake-%d", split), c.Split
		d.dash.add(d.dash.ownRun(kittest.NewRun(s.ID, s)))
	}
	frame := d.View()
	if !strings.Contains(frame, "star 5 splits") || !strings.Contains(frame, "svgp 1 s") {
		t.Errorf("splits are not grouped:\n%s", frame)
	}
}

// If there are more groups than rows, the number of hidden groups is shown, and the legend has no names.
func TestMoreGroupsThanRows(t *testing.T) {
	d := emptyDesk(80, 24)
	seedsOf(d, 2, "a", "b", "c", "d", "e", "f", "g", "h", "i")
	check := func(wants ...string) {
		t.Helper()
		frame := d.View()
		kittest.CheckFrame(t, "crowd", frame, 80, 24)
		for _, want := range wants {
			if !strings.Contains(frame, want) {
				t.Errorf("no %q in\n%s", want, frame)
			}
		}
	}
	d.dash.Chosen = 0
	check("a 2 seeds", "g 2 seeds", "… 2 more groups", "mean ± s.e. of 1–2 seeds")
	d.dash.Chosen = len(d.dash.Runs) - 1
	check("i 2 seeds", "… 2 more groups")
}

// The standard error is over splits if there are several.
func TestMeanOverSplits(t *testing.T) {
	d := emptyDesk(120, 40)
	for split, level := range []float64{-2, -3, -4} {
		for seed := range 2 {
			c := kittest.OfFamily("star", uint64(seed))
			c.Split = fmt.Sprintf("standard:%d", split)
			s := kittest.Ended(c, rundir.StopSteps)
			test := *s.Test
			test.LogLik = rundir.Number(level + 0.1*float64(seed))
			s.ID, s.Test = fmt.Sprintf("fake-%d-%d", split, seed), &test
			d.dash.add(d.dash.ownRun(kittest.NewRun(s.ID, s)))
		}
	}
	// This is the mean of -1.95, -2.95 and -3.95.
	if got, want := d.dash.meanOf(d.dash.Groups[0], "log_lik"), "test LL -2.95 (0.58)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The rows of the header include the group of the selected run. One line counts the others.
func TestGroupsInTheHeader(t *testing.T) {
	d := emptyDesk(120, 40)
	families := []string{"star", "mean-field", "fully-coupled", "svgp", "stripes-and-arrow"}
	seedsOf(d, 2, families...)
	for _, c := range []struct{ chosen, h, first, shown int }{
		{0, 5, 0, 5}, {9, 5, 0, 5}, {0, 4, 0, 3}, {9, 4, 2, 3}, {9, 1, 4, 1}, {2, 1, 1, 1}, {9, 2, 4, 1},
	} {
		d.dash.Chosen = c.chosen
		if first, shown := d.dash.groupWindow(c.h); first != c.first || shown != c.shown {
			t.Errorf("run %d, %d lines: %d groups from %d, want %d from %d", c.chosen, c.h, shown, first,
				c.shown, c.first)
		}
		lines := d.dash.groupRows(120, c.h)
		if want := min(c.h, 5); len(lines) != want {
			t.Errorf("run %d, %d lines: %d rows", c.chosen, c.h, len(lines))
		}
	}
	kittest.CheckFrame(t, "groups", d.View(), 120, 40)
}
