package tui

import (
	"fmt"
	"strconv"
	"time"
)

// grouped writes a whole number with commas between thousands.
func grouped(n int) string {
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

// padded writes text right-aligned in w cells, so that a number that changes
// moves nothing beside it.
func padded(text string, w int) string {
	return fmt.Sprintf("%*s", w, text)
}

// stepText writes the time of one step: "12.3 ms", "1.52 s".
func stepText(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

// plural writes a count and its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}
