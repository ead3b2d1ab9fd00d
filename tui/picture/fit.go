package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/datasets/columns"
	"dgplab/models/view"
	"dgplab/viz/axes"
	"dgplab/viz/fits"
)

// nearShare is the share of training points that are shown beside a slice, those whose other
// inputs are nearest to it, and nearLeast the fewest.
const nearShare, nearLeast = 0.25, 12

// Intervals are the central intervals of a fit, as its pictures name them.
var Intervals = [...]string{"95 %", "50 %"}

// FitAxes names the axes of a fit along a line: the input and the target, with their units.
func FitAxes(f *view.Fit, line, target int) (x, y string) {
	return axisName(f.Lines[line].Name, f.Lines[line].Unit), TargetAxis(f, target)
}

// FitDates are known where the input of a line is time.
func FitDates(f *view.Fit, line int) axes.Dates { return dates(f.Lines[line].Name, f.Lines[line].Unit) }

// dates are known of a column whose unit is one of time.
func dates(name, unit string) axes.Dates {
	return axes.Dates{Name: name, Unit: columns.SecondsOf(unit)}
}

// TargetAxis names the axis of a target of a fit.
func TargetAxis(f *view.Fit, target int) string {
	unit := ""
	if target < len(f.Units) {
		unit = f.Units[target]
	}
	return axisName(f.Targets[target], unit)
}

// axisName is a name with its unit, if there is one.
func axisName(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}

// ranges returns the intervals of a prediction.
func ranges(f view.Fitted) (list []fits.Range) {
	for i, name := range Intervals {
		if lo, hi := i, len(view.FitLevels)-1-i; hi < len(f.Quantiles) {
			list = append(list, fits.Range{Name: name, Lo: f.Quantiles[lo], Hi: f.Quantiles[hi]})
		}
	}
	return list
}

// Fit is the picture of what is predicted of a target along a line, with the other inputs at
// a level.
func Fit(f *view.Fit, line, level, target int) fits.Fit {
	l := &f.Lines[line]
	at := l.Slices[level][target]
	p := fits.Fit{
		X:         l.Grid,
		Mean:      at.Mean,
		MeanName:  "predictive mean",
		Ranges:    ranges(at),
		Marks:     l.Inducing,
		MarksName: "inducing inputs",
	}
	if f.Classes {
		p.MeanName = "probability"
	}
	if l.Draws != nil && f.Levels[level] == 0.5 {
		p.Draws = plain(l.Draws[target])
		p.DrawsName = fmt.Sprintf("%d draws of f", len(p.Draws))
	}
	for _, points := range []*view.FitPoints{&f.Train, &f.Held} {
		p.Clouds = append(p.Clouds, near(f, points, line, level, target))
	}
	return p
}

// near returns the points of which the other inputs are nearest to where they are held, all
// where there are no others. Distances are in the ranges of the lines.
func near(f *view.Fit, p *view.FitPoints, line, level, target int) (c fits.Cloud) {
	n := p.Size()
	c.Name = p.Name
	c.Short, _, _ = strings.Cut(p.Name, " ")
	if n < p.Total {
		c.Name = fmt.Sprintf("%d of %d %s", n, p.Total, p.Name)
	}
	rows := make([]int, n)
	for k := range rows {
		rows[k] = k
	}
	if len(f.Lines) > 1 && n > nearLeast {
		distance := make([]float64, n)
		for i := range f.Lines {
			span := f.Lines[i].Grid[len(f.Lines[i].Grid)-1] - f.Lines[i].Grid[0]
			if i == line || !(span > 0) {
				continue
			}
			for k, x := range p.X[i] {
				d := (x - f.At[level][i]) / span
				distance[k] += d * d
			}
		}
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
		rows = rows[:max(int(math.Ceil(nearShare*float64(n))), nearLeast)]
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

// Dependence is the picture of the partial dependence of a target on the input of a line.
func Dependence(f *view.Fit, line, target int) fits.Fit {
	l := &f.Lines[line]
	if len(l.Dependence) == 0 {
		return fits.Fit{}
	}
	d := l.Dependence[target]
	return fits.Fit{X: l.Coarse, Mean: d.Mean, MeanName: fmt.Sprintf("mean over %d rows", f.Rows),
		Ranges: []fits.Range{{Name: "9 in 10 rows", Lo: d.Lo, Hi: d.Hi}}}
}

// Against is the picture of what is predicted of a target at the points that are held back.
func Against(f *view.Fit, target int) fits.Against {
	return fits.Against{
		Observed: f.Held.Y[target],
		Mean:     f.Predicted[target].Mean,
		Ranges:   ranges(f.Predicted[target]),
	}
}
