package sweep

import (
	"maps"
	"slices"
	"strings"

	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Axes returns all axes of the sweep, including those with one value: data set, family,
// hyperparameters, split and seed. Values are in the order of the cells.
func (s *State) Axes() []Axis {
	axes := []Axis{{Name: rundir.DatasetField}, {Name: rundir.FamilyField}}
	for _, a := range s.Grid.Set {
		if !slices.ContainsFunc(axes, func(other Axis) bool { return other.Name == a.Name }) {
			axes = append(axes, Axis{Name: a.Name})
		}
	}
	if len(s.Grid.Methods) > 0 {
		axes = append(axes, s.settingAxes()...)
	}
	axes = append(axes, Axis{Name: rundir.SplitField}, Axis{Name: rundir.SeedField})
	for i := range axes {
		if len(axes[i].Values) > 0 {
			continue
		}
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

// settingAxes returns the hyperparameters that differ between cells of a family, by name. Cells that do
// not set one have the value "".
func (s *State) settingAxes() []Axis {
	of := map[string][]map[string]string{} // settings by family
	names := map[string]bool{}
	for i := range s.Cells {
		c := &s.Cells[i].Config
		of[c.Family] = append(of[c.Family], c.Set)
		for name := range c.Set {
			names[name] = true
		}
	}
	var axes []Axis
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var values []string
		differs := false
		for _, family := range slices.Sorted(maps.Keys(of)) {
			sets := of[family]
			for _, set := range sets {
				differs = differs || set[name] != sets[0][name]
				if !slices.Contains(values, set[name]) {
					values = append(values, set[name])
				}
			}
		}
		if differs {
			axes = append(axes, Axis{Name: name, Values: values})
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

// Settings returns the names of the varied axes except split and seed. Scores are averaged over splits and
// seeds.
func (s *State) Settings() []string {
	return slices.DeleteFunc(s.Varied(), func(name string) bool {
		return name == rundir.SplitField || name == rundir.SeedField
	})
}

// Group holds the cells with equal values on some axes.
type Group struct {
	// Values has one value per axis.
	Values []string
	// Cells are indices into State.Cells.
	Cells []int
}

// Groups groups the cells by their values on axes. The groups are in the order of the values, with the last
// axis varying fastest.
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

// scored reports whether the scores of a cell count, because its run has finished or was pruned by successive
// halving.
func (c *CellState) scored() bool {
	return (c.Status == Done || c.Status == Pruned) && c.Summary != nil
}

// Score returns the score of a metric over the finished and pruned cells of a group. With pruned cells, the
// score is based on fewer steps; see PrunedCells.
func (s *State) Score(g Group, m metric.Column) compare.Score {
	return compare.ScoreOf(compare.Grouped(g.Cells, func(i int) (split string, x float64, ok bool) {
		c := &s.Cells[i]
		if !c.scored() {
			return c.Config.Split, 0, false
		}
		x, ok = m.Of(metric.OfSummary(c.Summary))
		return c.Config.Split, x, ok
	}))
}

// Done returns the number of finished cells in a group, and how many of them were still improving
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

// Row is a setting with its values on the axes of Settings, its number of runs, and its scores by
// metric key.
type Row struct {
	Values map[string]string `json:"values"`
	Runs   int               `json:"runs"`
	// Improving is the number of runs that were still improving when they ended.
	Improving int `json:"improving"`
	// Pruned is the number of pruned runs, and Rung is the last rung that any of them completed. Scores of
	// such a setting are based on fewer steps and are not comparable with others.
	Pruned int                      `json:"pruned,omitempty"`
	Rung   int                      `json:"rung,omitempty"`
	Scores map[string]compare.Score `json:"scores"`
}

// Rows returns one row per setting.
func (s *State) Rows() []Row {
	axes := s.Settings()
	metrics := s.Measured()
	var rows []Row
	for _, g := range s.Groups(axes) {
		row := Row{Values: map[string]string{}, Runs: len(g.Cells), Scores: map[string]compare.Score{}}
		_, row.Improving = s.Done(g)
		row.Pruned, row.Rung = s.PrunedCells(g)
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

// mainMetrics holds the keys of the metrics in tables of sweeps.
var mainMetrics = []string{"log_lik", "rmse", "crps", "accuracy", "val.best", "seconds"}

// Main returns the measured metrics that are shown in tables.
func (s *State) Main() []metric.Column { return MainOf(s.Measured()) }

// MainOf returns the metrics of a list that are shown in tables. Standardised metrics replace missing
// totals over several targets.
func MainOf(list []metric.Column) (found []metric.Column) {
	measured := metric.Keys(list)
	keys := slices.Clone(mainMetrics)
	for i, key := range keys {
		if other, ok := metric.Get(key).Standardised(); ok && !slices.Contains(measured, key) {
			keys[i] = other.Key
		}
	}
	for _, m := range list {
		if slices.Contains(keys, m.Key) {
			found = append(found, m)
		}
	}
	return found
}

// Measured returns the metrics that at least one scored run has, as they apply to these runs.
// Metrics that are not comparable among the runs are omitted.
func (s *State) Measured() []metric.Column {
	var all Group
	var done []metric.Run
	for i := range s.Cells {
		c := &s.Cells[i]
		all.Cells = append(all.Cells, i)
		if c.scored() {
			done = append(done, metric.OfSummary(c.Summary))
		}
	}
	var list []metric.Column
	for _, m := range metric.Ranked() {
		m = m.Among(done)
		if m.Better != metric.Neither && s.Score(all, m).N > 0 {
			list = append(list, m)
		}
	}
	return list
}
