package cli

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/tables"
)

// result returns the results of a run: test scores and training statistics.
func (c *console) result(s *session.Snapshot) string {
	return resultFacts(s).String() + c.outputs(s.Test)
}

// resultFacts returns the results of a run without the scores of each output.
func resultFacts(s *session.Snapshot) (rows facts) {
	rows.add("ended by", "%s", stopText(s))
	if s.Test != nil {
		rows.test(s)
	}
	if s.LeaveOneOut != nil {
		rows.leaveOneOut(s.LeaveOneOut)
	}
	view := metric.OfSnapshot(s)
	if s.BestStep > 0 {
		rows.add(metric.Get("val.best").In(view).Name, "%s at step %s",
			report.Value(view, "val.best"), report.Grouped(s.BestStep))
	}
	if text := report.ScoredText(s.KeptStep, s.Step); text != "" {
		rows.add("scored", "%s", text)
	}
	rows.add(s.ObjectiveIs.Name, "%s", objectiveText(s))
	if text := report.Evaluation(s.Evaluation); text != "" {
		rows.add("  over all points", "%s", text)
	}
	if text := s.DriftText(); text != "" {
		rows.add("drift", "%s", text)
	}
	rows.alarms(s)
	rows.chains(s)
	time := report.Seconds(s.Seconds)
	if s.Seconds > 0 {
		time += fmt.Sprintf(", %s steps/s", canvas.Number(float64(s.Step)/s.Seconds))
	}
	rows.add(metric.Get("seconds").Name, "%s", time)
	rows.add(metric.Get("parameters").Name, "%s", report.Parameters(s.Parameters, s.Variational))
	rows.add(metric.Get("rescues").Name, "%s", report.Grouped(s.Rescues))
	for _, q := range s.Hyper {
		if q.Name == "likelihood.variance" && len(q.Value) == 1 {
			rows.add("noise variance", "%s (standardised)", canvas.Number(q.Value[0]))
		}
	}
	rows.add("run", "%s", s.Dir)
	return rows
}

// alarms adds the alarms that were active at the end of the run.
func (f *facts) alarms(s *session.Snapshot) {
	name := "alarms"
	for _, a := range s.Alarms {
		f.add(name, "%s, since step %s", report.Printable(a.Text), report.Grouped(a.Since))
		name = ""
	}
}

// chains adds the MCMC diagnostics of a run.
func (f *facts) chains(s *session.Snapshot) {
	c := s.Chains
	if c == nil {
		return
	}
	f.add("chains", "%s", report.MixingText(&c.ChainsSummary))
	for _, n := range c.Normality {
		f.add("normality", "%s", report.NormalityText(n))
	}
	for _, g := range s.ObjectiveIs.Gauges {
		v := float64(c.Gauges[g.Key])
		if !math.IsNaN(v) { // The sampler measures the gauge.
			f.add(g.Name, "%s", canvas.Number(v))
		}
	}
}

// outputMetrics holds the keys of the columns in the table of outputs.
var outputMetrics = []string{"log_lik", "rmse", "mae", "smse", "crps", "coverage50",
	"coverage90", "coverage95"}

// outputs returns a table of the scores of each output, or "" if there is only one.
func (c *console) outputs(test *rundir.Metrics) string {
	if test == nil || len(test.Outputs) == 0 {
		return ""
	}
	return "\n" + c.tableText(outputTable(test))
}

// outputTable has a row for each output.
func outputTable(test *rundir.Metrics) tables.Table {
	t := tables.Table{Columns: []tables.Column{{Title: "output"}, {Title: "points", Right: true}}}
	for _, key := range outputMetrics {
		m, drop := metric.Get(key), 0
		if m.Format == metric.Share {
			drop = 1 // on narrow terminals
		}
		t.Columns = append(t.Columns, tables.Column{Title: m.Short, Right: true, Drop: drop})
	}
	for _, o := range test.Outputs {
		row := []string{o.Output, report.Grouped(o.N)}
		for _, key := range outputMetrics {
			row = append(row, report.Value(metric.OfScores(o), key))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// test adds the test scores.
func (f *facts) test(s *session.Snapshot) {
	f.add("test set", "%s points%s, original units", report.Grouped(s.Test.N), sampled(s.Test.Samples))
	f.scores(s.Test)
	if s.Worst != nil {
		f.add("  worst points", "%s", s.Worst.Text())
	}
}

// leaveOneOut adds the scores of leave-one-out predictions.
func (f *facts) leaveOneOut(l *rundir.LeaveOneOut) {
	points := report.Grouped(l.N) + " training points"
	if l.N < l.Of {
		points = fmt.Sprintf("%s of %s training points", report.Grouped(l.N), report.Grouped(l.Of))
	}
	scores := report.Scores(&l.Metrics, append(slices.Clone(compare.UsualMetrics), "coverage95")...)
	f.add("leave-one-out", "%s (%s, %s)", scores, points, l.Method())
	if text := l.Warning(); text != "" {
		f.add("", "%s", text)
	}
}

// sampled describes the number of samples per prediction. It returns "" if there is no sampling.
func sampled(draws int) string {
	if draws < 2 {
		return ""
	}
	return ", " + report.Grouped(draws) + " samples each"
}

// scores adds the available scores by name.
func (f *facts) scores(scores *rundir.Metrics) {
	for _, m := range metric.Scores() {
		if text := report.Value(metric.OfScores(scores), m.Key); text != "" {
			f.add("  "+strings.TrimPrefix(m.Name, "test "), "%s", text)
		}
	}
}

// stopText returns the reason why a run ended.
func stopText(s *session.Snapshot) string {
	switch s.Stop {
	case rundir.StopSteps:
		text := "completion of all " + report.Grouped(s.Steps) + " steps"
		if _, epochs := s.Epochs(); epochs > 0 {
			text += ", " + plural(epochs, "epoch")
		}
		return text
	case rundir.StopFinished:
		return "decay of the learning rate on request, at step " + report.Grouped(s.Step)
	case rundir.StopEarly:
		return "early stopping at step " + report.Grouped(s.Step) + " of " + report.Grouped(s.Steps)
	case rundir.StopSettled:
		return "until_converged at step " + report.Grouped(s.Step) + " of " + report.Grouped(s.Steps)
	case rundir.StopConverged:
		return "convergence at step " + report.Grouped(s.Step) + " of " + report.Grouped(s.Steps)
	case rundir.StopAsked:
		return "request at step " + report.Grouped(s.Step) + " of " + report.Grouped(s.Steps)
	case rundir.StopRung:
		return "end of a rung at step " + report.Grouped(s.Step) + " of " + report.Grouped(s.Steps)
	case rundir.StopFailed:
		text := "failure at step " + report.Grouped(s.Step)
		if s.Err != nil {
			text += ": " + oneLine(s.Err)
		}
		return text
	}
	if !s.State.Going() {
		return "termination of its process at step " + report.Grouped(s.Step)
	}
	return "not ended, at step " + report.Grouped(s.Step)
}

// Sizes of pictures. They are small enough for emails and issues.
const (
	pictureWidth = 72
	curveHeight  = 13
	mapHeight    = 24
)

// pictures returns the curve of the objective, the covariance map and the predictions over the input plane,
// if they exist. If validation is true, it also returns the validation curve.
func (c *console) pictures(s *session.Snapshot, validation bool) string {
	style := c.style()
	w := min(pictureWidth, c.width())
	var parts []string
	add := func(head string, lines []string) {
		parts = append(parts, trimLines(head+strings.Join(lines, "\n")))
	}
	if len(s.Curve) > 1 {
		add("", objectiveCurve(s).Render(style, w, curveHeight))
	}
	if curve, ok := validationCurve(s.Curve); ok && validation {
		add("", curve.Render(style, w, curveHeight))
	}
	if s.Diagnostics != nil && s.Diagnostics.Blocks != nil {
		m := report.Blocks(s.Diagnostics.Blocks)
		add("Covariance of "+m.Subject()+", log10 |"+m.Symbol()+"|\n",
			m.Render(style, w, mapHeight))
	}
	if d := s.Diagnostics; d != nil && d.Plane != nil && len(d.Plane.Fields) > 0 {
		add("Predictions over the input plane\n",
			report.Plane(d.Plane, 0).Render(style, w, mapHeight))
	}
	return strings.Join(parts, "\n")
}

// objectiveCurve returns the curve of the raw objective.
func objectiveCurve(s *session.Snapshot) curves.Curve {
	series := curves.Series{Label: s.ObjectiveIs.Name}
	for _, p := range s.Curve {
		series.X = append(series.X, float64(p.Step))
		series.Y = append(series.Y, p.Objective)
	}
	return curves.Curve{Series: []curves.Series{series}, Range: curves.Recent}
}

// validationCurve returns the curve of the validation log-likelihood. It returns false if there are
// fewer than two values.
func validationCurve(points []rundir.Point) (curves.Curve, bool) {
	series := curves.Series{Label: "validation log-likelihood", Run: 1}
	for _, p := range points {
		if !math.IsNaN(p.ValLogLik) {
			series.X = append(series.X, float64(p.Step))
			series.Y = append(series.Y, p.ValLogLik)
		}
	}
	return curves.Curve{Series: []curves.Series{series}, Best: chart.Highest, Range: curves.Recent},
		len(series.X) > 1
}

// objectiveText returns the objective of the last step with its terms.
func objectiveText(s *session.Snapshot) string {
	var parts []string
	for _, p := range s.Last.Named(s.ObjectiveIs.Terms) {
		parts = append(parts, p.Name+" "+canvas.Number(p.Value))
	}
	text := canvas.Number(s.Last.Objective)
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}
