package dash

import (
	"fmt"
	"testing"

	"dgplab/tui/kit/kittest"
)

// several returns a dashboard with up to four runs: three runs in training, of two families and one of them
// with an alarm, and the directory of a finished run.
func several(runs int) *desk {
	d := emptyDesk(80, 24)
	snapshots := kittest.Several()
	for _, s := range snapshots[:min(runs, 3)] {
		d.start(s)
	}
	if runs > 3 {
		const id = "20261121-101500-mountaincar-fully-coupled-k3x9"
		d.folder(id, snapshots[3])
		d.watch("fake-1", "fake-2", "fake-3", id)
	}
	d.dash.Chosen = 0
	return d
}

// Each page has a golden file: the first four with four runs, the others with one run that has all views.
func TestPages(t *testing.T) {
	for page, name := range []string{"training", "compare", "calibration", "health", "chains", "fit"} {
		d := several(4)
		if page > 3 {
			d = allPanels(page)
		}
		d.dash.page = page
		kittest.CheckPage(t, "page_"+name, d.ViewAt)
	}
}

// Smaller screens, and screens of one run, show the most important texts of each page.
func TestPagesOnSmallScreens(t *testing.T) {
	for _, c := range []struct {
		runs, w, h int
		page       string
		want       []string
	}{
		{1, 80, 24, "1", []string{"mountaincar · star", "● running", "1,240 / 20,000", "ELBO ── sum · linear",
			"Validation log-likelihood", "rescues 1 !", "? help"}},
		{1, 40, 10, "1", []string{"● running   6% ELBO -912.4", "ELBO ── sum · linear", "? help"}},
		{4, 80, 24, "1", []string{"▸● star seed 0", "◆ fully-coupled seed 0  ✓ stopped early",
			"! alarm: ▲ validation log-likelihood has been falling"}},
		{4, 40, 10, "1", []string{"▸● star  ● running       ●● ▲● ■● ◆✓ 1/4"}},
		{2, 80, 24, "2", []string{"▸ ● star", "★ best of these runs (no verdict)",
			"A is better on    90.0% ± 2.1%", "one split, one seed: no verdict"}},
		{4, 40, 10, "2", []string{"Runs", "▸ ● star", "~0.4365★", "2 runs not shown"}},
		{2, 80, 24, "3", []string{"Errors against variance", "Variance against distance"}},
		{4, 40, 10, "3", []string{"Errors against variance", "8 at edge"}},
		{1, 80, 24, "4", []string{"at step 1,200", "is healthy: 2 lights"}},
		{4, 40, 10, "4", []string{"✓ ● star is healthy: 2 lights", "lines below"}},
	} {
		d := several(c.runs)
		d.Size(c.w, c.h)
		d.Keys(c.page)
		frame := d.View()
		what := fmt.Sprintf("page %s of %d runs at %d x %d", c.page, c.runs, c.w, c.h)
		kittest.CheckFrame(t, what, frame, c.w, c.h)
		kittest.CheckShows(t, what, frame, c.want...)
	}
}
