package tables

import (
	"math"
	"strconv"

	"dgplab/viz/canvas"
)

// Sparkline returns a series as one line of exactly w cells. Each column shows its value farthest
// from the middle of the range, or × if none is finite. Fewer values than cells are left-aligned.
// Without values the line is blank. It is "" if w is below 1. No column fills its cell, so that sparklines in
// neighbouring rows do not touch.
func Sparkline(style canvas.Style, values []float64, w int) string {
	cv := canvas.New(style, w, min(1, max(w, 0)))
	lo := math.Inf(1)
	hi := math.Inf(-1)
	for _, v := range values {
		if canvas.Finite(v) {
			lo = math.Min(lo, v)
			hi = math.Max(hi, v)
		}
	}
	n := min(cv.W, len(values))
	for x := range n {
		from, to := canvas.Share(x, n, len(values))
		best, found := 0.0, false
		for _, v := range values[from:to] {
			if !canvas.Finite(v) {
				continue
			}
			if t := canvas.Fraction(v, lo, hi); !found || math.Abs(t-0.5) > math.Abs(best-0.5) {
				best, found = t, true
			}
		}
		if found {
			cv.Put(x, 0, canvas.Eighths[min(int(best*7), 6)], canvas.Ink{FG: style.RunColor(0)})
		} else {
			cv.Put(x, 0, '×', canvas.Ink{FG: style.Bad()})
		}
	}
	return cv.String()
}

// HistogramRunes returns w bars. A bin that is not empty is never blank, and no bar fills its cell.
// Neighbouring bins are added if there are more than w, and bins are widened if there are fewer.
func HistogramRunes(counts []int, w int) []rune {
	out := make([]rune, max(w, 0))
	bins, most := make([]float64, len(out)), 0.0
	for x := range out {
		out[x] = ' '
		if len(counts) == 0 {
			continue
		}
		from := x * len(counts) / w
		to := (x + 1) * len(counts) / w
		for i := from; i < max(to, from+1); i++ {
			bins[x] += math.Max(0, float64(counts[i]))
		}
		most = math.Max(most, bins[x])
	}
	for x, b := range bins {
		if b > 0 {
			out[x] = canvas.Eighths[min(int(b/most*7), 6)]
		}
	}
	return out
}

// HistogramBar returns one line of exactly w cells with a bar for each bin. Empty bins are blank.
func HistogramBar(style canvas.Style, counts []int, w int) string {
	cv := canvas.New(style, w, min(1, max(w, 0)))
	cv.Text(0, 0, string(HistogramRunes(counts, cv.W)), canvas.Ink{FG: style.RunColor(0)})
	return cv.String()
}

// ProgressBar returns a progress bar as one line of exactly w cells, filled to done (0 to 1), with
// the percentage if there is room. NaN is shown as unknown.
func ProgressBar(style canvas.Style, done float64, w int) string {
	cv := canvas.New(style, w, min(1, max(w, 0)))
	label := " ?"
	if !math.IsNaN(done) {
		done = math.Max(0, math.Min(1, done))
		label = " " + strconv.Itoa(int(math.Floor(done*100))) + "%"
	}
	bar := cv.W - 5
	if bar < 3 {
		bar = cv.W
	} else {
		cv.TextRight(cv.W, 0, label, canvas.Ink{})
	}
	for x := range bar {
		cv.Put(x, 0, '░', canvas.Ink{FG: style.Faint()})
	}
	if !math.IsNaN(done) {
		canvas.DrawBar(cv, 0, 0, int(done*float64(8*bar)), canvas.Ink{FG: style.RunColor(0)})
	}
	return cv.String()
}
