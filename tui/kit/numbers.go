package kit

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/viz/number"
)

// Grouped writes a whole number with commas between thousands.
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

// Padded writes text right-aligned in w cells, so that a number that changes
// moves nothing beside it.
func Padded(text string, w int) string {
	return fmt.Sprintf("%*s", w, text)
}

// StepText writes the time of one step: "12.3 ms", "1.52 s".
func StepText(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

// Plural writes a count and its noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// Number writes x with at most four significant digits.
func Number(x float64) string { return number.Short(x) }

// Score writes x with four decimals, so that the digits of a column line up, unless
// it is large.
func Score(x float64) string {
	if math.IsNaN(x) || math.Abs(x) >= 1e5 {
		return Number(x)
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// Share writes a share from 0 to 1 in percent.
func Share(x float64) string {
	if math.IsNaN(x) {
		return Number(x)
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + "%"
}

// Dataset writes the name of a data set; of a path, the name of the file.
func Dataset(name string) string {
	if strings.ContainsRune(name, filepath.Separator) {
		return filepath.Base(name)
	}
	return name
}

// Metric writes a value of a metric.
func Metric(m metric.Metric, x float64) string {
	switch {
	case m.Format == metric.Score:
		return Score(x)
	case m.Format == metric.Share:
		return Share(x)
	case m.Format == metric.Count:
		return Grouped(int(x))
	case m.Format == metric.Time && !math.IsNaN(x):
		return Seconds(x)
	}
	return Number(x)
}

// Value writes a metric of a run; "" if it has none.
func Value(s metric.Source, key string) string {
	m := metric.Get(key)
	if x, ok := m.Of(s); ok {
		return Metric(m, x)
	}
	return ""
}

// Readings writes those of some metrics that a run has, each with its name.
func Readings(s metric.Source, keys ...string) []string {
	var list []string
	for _, key := range keys {
		if text := Value(s, key); text != "" {
			list = append(list, metric.Get(key).In(s).Short+" "+text)
		}
	}
	return list
}

// Scores writes some metrics of rows with targets, which are no test part.
func Scores(s *rundir.Metrics, keys ...string) string {
	return strings.ReplaceAll(strings.Join(Readings(metric.Source{Test: s}, keys...), ", "), "test ", "")
}

// Mean writes the mean of a metric and its standard error; "" where there is none.
func Mean(m metric.Metric, s compare.Score) string {
	mean := float64(s.Mean)
	se := float64(s.SE)
	switch {
	case s.N == 0:
		return ""
	case math.IsNaN(mean):
		return Number(mean)
	case math.IsNaN(se):
		return Metric(m, mean) + " (-)"
	}
	return Metric(m, mean) + " (" + Metric(m, se) + ")"
}

// Duration writes a time in at most two units.
func Duration(d time.Duration) string { return number.Duration(d) }

// Seconds is Duration of a number of seconds.
func Seconds(s float64) string { return Duration(time.Duration(s * float64(time.Second))) }

// Parameters says how many parameters there are, and how many of them are variational. Where
// those are found in closed form they are not among what is optimised.
func Parameters(all, variational int) string {
	if variational > all {
		return Grouped(all) + ", besides " + Grouped(variational) + " variational in closed form"
	}
	return Grouped(all) + ", of them " + Grouped(variational) + " variational"
}

// Bytes writes a number of bytes.
func Bytes(n int64) string { return number.Bytes(n) }
