package panel

import (
	"cmp"
	"math"
	"path/filepath"
	"strconv"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// sense is which values of a column are best.
type sense int

const (
	noSense sense = iota
	higher
	lower
	nominal95 // near 0.95
)

// value is what a run has in a column.
type value struct {
	// text is as it is written; a missing value has none.
	text string
	// number is what numbers are sorted and compared by.
	number  float64
	numeric bool
	// moving says that it is of a run that goes on, and so will change.
	moving bool
}

// missing tells that nothing was measured.
func (v value) missing() bool { return v.text == "" }

// finite tells whether the value is a number that can be the best.
func (v value) finite() bool {
	return v.numeric && !v.missing() && !math.IsNaN(v.number) && !math.IsInf(v.number, 0)
}

// column is one of the table.
type column struct {
	// name is for Sort, title is what people read.
	name, title string
	sense       sense
	// data says that values are only comparable on the same data.
	data bool
	// drop orders what a narrow table leaves out: the highest first, and of equals
	// the one on the right.
	drop  int
	value func(Run) value
}

// number returns a value that is moving as long as the run goes on, missing if it is
// not ok.
func number(r Run, x float64, ok bool, write func(float64) string) value {
	if !ok {
		return value{}
	}
	return value{text: write(x), number: x, numeric: true, moving: r.going()}
}

// tested returns a column of the test part.
func tested(name, title string, s sense, drop int, write func(float64) string, of func(*rundir.Metrics) *float64) column {
	return column{name: name, title: title, sense: s, data: true, drop: drop, value: func(r Run) value {
		if r.Snapshot == nil || r.Snapshot.Test == nil {
			return value{}
		}
		x := of(r.Snapshot.Test)
		if x == nil {
			return value{}
		}
		return number(r, *x, true, write)
	}}
}

// measured returns a column of what a snapshot has while it trains.
func measured(name, title string, s sense, data bool, drop int, write func(float64) string, of func(*session.Snapshot) (float64, bool)) column {
	return column{name: name, title: title, sense: s, data: data, drop: drop, value: func(r Run) value {
		if r.Snapshot == nil {
			return value{}
		}
		x, ok := of(r.Snapshot)
		return number(r, x, ok, write)
	}}
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

// columns returns those of the table of some runs, from left to right, without the
// label of the run.
func columns(th *kit.Theme, runs []Run) []column {
	list := []column{
		{name: "state", title: "state", drop: 12, value: func(r Run) value {
			sign, word, _ := th.Glyphs.StateSign(r.Snapshot)
			return value{text: sign + " " + word}
		}},
		{name: "family", title: "family", drop: 6, value: func(r Run) value {
			if r.Snapshot == nil {
				return value{}
			}
			return value{text: r.Snapshot.Family}
		}},
	}
	list = append(list, differing(runs)...)
	list = append(list,
		column{name: "parameters", title: "parameters", drop: 13, value: func(r Run) value {
			if r.Snapshot == nil || r.Snapshot.Parameters == 0 {
				return value{}
			}
			return value{text: kit.Grouped(r.Snapshot.Parameters), number: float64(r.Snapshot.Parameters), numeric: true}
		}},
		measured("elbo", "ELBO", higher, true, 3, kit.Number, func(s *session.Snapshot) (float64, bool) { return s.Last.Objective, s.Step > 0 }),
		measured("validation", "val best", higher, true, 4, kit.Number, func(s *session.Snapshot) (float64, bool) { return s.BestVal, s.BestStep > 0 }))
	list = append(list, scores(runs)...)
	return append(list,
		measured("ms_step", "ms/step", lower, false, 9, kit.Number, milliseconds),
		measured("time", "time", noSense, false, 14, kit.Seconds, func(s *session.Snapshot) (float64, bool) { return s.Seconds, s.Step > 0 }))
}

// scores returns the columns of the test part: those of regression, those of
// classes, or both where there are both.
func scores(runs []Run) []column {
	list := []column{tested("log_lik", "test log-lik", higher, 2, kit.Number, func(m *rundir.Metrics) *float64 { return &m.LogLik })}
	classes, targets := false, false
	for _, r := range runs {
		if r.Snapshot != nil && r.Snapshot.Task == models.Binary {
			classes = true
		} else {
			targets = true
		}
	}
	if targets {
		list = append(list,
			tested("rmse", "RMSE", lower, 5, kit.Number, func(m *rundir.Metrics) *float64 { return m.RMSE }),
			tested("crps", "CRPS", lower, 11, kit.Number, func(m *rundir.Metrics) *float64 { return m.CRPS }),
			tested("coverage95", "cov 95", nominal95, 10, percent, func(m *rundir.Metrics) *float64 {
				share, ok := m.Coverage["95"]
				if !ok {
					return nil
				}
				return &share
			}))
	}
	if classes {
		list = append(list,
			tested("error_rate", "error rate", lower, 5, percent, func(m *rundir.Metrics) *float64 { return m.ErrorRate }),
			tested("log_loss", "log-loss", lower, 11, kit.Number, func(m *rundir.Metrics) *float64 { return m.LogLoss }))
	}
	return list
}

// milliseconds returns the time of a step: of late, or else on average.
func milliseconds(s *session.Snapshot) (float64, bool) {
	switch {
	case s.StepsPerSecond > 0:
		return 1000 / s.StepsPerSecond, true
	case s.Step > 0 && s.Seconds > 0:
		return 1000 * s.Seconds / float64(s.Step), true
	}
	return 0, false
}

// differing returns a column for each field of the configuration, but the family,
// in which the runs that have begun differ.
func differing(runs []Run) []column {
	var begun []Run
	for _, r := range runs {
		if r.Snapshot != nil {
			begun = append(begun, r)
		}
	}
	var list []column
	for _, d := range session.Differences(infos(begun)) {
		if d.Field == "family" {
			continue
		}
		texts := map[*session.Snapshot]string{}
		for k, r := range begun {
			texts[r.Snapshot] = d.Values[k]
			if d.Field == "dataset" {
				texts[r.Snapshot] = filepath.Base(d.Values[k])
			}
		}
		list = append(list, column{name: d.Field, title: d.Field, drop: 7, value: func(r Run) value {
			v := value{text: texts[r.Snapshot]}
			x, err := strconv.ParseFloat(v.text, 64)
			v.number, v.numeric = x, err == nil
			return v
		}})
	}
	return list
}

// badness returns a number that is lower for better values.
func (c column) badness(v value) float64 {
	switch c.sense {
	case higher:
		return -v.number
	case nominal95:
		return math.Abs(v.number - 0.95)
	}
	return v.number
}

// compareValues orders two values that are there and no NaN: numbers before words.
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

// best returns which values of a column are the best: none unless two are finite
// and they differ.
func (c column) best(values []value) []bool {
	out := make([]bool, len(values))
	if c.sense == noSense {
		return out
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v.finite() {
			least, most = math.Min(least, c.badness(v)), math.Max(most, c.badness(v))
		}
	}
	if !(least < most) {
		return out
	}
	for i, v := range values {
		out[i] = v.finite() && c.badness(v) == least
	}
	return out
}
