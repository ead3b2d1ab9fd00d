package dash

import (
	"fmt"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
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
