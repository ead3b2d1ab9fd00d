package sweep

import (
	"slices"
	"strings"

	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Axes returns all axes of the sweep, those with one value too: data set, family,
// hyperparameters, split, seed. The values are in the order of the cells.
func (s *State) Axes() []Axis {
	axes := []Axis{{Name: rundir.DatasetField}, {Name: rundir.FamilyField}}
	for _, a := range s.Grid.Set {
		axes = append(axes, Axis{Name: a.Name})
	}
	axes = append(axes, Axis{Name: rundir.SplitField}, Axis{Name: rundir.SeedField})
	for i := range axes {
		seen := map[string]bool{}
		for _, c := range s.Cells {
			if v := c.Config.Field(axes[i].Name); v != "" && !seen[v] {
				seen[v] = true
				axes[i].Values = append(axes[i].Values, v)
			}
		}
	}
	return axes
}

// Varied returns the names of the axes with more than one value.
func (s *State) Varied() []string {
	var names []string
	for _, a := range s.Axes() {
		if len(a.Values) > 1 {
			names = append(names, a.Name)
		}
	}
	return names
}

// Settings returns the names of the varied axes that tell settings apart: all but
// split and seed, over which scores are averaged.
func (s *State) Settings() []string {
	return slices.DeleteFunc(s.Varied(), func(name string) bool {
		return name == rundir.SplitField || name == rundir.SeedField
	})
}

// Group is the cells that agree on some axes.
type Group struct {
	// Values has one value for each of the axes.
	Values []string
	// Cells are indices into State.Cells.
	Cells []int
}

// Groups divides the cells by their values on axes. The groups are in the order
// of the axes' values, the last axis changing most often.
func (s *State) Groups(axes []string) []Group {
	rank := map[string]map[string]int{}
	for _, a := range s.Axes() {
		rank[a.Name] = map[string]int{}
		for i, v := range a.Values {
			rank[a.Name][v] = i
		}
	}
	var groups []Group
	at := map[string]int{}
	for i, c := range s.Cells {
		values := make([]string, len(axes))
		for j, a := range axes {
			values[j] = c.Config.Field(a)
		}
		key := strings.Join(values, "\x00")
		g, ok := at[key]
		if !ok {
			g = len(groups)
			at[key] = g
			groups = append(groups, Group{Values: values})
		}
		groups[g].Cells = append(groups[g].Cells, i)
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		for j, axis := range axes {
			if d := rank[axis][a.Values[j]] - rank[axis][b.Values[j]]; d != 0 {
				return d
			}
		}
		return 0
	})
	return groups
}

// Score returns a metric over the cells of a group that are done and have it.
func (s *State) Score(g Group, m metric.Metric) compare.Score {
	return compare.ScoreOf(compare.Grouped(g.Cells, func(i int) (split string, x float64, ok bool) {
		c := &s.Cells[i]
		x, ok = m.Of(metric.OfSummary(c.Summary))
		return c.Config.Split, x, ok && c.Status == Done
	}))
}

// Done counts the cells of a group that are done, and those of them that still improved
// when they ended.
func (s *State) Done(g Group) (done, improving int) {
	for _, i := range g.Cells {
		if c := &s.Cells[i]; c.Status == Done {
			done++
			if c.Summary.StillImproving() != "" {
				improving++
			}
		}
	}
	return done, improving
}

// Row is a setting: its values on the axes of Settings, how many runs it has, and
// its scores by the keys of the metrics that were measured.
type Row struct {
	Values map[string]string `json:"values"`
	Runs   int               `json:"runs"`
	// Improving counts those that still improved when they ended.
	Improving int                      `json:"improving"`
	Scores    map[string]compare.Score `json:"scores"`
}

// Rows returns one row for each setting.
func (s *State) Rows() []Row {
	axes := s.Settings()
	metrics := s.Measured()
	var rows []Row
	for _, g := range s.Groups(axes) {
		row := Row{Values: map[string]string{}, Runs: len(g.Cells), Scores: map[string]compare.Score{}}
		_, row.Improving = s.Done(g)
		for i, name := range axes {
			row.Values[name] = g.Values[i]
		}
		for _, m := range metrics {
			if score := s.Score(g, m); score.N > 0 {
				row.Scores[m.Key] = score
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// mainMetrics are the metrics that tables of sweeps show.
var mainMetrics = []string{"log_lik", "rmse", "crps", "accuracy", "val.best", "seconds"}

// Main returns the metrics that were measured and that tables show.
func (s *State) Main() []metric.Metric { return MainOf(s.Measured()) }

// MainOf returns those of some metrics that tables show.
func MainOf(list []metric.Metric) []metric.Metric {
	return slices.DeleteFunc(slices.Clone(list), func(m metric.Metric) bool {
		return !slices.Contains(mainMetrics, m.Key)
	})
}

// Measured returns the metrics that at least one run of the sweep has, as they are
// among its runs, without one whose values do not mean the same in all of them.
func (s *State) Measured() []metric.Metric {
	var all Group
	var done []metric.Source
	for i, c := range s.Cells {
		all.Cells = append(all.Cells, i)
		if c.Status == Done {
			done = append(done, metric.OfSummary(c.Summary))
		}
	}
	var list []metric.Metric
	for _, m := range metric.Ranked() {
		m = m.Among(done)
		if m.Better != metric.Neither && s.Score(all, m).N > 0 {
			list = append(list, m)
		}
	}
	return list
}
