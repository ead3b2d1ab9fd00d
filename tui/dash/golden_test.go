package dash

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// several returns a dashboard with up to four runs: three runs in training, of two families and one of them
// with an alarm, and the directory of a finished run.
func several(runs int) *desk {
	d := emptyDesk(80, 24)
	d.start(scored(kittest.Training(ofFamily("star", 0), 1240), 0))
	if runs > 1 {
		s := scored(kittest.Training(ofFamily("mean-field", 0), 2480), 1)
		s.Alarms = []rundir.Alarm{{Kind: rundir.AlarmValidation, Since: 1900,
			Text: "validation log-likelihood has been falling"}}
		d.start(s)
	}
	if runs > 2 {
		d.start(scored(kittest.Training(ofFamily("mean-field", 1), 900), 2))
	}
	if runs > 3 {
		d.folder("20261121-101500-mountaincar-fully-coupled-k3x9",
			scored(kittest.Ended(ofFamily("fully-coupled", 0), rundir.StopEarly), 3))
		ids := []string{"fake-1", "fake-2", "fake-3", "20261121-101500-mountaincar-fully-coupled-k3x9"}
		d.watch(ids...)
	}
	d.dash.chosen = 0
	return d
}

// TestGoldenFrames draws every page with one run, two runs and four runs at three sizes.
func TestGoldenFrames(t *testing.T) {
	for _, runs := range []int{1, 2, 4} {
		for p, name := range []string{"training", "compare", "calibration", "health"} {
			for _, size := range kittest.Sizes {
				d := several(runs)
				d.Size(size.W, size.H)
				d.Keys(fmt.Sprint(p + 1))
				frame := d.View()
				kittest.CheckFrame(t, name, frame, size.W, size.H)
				golden.Check(t, fmt.Sprintf("%s_%d_%s", name, runs, size.Name), kittest.Trim(frame))
			}
		}
	}
}

// moreSets returns sets of runs with panels that an ordinary run of regression does not have.
func moreSets() map[string][]*session.Snapshot {
	sets := map[string][]*session.Snapshot{"view": {viewRun(allViews(), 1240)}}
	for name, runs := range map[string][]comparedRun{
		"classes": classifiers(), "three classes": threeClassRuns(), "splits": splits(),
	} {
		for _, r := range runs {
			sets[name] = append(sets[name], r.Snapshot)
		}
	}
	exact := splits()[0].Snapshot
	sampled := splits()[2].Snapshot
	exact.LeaveOneOut = &rundir.LeaveOneOut{Metrics: *exact.Test, Of: 51, Exact: true}
	limit := rundir.Number(0.7)
	sampled.LeaveOneOut = &rundir.LeaveOneOut{Metrics: *sampled.Test, Of: 900, Reliable: &limit,
		Unreliable: 3}
	for _, s := range []*session.Snapshot{exact, sampled} {
		s.LeftOut = s.Predictions
		sets["left out"] = append(sets["left out"], s)
	}
	return sets
}

// Every state and every panel draws the same cells and colours as before, and copies the same text.
func TestFramesAreUnchanged(t *testing.T) {
	frames := map[string]func(*kit.Theme) func(w, h int) string{}
	all := states()
	seen := map[string]bool{}
	ordinary, _ := newDesk(kittest.Training(ofFamily("star", 0), 1240), 80, 24)
	for page := range ordinary.dash.pages {
		for _, p := range ordinary.dash.panels(page) {
			seen[nameOf(p)] = true
		}
	}
	more := moreSets()
	for _, set := range slices.Sorted(maps.Keys(more)) {
		open := func() *desk {
			d := emptyDesk(80, 24)
			for _, s := range more[set] {
				d.start(s)
			}
			d.dash.chosen = 0
			return d
		}
		complete := open()
		for page := range complete.dash.pages {
			for _, p := range complete.dash.panels(page) {
				name := nameOf(p)
				if seen[name] {
					continue
				}
				seen[name] = true
				all[set+": "+name] = func() *desk {
					d := open()
					d.dash.focusOn(d.panel(name))
					d.dash.zoomed = true
					return d
				}
			}
		}
	}
	for name, make := range all {
		frames[name] = func(th *kit.Theme) func(w, h int) string {
			d := make()
			*d.Theme() = *th
			return d.TextAt
		}
	}
	kittest.CheckSums(t, "frames", frames)
	panels := map[string]func(*kit.Theme) func(w, h int) string{}
	for set, runs := range sets() {
		for name, draw := range drawings {
			panels[name+" of "+set] = func(th *kit.Theme) func(w, h int) string {
				drawn := draw(th, runs)
				return func(w, h int) string { return strings.Join(drawn(w/2, h/2), "\n") }
			}
		}
	}
	kittest.CheckSums(t, "panels", panels)
}
