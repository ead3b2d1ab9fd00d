package board

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/tables"
)

// predictionsPanel is the table of the predictions of the selected run at its test points. It has a
// cursor and scrolls.
type predictionsPanel struct {
	cursorless
	board          *Board
	panel          *Panel
	calibration    *calibrationPanels
	target, filter *Choice
	// sort is kept across restarts of the program. The zero value sorts by the uncertainty.
	sort tableSort
	// at is the index of the cursor's row.
	at   int
	list kit.List
	// rows holds the rows of the last drawing in order.
	rows sortedRows
}

// sortedRows holds the order of the visible test points of a target and the texts of their cells.
type sortedRows struct {
	of, other *rundir.Predictions
	target    int
	sort      tableSort
	filter    int
	order     []int
	texts     [][]string // [point][column]
	widths    []int      // [column]
	// lo and hi are the ends of the axis of the intervals.
	lo, hi float64
}

// predictionColumn is a column of the table of predictions. Rows with the value NaN come last.
type predictionColumn struct {
	key, title string
	left       bool
	drop       int // columns with larger values are dropped first
	ascending  bool
	value      func(r evaluatedRun, i int) float64
	// text, if not nil, returns the text of a cell instead of the number.
	text func(r evaluatedRun, i int) string
}

// The keys of columns that the code refers to.
const (
	uncertaintyColumn = "uncertainty"
	residualColumn    = "residual"
	densityColumn     = "log_density"
)

// columns returns the columns of real targets or of classes.
func (r evaluatedRun) columns() []predictionColumn {
	row := predictionColumn{key: "row", title: "row", ascending: true, value: evaluatedRun.row}
	row.text = func(r evaluatedRun, i int) string { return strconv.Itoa(r.Rows[i]) }
	density := predictionColumn{key: densityColumn, title: "log p", drop: 3, ascending: true}
	density.value = evaluatedRun.logDensity
	density.text = func(r evaluatedRun, i int) string { return decimals(r.logDensity(i), 3) }
	uncertainty := predictionColumn{key: uncertaintyColumn, title: "sd", value: evaluatedRun.sd}
	observed := predictionColumn{key: "observed", title: "observed", value: evaluatedRun.observed}
	predicted := predictionColumn{key: "predicted", title: "predicted", value: evaluatedRun.mean}
	if !r.IsClassification() {
		residual := predictionColumn{key: residualColumn, title: "residual/sd", drop: 2}
		residual.value = func(r evaluatedRun, i int) float64 { return math.Abs(r.residual(i)) }
		residual.text = func(r evaluatedRun, i int) string { return decimals(r.residual(i), 2) }
		return []predictionColumn{row, predicted, uncertainty, observed, residual, density}
	}
	uncertainty.title, uncertainty.value = "entropy", evaluatedRun.entropy
	uncertainty.text = func(r evaluatedRun, i int) string { return decimals(r.entropy(i), 3) }
	observed.left, observed.ascending, observed.text = true, true, evaluatedRun.observedClass
	predicted.left, predicted.ascending = true, true
	predicted.value = func(r evaluatedRun, i int) float64 { return float64(r.predictedClass(i)) }
	predicted.text = func(r evaluatedRun, i int) string {
		return report.Printable(r.Classes[r.predictedClass(i)])
	}
	probability := predictionColumn{key: "probability", title: "probability", drop: 1}
	probability.value = func(r evaluatedRun, i int) float64 { return slices.Max(r.Probabilities(nil, i)) }
	probability.text = func(r evaluatedRun, i int) string { return report.Share(probability.value(r, i)) }
	return []predictionColumn{row, predicted, probability, uncertainty, observed, density}
}

// missingText is the text of a missing observation.
const missingText = "-"

// decimals formats a number with a number of decimals. A number that would be 0 has its first digit.
func decimals(v float64, n int) string {
	switch {
	case math.IsNaN(v):
		return missingText
	case v != 0 && math.Abs(v) < 0.5*math.Pow10(-n):
		return canvas.Digits(v, 1)
	}
	return strconv.FormatFloat(v, 'f', n, 64)
}

// textOf returns the text of a column at point i.
func (c predictionColumn) textOf(r evaluatedRun, i int) string {
	if c.text != nil {
		return c.text(r, i)
	}
	if v := c.value(r, i); !math.IsNaN(v) {
		return report.Number(v)
	}
	return missingText
}

// row returns the number of the row of point i in the data set.
func (r evaluatedRun) row(i int) float64 { return float64(r.Rows[i]) }

// mean, sd and observed return the predictive moments and the observation of the target at point i.
func (r evaluatedRun) mean(i int) float64     { return r.Mean[i*r.P+r.target] }
func (r evaluatedRun) sd(i int) float64       { return math.Sqrt(r.Variance[i*r.P+r.target]) }
func (r evaluatedRun) observed(i int) float64 { return r.Target[i*r.P+r.target] }

// residual returns the observed target minus the predicted mean at point i, in standard deviations.
func (r evaluatedRun) residual(i int) float64 { return (r.observed(i) - r.mean(i)) / r.sd(i) }

// mostProbable returns the class with the largest probability at point i, and its probability.
func (r evaluatedRun) mostProbable(i int) (class int, probability float64) {
	p := r.Probabilities(nil, i)
	probability = slices.Max(p)
	return slices.Index(p, probability), probability
}

// predictedClass returns the class with the largest probability at point i.
func (r evaluatedRun) predictedClass(i int) int {
	class, _ := r.mostProbable(i)
	return class
}

// observedClass returns the name of the observed class of point i.
func (r evaluatedRun) observedClass(i int) string {
	if class, ok := r.ClassOf(i); ok {
		return report.Printable(r.Classes[class])
	}
	return missingText
}

// entropy returns the entropy of the probabilities at point i in nats.
func (r evaluatedRun) entropy(i int) (sum float64) {
	for _, p := range r.Probabilities(nil, i) {
		if p > 0 {
			sum -= p * math.Log(p)
		}
	}
	return sum
}

// newPredictionsPanel returns the panel with a table of predictions. It shows the same target as the panels
// of calibration.
func newPredictionsPanel(b *Board, c *calibrationPanels) *Panel {
	t := b.tested
	target := *c.target
	target.arrows, target.action = noArrows, ActFitTarget
	t.target = &target
	t.calibration = c
	t.filter = &Choice{
		name: "filter", position: new(position), action: ActFilter,
		Count: func(*Board) int {
			p, ok := t.pair()
			switch {
			case !ok:
				return 0
			case p.other == nil:
				return worsePoints
			}
			return filters
		},
		label: func(_ *Board, i int) string {
			p, _ := t.pair()
			return t.filterName(p, i)
		},
		note: func(b *Board) string {
			if filter := b.Value(t.filter); filter != allPoints {
				p, _ := t.pair()
				return t.filterName(p, filter)
			}
			return ""
		},
	}
	t.panel = &Panel{
		Name: "Predictions", short: "Points", title: "Test predictions",
		Guide:   predictionsGuide,
		applies: func(b *Board) bool { return b.anyRun(isEvaluated) },
		absent: func(b *Board) string {
			if _, ok := b.selectedRun(c); ok {
				return ""
			}
			return b.selectedNotEvaluated()
		},
		Choices: []*Choice{t.target, t.filter},
		lead:    func(b *Board) []string { return []string{b.whichRun()} },
		heading: func(b *Board) (title string, notes []string) {
			p, _ := t.pair()
			return c.titleOf(b, "Test predictions"), t.notes(p)
		},
		draw: func(b *Board, w, h int) []string {
			p, _ := t.pair()
			return t.draw(b.Theme, p, w, h)
		},
		All:     true,
		actions: []kit.Action{ActPredictions, kit.ActPageUp, kit.ActPageDown, kit.ActFirst, kit.ActLast},
		Mover:   t,
		figures: func(b *Board) []report.Figure {
			p, _ := t.pair()
			list := p.columns(b.Theme)
			order := p.order(list, t.sortNow(list, 0), allPoints)
			return []report.Figure{{Name: "predictions",
				CSV: func(w io.Writer) error { return predictionsCSV(w, p.evaluatedRun, order) }}}
		},
	}
	return t.panel
}

// Move sorts by another column, or moves the cursor.
func (t *predictionsPanel) Move(_ Screen, across, down int) (message string, taken bool) {
	if across != 0 {
		if p, ok := t.pair(); ok {
			t.sort = t.sortNow(p.columns(t.board.Theme), across)
			t.at = 0
		}
	}
	t.at = max(min(t.at+down, len(t.rows.order)-1), 0)
	return "", true
}

// Act performs the actions of the table, and while it has the focus those of the table of runs.
func (t *predictionsPanel) Act(on Screen, act kit.Action) (message string, taken bool) {
	here := on.Focused() == t.panel
	switch act {
	case ActPredictions:
		if !t.panel.appliesTo(t.board) || !t.panel.Shows(t.board) {
			return t.board.selectedNotEvaluated(), true
		}
		on.Enlarge(t.panel)
		return "", true
	case kit.ActPageUp, kit.ActPageDown, kit.ActFirst, kit.ActLast:
		if !here {
			return "only in the predictions: " + t.board.Key(ActPredictions) + " shows them", true
		}
		t.at = act.Moved(t.at, len(t.rows.order), t.list.Height())
		return "", true
	case kit.ActReverse:
		if !here || t.rows.order == nil {
			return "", false
		}
		t.sort = t.rows.sort
		t.sort.Descending = !t.sort.Descending
		t.at = 0
		return "", true
	}
	return "", false
}

// Point scrolls.
func (t *predictionsPanel) Point(_ Screen, _ kit.Rect, _, wheel int) (taken bool) {
	t.list.Scroll(wheel)
	return true
}

// selectedRun returns the selected run with its predictions of the target. ok is false if it has none.
func (b *Board) selectedRun(c *calibrationPanels) (r evaluatedRun, ok bool) {
	list, _ := b.evaluated(c)
	at := slices.IndexFunc(list, func(r evaluatedRun) bool { return r.Run == b.Current() })
	if at < 0 {
		return r, false
	}
	return list[at], true
}

// sortNow returns the order by the column that is the given number of columns to the right of the current
// one, in the default direction of that column. For 0 it returns the current order.
func (t *predictionsPanel) sortNow(list []predictionColumn, by int) tableSort {
	at := slices.IndexFunc(list, func(c predictionColumn) bool { return c.key == t.sort.Column })
	if at < 0 { // Only the other kind of target may have this column.
		at = slices.IndexFunc(list, func(c predictionColumn) bool { return c.key == uncertaintyColumn })
	} else if by == 0 {
		return t.sort
	}
	c := list[(at+by+len(list))%len(list)]
	return tableSort{c.key, !c.ascending}
}

// sorted returns the visible test points in the current order. It sorts again only if the predictions, the
// target, the filter or the order have changed.
func (t *predictionsPanel) sorted(r testedPair) sortedRows {
	list := r.columns(t.board.Theme)
	now := t.sortNow(list, 0)
	filter := t.board.Value(t.filter)
	var other *rundir.Predictions
	if r.other != nil {
		other = r.other.Predictions
	}
	if t.rows.of != r.Predictions || t.rows.other != other || t.rows.target != r.target {
		t.rows = sortedRows{of: r.Predictions, other: other, target: r.target, widths: make([]int, len(list))}
		t.rows.lo, t.rows.hi = r.intervalEnds()
		for i := range r.N {
			texts := make([]string, len(list))
			for k, c := range list {
				texts[k] = c.textOf(r.evaluatedRun, i)
			}
			t.rows.texts = append(t.rows.texts, texts)
			tables.Widen(t.rows.widths, texts)
		}
	}
	if t.rows.order == nil || t.rows.sort != now || t.rows.filter != filter {
		t.rows.sort = now
		t.rows.filter = filter
		t.rows.order = r.order(list, now, filter)
	}
	return t.rows
}

// order returns the test points that a filter shows, sorted by a column.
func (p testedPair) order(list []predictionColumn, sorted tableSort, filter int) []int {
	by := list[slices.IndexFunc(list, func(c predictionColumn) bool { return c.key == sorted.Column })]
	values := make([]float64, p.N)
	order := make([]int, 0, p.N)
	for i := range p.N {
		values[i] = by.value(p.evaluatedRun, i)
		if p.shown(filter, i) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		v, w := values[i], values[j]
		switch {
		case math.IsNaN(v) || math.IsNaN(w):
			return falseFirst(math.IsNaN(v), math.IsNaN(w))
		case sorted.Descending:
			return cmp.Compare(w, v)
		}
		return cmp.Compare(v, w)
	})
	return order
}

// notes returns the notes in the title: the position of the cursor, the order, and the number of points left
// out.
func (t *predictionsPanel) notes(r testedPair) (notes []string) {
	rows := t.sorted(r)
	list := r.columns(t.board.Theme)
	at := slices.IndexFunc(list, func(c predictionColumn) bool { return c.key == rows.sort.Column })
	order := "ascending"
	if rows.sort.Descending {
		order = "descending"
	}
	n := len(rows.order)
	notes = append(notes, fmt.Sprintf("%s of %s", report.Grouped(min(t.at+1, n)), report.Grouped(n)),
		"by "+list[at].title+", "+order)
	if r.running() {
		notes = append(notes, "so far, at step "+report.Grouped(r.Snapshot.TestStep))
	}
	if r.N < r.Of {
		notes = append(notes, fmt.Sprintf("%s test points; the others were not kept", report.Grouped(r.Of)))
	}
	return notes
}

// draw draws the column titles and the visible rows in h lines of w cells, with the intervals in the
// remaining width.
func (t *predictionsPanel) draw(th *kit.Theme, r testedPair, w, h int) []string {
	rows := t.sorted(r)
	if len(rows.order) == 0 {
		return th.Centred("no test point is "+t.filterName(r, rows.filter), w, h)
	}
	t.at = max(min(t.at, len(rows.order)-1), 0)
	inputs := r.inputLines(th, rows.order[t.at], w, h/leastInputs)
	h -= len(inputs)
	columns := r.columns(th)
	heads := make([]tables.Column, len(columns))
	natural := slices.Clone(rows.widths)
	for i, c := range columns {
		heads[i] = tables.Column{Title: c.title, Right: !c.left, Drop: c.drop}
		if c.left {
			heads[i].Least = leastLabel
		}
		if c.key == rows.sort.Column {
			heads[i].Order = th.Glyphs.Order(rows.sort.Descending)
			heads[i].Keep = true
		}
		natural[i] = max(natural[i], kit.Cells(heads[i].Head()))
	}
	mark := 2
	layout := tables.Fit(heads, natural, w-mark)
	bars := r.bars(w - mark - layout.Width())
	var lines []string
	if h >= 3 {
		head := layout.Row(func(i, w int) string { return th.Cell(heads[i].Head(), w, heads[i].Right) })
		head = strings.Repeat(" ", mark) + head
		for _, b := range bars {
			head += b.title(th, rows.lo, rows.hi)
		}
		lines = append(lines, th.Fit(th.Dim.Render(head), w))
		h--
	}
	lines = append(lines, t.list.Window(len(rows.order), t.at, w, h, func(at int) string {
		i := rows.order[at]
		sign, style := "  ", th.Text
		if r.missed(i) {
			sign, style = th.Warn.Render("!")+" ", th.Warn
		}
		if at == t.at {
			sign, style = th.Selected.Render(th.Glyphs.Focus)+" ", th.Selected
		}
		line := sign + style.Render(layout.Row(func(k, w int) string {
			return th.Cell(rows.texts[i][k], w, heads[k].Right)
		}))
		for _, b := range bars {
			line += b.draw(th, i, rows.lo, rows.hi)
		}
		return th.Fit(line, w)
	})...)
	return append(lines, inputs...)
}

// missed reports whether point i is outside the central 95 % interval, or in another class than the
// predicted one.
func (r evaluatedRun) missed(i int) bool {
	if r.IsClassification() {
		class, ok := r.ClassOf(i)
		return ok && class != r.predictedClass(i)
	}
	p := r.PIT[i*r.P+r.target]
	return p < 0.025 || p > 0.975
}

// predictionsCSV writes the test points in the given order with all digits. Missing observations are empty.
func predictionsCSV(w io.Writer, r evaluatedRun, order []int) error {
	columns := r.columns()
	var head []string
	for _, c := range columns {
		head = append(head, c.csvName(r))
	}
	t := figure.NewTable(w, head...)
	for _, i := range order {
		var row []string
		for _, c := range columns {
			row = append(row, c.exact(r, i))
		}
		t.Row(row...)
	}
	return t.Close()
}

// csvName returns the name of a column in a file.
func (c predictionColumn) csvName(r evaluatedRun) string {
	switch {
	case c.key == uncertaintyColumn && r.IsClassification():
		return "entropy"
	case c.key == uncertaintyColumn:
		return "sd"
	case c.key == residualColumn:
		return "residual_sd"
	}
	return c.key
}

// exact returns the value of a column at point i for a file.
func (c predictionColumn) exact(r evaluatedRun, i int) string {
	v := c.value(r, i)
	switch {
	case math.IsNaN(v):
		return ""
	case c.left || c.key == "row":
		return c.text(r, i)
	case c.key == residualColumn:
		v = r.residual(i) // Rows are sorted by its absolute value.
	}
	return figure.Exact(v)
}
