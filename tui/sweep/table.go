package sweep

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// cells returns the table of n cells starting with first, for a width of w: the axes, the state and the
// scores, the selected metric first.
func (p *Progress) cells(first, n, w int) tables.Table {
	return cutIfNeeded(w, func(least int, metrics []metric.Column) tables.Table {
		return p.cellTable(first, n, metrics, w, least)
	}, p.ordered())
}

// cellTable returns the table of cells with the given metrics. Words on axes keep at least their first
// least letters. The table has a step column only if the words are not cut.
func (p *Progress) cellTable(first, n int, metrics []metric.Column, w, least int) tables.Table {
	s, axes := p.state, p.state.Varied()
	t := tables.Table{Selected: p.cell - first, Mark: true}
	for _, name := range axes {
		c := axisColumn(s, name, w, least)
		c.Drop = 1 // The state is more important.
		t.Columns = append(t.Columns, c)
	}
	t.Columns = append(t.Columns, tables.Column{Title: "state"})
	if s.Grid.Halving > 0 {
		t.Columns = append(t.Columns, tables.Column{Title: "rung", Right: true, Drop: 3})
	}
	stepped := least == wholeWord
	if stepped {
		t.Columns = append(t.Columns, tables.Column{Title: "step", Right: true, Drop: 3})
	}
	for i, m := range metrics {
		t.Columns = append(t.Columns, tables.Column{Title: m.Short, Right: true, Drop: 2 + 2*i})
	}
	for i := first; i < min(first+n, len(s.Cells)); i++ {
		c := &s.Cells[i]
		var row []string
		for _, name := range axes {
			row = append(row, p.cutValue(shortValue(name, c.Config.Field(name)), least))
		}
		glyph, word := statusSign(p.theme.Glyphs, c.Status)
		row = append(row, glyph+" "+word)
		if s.Grid.Halving > 0 {
			row = append(row, p.rungText(c))
		}
		if stepped {
			row = append(row, p.stepText(c))
		}
		for _, m := range metrics {
			row = append(row, p.cellScore(c, m))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// ordered returns the measured metrics, the selected metric first.
func (p *Progress) ordered() []metric.Column {
	chosen := p.metric()
	list := []metric.Column{chosen}
	for _, m := range p.cache.metrics {
		if m.Key != chosen.Key {
			list = append(list, m)
		}
	}
	return list
}

// statusSign returns the glyph and the word of a status.
func statusSign(g kit.Glyphs, s sweeps.Status) (glyph, word string) {
	sign := map[sweeps.Status]string{
		sweeps.Waiting: g.Preparing, sweeps.Running: g.Training, sweeps.Done: g.Check,
		sweeps.Failed: g.Cross, sweeps.Stopped: g.Asked, sweeps.Pruned: g.Asked,
	}[s]
	return sign, string(s)
}

// rungText returns the current rung of a cell, or the last rung of a pruned cell.
func (p *Progress) rungText(c *sweeps.CellState) string {
	if c.Rung == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", c.Rung, p.state.Grid.Rungs)
}

// stepText returns the progress of a cell, or its progress in the current rung if it competes.
func (p *Progress) stepText(c *sweeps.CellState) string {
	target := p.state.Target(c)
	switch {
	case c.Step == 0:
		return ""
	case c.Status == sweeps.Running && target > 0:
		return fmt.Sprintf("%d %%", 100*c.Step/target)
	}
	return report.Grouped(c.Step)
}

// cellScore formats a metric of a done or pruned cell. A star marks pruned cells.
func (p *Progress) cellScore(c *sweeps.CellState, m metric.Column) string {
	end := ""
	switch {
	case c.Status != sweeps.Done && c.Status != sweeps.Pruned:
		return ""
	case c.Status == sweeps.Pruned:
		end = "*"
	case p.state.Count(sweeps.Pruned) > 0:
		end = " " // The blank keeps the digits aligned.
	}
	v, ok := m.Of(metric.OfSummary(c.Summary))
	if !ok {
		return "-" + end
	}
	return report.Format(m, v) + end
}

// shortValue formats a value of an axis.
func shortValue(axis, v string) string {
	if axis == rundir.DatasetField {
		return metric.DatasetName(v)
	}
	return v
}

// cutValue shortens a value such as standard:0 before its colon, because the number distinguishes it from
// other values.
func (p *Progress) cutValue(v string, least int) string {
	at := strings.LastIndex(v, ":")
	if at < 0 || least == wholeWord || kit.Cells(v) <= least || kit.Cells(v[at:]) >= least-1 {
		return v
	}
	return p.theme.Fit(v[:at], least-kit.Cells(v[at:])) + v[at:]
}

// scores returns the table of settings for a width of w: the number of done runs, and the mean and standard
// error of each metric, the selected metric first.
func (p *Progress) scores(w int) tables.Table {
	return cutIfNeeded(w, func(least int, metrics []metric.Column) tables.Table {
		return p.scoreTable(metrics, w, least)
	}, p.ordered())
}

// scoreTable returns the table of settings with the given metrics. Words on axes keep at least their first
// least letters.
func (p *Progress) scoreTable(metrics []metric.Column, w, least int) tables.Table {
	s, axes := p.state, p.state.Settings()
	var t tables.Table
	for _, name := range axes {
		t.Columns = append(t.Columns, axisColumn(s, name, w, least))
	}
	t.Columns = append(t.Columns, tables.Column{Title: "done", Right: true, Drop: 1})
	for i, m := range metrics {
		t.Columns = append(t.Columns, tables.Column{Title: m.Short, Right: true, Drop: 3 * i})
	}
	for _, g := range s.Groups(axes) {
		var row []string
		for i, name := range axes {
			row = append(row, shortValue(name, g.Values[i]))
		}
		row = append(row, kit.DoneText(s, g))
		for _, m := range metrics {
			row = append(row, kit.ScoreText(s, g, m))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Words on axes have up to wholeWord letters if there is room for the most important columns. Otherwise they
// are cut to cutWord letters, or to shortWord letters in narrow tables.
const wholeWord, cutWord, shortWord = len("extrapolation:0"), 7, 3

// important is the largest Drop of the columns that take precedence over whole words.
const important = 2

// cutIfNeeded returns the table of all metrics with whole words. If that table would lose more important
// columns at width w than the table of the first metric with cut words, it returns the latter.
func cutIfNeeded(
	w int, table func(least int, metrics []metric.Column) tables.Table, metrics []metric.Column,
) tables.Table {
	whole := table(wholeWord, metrics)
	if n := lost(whole, w); n > 0 {
		if cut := table(cutWord, metrics[:1]); lost(cut, w) < n {
			return cut
		}
	}
	return whole
}

// lost returns the number of important columns of a table that do not fit into w cells.
func lost(t tables.Table, w int) (n int) {
	l := t.Layout(w)
	for i, c := range t.Columns {
		if c.Drop <= important && l.Widths[i] == 0 {
			n++
		}
	}
	return n
}

// axisColumn returns the column of an axis in a table of w cells. Its words keep at least their first
// least letters. Numbers are never cut.
func axisColumn(s *sweeps.State, axis string, w, least int) tables.Column {
	if _, ok := numbers(s, axis); ok {
		return tables.Column{Title: axis, Right: true}
	}
	if w < 40 {
		least = shortWord
	}
	return tables.Column{Title: axis, Least: least}
}

// numbers returns the values of an axis as numbers. ok is false if any value is not a number.
func numbers(s *sweeps.State, axis string) (map[string]float64, bool) {
	list := map[string]float64{}
	for _, a := range s.Axes() {
		if a.Name != axis {
			continue
		}
		for _, v := range a.Values {
			x, err := strconv.ParseFloat(v, 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, false
			}
			list[v] = x
		}
	}
	return list, len(list) > 0
}
