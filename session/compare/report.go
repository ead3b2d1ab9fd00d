package compare

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// UsualMetrics are the metrics that are compared when none is named, as far as they were
// measured.
var UsualMetrics = []string{"log_lik", "rmse", "crps", "error_rate"}

// Usual says whether a metric is one of those that are compared when none is named.
func Usual(m metric.Metric) bool { return slices.Contains(UsualMetrics, m.Key) }

// Wanted is what a report is to be about.
type Wanted struct {
	Options
	// Metrics are compared by, each of which must have been measured. nil stands for the
	// usual ones, as far as they were.
	Metrics []metric.Metric
	// All adds to the usual metrics every other one that was measured, behind them.
	All bool
	// RanksHint and BaselineHint end the notes on a report without ranks or without a
	// baseline: how whoever reads it gets them.
	RanksHint, BaselineHint string
	// BaselineToCome says that the baseline is being trained, so that to have none yet is no
	// lack.
	BaselineToCome bool
}

// Report is what a comparison of some runs says, but for direct comparisons, which
// read predictions; see Each.
type Report struct {
	*Set
	// Metrics are those of the tables, as they were asked for.
	Metrics []metric.Metric `json:"-"`
	Tables  []*Table        `json:"tables"`
}

// NewReport compares runs. It is an error if none of them can be compared, or not by
// one of the metrics that were named.
func NewReport(runs []rundir.Info, w Wanted) (*Report, error) {
	r := &Report{Set: Group(runs)}
	if len(r.Runs) == 0 {
		return nil, r.nothing(len(runs))
	}
	for _, m := range w.metrics() {
		table := r.Table(m, w.Options)
		switch {
		case len(table.Datasets) > 0:
			r.Metrics = append(r.Metrics, m)
			r.Tables = append(r.Tables, table)
			if w.Metrics != nil || Usual(m) { // What few runs have says little of them.
				r.leaveOut(table)
			}
		case w.Metrics == nil:
		case table.Metric.Better == metric.Neither:
			return nil,
				fmt.Errorf("runs cannot be compared by %s where it does not mean the same: they maximise %s",
					m.Key, strings.Join(r.Objectives(), ", "))
		default:
			return nil, fmt.Errorf("none of the runs has a value of %s", m.Key)
		}
	}
	r.noteLacks(w)
	return r, nil
}

// nothing is the error that none of n runs can be compared.
func (r *Report) nothing(n int) error {
	runs, why := "runs", ""
	if n == 1 {
		runs = "run"
	}
	if len(r.LeftOut) > 0 {
		why = fmt.Sprintf(": %s: %s", r.LeftOut[0].ID, r.LeftOut[0].Why)
	}
	return fmt.Errorf("none of %d %s can be compared%s", n, runs, why)
}

// metrics lists what is compared by.
func (w Wanted) metrics() (list []metric.Metric) {
	if w.Metrics != nil {
		return w.Metrics
	}
	for _, key := range UsualMetrics {
		list = append(list, metric.Get(key))
	}
	if !w.All {
		return list
	}
	for _, m := range metric.Ranked() {
		if !Usual(m) {
			list = append(list, m)
		}
	}
	return list
}

// leaveOut adds what a table leaves out and others do not.
func (r *Report) leaveOut(t *Table) {
	for _, l := range t.LeftOut {
		if !slices.Contains(r.LeftOut, l) {
			r.LeftOut = append(r.LeftOut, l)
		}
	}
}

// noteLacks notes what the comparison has not, and how it is had.
func (r *Report) noteLacks(w Wanted) {
	if len(r.Tables) == 0 || len(r.Methods) < 2 {
		return
	}
	if first := r.Tables[0]; first.Ranking == nil && w.Blocks != BySplit && first.overSplits() {
		r.Notes = append(r.Notes, noRanks+w.RanksHint)
	}
	if !r.HasBaseline() && !w.BaselineToCome {
		r.Notes = append(r.Notes, "no baseline: the family "+models.BaselineFamily+
			" trains in milliseconds"+w.BaselineHint)
	}
}

const noRanks = "no ranks: that takes two data sets that all methods have"

// overSplits says whether any mean is over splits.
func (t *Table) overSplits() bool {
	return slices.ContainsFunc(slices.Concat(t.Cells...), func(c Cell) bool { return c.Over == OverSplits })
}
