package panel

import (
	"fmt"
	"math"
	"slices"

	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/viz/calibration"
	"dgplab/viz/points"
)

// ErrorVariance draws the squared errors of a target (counted from 0, modulo their
// number) against their predicted variances, on logarithmic axes (figure 3 of
// Lindinger et al., 2020, arXiv:2005.11110). The line of each run is the running
// mean: of a calibrated model it follows the diagonal, which a median would not (it
// is 0.455 of the variance). It is exactly h lines of w cells.
func ErrorVariance(th *kit.Theme, runs []Run, target, w, h int) []string {
	return evaluated(th, runs, target, w, h,
		"classes have no squared errors: see how reliable their probabilities are",
		func(list []scored, w, h int) []string {
			return errorScatter(th, list).Render(th.VizStyle(), w, h)
		})
}

// ErrorScatter is the picture of ErrorVariance, without points where no run has any.
func ErrorScatter(th *kit.Theme, runs []Run, target int) points.Scatter {
	return errorScatter(th, onNumbers(th, runs, target))
}

func errorScatter(th *kit.Theme, list []scored) points.Scatter {
	s := points.Scatter{
		XName:    "predicted variance",
		YName:    "squared error",
		LogX:     true,
		LogY:     true,
		Diagonal: true,
		Trend:    points.RunningMean,
	}
	for _, r := range list {
		s.YName = "squared error" + list[0].which()
		x, y := compare.ErrorAgainstVariance(r.Predictions, r.target)
		s.Clouds = append(s.Clouds, r.cloud(th, x, y))
	}
	return s
}

// VarianceDistance draws the predicted variances of a target, on a logarithmic axis,
// against the distance of the point to the nearest training input (standardised;
// an upper bound where it was measured to a sample of them), with their running
// median (same figure). It is exactly h lines of w cells.
func VarianceDistance(th *kit.Theme, runs []Run, target, w, h int) []string {
	return evaluated(th, runs, target, w, h,
		"classes have no predicted variance: see how reliable their probabilities are",
		func(list []scored, w, h int) []string {
			return distanceScatter(th, list).Render(th.VizStyle(), w, h)
		})
}

// DistanceScatter is the picture of VarianceDistance, without points where no run has any.
func DistanceScatter(th *kit.Theme, runs []Run, target int) points.Scatter {
	return distanceScatter(th, onNumbers(th, runs, target))
}

func distanceScatter(th *kit.Theme, list []scored) points.Scatter {
	s := points.Scatter{
		XName:  "distance to the nearest training input, standardised",
		XShort: "standardised distance to training inputs",
		YName:  "predicted variance",
		LogY:   true,
		Trend:  points.RunningMedian,
	}
	for _, r := range list {
		s.YName = "predicted variance" + list[0].which()
		x, y := compare.VarianceAgainstDistance(r.Predictions, r.target)
		s.Clouds = append(s.Clouds, r.cloud(th, x, y))
		if r.Near < r.Training {
			s.XName = fmt.Sprintf("distance to the nearest of %s of %s training inputs (upper bound), "+
				"standardised",
				kit.Grouped(r.Near), kit.Grouped(r.Training))
			s.XShort = "upper bound of the distance to training inputs"
		}
	}
	return s
}

// coverageLevels is the number of nominal probabilities of a coverage curve.
const coverageLevels = 41

// Coverage draws the observed against the nominal coverage of central intervals of a
// target, with the band of chance. Of classes it draws Reliability. It is exactly h lines
// of w cells.
func Coverage(th *kit.Theme, runs []Run, target, w, h int) []string {
	return evaluated(th, runs, target, w, h, "", func(list []scored, w, h int) []string {
		if list[0].IsClassification() {
			return Reliability(th, runs).Render(th.VizStyle(), w, h)
		}
		return coverages(th, list).Render(th.VizStyle(), w, h)
	})
}

// Coverages is the picture of Coverage of real targets, without lines where no run has any.
func Coverages(th *kit.Theme, runs []Run, target int) calibration.Coverage {
	return coverages(th, onNumbers(th, runs, target))
}

func coverages(th *kit.Theme, list []scored) (c calibration.Coverage) {
	for _, r := range list {
		line := calibration.Covered(r.pit(), coverageLevels)
		line.Label, line.Run = r.label(th)+r.picked(), r.Index
		c.Lines = append(c.Lines, line)
	}
	return c
}

// scored is a run that was evaluated, and one of its targets.
type scored struct {
	Run
	*rundir.Predictions
	target int
}

// which names the target where there are several.
func (r scored) which() string {
	if r.P < 2 {
		return ""
	}
	return " of " + printable.Text(r.Name(r.target))
}

// label names a run, and says when it was evaluated if it goes on.
func (r scored) label(th *kit.Theme) string {
	text := clean(th, r.Label)
	if r.going() {
		text += " at step " + kit.Grouped(r.Snapshot.TestStep)
	}
	return text
}

// picked says how many points there were, where some were left out to save memory.
func (r scored) picked() string {
	if r.N >= r.Of {
		return ""
	}
	return fmt.Sprintf(" (%s of %s points)", kit.Grouped(r.N), kit.Grouped(r.Of))
}

// cloud returns points of a run.
func (r scored) cloud(th *kit.Theme, x, y []float64) points.Cloud {
	return points.Cloud{Label: r.label(th), X: x, Y: y, Run: r.Index, Of: r.Of}
}

// pit returns the probability integral transform of the target where it was observed.
func (r scored) pit() []float64 {
	var out []float64
	for i := range r.N {
		if k := i*r.P + r.target; !math.IsNaN(r.Target[k]) {
			out = append(out, r.PIT[k])
		}
	}
	return out
}

// evaluated draws the runs that have predictions, and in the last line says which have none yet, or
// are on other data. Runs on classes are left out beside others; forClasses is what is said where
// all have them, "" where those can be drawn.
func evaluated(
	th *kit.Theme,
	runs []Run,
	target, w, h int,
	forClasses string,
	draw func(list []scored, w, h int) []string,
) []string {
	if w < 1 || h < 1 {
		return nil
	}
	list, classes, waiting := tested(th, runs, target)
	switch {
	case len(list) == 0:
		return th.Centred("no run has been evaluated on its test part yet", w, h)
	case classes == len(list) && forClasses != "":
		return th.Centred(forClasses, w, h)
	}
	if classes < len(list) {
		list = list[:len(list)-classes]
	}
	note := notes(runs, waiting, classes > 0 && !list[0].IsClassification())
	if note == "" || h < 6 {
		return th.Box(draw(list, w, h), w, h)
	}
	return th.Box(append(draw(list, w, h-1), th.Dim.Render(note)), w, h)
}

// onNumbers returns the runs that were tested on a real target.
func onNumbers(th *kit.Theme, runs []Run, target int) []scored {
	list, classes, _ := tested(th, runs, target)
	return list[:len(list)-classes]
}

// tested returns the runs that were tested on a target, in their order but for those on
// classes, which are last, how many these are, and what to say of the others.
func tested(th *kit.Theme, runs []Run, target int) (list []scored, classes int, waiting []string) {
	names := Targets(runs)
	for _, r := range runs {
		p := r.predictions()
		if p == nil || p.P < 1 {
			waiting = append(waiting, clean(th, r.Label)+" not evaluated")
			continue
		}
		column := columnOf(p, names, target)
		if column < 0 {
			waiting = append(waiting, clean(th, r.Label)+" not tested on it")
			continue
		}
		list = append(list, scored{r, p, column})
		if p.IsClassification() {
			classes++
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		return order(a.IsClassification(), b.IsClassification())
	})
	return list, classes, waiting
}

// order is -1, 0 or 1: false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// notes says what a picture of calibration leaves out or mixes.
func notes(runs []Run, waiting []string, mixed bool) string {
	text := ""
	add := func(more string) {
		if text != "" {
			text += "; "
		}
		text += more
	}
	for _, why := range waiting {
		add(why)
	}
	if mixed {
		add("runs on classes are left out")
	} else if !sameData(runs) {
		add("runs on different data or splits")
	}
	return text
}
