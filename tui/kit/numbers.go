package kit

import (
	"fmt"
	"strconv"
	"time"

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

// Duration writes a time in at most two units.
func Duration(d time.Duration) string { return number.Duration(d) }

// Seconds is Duration of a number of seconds.
func Seconds(s float64) string { return Duration(time.Duration(s * float64(time.Second))) }

// Bytes writes a number of bytes.
func Bytes(n int64) string { return number.Bytes(n) }
