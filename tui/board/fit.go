package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// fitPanels are the panels of predictions beside the data: along an input, against the
// observations, averaged over the other inputs, and as densities. They share their choices.
type fitPanels struct {
	input, level, target *Choice
}

// newFitPanels returns the four panels.
func newFitPanels() (fit, predicted, dependence, density *Panel) {
	f := &fitPanels{}
	f.input = &Choice{
		name: "input", position: new(position), arrows: leftRight, wheel: true,
		Count: leadingCount(func(f *view.Fit) int { return len(f.Lines) }),
		named: true,
		first: func(b *Board) int {
			if r := b.leadingFitted(); r != nil {
				v, _ := r.views()
				return relevantLine(r, v.Fit)
			}
			return 0
		},
		label: func(b *Board, i int) string { return lineLabel(b.leadingFit(), i) },
		note:  f.inputNote,
	}
	f.level = &Choice{
		name: "level of the other inputs", position: new(position), arrows: downUp, stops: true,
		Count: func(b *Board) int { return f.slices(b) },
		first: func(b *Board) int { return f.slices(b) / 2 },
		note:  f.levelNote,
	}
	f.target = &Choice{
		name: "target", position: new(position), arrows: upDown,
		Count: leadingCount(func(f *view.Fit) int { return len(f.Targets) }),
		label: func(b *Board, i int) string { return b.leadingFit().Targets[i] },
		note:  f.targetNote,
	}
	return f.fitPanel(), f.predictedPanel(), f.dependencePanel(), f.densityPanel()
}

// lineLabel returns the name of the input of a line, with its number if another line has the same name.
func lineLabel(f *view.Fit, line int) string {
	l := f.Lines[line]
	for i := range f.Lines {
		if i != line && f.Lines[i].Name == l.Name {
			return fmt.Sprintf("%s, input %d", l.Name, l.Input+1)
		}
	}
	return l.Name
}

// leadingFit returns the fit to which the choices refer. It is nil if no run has a fit.
func (b *Board) leadingFit() *view.Fit {
	r := b.leadingFitted()
	if r == nil {
		return nil
	}
	v, _ := r.views()
	return v.Fit
}

// leadingFitted returns the selected run if it has a fit, or else the first run that has one, or nil.
func (b *Board) leadingFitted() *Run {
	if b.views().Fit != nil {
		return b.Current()
	}
	for _, r := range b.Runs {
		if v, _ := r.views(); v.Fit != nil {
			return r
		}
	}
	return nil
}

// leadingCount returns the function that counts the values of a choice that depends on the leading fit.
func leadingCount(of func(*view.Fit) int) func(*Board) int {
	return func(b *Board) int {
		if f := b.leadingFit(); f != nil {
			return of(f)
		}
		return 0
	}
}

// complete sets the fields that all panels of fits share.
func (f *fitPanels) complete(p Panel) *Panel {
	p.lead = stepNote
	if p.absent == nil {
		p.absent = withoutFit
	}
	p.All = true
	return &p
}

// withoutFit returns the reason why no run has a fit, or "" if a run has one.
func withoutFit(b *Board) string {
	if b.leadingFit() != nil {
		return ""
	}
	if r := b.Current(); r != nil && r.Ended() {
		if key := b.Key(ActDiagnose); key != "" {
			return "no predictions with the data: " + key + " computes them from the last checkpoint"
		}
	}
	return b.noDataYet("the first predictions with the data")
}

// inputNote returns the number of the input along which the fit is drawn.
func (f *fitPanels) inputNote(b *Board) string {
	fit := b.leadingFit()
	if n := len(fit.Lines); n < len(fit.Inputs) {
		return fmt.Sprintf("input %d of the %d most correlated with the target, of %d in all",
			b.Value(f.input)+1, n, len(fit.Inputs))
	}
	return b.text(f.input)
}

// slices returns the number of levels of the other inputs along the chosen input.
func (f *fitPanels) slices(b *Board) int {
	if fit := b.leadingFit(); fit != nil {
		return len(fit.Lines[b.Value(f.input)].Slices)
	}
	return 0
}

// levelNote returns the quantile at which the other inputs are held, or "" for the median.
func (f *fitPanels) levelNote(b *Board) string {
	fit := b.leadingFit()
	level := b.Value(f.level)
	if level == f.slices(b)/2 {
		return ""
	}
	text := fmt.Sprintf("others at their %g %% quantiles", 100*fit.Levels[level])
	if fit.HoldsCategories(b.Value(f.input)) {
		text += " and most frequent levels"
	}
	return text
}

// medianNote returns the note that the other inputs are held at their medians and most frequent levels. It is
// less important than the note on another level.
func (f *fitPanels) medianNote(b *Board) string {
	if f.levelNote(b) != "" {
		return ""
	}
	return f.medians(b)
}

// medians states that the other inputs are held at their medians and most frequent levels. It is empty
// if there are none.
func (f *fitPanels) medians(b *Board) string {
	fit := b.leadingFit()
	line := b.Value(f.input)
	numbers := fit.HoldsNumbers(line)
	categories := fit.HoldsCategories(line)
	switch {
	case numbers && categories:
		return "others at their medians and most frequent levels"
	case numbers:
		return "others at their medians"
	case categories:
		return "others at their most frequent levels"
	}
	return ""
}

// inputName returns the name of the chosen input.
func (f *fitPanels) inputName(b *Board) string {
	return report.Printable(b.leadingFit().Lines[b.Value(f.input)].Name)
}

// title returns the title of a fit of the chosen target.
func (f *fitPanels) title(b *Board) string {
	along := "along"
	if b.leadingFit().Lines[b.Value(f.input)].Category != nil {
		along = "by"
	}
	return fmt.Sprintf("Fit of %s %s %s", f.targetName(b), along, f.inputName(b))
}

// targetNote returns the number of the target or class.
func (f *fitPanels) targetNote(b *Board) string {
	if !b.leadingFit().Classes {
		return b.text(f.target)
	}
	return fmt.Sprintf("class %d of %d", b.Value(f.target)+1, f.target.Count(b))
}

// targetName returns the name of the chosen target or class.
func (f *fitPanels) targetName(b *Board) string {
	return report.Printable(b.leadingFit().Targets[b.Value(f.target)])
}

// stepNote returns the step of a single fit, which is often earlier than the run's step. Several fits have
// their steps in their titles.
func stepNote(b *Board) []string {
	if fit := b.leadingFit(); fit != nil && len(b.Runs) == 1 {
		return []string{"at step " + report.Grouped(fit.Step)}
	}
	return nil
}

// fittedRun is a run with its fit, and the indices of the chosen line and target in the fit.
type fittedRun struct {
	*Run
	fit          *view.Fit
	line, target int
}

// fitted returns the runs with a fit of the chosen target along the chosen input. left gives their number if
// some runs have no such fit.
func (f *fitPanels) fitted(b *Board) (list []fittedRun, left string) {
	first := b.leadingFit()
	if first == nil {
		return nil, ""
	}
	along := first.Lines[b.Value(f.input)]
	label := lineLabel(first, b.Value(f.input))
	target := first.Targets[b.Value(f.target)]
	runs := b.representatives()
	for _, i := range runs {
		r := b.Runs[i]
		v, _ := r.views()
		if v.Fit == nil {
			continue
		}
		line := -1
		for k := range v.Fit.Lines {
			if lineLabel(v.Fit, k) == label && sameLevels(v.Fit.Lines[k].Category, along.Category) {
				line = k
			}
		}
		if at := slices.Index(v.Fit.Targets, target); line >= 0 && at >= 0 {
			list = append(list, fittedRun{r, v.Fit, line, at})
		}
	}
	if len(list) < len(runs) {
		left = fmt.Sprintf("%d of %d runs have this fit", len(list), len(runs))
	}
	other := func(r fittedRun) bool { return !sameDataOf(r.Snapshot, list[0].Snapshot, true) }
	if slices.ContainsFunc(list, other) {
		left = strings.TrimPrefix(left+", "+mixedData, ", ")
	}
	return list, left
}

// sameLevels reports whether two inputs have the same levels, or both are numbers.
func sameLevels(a, b *view.Category) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Names, b.Names)
}

// commonStep returns the step of the fits in a file, such as "step 1,200", or "" if they have different
// steps.
func (f *fitPanels) commonStep(b *Board) string {
	list, _ := f.fitted(b)
	for _, r := range list {
		if r.fit.Step != list[0].fit.Step {
			return ""
		}
	}
	if len(list) == 0 || !b.inFiles {
		return ""
	}
	return "step " + report.Grouped(list[0].fit.Step)
}

// labels returns the label of a run in a picture of several runs, with its step unless the title has it.
func (f *fitPanels) labels(b *Board, r fittedRun) (label, step string, run int) {
	if len(b.Runs) < 2 {
		return "", "", r.Index
	}
	if f.commonStep(b) != "" {
		return r.Brief, "", r.Index
	}
	return r.Brief, "at step " + report.Grouped(r.fit.Step), r.Index
}

// axes returns the names of the axes of a fit, and the dates on its horizontal axis.
func (r fittedRun) axes() (x, y string, dates chart.Dates) {
	l := r.fit.Lines[r.line]
	dates = report.Dates(l.Name, l.Unit)
	dates.Name = report.Printable(dates.Name)
	return report.Printable(report.AxisName(l.Name, l.Unit)), report.Printable(r.targetAxis()), dates
}

// targetAxis returns the name of the target axis.
func (r fittedRun) targetAxis() string {
	unit := ""
	if r.target < len(r.fit.Units) {
		unit = r.fit.Units[r.target]
	}
	return report.AxisName(r.fit.Targets[r.target], unit)
}

// alongInput returns the picture of all runs along the chosen input, or nil if it is empty. It omits runs
// with an empty picture.
func (f *fitPanels) alongInput(b *Board, pictureOf func(fittedRun) plots.Fit) viz.Picture {
	var p plots.Fits
	list, _ := f.fitted(b)
	for _, r := range list {
		one := pictureOf(r)
		if len(one.X) == 0 {
			continue
		}
		one.Label, one.Step, one.Run = f.labels(b, r)
		p.List = append(p.List, one)
		p.XName, p.YName, p.XDates = r.axes()
	}
	if len(p.List) == 0 {
		return nil
	}
	if c := b.leadingFit().Lines[b.Value(f.input)].Category; c != nil {
		return levelsPicture(p, c)
	}
	return p
}

// levelsPicture returns the picture of fits by the levels of a category.
func levelsPicture(p plots.Fits, c *view.Category) plots.Levels {
	return plots.Levels{Fits: p, Names: report.Levels(c), Counts: c.Counts, More: c.More}
}

// fitPanel returns the panel with the fit along an input.
func (f *fitPanels) fitPanel() *Panel {
	draw := func(b *Board) viz.Picture {
		return f.alongInput(b, func(r fittedRun) plots.Fit {
			line := &r.fit.Lines[r.line]
			p := fitPicture(r.fit, r.line, min(b.Value(f.level), len(line.Slices)-1), r.target)
			if r.Suggested != nil && line.Category == nil {
				p.Observations = append(p.Observations, suggestedPoints(r.Suggested, line, r.target))
			}
			return p
		})
	}
	target := *f.target
	target.action = ActFitTarget
	target.shown = inPicture // Its note comes last.
	return f.complete(Panel{
		Name: "Fit", short: "Fit",
		Guide: fitGuide,
		applies: func(b *Board) bool {
			return b.mayHaveView(func(v view.Views) bool { return v.Fit != nil }) ||
				b.anyRun(func(s *session.Snapshot) bool {
					return !s.State.Going() && s.CheckpointStep >= 0
				})
		},
		Choices: []*Choice{f.level, f.input, &target},
		heading: func(b *Board) (title string, notes []string) {
			fit := b.leadingFit()
			_, left := f.fitted(b)
			notes = []string{f.medianNote(b), b.noteOf(f.target), left}
			if fit.Samples > 1 {
				notes = append(notes, report.Plural(fit.Samples, "sample", "samples"))
			}
			return f.title(b), notes
		},
		picture: draw,
		figures: func(b *Board) []report.Figure {
			return f.figuresByInput(b, "fit", func(b *Board) []string {
				title := []string{f.title(b)}
				if held := cmp.Or(f.levelNote(b), f.medianNote(b)); held != "" {
					title = append(title, held)
				}
				return title
			}, draw)
		},
	})
}

// figuresByInput returns a figure along each input. title returns the parts of the
// title about an input.
func (f *fitPanels) figuresByInput(
	b *Board, name string, title func(*Board) []string, draw func(*Board) viz.Picture,
) (list []report.Figure) {
	fit := b.leadingFit()
	chosen := b.Value(f.input)
	for _, b := range b.each(f.input) {
		p := draw(b)
		if p == nil {
			continue
		}
		file := name
		if len(fit.Lines) > 1 {
			file = fmt.Sprintf("%s-input-%d", name, fit.Lines[b.Value(f.input)].Input+1)
		}
		words := append(title(b), b.shownTitle())
		if step := f.commonStep(b); step != "" {
			words = append(words, step)
		}
		one := report.NewFigure(b.fileOf(file, f.target, f.level), p,
			figure.Options{Title: strings.Join(words, ", ")})
		one.Folded = b.foldedUnless(chosen, f.input)
		list = append(list, one)
	}
	return list
}

// dependencePanel returns the panel with the partial dependence of the predictions on an input.
func (f *fitPanels) dependencePanel() *Panel {
	draw := func(b *Board) viz.Picture {
		return f.alongInput(b, func(r fittedRun) plots.Fit {
			return dependencePicture(r.fit, r.line, r.target)
		})
	}
	level := *f.level
	level.shown = nowhere // It changes only the fit.
	return f.complete(Panel{
		Name: "Dependence", short: "Dep", title: "Partial dependence",
		Guide: dependenceGuide,
		applies: func(b *Board) bool {
			n, _ := b.haveView(func(v view.Views) bool { return v.Fit != nil && v.Fit.Rows > 0 })
			return n > 0
		},
		absent: func(b *Board) string {
			if fit := b.leadingFit(); fit != nil && fit.Rows == 0 && draw(b) == nil {
				return "with a single input, the fit shows the dependence"
			}
			return withoutFit(b)
		},
		Choices: []*Choice{&level, f.input, f.target},
		heading: func(b *Board) (title string, notes []string) {
			if f.target.Count(b) > 1 {
				notes = []string{"of " + f.targetName(b)}
			}
			return "Partial dependence on " + f.inputName(b), append(notes, "without noise")
		},
		picture: draw,
		figures: func(b *Board) []report.Figure {
			return f.figuresByInput(b, "dependence", func(b *Board) []string {
				return []string{"Partial dependence of " + f.targetName(b) + " on " + f.inputName(b)}
			}, draw)
		},
	})
}

// predictedPanel returns the panel with the predictions against the observations at held-out points.
func (f *fitPanels) predictedPanel() *Panel {
	draw := func(b *Board) (p plots.Predictions) {
		list, _ := f.fitted(b)
		for _, r := range list {
			if r.fit.Classes {
				continue
			}
			one := againstPicture(r.fit, r.target)
			one.Label, one.Step, one.Run = f.labels(b, r)
			p.List = append(p.List, one)
			p.XName = "observed " + report.Printable(r.targetAxis())
			p.YName = "predicted"
		}
		return p
	}
	target := *f.target
	target.arrows = anyArrow
	return f.complete(Panel{
		Name: "Predicted", short: "Pred", title: "Predicted against observed",
		Guide: predictedGuide,
		applies: func(b *Board) bool {
			n, _ := b.haveView(func(v view.Views) bool {
				return v.Fit != nil && !v.Fit.Classes && v.Fit.Held.Size() > 0
			})
			return n > 0
		},
		Choices: []*Choice{&target},
		heading: func(b *Board) (title string, notes []string) {
			held := b.leadingFit().Held
			points := held.Name
			if n := held.Size(); n < held.Total {
				points = fmt.Sprintf("%d of %s %s", n, report.Grouped(held.Total), points)
			}
			return "", []string{f.targetName(b), points}
		},
		picture: func(b *Board) viz.Picture {
			if p := draw(b); len(p.List) > 0 {
				return p
			}
			return nil
		},
		file: "predicted",
		caption: func(b *Board) string {
			title := fmt.Sprintf("Predicted against observed %s, %s", f.targetName(b), b.shownTitle())
			if step := f.commonStep(b); step != "" {
				title += ", " + step
			}
			return title
		},
	})
}

// A slice is drawn with the share of the training points that are nearest to it in the other inputs, and at
// least leastNearest points.
const nearestShare, leastNearest = 0.25, 12

// intervals holds the names of the central intervals of a fit.
var intervals = [...]string{"95 %", "50 %"}

// intervalsOf returns the intervals of a prediction.
func intervalsOf(f view.Fitted) (list []chart.Range) {
	for i, name := range intervals {
		if lo, hi := i, len(view.FitLevels)-1-i; hi < len(f.Quantiles) {
			list = append(list, chart.Range{Name: name, Lo: f.Quantiles[lo], Hi: f.Quantiles[hi]})
		}
	}
	return list
}

// fitPicture returns the predictions of a target along a line, with the other inputs at a level.
func fitPicture(f *view.Fit, line, level, target int) plots.Fit {
	l := &f.Lines[line]
	at := l.Slices[level][target]
	p := plots.Fit{
		X:         l.Grid,
		Mean:      at.Mean,
		MeanName:  "predictive mean",
		Ranges:    intervalsOf(at),
		Marks:     l.Inducing,
		MarksName: "inducing inputs",
	}
	if f.Classes {
		p.MeanName = "probability"
	}
	if l.Draws != nil && level == len(l.Slices)/2 {
		p.Draws = plainRows(l.Draws[target])
		p.DrawsName = fmt.Sprintf("%d draws of f", len(p.Draws))
	}
	if len(l.Slices) == 1 {
		level = len(f.Levels) / 2
	}
	for _, points := range []*view.FitPoints{&f.Train, &f.Held} {
		p.Observations = append(p.Observations, nearestPoints(f, points, line, level, target))
	}
	return p
}

// nearestPoints returns the points nearest to a slice in the other inputs, or all points if there are no
// other inputs. Distances are relative to the ranges of the inputs; the distance between two levels is 1.
func nearestPoints(f *view.Fit, p *view.FitPoints, line, level, target int) (c plots.Observations) {
	var rows []int
	for k, x := range p.X[line] {
		if !math.IsNaN(x) { // A missing cell has no level.
			rows = append(rows, k)
		}
	}
	n := len(rows)
	c.Name = p.Name
	c.Short, _, _ = strings.Cut(p.Name, " ")
	if n < p.Total {
		c.Name = fmt.Sprintf("%d of %d %s", n, p.Total, p.Name)
	}
	if len(f.Lines) > 1 && n > leastNearest {
		distance := make([]float64, p.Size())
		for i := range f.Lines {
			grid := f.Lines[i].Grid
			span := grid[len(grid)-1] - grid[0]
			if i == line || !(span > 0) {
				continue
			}
			for k, x := range p.X[i] {
				d := (x - f.At[level][i]) / span
				if f.Lines[i].Category != nil {
					d = 0
					if x != f.At[level][i] { // Two levels are as far apart as the ends of a range.
						d = 1
					}
				}
				distance[k] += d * d
			}
		}
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
		rows = rows[:max(int(math.Ceil(nearestShare*float64(n))), leastNearest)]
		c.Name = fmt.Sprintf("%d nearest of %d %s", len(rows), p.Total, p.Name)
		if n < p.Total {
			c.Name = fmt.Sprintf("%d nearest of %d of %d %s", len(rows), n, p.Total, p.Name)
		}
	}
	for _, k := range rows {
		c.X = append(c.X, p.X[line][k])
		c.Y = append(c.Y, p.Y[target][k])
	}
	return c
}

// dependencePicture returns the picture of the partial dependence of a target on the input of a line. It is
// empty if the fit has none.
func dependencePicture(f *view.Fit, line, target int) plots.Fit {
	l := &f.Lines[line]
	if f.Rows == 0 || len(l.Dependence) == 0 {
		return plots.Fit{}
	}
	d := l.Dependence[target]
	return plots.Fit{X: l.Coarse, Mean: d.Mean, MeanName: fmt.Sprintf("mean over %d rows", f.Rows),
		Ranges: []chart.Range{{Name: "9 in 10 rows", Lo: d.Lo, Hi: d.Hi}}}
}

// againstPicture returns the picture of the predictions of a target against its observations at held-out
// points.
func againstPicture(f *view.Fit, target int) plots.Prediction {
	return plots.Prediction{
		Observed: f.Held.Y[target],
		Mean:     f.Predicted[target].Mean,
		Ranges:   intervalsOf(f.Predicted[target]),
	}
}

// suggestedPoints returns the suggested inputs along a numeric line at the predicted means of a target.
func suggestedPoints(s *probe.Suggestions, line *view.FitLine, target int) plots.Observations {
	name := "suggested inputs at step " + report.Grouped(s.Step)
	points := plots.Observations{Name: name, Short: "suggested"}
	for _, one := range s.List {
		if target < len(one.Mean) {
			points.X = append(points.X, one.At[line.Input])
			points.Y = append(points.Y, one.Mean[target])
		}
	}
	return points
}
