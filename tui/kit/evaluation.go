package kit

import (
	"math"
	"strconv"

	"dgplab/session/rundir"
	"dgplab/viz/number"
)

// Evaluation writes an objective over all points, with its standard error and what it
// is of; "" where there is none.
func Evaluation(e *rundir.Evaluation) string {
	switch {
	case e == nil:
		return ""
	case e.Exact:
		return number.Short(float64(e.Objective)) + ", exact"
	}
	text := WithError(float64(e.Objective), float64(e.SE))
	return text + ", " + Plural(e.Passes, "pass", "passes") + " over " + Plural(e.Points, "point", "points")
}

// WithError writes a number with its standard error in parentheses, both with as many
// decimals as show two digits of the latter; four digits of a number without error.
func WithError(value, se float64) string {
	if !(se > 0) || math.IsInf(se, 0) {
		return number.Short(value)
	}
	digits := min(max(1-int(math.Floor(math.Log10(se))), 0), 6)
	fixed := func(x float64) string { return strconv.FormatFloat(x, 'f', digits, 64) }
	return fixed(value) + " (" + fixed(se) + ")"
}
