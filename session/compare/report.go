package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// UsualMetrics holds the keys of the metrics that are compared by default if they were measured.
var UsualMetrics = []string{"log_lik", "rmse", "crps", "error_rate"}

// Usual reports whether a metric is compared by default.
func Usual(m metric.Column) bool { return slices.Contains(UsualMetrics, m.Key) }

// ReportOptions configures a report.
type ReportOptions struct {
	Options
	// Metrics holds the metrics to compare, all of which must have been measured. nil selects the usual
	// metrics that were measured.
	Metrics []metric.Column
	// All appends every other measured metric to the usual ones.
	All bool
	// RanksHint and BaselineHint are appended to the notes about missing ranks and a missing baseline. They
	// tell the user how to get them.
	RanksHint, BaselineHint string
	// BaselineToCome suppresses the note about a missing baseline, because the baseline is still training.
	BaselineToCome bool
}

// Report is a comparison of runs. It does not include direct comparisons, which need predictions; see Each.
type Report struct {
	*Set
	// Metrics are the metrics of the tables, in the requested order.
	Metrics []metric.Column `json:"-"`
	Tables  []*Table        `json:"tables"`
}

// NewReport compares runs. It returns an error if no runs can be compared, or if the runs cannot be
// compared by one of the requested metrics.
func NewReport(runs []rundir.Info, w ReportOptions) (*Report, error) {
	r := &Report{Set: Group(runs)}
	if len(r.Runs) == 0 {
		return nil, r.noRunsError(len(runs))
	}
	several := slices.ContainsFunc(r.Runs, Run.severalTargets)
	for _, m := range w.metrics(several) {
		table := r.Table(m, w.Options)
		switch {
		case len(table.Datasets) > 0:
			r.Metrics = append(r.Metrics, m)
			r.Tables = append(r.Tables, table)
			if w.Metrics != nil || Usual(m) { // A metric that few runs have would exclude too many runs.
				r.leaveOut(table)
			}
		case w.Metrics == nil:
		case table.Metric.Better == metric.Neither:
			return nil,
				fmt.Errorf("cannot compare runs by %s: they have different objectives: %s",
					m.Key, strings.Join(r.Objectives(), ", "))
		default:
			hint := ""
			if other, ok := m.Standardised(); ok && several {
				hint = ": the units of several targets may differ; use " + other.Key
			}
			return nil, fmt.Errorf("no run has a value for %s%s", m.Key, hint)
		}
	}
	r.noteMissing(w)
	return r, nil
}

// noRunsError returns the error for a report in which none of n runs can be compared.
func (r *Report) noRunsError(n int) error {
	if len(r.LeftOut) == 0 {
		return errors.New("there are no runs to compare")
	}
	first := r.LeftOut[0]
	if n == 1 {
		return fmt.Errorf("the run cannot be compared: %s: %s", first.ID, first.Why)
	}
	return fmt.Errorf("none of the %d runs can be compared: %s: %s", n, first.ID, first.Why)
}

// metrics returns the metrics to compare. Runs with several targets have standardised scores.
func (w ReportOptions) metrics(several bool) (list []metric.Column) {
	if w.Metrics != nil {
		return w.Metrics
	}
	for _, key := range UsualMetrics {
		m := metric.Get(key)
		list = append(list, m)
		if other, ok := m.Standardised(); ok && several {
			list = append(list, other)
		}
	}
	if !w.All {
		return list
	}
	for _, m := range metric.Ranked() {
		if !slices.ContainsFunc(list, func(other metric.Column) bool { return other.Key == m.Key }) {
			list = append(list, m)
		}
	}
	return list
}

// leaveOut records the runs that a table leaves out.
func (r *Report) leaveOut(t *Table) {
	for _, l := range t.LeftOut {
		if !slices.Contains(r.LeftOut, l) {
			r.LeftOut = append(r.LeftOut, l)
		}
	}
}

// noteMissing records that ranks or the baseline are missing, and how to get them.
func (r *Report) noteMissing(w ReportOptions) {
	if len(r.Tables) == 0 || len(r.Methods) < 2 {
		return
	}
	if first := r.Tables[0]; first.Ranking == nil && w.Blocks != BySplit && first.overSplits() {
		r.Notes = append(r.Notes, NoRanks(w.Blocks)+w.RanksHint)
	}
	if !r.HasBaseline() && !w.BaselineToCome {
		r.Notes = append(r.Notes, "no baseline: the family "+models.BaselineFamily+
			" trains in milliseconds"+w.BaselineHint)
	}
}

// NoRanks explains why a table has no ranking.
func NoRanks(b Blocks) string {
	return "ranks need at least 2 methods on 2 shared " + string(cmp.Or(b, ByDataset))
}

// overSplits reports whether any mean is over splits.
func (t *Table) overSplits() bool {
	return slices.ContainsFunc(slices.Concat(t.Cells...), func(c Cell) bool { return c.Over == OverSplits })
}
