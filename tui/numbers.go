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

// bytesText writes a number of bytes: "512 B", "41.5 kB", "1.2 MB".
func bytesText(n int64) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}

// plural writes a count and its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}
