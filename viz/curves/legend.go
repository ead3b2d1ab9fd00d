package curves

import (
	"strconv"
	"strings"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// legend lists the series with their best values, or those at the cursor, then
// what the picture does to the data. Warnings of hidden data are kept the
// longest.
func (ch *chart) legend(style canvas.Style) []canvas.Part {
	parts := ch.runParts(style)
	dim := canvas.Ink{FG: style.Dim()}
	if ch.Smoothing > 0 {
		s := strconv.FormatFloat(ch.Smoothing, 'g', 4, 64)
		raw, line := "┊", "─"
		if ch.dots {
			raw, line = "⠅", "⠤"
		}
		parts = append(parts, canvas.Note(2, dim, raw+" raw  "+line+" smoothed "+s, raw+" raw "+line+" "+s, "smooth "+s, "~"+s))
	}
	if note := ch.scale.Note(); ch.hasPoints && note != "" {
		short, _, _ := strings.Cut(note, " ")
		parts = append(parts, canvas.Note(1, dim, note, short))
	}
	clipped := 0
	for i := range ch.traces {
		clipped += ch.traces[i].clipped
	}
	if clipped > 0 {
		n := number.Short(float64(clipped))
		parts = append(parts, canvas.Note(3, dim, n+" clipped", n+" clip"))
	}
	return append(parts, axes.LeftOut(style, 0, ch.notFinite())...)
}
