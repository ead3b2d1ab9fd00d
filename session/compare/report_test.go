package compare

import (
	"slices"
	"strings"
	"testing"

	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// reportRuns returns runs on data sets, with scores that fall by 1 from one method to the next.
func reportRuns(methods, datasets []string, splits int) []rundir.Info {
	return grid(methods, datasets, splits, 1, func(m, d, s int, _ uint64) float64 {
		return -1 - float64(m) + 0.01*noise(m, d, s)
	})
}

func reported(r *Report) (keys []string) {
	for i, t := range r.Tables {
		if r.Metrics[i].Key != t.Metric.Key {
			keys = append(keys, "not "+r.Metrics[i].Key)
		}
		keys = append(keys, t.Metric.Key)
	}
	return keys
}

// A report contains the usual metrics that were measured, optionally followed by all others, or the requested
// metrics.
func TestReportMetrics(t *testing.T) {
	runs := reportRuns([]string{"star", "svgp"}, []string{"boston", "energy"}, 3)
	for _, c := range []struct {
		wanted ReportOptions
		first  []string
		others bool
	}{
		{ReportOptions{}, []string{"log_lik", "rmse"}, false},
		{ReportOptions{All: true}, []string{"log_lik", "rmse"}, true},
		{ReportOptions{Metrics: []metric.Column{metric.Get("seconds"), metric.Get("rmse")}},
			[]string{"seconds", "rmse"}, false},
	} {
		r, err := NewReport(runs, c.wanted)
		if err != nil {
			t.Fatal(err)
		}
		keys := reported(r)
		if n := len(c.first); !slices.Equal(keys[:n], c.first) || (len(keys) > n) != c.others ||
			c.others && !slices.Contains(keys, "seconds") {
			t.Errorf("%+v: %q", c.wanted, keys)
		}
	}
}

// Missing ranks and a missing baseline are noted with a hint.
func TestReportLacks(t *testing.T) {
	hints := ReportOptions{RanksHint: ", or by split", BaselineHint: " (B)"}
	noRanks := NoRanks(ByDataset) + ", or by split"
	noBaseline := "no baseline: the family linear trains in milliseconds (B)"
	for _, c := range []struct {
		methods, datasets []string
		splits            int
		blocks            Blocks
		want              []string
	}{
		{[]string{"star", "svgp"}, []string{"boston"}, 3, "", []string{noRanks, noBaseline}},
		{[]string{"star", "svgp"}, []string{"boston"}, 3, BySplit, []string{noBaseline}},
		{[]string{"star", "linear"}, []string{"boston"}, 1, "", nil},
		{[]string{"star", "linear"}, []string{"boston", "energy"}, 3, "", nil},
		{[]string{"star"}, []string{"boston", "energy"}, 3, "", nil},
	} {
		wanted := hints
		wanted.Blocks = c.blocks
		r, err := NewReport(reportRuns(c.methods, c.datasets, c.splits), wanted)
		if err != nil || !slices.Equal(r.Notes, c.want) {
			t.Errorf("%+v: %q, %v", c, r.Notes, err)
		}
	}
}

// A baseline that is still training is not reported as missing.
func TestReportBaselineToCome(t *testing.T) {
	r, err := NewReport(reportRuns([]string{"star", "svgp"}, []string{"boston", "energy"}, 3), ReportOptions{
		BaselineToCome: true,
	})
	if err != nil || len(r.Notes) > 0 {
		t.Errorf("%q, %v", r.Notes, err)
	}
}

// A run that is left out of several tables is listed once.
func TestReportLeavesOutOnce(t *testing.T) {
	runs := reportRuns([]string{"star", "svgp"}, []string{"boston"}, 3)
	r, err := NewReport(runs[:5], ReportOptions{All: true})
	if err != nil || len(r.LeftOut) != 1 || r.LeftOut[0].ID != runs[2].ID {
		t.Errorf("%+v, %v", r.LeftOut, err)
	}
}

func TestReportErrors(t *testing.T) {
	runs := reportRuns([]string{"star"}, []string{"boston"}, 2)
	running := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "x"}, State: rundir.Running}
	broken := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "y"}, State: rundir.Broken}
	named := func(key string) ReportOptions {
		return ReportOptions{Metrics: []metric.Column{metric.Get(key)}}
	}
	for _, c := range []struct {
		runs   []rundir.Info
		wanted ReportOptions
		want   string
	}{
		{runs, named("accuracy"), "no run has a value for accuracy"},
		{nil, ReportOptions{}, "there are no runs to compare"},
		{[]rundir.Info{running}, ReportOptions{},
			"the run cannot be compared: x: still running"},
		{[]rundir.Info{running, broken}, ReportOptions{},
			"none of the 2 runs can be compared: x: still running"},
	} {
		if r, err := NewReport(c.runs, c.wanted); r != nil || err == nil ||
			!strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
