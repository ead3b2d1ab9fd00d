package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/viz/canvas"
)

// Grouped formats an integer with commas between thousands.
func Grouped(n int) string {
	text := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, text = "-", text[1:]
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return sign + text
}

// About formats an estimated count with two significant digits.
func About(n int) string {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return "about " + Grouped((n+unit/2)/unit*unit)
}

// Padded right-aligns text in w cells, which keeps the layout steady when a number changes.
func Padded(text string, w int) string {
	return fmt.Sprintf("%*s", w, text)
}

// StepText formats the time per step, such as "12.3 ms" or "1.52 s".
func StepText(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

// Plural formats a count and its noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// Number formats x with at most four significant digits.
func Number(x float64) string { return canvas.Number(x) }

// Score formats x with four significant digits and at most four decimals. Trailing zeros are kept, so that
// the digits of similar numbers in a column line up. Numbers of at least 1000, and those of which four
// decimals would leave no two digits, are formatted by Number.
func Score(x float64) string {
	size := math.Abs(x)
	if !(size < 999.95) || size > 0 && size < 0.00095 {
		return Number(x)
	}
	decimals := 4
	for _, limit := range []float64{0.99995, 9.9995, 99.995} {
		if size >= limit {
			decimals--
		}
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// Share formats a fraction between 0 and 1 in percent. Only 0 is 0.0%.
func Share(x float64) string {
	switch {
	case math.IsNaN(x):
		return Number(x)
	case x > 0 && x < 0.0005:
		return canvas.Digits(100*x, 1) + "%"
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + "%"
}

// Format formats a number of a column.
func Format(c metric.Column, x float64) string {
	switch {
	case c.Format == metric.Score:
		return Score(x)
	case c.Format == metric.Share:
		return Share(x)
	case c.Format == metric.Count, c.Format == metric.Progress:
		return Grouped(int(x))
	case c.Format == metric.Time && !math.IsNaN(x):
		return Seconds(x)
	case c.Format == metric.Date:
		return time.UnixMicro(int64(1e6 * x)).Format("2006-01-02 15:04:05")
	}
	return Number(x)
}

// Cell formats a column of a run for a table. It returns "" if the run has no value. The number of steps is
// padded to the width of the limit.
func Cell(c metric.Column, r metric.Run) string {
	if text := c.Cell(r); text != "" {
		return text
	}
	x, ok := c.Of(r)
	if !ok {
		return ""
	}
	if c.Format == metric.Progress {
		if r.Steps() == 0 {
			return ""
		}
		total := Grouped(r.Steps())
		return Padded(Format(c, x), len(total)) + "/" + total
	}
	return Format(c, x)
}

// Value is Cell for the column with the given key.
func Value(r metric.Run, key string) string { return Cell(metric.Get(key), r) }

// Readings formats the given metrics of a run with their names. It skips metrics that the run does not have.
// Totals over several targets are standardised.
func Readings(r metric.Run, keys ...string) []string {
	var list []string
	for _, key := range keys {
		m := metric.Get(key).OfTargets(r)
		if text := Cell(m, r); text != "" {
			list = append(list, m.In(r).Short+" "+text)
		}
	}
	return list
}

// Scores formats metrics of rows outside the test set.
func Scores(s *rundir.Metrics, keys ...string) string {
	return strings.ReplaceAll(strings.Join(Readings(metric.OfScores(s), keys...), ", "), "test ", "")
}

// Mean formats the mean of a metric with its standard error; see WithError. It returns "" if there are no
// values.
func Mean(m metric.Column, s compare.Score) string {
	mean := float64(s.Mean)
	se := float64(s.SE)
	switch {
	case s.N == 0:
		return ""
	case math.IsNaN(mean):
		return Number(mean)
	case math.IsNaN(se):
		return Format(m, mean) + " (-)"
	case se == 0:
		return Format(m, mean) + " (0)"
	case m.Format == metric.Share:
		text, digits := metric.WithError(100*mean, 100*se)
		return text + "% (" + digits + "%)"
	case m.Format != metric.Score && m.Format != metric.Compact:
		return Format(m, mean) + " (" + Format(m, se) + ")"
	}
	return WithError(mean, se)
}

// Duration formats a duration in at most two units.
func Duration(d time.Duration) string { return canvas.Duration(d) }

// Seconds is Duration for a number of seconds.
func Seconds(s float64) string { return Duration(time.Duration(s * float64(time.Second))) }

// Parameters formats the number of parameters and the number of variational parameters among them.
// Variational parameters in closed form are not optimised and not included in all.
func Parameters(all, variational int) string {
	if variational > all {
		return Grouped(all) + " + " + Grouped(variational) + " variational in closed form"
	}
	return Grouped(all) + " (" + Grouped(variational) + " variational)"
}

// Bytes formats a number of bytes.
func Bytes(n int64) string { return canvas.Bytes(n) }
