package browse

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// runCurve holds the report lines of a run.
type runCurve struct {
	id      string
	step    int // of the run when reading began
	reading bool
	points  []rundir.Point
}

// A curve is read again when its run has grown by a twentieth, so that the total cost of reading a run stays
// proportional to its length.
const curveGrowth = 1.05

// readCurve reads the curve of the selected run in the background unless it has been read. One curve is read
// at a time.
func (b *Browse) readCurve() tea.Cmd {
	run := b.current()
	if run == nil || b.curve.reading || run.Err != nil {
		return nil
	}
	if run.ID == b.curve.id && float64(run.Step) <= curveGrowth*float64(b.curve.step) {
		return nil
	}
	b.curve = runCurve{id: run.ID, step: run.Step, reading: true}
	e := b.engine
	of := *run
	return func() tea.Msg {
		var msg curveReadMsg
		if kit.CatchPanic(func() { msg.points = e.Curve(of) }) != nil {
			return curveReadMsg{}
		}
		return msg
	}
}

// curves adds the objective and the validation log-likelihood by step as sparklines.
func (b *Browse) curves(d *lines, run *rundir.Info) {
	if b.curve.id != run.ID {
		return
	}
	var objective, validation []float64
	for _, p := range b.curve.points {
		if canvas.Finite(p.Objective) {
			objective = append(objective, p.Objective)
		}
		if canvas.Finite(p.ValLogLik) {
			validation = append(validation, p.ValLogLik)
		}
	}
	d.sparkline("curves", run.ObjectiveIs.Name, objective)
	d.sparkline("", metric.Get("val.best").Short, validation)
}

// lowShare is the share of the smallest values of a curve that are drawn as if they were equal, because the
// first steps of training would leave no height for the others.
const lowShare = 0.1

// sparkline adds a row with a curve of a quantity and its first and last value, unless it has fewer than two
// values.
func (l *lines) sparkline(name, quantity string, values []float64) {
	if len(values) < 2 {
		return
	}
	first := values[0]
	last := values[len(values)-1]
	ends := " " + quantity + " " + report.Number(first) + " to " + report.Number(last)
	sorted := slices.Sorted(slices.Values(values))
	least := sorted[int(lowShare*float64(len(sorted)))]
	raised := make([]float64, len(values))
	for i, v := range values {
		raised[i] = max(v, least)
	}
	room := l.w - nameWidth - kit.Cells(ends)
	if room < leastSpark {
		return
	}
	w := min(room, len(values), mostSpark)
	th := l.theme
	l.rows = append(l.rows, th.Fit(th.Dim.Render(th.Fit(name, nameWidth))+
		tables.Sparkline(th.VizStyle(), raised, w)+th.Dim.Render(ends), l.w))
}

// leastSpark and mostSpark are the minimum and the maximum room of a sparkline.
const leastSpark, mostSpark = 4, 60
