package ablate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/viz/tables"
)

// cells returns the table of n cells from the first one on, for w columns: what varies, where it
// stands, and its scores, the chosen metric first.
func (p *Progress) cells(first, n, w int) tables.Table {
	return cutIfNeeded(w, func(least int, metrics []metric.Metric) tables.Table {
		return p.cellTable(first, n, metrics, w, least)
	}, p.ordered())
}

// cellTable is the table of cells with some metrics, in which words of axes have at least so
// many letters; steps are there beside whole words alone.
func (p *Progress) cellTable(first, n int, metrics []metric.Metric, w, least int) tables.Table {
	s, axes := p.state, p.state.Varied()
	t := tables.Table{Selected: p.cell - first, Mark: true}
	for _, name := range axes {
		c := axisColumn(s, name, w, least)
		c.Drop = 1 // The state says most.
		t.Columns = append(t.Columns, c)
	}
	t.Columns = append(t.Columns, tables.Column{Title: "state"})
	if least == wholeWord {
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
		if least == wholeWord {
			row = append(row, stepText(c))
		}
		for _, m := range metrics {
			row = append(row, cellScore(c, m))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// ordered returns the metrics that were measured, the chosen one first.
func (p *Progress) ordered() []metric.Metric {
	chosen := p.metric()
	list := []metric.Metric{chosen}
	for _, m := range p.cache.metrics {
		if m.Key != chosen.Key {
			list = append(list, m)
		}
	}
	return list
}

// statusSign returns the sign and the word of a status.
func statusSign(g kit.Glyphs, s sweep.Status) (glyph, word string) {
	sign := map[sweep.Status]string{
		sweep.Waiting: g.Preparing, sweep.Running: g.Training, sweep.Done: g.Check,
		sweep.Failed: g.Cross, sweep.Stopped: g.Asked,
	}[s]
	return sign, string(s)
}

// stepText says how far a cell is.
func stepText(c *sweep.CellState) string {
	switch {
	case c.Step == 0:
		return ""
	case c.Status == sweep.Running && c.Steps > 0:
		return fmt.Sprintf("%d %%", 100*c.Step/c.Steps)
	}
	return kit.Grouped(c.Step)
}

// cellScore writes a metric of a cell that is done.
func cellScore(c *sweep.CellState, m metric.Metric) string {
	if c.Status != sweep.Done {
		return ""
	}
	v, ok := m.Of(metric.OfSummary(c.Summary))
	if !ok {
		return "-"
	}
	return kit.Metric(m, v)
}

// shortValue writes a value of an axis.
func shortValue(axis, v string) string {
	if axis == rundir.DatasetField {
		return kit.Dataset(v)
	}
	return v
}

// cutValue cuts a value such as standard:0 before its colon, so that what tells it from others
// is kept.
func (p *Progress) cutValue(v string, least int) string {
	at := strings.LastIndex(v, ":")
	if at < 0 || least == wholeWord || kit.Cells(v) <= least || kit.Cells(v[at:]) >= least-1 {
		return v
	}
	return p.theme.Fit(v[:at], least-kit.Cells(v[at:])) + v[at:]
}

// scores returns the table of the settings for w columns: how many of their runs are done, and
// mean and standard error of each metric, the chosen one first.
func (p *Progress) scores(w int) tables.Table {
	return cutIfNeeded(w, func(least int, metrics []metric.Metric) tables.Table {
		return p.scoreTable(metrics, w, least)
	}, p.ordered())
}

// scoreTable is the table of settings with some metrics, in which words of axes have at least
// so many letters.
func (p *Progress) scoreTable(metrics []metric.Metric, w, least int) tables.Table {
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
			row = append(row, kit.Mean(m, s.Score(g, m)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Words of axes are whole as long as the most important columns have room beside them, up to
// so many letters; else they may be cut to fewer, and a lot where there is little room.
const wholeWord, cutWord, shortWord = len("extrapolation:0"), 7, 3

// important is the greatest Drop of the columns that stay before words are whole.
const important = 2

// cutIfNeeded returns the table of all metrics with whole words or, where that would lose more
// important columns in w columns than cut words do, the one of the first metric with those.
func cutIfNeeded(
	w int, table func(least int, metrics []metric.Metric) tables.Table, metrics []metric.Metric,
) tables.Table {
	whole := table(wholeWord, metrics)
	if n := lost(whole, w); n > 0 {
		if cut := table(cutWord, metrics[:1]); lost(cut, w) < n {
			return cut
		}
	}
	return whole
}

// lost counts the important columns of a table for which w columns have no room.
func lost(t tables.Table, w int) (n int) {
	l := t.Layout(w)
	for i, c := range t.Columns {
		if c.Drop <= important && l.Widths[i] == 0 {
			n++
		}
	}
	return n
}

// axisColumn is the column of an axis in a table of w columns, whose words have at least so
// many letters. Numbers are never cut.
func axisColumn(s *sweep.State, axis string, w, least int) tables.Column {
	if _, ok := numbers(s, axis); ok {
		return tables.Column{Title: axis, Right: true}
	}
	if w < 40 {
		least = shortWord
	}
	return tables.Column{Title: axis, Least: least}
}

// numbers returns the values of an axis as numbers, if all of them are.
func numbers(s *sweep.State, axis string) (map[string]float64, bool) {
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
