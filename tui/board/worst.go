package board

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// The worst points are a share of the test points, 1 in worstShare, but at least leastWorst and at most
// mostWorst. A panel with room for more lists up to mostWorst points.
const leastWorst, mostWorst, worstShare = 5, 40, 3

// worstPanel returns the panel of the test points with the lowest log densities of the selected run,
// beside those of the run that it is compared with.
func (c *calibrationPanels) worstPanel() *Panel {
	target := *c.target
	return &Panel{
		Name: "Worst", short: "Worst", title: "Worst test points",
		Guide: worstGuide,
		lines: func(b *Board, _ int) int {
			r, _ := b.selectedRun(c)
			d := worstDots(r, b.otherPredictions(r))
			d.Rows = d.Rows[:r.fewWorst()]
			return d.Lines()
		},
		applies: func(b *Board) bool { return b.anyRun(isEvaluated) },
		absent: func(b *Board) string {
			if _, ok := b.selectedRun(c); ok {
				return ""
			}
			return b.notEvaluated()
		},
		Choices: []*Choice{&target},
		lead:    func(b *Board) []string { return []string{b.whichRun()} },
		heading: func(b *Board) (title string, notes []string) {
			r, _ := b.selectedRun(c)
			if r.running() {
				notes = append(notes, "so far, at step "+report.Grouped(r.Snapshot.TestStep))
			}
			return c.titleOf(b, "Worst test points"), append(notes, "lowest log density first")
		},
		picture: func(b *Board) viz.Picture {
			r, _ := b.selectedRun(c)
			return worstDots(r, b.otherPredictions(r))
		},
		All: true,
		figures: func(b *Board) []report.Figure {
			r, _ := b.selectedRun(c)
			d := worstDots(r, b.otherPredictions(r))
			d.Rows = d.Rows[:r.fewWorst()]
			f := report.NewFigure("worst", d,
				figure.Options{Title: c.titleOf(b, "Worst test points") + ", " + r.Brief})
			if r.unsettled() {
				f.Options.Title += ", not settled"
			}
			f.CSV = func(w io.Writer) error { return worstCSV(w, r) }
			return []report.Figure{f}
		},
	}
}

// otherRun returns the run that the selected run r is compared with at the same test points, or nil if there
// is none.
func (b *Board) otherRun(r evaluatedRun) *Run {
	for _, m := range b.comparison().matches {
		for _, pair := range m.pairs {
			if pair[0] == r.Run {
				return pair[1]
			}
		}
	}
	return nil
}

// otherPredictions returns the predictions of otherRun, or nil if there are none.
func (b *Board) otherPredictions(r evaluatedRun) *rundir.Predictions {
	if other := b.otherRun(r); other != nil {
		return other.predictions()
	}
	return nil
}

// logDensity returns the log density of the target at point i.
func (r evaluatedRun) logDensity(i int) float64 {
	if r.LogLikByTarget != nil {
		return r.LogLikByTarget[i*r.P+r.target]
	}
	return r.LogLik[i]
}

// worst returns at most mostWorst points with the lowest log densities of the target, lowest first.
func (r evaluatedRun) worst() (points []int) {
	for i := range r.N {
		if !math.IsNaN(r.Target[i*r.P+r.target]) {
			points = append(points, i)
		}
	}
	slices.SortStableFunc(points, func(i, j int) int { return cmp.Compare(r.logDensity(i), r.logDensity(j)) })
	return points[:min(len(points), mostWorst)]
}

// fewWorst returns the number of points that count as the worst of the target.
func (r evaluatedRun) fewWorst() int {
	n := 0
	for i := range r.N {
		if !math.IsNaN(r.Target[i*r.P+r.target]) {
			n++
		}
	}
	return min(n, max(n/worstShare, leastWorst), mostWorst)
}

// worstDots returns the picture of the worst points: the observed and the predicted target with its standard
// deviation, and the error with two standard deviations on an axis. For classes it shows the probability of
// the observed class. If other is not nil, a column has the differences of the log-likelihoods.
func worstDots(r evaluatedRun, other *rundir.Predictions) plots.Dots {
	d := plots.Dots{
		Columns: []string{"row", "log p", "observed", "predicted", "sd"},
		XName:   "predicted minus observed" + r.ofTarget(),
		DotName: "predicted minus observed", RangeName: "2 sd", TickName: "observed",
		Empty: "no points",
	}
	if r.IsClassification() {
		d.Columns = []string{"row", "log p", "observed", "predicted", "p"}
		d.XName, d.DotName = "probability of the observed class", "of the observed class"
		d.RangeName, d.TickName = "", ""
	}
	if other != nil {
		d.Columns = append(d.Columns, "A-B")
	}
	for _, i := range r.worst() {
		row := r.worstRow(i)
		row.Texts = slices.Insert(row.Texts, 0, report.Number(r.logDensity(i)))
		if other != nil {
			row.Texts = append(row.Texts, report.Number(r.LogLik[i]-other.LogLik[i]))
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

// worstRow returns the observation and the prediction at point i.
func (r evaluatedRun) worstRow(i int) plots.DotRow {
	row := plots.DotRow{Label: strconv.Itoa(r.Rows[i]), Run: r.Index, Lo: math.NaN(), Hi: math.NaN(),
		Tick: math.NaN()}
	if r.IsClassification() {
		class, _ := r.ClassOf(i)
		p := r.Probabilities(nil, i)
		top := slices.Index(p, slices.Max(p))
		row.Texts = []string{report.Printable(r.Classes[class]), report.Printable(r.Classes[top]),
			report.Share(p[class])}
		row.Values = []float64{p[class]}
		return row
	}
	k := i*r.P + r.target
	sd := math.Sqrt(r.Variance[k])
	row.Texts = []string{report.Number(r.Target[k]), report.Number(r.Mean[k]), report.Number(sd)}
	e := r.Mean[k] - r.Target[k]
	row.Values, row.Lo, row.Hi, row.Tick = []float64{e}, e-2*sd, e+2*sd, 0
	return row
}

// worstCSV writes the worst points with all digits.
func worstCSV(w io.Writer, r evaluatedRun) error {
	if r.IsClassification() {
		d := worstDots(r, nil)
		d.Rows = d.Rows[:r.fewWorst()]
		return d.CSV(w)
	}
	t := figure.NewTable(w, "row", "log_density", "observed", "predicted", "sd")
	for _, i := range r.worst()[:r.fewWorst()] {
		k := i*r.P + r.target
		t.Row(strconv.Itoa(r.Rows[i]), figure.Exact(r.logDensity(i)), figure.Exact(r.Target[k]),
			figure.Exact(r.Mean[k]), figure.Exact(math.Sqrt(r.Variance[k])))
	}
	return t.Close()
}

// residualPanel returns the panel with the errors of a single run against its predictions.
func (c *calibrationPanels) residualPanel() *Panel {
	p := c.targetPanel(targetPanel{
		name: "Residuals", short: "Res", title: "Residuals", file: "residuals",
		guide:   residualsGuide,
		picture: func(th *kit.Theme, list []evaluatedRun) viz.Picture { return residuals(th, list[0]) },
	})
	applies := p.applies
	p.applies = func(b *Board) bool { return len(b.Runs) == 1 && b.anyRun(isEvaluated) && applies(b) }
	return p
}

// residuals returns a scatter plot of the observed minus the predicted target against the prediction.
func residuals(th *kit.Theme, r evaluatedRun) plots.Scatter {
	var x, y []float64
	for i := range r.N {
		k := i*r.P + r.target
		x = append(x, r.Mean[k])
		y = append(y, r.Target[k]-r.Mean[k])
	}
	return plots.Scatter{
		XName:  "predicted" + r.ofTarget(),
		YName:  "observed minus predicted",
		Clouds: []plots.Cloud{r.cloud(th, x, y)},
		Trend:  plots.RunningMean,
		Points: testPoints,
	}
}

// intervalPanel returns the panel of the observed coverage of the central intervals of 50, 90 and
// 95 % of all runs with the test set of the selected run.
func (c *calibrationPanels) intervalPanel() *Panel {
	p := c.targetPanel(targetPanel{
		name: "Intervals", short: "Int", title: "Coverage of intervals", file: "intervals",
		guide: intervalsGuide,
	})
	p.picture = func(b *Board) viz.Picture { return intervalDots(b, b.onRealTargets(c)) }
	applies := p.applies
	p.applies = func(b *Board) bool { return b.anyRun(isEvaluated) && applies(b) }
	p.lines = func(b *Board, _ int) int { return intervalDots(b, b.onRealTargets(c)).Lines() }
	p.footnote = nil
	caption := p.caption
	p.caption = func(b *Board) string { return caption(b) + unsettledNote(b.representativeRuns()) }
	return p
}

// intervalLevels holds the nominal probabilities in the panel of intervals.
var intervalLevels = []float64{0.5, 0.9, 0.95}

// intervalDots returns the picture of the observed coverage of each level and run on the test set of the
// selected run, with the central 95 % of the binomial distribution for a calibrated run.
func intervalDots(b *Board, list []evaluatedRun) plots.Dots {
	d := plots.Dots{
		Columns: []string{"interval", "run", "observed"}, Words: 1,
		XName:   "share of observations inside",
		DotName: "observed", RangeName: "95 % binomial", TickName: "nominal",
		Empty: "no run has the test set of the selected run",
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r evaluatedRun) bool {
		return !sameFields(r.Run, b.Current(), isData)
	})
	for _, level := range intervalLevels {
		for i, r := range list {
			row := plots.NewCoverageRow(r.pit(), level)
			row.Run = r.Index
			row.Texts = []string{cleanText(b.Theme, provisional(r.Run)),
				report.Share(row.Values[0])}
			if i == 0 {
				row.Label = fmt.Sprintf("%g %%", 100*level)
			}
			d.Rows = append(d.Rows, row)
		}
	}
	return d
}
