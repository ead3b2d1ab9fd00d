package board

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"dgplab/datasets/task"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// value is the value of a run in a column.
type value struct {
	// text is the value as shown, or "" if it is missing.
	text string
	// number is the value for sorting and comparing, if it is numeric.
	number  float64
	numeric bool
	// moving marks a value that may still change because the run is training, or that was still improving
	// when the run ended.
	moving bool
}

// missing reports whether the value was not measured.
func (v value) missing() bool { return v.text == "" }

// finite reports whether the value is a finite number, which can be the best.
func (v value) finite() bool {
	return v.numeric && !v.missing() && !math.IsNaN(v.number) && !math.IsInf(v.number, 0)
}

// column is a column of the table.
type column struct {
	// name identifies the column in tableSort, and title is its heading.
	name, title string
	// metric determines the best number. It is nil for a column without a metric.
	metric *metric.Column
	// drop is the priority with which a narrow table omits columns: the highest first, and the rightmost of
	// equal ones.
	drop  int
	value func(*Run) value
}

// measured lists the metrics in the table from left to right with their drop. A plain metric has no best
// value, because the smallest time of runs that are still training is meaningless.
var measured = []struct {
	key   string
	drop  int
	plain bool
	// several marks a metric that is shown if a run has several targets.
	several bool
}{
	{key: "parameters", drop: 13, plain: true}, {key: "objective", drop: 3},
	{key: "val.best", drop: 4},
	{key: "log_lik", drop: 2},
	{key: "rmse", drop: 5}, {key: "rmse_std", drop: 5, several: true}, {key: "crps", drop: 11},
	{key: "crps_std", drop: 11, several: true}, {key: "coverage95", drop: 10},
	{key: "error_rate", drop: 5}, {key: "log_loss", drop: 11}, {key: "brier", drop: 12}, {key: "ece",
		drop: 13}, {key: "ms_step", drop: 9}, {key: "seconds", drop: 14, plain: true},
}

// columns returns the columns of the table from left to right, except the label of the run.
func columns(th *kit.Theme, runs []*Run) []column {
	state := metric.Get("state")
	family := metric.Get("family")
	list := []column{
		{name: state.Key, title: state.Short, drop: 12, value: func(r *Run) value {
			sign, word, _ := th.Glyphs.StateSign(metric.OfSnapshot(r.Snapshot))
			return value{text: sign + " " + word}
		}},
		{name: family.Key, title: family.Short, drop: 6, value: func(r *Run) value {
			return value{text: family.Cell(metric.OfSnapshot(r.Snapshot))}
		}},
	}
	if slices.ContainsFunc(runs, func(r *Run) bool {
		return r.Snapshot != nil && r.Snapshot.Data.Uses != ""
	}) {
		list = append(list, usesColumn)
	}
	list = append(list, differing(runs)...)
	several := slices.ContainsFunc(runViews(runs), metric.Run.SeveralTargets)
	for _, c := range measured {
		m := metric.Get(c.key).Among(runViews(runs))
		if c.plain {
			m.Better = metric.Neither
		}
		if metricApplies(m, runs) && (!c.several || several) {
			list = append(list, metricColumn(m, c.drop))
		}
	}
	return append(list, outputColumns(runs)...)
}

// usesColumn shows the data that runs are trained on. It is shown if some runs do not use all rows.
var usesColumn = column{name: "uses", title: "trained on", drop: 6, value: func(r *Run) value {
	switch {
	case r.Snapshot == nil || r.Snapshot.Data.N == 0:
		return value{}
	case r.Snapshot.Data.Uses == "":
		return value{text: "all rows"}
	}
	return value{text: r.Snapshot.Data.Uses}
}}

// outputMetrics holds the metrics with a column for each of several outputs. Narrow tables omit them first.
var outputMetrics = []string{"rmse", "log_lik"}

// outputColumns returns the scores of each output that some run was tested on.
func outputColumns(runs []*Run) (list []column) {
	seen := map[string]bool{}
	for _, r := range runViews(runs) {
		if r.Test() == nil {
			continue
		}
		for _, o := range r.Test().Outputs {
			for k, key := range outputMetrics {
				if m, ok := metric.Get(key).OfOutput(o.Output); ok && !seen[m.Key] {
					seen[m.Key] = true
					m.Short = report.Printable(m.Short)
					list = append(list, metricColumn(m, 15+k))
				}
			}
		}
	}
	return list
}

// runViews returns the views of runs.
func runViews(runs []*Run) []metric.Run {
	list := make([]metric.Run, len(runs))
	for i, r := range runs {
		list[i] = metric.OfSnapshot(r.Snapshot)
	}
	return list
}

// metricApplies reports whether a metric applies to the task of a run.
func metricApplies(m metric.Column, runs []*Run) bool {
	return slices.ContainsFunc(runs, func(r *Run) bool {
		task := task.Regression // while it is unknown
		if r.Snapshot != nil {
			task = r.Snapshot.Data.Task
		}
		return m.Applies(task)
	})
}

// metricColumn returns the column of a metric.
func metricColumn(m metric.Column, drop int) column {
	return column{name: m.Key, title: m.Short, metric: &m, drop: drop, value: func(r *Run) value {
		x, ok := m.Of(metric.OfSnapshot(r.Snapshot))
		if !ok {
			return value{}
		}
		// The number of parameters does not change.
		moving := m.Key != "parameters" && r.running() || m.Within != metric.Anywhere && r.inconclusive()
		return value{text: report.Format(m, x), number: x, numeric: true, moving: moving}
	}}
}

// differing returns a column for each differing field of the configuration, except the family.
func differing(runs []*Run) []column {
	var begun []*Run
	var infos []rundir.Info
	for _, r := range runs {
		if r.Snapshot != nil {
			begun = append(begun, r)
			infos = append(infos, r.info())
		}
	}
	var list []column
	for _, d := range config.InformativeDifferences(infos) {
		if d.Field == "family" {
			continue
		}
		texts := map[*session.Snapshot]string{}
		for k, r := range begun {
			texts[r.Snapshot] = d.Values[k]
			if d.Field == "dataset" {
				texts[r.Snapshot] = metric.DatasetName(d.Values[k])
			}
		}
		list = append(list, column{name: d.Field, title: d.Field, drop: 7, value: func(r *Run) value {
			v := value{text: texts[r.Snapshot]}
			x, err := strconv.ParseFloat(v.text, 64)
			v.number, v.numeric = x, err == nil
			return v
		}})
	}
	return list
}

// compareValues compares two values that are neither missing nor NaN. Numbers come before words.
func compareValues(a, b value) int {
	switch {
	case a.numeric && b.numeric:
		return cmp.Compare(a.number, b.number)
	case a.numeric:
		return -1
	case b.numeric:
		return 1
	}
	return cmp.Compare(a.text, b.text)
}

// best reports for each value of a column whether it is the best. There is no best value unless two finite
// values differ.
func (c column) best(values []value) []bool {
	out := make([]bool, len(values))
	if c.metric == nil || c.metric.Better == metric.Neither {
		return out
	}
	least := math.Inf(1)
	most := math.Inf(-1)
	for _, v := range values {
		if v.finite() {
			good := c.metric.Goodness(v.number)
			least = math.Min(least, good)
			most = math.Max(most, good)
		}
	}
	if !(least < most) {
		return out
	}
	for i, v := range values {
		out[i] = v.finite() && c.metric.Goodness(v.number) == most
	}
	return out
}

// sameDataOnly reports whether values of the column can be compared only on the same data.
func (c column) sameDataOnly() bool { return c.metric != nil && c.metric.Within != metric.Anywhere }
