package viz

import (
	"strconv"
	"strings"
)

// span is a piece of text in one look.
type span struct {
	text string
	ink  ink
}

// part is one entry of a legend. variants go from the fullest to the shortest;
// the last may be empty. Parts with a lower keep are shortened first, those with
// the same in turn.
type part struct {
	variants [][]span
	keep     int
}

func spansWidth(spans []span) int {
	n := 0
	for _, s := range spans {
		n += width(s.text)
	}
	return n
}

// legendGap separates the entries of a legend.
const legendGap = 2

// drawLegend writes the parts from x, y on in at most w cells, shortened as
// little as it takes; what still does not fit is cut with an ellipsis.
func drawLegend(cv *canvas, x, y, w int, parts []part) {
	chosen := make([]int, len(parts))
	for legendWidth(parts, chosen) > w {
		next := -1
		for i, p := range parts {
			if chosen[i]+1 < len(p.variants) && (next < 0 || p.keep < parts[next].keep || p.keep == parts[next].keep && chosen[i] < chosen[next]) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		chosen[next]++
	}
	end, first := x+w, true
	for i, p := range parts {
		spans := p.variants[chosen[i]]
		if spansWidth(spans) == 0 {
			continue
		}
		if !first {
			x += legendGap
		}
		first = false
		for _, s := range spans {
			if x >= end {
				return
			}
			x = cv.text(x, y, truncate(s.text, end-x), s.ink)
		}
	}
}

func legendWidth(parts []part, chosen []int) int {
	total := 0
	for i, p := range parts {
		if n := spansWidth(p.variants[chosen[i]]); n > 0 {
			if total > 0 {
				total += legendGap
			}
			total += n
		}
	}
	return total
}

// legend lists the series with their best values, or those at the cursor, then
// what the picture does to the data. Warnings of hidden data are kept the
// longest.
func (ch *chart) legend(style Style) []part {
	parts := ch.runParts(style)
	dim := func(texts ...string) [][]span {
		var v [][]span
		for _, t := range texts {
			v = append(v, []span{{t, ink{fg: style.Dim()}}})
		}
		return v
	}
	if ch.Smoothing > 0 {
		s := strconv.FormatFloat(ch.Smoothing, 'g', 4, 64)
		raw, line := "┊", "─"
		if ch.dots {
			raw, line = "⠅", "⠤"
		}
		parts = append(parts, part{dim(raw+" raw  "+line+" smoothed "+s, raw+" raw "+line+" "+s, "smooth "+s, "~"+s), 2})
	}
	if note := ch.scale.note(); ch.hasPoints && note != "" {
		short, _, _ := strings.Cut(note, " ")
		parts = append(parts, part{dim(note, short), 1})
	}
	clipped := 0
	for i := range ch.traces {
		clipped += ch.traces[i].clipped
	}
	if clipped > 0 {
		n := Short(float64(clipped))
		parts = append(parts, part{dim(n+" clipped", n+" clip"), 3})
	}
	if n := ch.notFinite(); n > 0 {
		parts = append(parts, notFinitePart(style, n))
	}
	return parts
}
