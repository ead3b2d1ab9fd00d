package curves

import (
	"math"
	"strconv"
	"strings"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// legend lists the series with their best values or their values at the cursor, then notes on the
// picture. Warnings about hidden data are kept longest.
func (ch *layout) legend(style canvas.Style) []canvas.Part {
	parts := ch.runParts(style)
	dim := canvas.Ink{FG: style.Dim()}
	if ch.Smoothing > 0 {
		s := strconv.FormatFloat(ch.Smoothing, 'g', 4, 64)
		raw, line := "┊", "─"
		if ch.dots {
			raw, line = "⠅", "⠤"
		}
		texts := []string{raw + " raw  " + line + " smoothed " + s,
			raw + " raw " + line + " " + s, "smooth " + s, "~" + s}
		if len(ch.traces) == 0 {
			texts = []string{"smoothed " + s, "~" + s} // Groups have no raw values.
		}
		parts = append(parts, canvas.Note(0, dim, texts...))
	}
	if n := ch.meansOf(); n != "" {
		parts = append(parts, canvas.Note(0, dim, "⠅ raw  ⠤ means of about "+n+" points",
			"⠅ raw ⠤ means of "+n, "⠤ means of "+n, "⠤ means"))
	}
	if note := ch.scale.Note(); ch.hasPoints && note != "" {
		short, _, _ := strings.Cut(note, " ")
		parts = append(parts, canvas.Note(0, dim, note, short))
	}
	below, above := ch.outside()
	outside := func(n int, mark rune, where string) {
		if n > 0 {
			text := string(mark) + canvas.Number(float64(n))
			parts = append(parts, canvas.Note(1, dim, text+ch.counted()+" "+where, text))
		}
	}
	outside(below, chart.MarkBelow, "below")
	outside(above, chart.MarkAbove, "above")
	return append(parts, chart.LeftOut(style, 0, ch.notFinite())...)
}

// counted names the values that are counted as outside. With smoothing, the marks at the edge refer to the
// smoothed line, but the counts refer to raw values.
func (ch *layout) counted() string {
	if ch.Smoothing > 0 {
		return " raw"
	}
	return ""
}

// meansOf returns the number of points of the means as text, or "" if there are no means.
func (ch *layout) meansOf() string {
	least, most := math.MaxInt, 0
	for i := range ch.traces {
		if t := &ch.traces[i]; t.mean != nil {
			least = min(least, t.meanOf)
			most = max(most, t.meanOf)
		}
	}
	if most == 0 {
		return ""
	}
	return canvas.CountRange(least, most)
}
