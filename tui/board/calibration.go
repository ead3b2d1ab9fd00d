package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// calibrationPanels holds the panels that compare predictive distributions with the observations at the test
// points. They show the same target.
type calibrationPanels struct {
	target *Choice
}

func newCalibrationPanels() *calibrationPanels {
	return &calibrationPanels{target: &Choice{
		name: "target", position: new(position), arrows: anyArrow,
		Count: func(b *Board) int { return len(targetsOf(b.representativeRuns())) },
		label: func(b *Board, i int) string { return targetsOf(b.representativeRuns())[i] },
	}}
}

// panels returns the panels for real targets. If all runs are classification runs, the last one shows the
// reliability of probabilities.
func (c *calibrationPanels) panels() (errors, distance, pit, coverage *Panel) {
	errors = c.targetPanel(targetPanel{
		name: "Errors", short: "Err", title: "Errors against variance", file: "errors",
		guide:   errorsGuide,
		classes: "classes have no squared errors; see the reliability of their probabilities",
		picture: errorScatter,
	})
	distance = c.targetPanel(targetPanel{
		name: "Distance", short: "Dist", title: "Variance against distance", file: "distance",
		guide:   distanceGuide,
		classes: "classes have no predicted variance; see the reliability of their probabilities",
		picture: distanceScatter,
	})
	pit = c.targetPanel(targetPanel{
		name: "PIT", short: "PIT", title: "PIT", file: "pit", fileTitle: "Probability integral transform",
		guide:   pitGuide,
		classes: "classes have no probability integral transform; see the reliability of their probabilities",
		picture: func(th *kit.Theme, list []evaluatedRun) viz.Picture { return pitHistograms(th, list) },
		draw:    drawPIT,
	})
	return errors, distance, pit, c.coveragePanel()
}

// targetPanel describes a panel about one target of all runs.
type targetPanel struct {
	name, short, title string
	guide              string
	file               string
	fileTitle          string // title of the figure; title if empty
	// classes explains why nothing is drawn if all evaluated runs are classification runs. It is "" if
	// something is drawn.
	classes string
	picture func(th *kit.Theme, list []evaluatedRun) viz.Picture
	// draw, unless it is nil, replaces the picture on the screen.
	draw func(th *kit.Theme, list []evaluatedRun, w, h int) []string
}

// targetPanel returns a panel of the regression runs.
func (c *calibrationPanels) targetPanel(of targetPanel) *Panel {
	p := Panel{
		Name: of.name, short: of.short, title: of.title, Guide: of.guide,
		applies: func(b *Board) bool { return len(b.Runs) == 0 || b.runsOnClasses() < len(b.Runs) },
		absent: func(b *Board) string {
			list, _ := b.evaluated(c)
			switch {
			case len(list) == 0:
				return b.notEvaluated()
			case list[0].IsClassification(): // These come last.
				return of.classes
			}
			return ""
		},
		Choices:  []*Choice{c.target},
		heading:  func(b *Board) (title string, notes []string) { return c.titleOf(b, of.title), nil },
		picture:  func(b *Board) viz.Picture { return of.picture(b.Theme, b.onRealTargets(c)) },
		footnote: func(b *Board) string { return b.leftOut(c) },
		file:     of.file,
		caption: func(b *Board) string {
			return c.titleOf(b, cmp.Or(of.fileTitle, of.title)) + ", " + b.shownTitle()
		},
		All: true,
	}
	if of.draw != nil {
		p.draw = func(b *Board, w, h int) []string { return of.draw(b.Theme, b.onRealTargets(c), w, h) }
	}
	return &p
}

// titleOf adds the name of the target to a title if there are several targets.
func (c *calibrationPanels) titleOf(b *Board, title string) string {
	runs := b.representativeRuns()
	names := targetsOf(runs)
	if len(names) == 0 || !haveSeveralTargets(runs) {
		return title
	}
	return title + ": " + report.Printable(names[b.Value(c.target)])
}

// coveragePanel returns the panel of the coverage of central intervals or, if all evaluated runs
// are classification runs, of the reliability of probabilities.
func (c *calibrationPanels) coveragePanel() *Panel {
	allOnClasses := func(b *Board) bool { return len(b.Runs) > 0 && b.runsOnClasses() == len(b.Runs) }
	p := c.targetPanel(targetPanel{
		name: "Coverage", short: "Cover", title: "Coverage", file: "coverage",
		guide:   coverageGuide,
		picture: func(th *kit.Theme, list []evaluatedRun) viz.Picture { return coverageLines(th, list) },
	})
	p.names = func(b *Board) (name, short string) {
		if allOnClasses(b) {
			return "Reliability", "Rely"
		}
		return "Coverage", "Cover"
	}
	p.applies, p.title = nil, ""
	heading := p.heading
	p.heading = func(b *Board) (title string, notes []string) {
		if allOnClasses(b) {
			return "Reliability", nil
		}
		return heading(b)
	}
	coverage := p.picture
	p.picture = func(b *Board) viz.Picture {
		if len(b.onRealTargets(c)) > 0 {
			return coverage(b)
		}
		return reliability(b, b.representativeRuns())
	}
	p.figures = func(b *Board) (list []report.Figure) {
		if len(b.onRealTargets(c)) > 0 {
			list = []report.Figure{
				report.NewFigure("coverage", coverage(b), figure.Options{Title: p.caption(b)})}
		}
		if b.runsOnClasses() > 0 {
			list = append(list, report.NewFigure("reliability",
				reliability(b, b.representativeRuns()),
				figure.Options{Title: "Reliability, " + b.shownTitle()}))
		}
		return list
	}
	return p
}

// runsOnClasses counts the classification runs.
func (b *Board) runsOnClasses() int {
	return b.countRuns(func(s *session.Snapshot) bool { return s.Data.Task.Classes() })
}

// notEvaluated returns the text of a panel if no run has predictions of its test points.
func (b *Board) notEvaluated() string {
	return b.evaluateHint("no run has been evaluated on its test set yet")
}

// selectedNotEvaluated returns the text of a panel if the selected run has no predictions of its test points.
func (b *Board) selectedNotEvaluated() string {
	return b.evaluateHint("the selected run has not been evaluated on this target yet")
}

// evaluateHint appends the key that evaluates the selected run if the run can be evaluated.
func (b *Board) evaluateHint(text string) string {
	if key := b.Key(ActEvaluate); key != "" {
		text += ": " + key + " evaluates the selected run now"
	}
	return text
}

// evaluatedRun is a run with predictions and the column of its target.
type evaluatedRun struct {
	*Run
	*rundir.Predictions
	target int
}

// evaluated returns the runs with predictions of the chosen target, classification runs last. others gives
// the reason for each missing run.
func (b *Board) evaluated(c *calibrationPanels) (list []evaluatedRun, others []string) {
	return evaluatedOf(b.Theme, b.representativeRuns(), b.Value(c.target))
}

// evaluatedOf is evaluated for a target given by its index in targetsOf.
func evaluatedOf(th *kit.Theme, runs []*Run, target int) (list []evaluatedRun, others []string) {
	names := targetsOf(runs)
	for _, r := range runs {
		p := r.predictions()
		if p == nil || p.P < 1 {
			others = append(others, cleanText(th, r.Brief)+" not evaluated")
			continue
		}
		column := columnOf(p, names, target)
		if column < 0 {
			others = append(others, cleanText(th, r.Brief)+" not tested on this target")
			continue
		}
		list = append(list, evaluatedRun{r, p, column})
	}
	slices.SortStableFunc(list, func(a, b evaluatedRun) int {
		return falseFirst(a.IsClassification(), b.IsClassification())
	})
	return list, others
}

// onRealTargets returns the regression runs that were tested on the chosen target.
func (b *Board) onRealTargets(c *calibrationPanels) []evaluatedRun {
	list, _ := b.evaluated(c)
	return slices.DeleteFunc(list, func(r evaluatedRun) bool { return r.IsClassification() })
}

// leftOut lists the runs that are missing from a picture of the chosen target, and notes mixed data.
func (b *Board) leftOut(c *calibrationPanels) string {
	list, parts := b.evaluated(c)
	classes := slices.ContainsFunc(list, func(r evaluatedRun) bool { return r.IsClassification() })
	switch {
	case classes && !list[0].IsClassification():
		parts = append(parts, "classification runs are left out")
	case !sameData(b.representativeRuns()):
		parts = append(parts, mixedData)
	}
	return strings.Join(parts, "; ")
}

// testPoints is the label of points in pictures.
const testPoints = "test points"

// mixedData is the note on a picture of runs whose test points differ.
const mixedData = "runs on different data or splits"

// falseFirst compares two booleans for sorting, with false first.
func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// ofTarget returns the name of the target if there are several.
func (r evaluatedRun) ofTarget() string {
	if r.P < 2 {
		return ""
	}
	return " of " + report.Printable(r.Names[r.target])
}

// step returns the step of the evaluation of a run that is still training, such as "at step 290". It returns
// "" for other runs.
func (r evaluatedRun) step() string {
	if !r.running() {
		return ""
	}
	return "at step " + report.Grouped(r.Snapshot.TestStep)
}

// counted returns the label of a run, with the number of test points if they were thinned to save memory.
func (r evaluatedRun) counted(th *kit.Theme) string {
	name := cleanText(th, r.Brief)
	if r.N >= r.Of {
		return name
	}
	return fmt.Sprintf("%s, %s of %s test points", name, report.Grouped(r.N), report.Grouped(r.Of))
}

// cloud returns points in the colour of the run.
func (r evaluatedRun) cloud(th *kit.Theme, x, y []float64) plots.Cloud {
	return plots.Cloud{Label: cleanText(th, r.Brief), Step: r.step(), X: x, Y: y, Run: r.Index, Of: r.Of}
}

// pit returns the probability integral transforms of the observed targets.
func (r evaluatedRun) pit() []float64 {
	var out []float64
	for i := range r.N {
		if k := i*r.P + r.target; !math.IsNaN(r.Target[k]) {
			out = append(out, r.PIT[k])
		}
	}
	return out
}

// errorScatter returns the squared errors against the predicted variances, on logarithmic axes, as in figure
// 3 of Lindinger et al., 2020, arXiv:2005.11110. The line of each run is the running mean. For a calibrated
// model it follows the diagonal, whereas a median would lie at 0.455 of the variance.
func errorScatter(th *kit.Theme, list []evaluatedRun) viz.Picture {
	s := plots.Scatter{
		XName:    "predicted variance",
		YName:    "squared error" + list[0].ofTarget(),
		LogX:     true,
		LogY:     true,
		Diagonal: true,
		Trend:    plots.RunningMean,
		Points:   testPoints,
	}
	for _, r := range list {
		x, y := compare.ErrorAgainstVariance(r.Predictions, r.target)
		s.Clouds = append(s.Clouds, r.cloud(th, x, y))
	}
	return s
}

// distanceScatter returns the predicted variances, on a logarithmic axis, against the standardised distance
// to the nearest training input, with their running median (same figure as errorScatter). The distance is an
// upper bound if it was measured to a sample of the training inputs.
func distanceScatter(th *kit.Theme, list []evaluatedRun) viz.Picture {
	s := plots.Scatter{
		XName:  "distance to the nearest training input, standardised",
		XShort: "distance to training inputs",
		YName:  "predicted variance" + list[0].ofTarget(),
		LogY:   true,
		Trend:  plots.RunningMedian,
		Points: testPoints,
	}
	for _, r := range list {
		x, y := compare.VarianceAgainstDistance(r.Predictions, r.target)
		s.Clouds = append(s.Clouds, r.cloud(th, x, y))
		if r.Near < r.Training {
			s.XName = fmt.Sprintf("distance to the nearest of %s of %s training inputs (upper bound), "+
				"standardised",
				report.Grouped(r.Near), report.Grouped(r.Training))
			s.XShort = "upper bound of the distance to training inputs"
		}
	}
	return s
}

// coverageLevels is the number of nominal probabilities of a coverage curve.
const coverageLevels = 41

// coverageLines returns the observed coverage of central intervals against their nominal coverage.
func coverageLines(th *kit.Theme, list []evaluatedRun) (c plots.Coverage) {
	for _, r := range list {
		line := plots.NewCoverageLine(r.pit(), coverageLevels)
		line.Label = r.counted(th)
		line.Step = r.step()
		line.Run = r.Index
		c.Lines = append(c.Lines, line)
	}
	return c
}
