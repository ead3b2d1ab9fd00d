package report

import (
	"math"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/viz/canvas"
)

// Evaluation formats an objective over all points with its standard error and the numbers of passes and
// points. It returns "" if e is nil.
func Evaluation(e *rundir.Evaluation) string {
	switch {
	case e == nil:
		return ""
	case e.Exact:
		return canvas.Number(float64(e.Objective)) + ", exact"
	}
	text := WithError(float64(e.Objective), float64(e.SE))
	return text + ", " + Plural(e.Passes, "pass", "passes") + " over " + Plural(e.Points, "point", "points")
}

// WithError formats a number with its standard error in parentheses; see metric.WithError. A number without
// a standard error has four significant digits.
func WithError(value, se float64) string {
	if !(se > 0) || math.IsInf(se, 0) {
		return canvas.Number(value)
	}
	text, digits := metric.WithError(value, se)
	return text + " (" + digits + ")"
}
