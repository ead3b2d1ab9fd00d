package sweep

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// frames returns states of the two screens.
func frames() map[string]func(t testing.TB, w, h int) *harness {
	grid := func(change func(t testing.TB, d *harness)) func(testing.TB, int, int) *harness {
		return func(t testing.TB, w, h int) *harness {
			d := newHarness(t, w, h)
			d.engine.list = []sweeps.Entry{{Name: "steps-star-inducing-3f09a1", State: middle(t)},
				{Name: "broken",
					Err: errors.New("sweep.json: unexpected end of JSON input")}}
			d.open(kit.Fill{Config: base})
			change(t, d)
			return d
		}
	}
	progress := func(change func(d *harness, s *fakeSweep)) func(testing.TB, int, int) *harness {
		return func(t testing.TB, w, h int) *harness {
			d, s := watching(t, w, h)
			change(d, s)
			d.progress.Update(stateTakenMsg{d.progress.gen})
			return d
		}
	}
	compared := func(keys ...string) func(testing.TB, int, int) *harness {
		return func(t testing.TB, w, h int) *harness {
			d := comparedHarness(t, w, h)
			d.Keys(keys...)
			return d
		}
	}
	return map[string]func(testing.TB, int, int) *harness{
		"compare":        compared(),
		"compare_ranks":  compared("tab", "o", "o"),
		"compare_direct": compared("tab", "tab"),
		"compare_whole":  compared("tab", "enter"),
		"compare_notes":  compared("tab", "tab", "tab"),
		"compare_waits": func(t testing.TB, w, h int) *harness {
			d, _ := comparingHarness(t, w, h)
			return d
		},
		"grid": grid(func(t testing.TB, d *harness) {
			d.typed(t, rundir.SeedField, "0..2")
			d.typed(t, "inducing", "32,64,128")
		}),
		"grid_refused": grid(func(t testing.TB, d *harness) { d.typed(t, "inducing", "32,0") }),
		"grid_list":    grid(func(t testing.TB, d *harness) { d.Keys("tab") }),
		"cells":        progress(func(d *harness, _ *fakeSweep) { d.progress.cell = 16 }),
		"slurm":        func(t testing.TB, w, h int) *harness { return submitted(t, w, h) },
		"plot":         progress(func(d *harness, _ *fakeSweep) { d.progress.focus = panelPlot }),
		"scores": progress(func(d *harness, s *fakeSweep) {
			d.progress.focus = panelScores
			s.Pause()
		}),
	}
}

// Each page has a golden file, in ASCII.
func TestPages(t *testing.T) {
	for _, name := range []string{"grid", "cells", "slurm", "compare"} {
		d := frames()[name](t, 120, 40)
		*d.Theme() = *kittest.ASCIITheme()
		kittest.CheckPage(t, "page_"+name, d.ViewAt)
	}
}

// Smaller screens show one part of a page and the names of the others.
func TestPagesOnSmallScreens(t *testing.T) {
	for _, c := range []struct {
		state string
		w, h  int
		want  []string
	}{
		{"grid", 40, 10, []string{"9 runs  3 of seed x 3 of inducing", "> Values   Earlier sweeps",
			"> *inducing            32,64,128_", "enter start  tab next part"}},
		{"grid_refused", 80, 24, []string{"sweep  no runs", "> *inducing            32,0_  x 0: want a whole",
			"| x 0: want a whole number from 1 to 4096"}},
		{"grid_list", 80, 24, []string{"Values > Earlier sweeps",
			"> steps-star-inducing-3f09a1                16/24 1 failed", "broken", "x unreadable",
			"dataset steps,mountaincar, family mean-field,star", "named steps-star-6839e0"}},
		{"cells", 40, 10, []string{"abl                      * running 16/24", "> Cells   Plot   Scores",
			"Cells -- 17 of 24", "64     1  x failed", "space pause"}},
		{"plot", 80, 24, []string{"Cells > Plot   Scores", "test LL by inducing -- steps, data set of the",
			"o mean-field  A star  mean +- s.e., n = 1-2", "  inducing  "}},
		{"plot", 40, 10, []string{"Cells > Plot   Scores", "test LL by inducing", "32       64"}},
		{"scores", 80, 24, []string{"= paused", "Cells   Plot > Scores",
			"steps        mean-field        32   2/2",
			"-0.88 (0.12)  2.42 (0.30)", "space continue"}},
		{"scores", 40, 10, []string{"= paused 16/24", "Scores -- mean (standard error)", "~ 9 more"}},
		{"slurm", 40, 10, []string{"* on Slurm 16/24", "x failed", "enter open run"}},
		{"compare", 40, 10, []string{"# not running 18/20", "> Tables   Ranks   Direct   Notes",
			"compared 18 runs, 3 methods, 2 data"}},
		{"compare_waits", 80, 24, []string{"comparing finished runs~", "18 of 20 runs done"}},
		{"compare_ranks", 80, 24, []string{"Ranks by RMSE", "svgp        1.00  o.......",
			"critical difference (Nemenyi,"}},
		{"compare_direct", 80, 24, []string{"comparison of A (svgp) with",
			"boston    mean-field   100.0 (0)   0.198 (0.019)",
			"verdict: method with the significantly higher log-likelihood (paired t-test"}},
		{"compare_whole", 80, 24, []string{"Ranks by test LL"}},
		{"compare_notes", 80, 24, []string{"excluded: 20250101-000030-boston-svgp-000000: failed:"}},
	} {
		d := frames()[c.state](t, c.w, c.h)
		*d.Theme() = *kittest.ASCIITheme()
		frame := d.View()
		kittest.CheckFrame(t, c.state, frame, c.w, c.h)
		kittest.CheckShows(t, fmt.Sprintf("%s at %d x %d", c.state, c.w, c.h), frame, c.want...)
	}
}

// Frames of all states fill the screen exactly.
func TestEveryFrameFits(t *testing.T) {
	all := frames()
	all["empty"] = func(t testing.TB, w, h int) *harness {
		d := newHarness(t, w, h)
		d.front(d.progress, w, h)
		return d
	}
	all["note"] = func(t testing.TB, w, h int) *harness {
		d := recorded(t, w, h)
		d.Note = "something was said"
		return d
	}
	for name, make := range all {
		kittest.CheckSizes(t, name, make(t, 80, 24).ViewAt)
	}
}

func TestRegionsDoNotOverlap(t *testing.T) {
	for w := 1; w <= 130; w++ {
		for h := 1 + w%5; h <= 45; h += 5 {
			layouts := []kit.Layout{arrangeGrid(w, h, partList)}
			for _, lines := range []int{0, 3, 12, 200} {
				layouts = append(layouts, arrangeProgress(w, h, panelScores, 2*lines, lines),
					arrangeComparison(w, h, sectionRanks, false, func(id section, _ int) int {
						return lines * int(id+1)
					}))
			}
			for _, l := range layouts {
				regions := []kit.Rect{l.Header, l.Tabs, l.Foot, l.Footer}
				for _, b := range l.Parts {
					regions = append(regions, b.Rect)
				}
				kittest.CheckTiling(t, "layout", w, h, regions)
			}
		}
	}
}

// Short tables get the height that they need, and the plot gets the rest of the screen.
func TestHeightsFollowContents(t *testing.T) {
	for _, c := range []struct{ h, cells, scores, highCells, highPlot, highScores int }{
		{60, 0, 0, 57, 34, 23}, // With unknown heights the cells are on the left.
		{60, 10, 4, 12, 45, 12},
		{60, 10, 20, 22, 35, 22},
		{60, 26, 4, 28, 29, 28},
		{60, 27, 4, 57, 51, 6},
		{60, 200, 1, 57, 52, 5},
		{60, 200, 40, 57, 34, 23},
		{40, 10, 4, 12, 25, 12},
	} {
		l := arrangeProgress(200, c.h, panelCells, c.cells, c.scores)
		got := map[panel]int{}
		for _, b := range l.Parts {
			got[panel(b.ID)] = b.Rect.H
		}
		want := map[panel]int{panelCells: c.highCells, panelPlot: c.highPlot, panelScores: c.highScores}
		if !maps.Equal(got, want) {
			t.Errorf("%d cells and %d scores in %d lines have the heights %v, want %v",
				c.cells, c.scores, c.h, got, want)
		}
	}
	for _, c := range []struct {
		lines       [numSections]int // tables, ranks, direct, notes
		top, bottom int
	}{
		{[numSections]int{10, 50, 50, 4}, 12, 45},
		{[numSections]int{10, 50, 50, 20}, 22, 35},
		{[numSections]int{50, 5, 8, 4}, 47, 10},
		{[numSections]int{50, 50, 8, 4}, 29, 28},
	} {
		lines := func(id section, _ int) int { return c.lines[id] }
		l := arrangeComparison(200, 60, sectionTables, false, lines)
		if top, bottom := l.Parts[0].Rect.H, l.Parts[2].Rect.H; top != c.top || bottom != c.bottom {
			t.Errorf("%v lines have the heights %d and %d, want %d and %d",
				c.lines, top, bottom, c.top, c.bottom)
		}
	}
}

// BenchmarkView draws a sweep of a thousand cells at 200 x 60.
func BenchmarkView(b *testing.B) {
	d, s := watching(b, 200, 60)
	big := *s.state
	for len(big.Cells) < 1000 {
		big.Cells = append(big.Cells, s.state.Cells...)
	}
	for b.Loop() {
		state := big
		s.state = &state
		d.progress.Update(stateTakenMsg{d.progress.gen})
		d.View()
	}
}
