package board

import (
	"fmt"
	"math"
	"strings"

	"dgplab/tui/kit"
	"dgplab/viz/canvas"
	"dgplab/viz/plots"
	"dgplab/viz/tables"
)

// pitHistograms returns a histogram of the probability integral transform for each run, with the
// line of a calibrated model and its 95 % band.
func pitHistograms(th *kit.Theme, list []evaluatedRun) (bars plots.Histograms) {
	for _, r := range list {
		b := plots.NewPITHistogram(r.pit(), pitBins(r.N))
		b.Label = r.counted(th)
		b.Step = r.step()
		b.Run = r.Index
		bars = append(bars, b)
	}
	return bars
}

// drawPIT draws the histograms next to or above each other, because they cannot be overlaid well. If there is
// little room, it draws each in one line.
func drawPIT(th *kit.Theme, list []evaluatedRun, w, h int) []string {
	bars := pitHistograms(th, list)
	across := histogramColumns(len(bars), w, h)
	if across == 0 {
		return histogramLines(th, bars, w)
	}
	return histogramTiles(th, bars, across, w, h)
}

// pitBins returns the number of bins for n points: about the square root, from 5 to 20. A bin then has up to
// a few dozen points.
func pitBins(n int) int { return max(5, min(int(math.Sqrt(float64(n))), 20)) }

// The minimum size of a histogram next to others, and the gap between them.
const leastBarsWidth, leastBarsHeight, barsGap = 24, 5, 2

// histogramColumns returns the number of columns in which n histograms in w x h cells are least flat or
// narrow. It returns 0 if they do not fit.
func histogramColumns(n, w, h int) (across int) {
	if n == 1 {
		return 1
	}
	best := 0
	for k := 1; k <= n; k++ {
		width, height := (w-(k-1)*barsGap)/k, h/((n+k-1)/k)
		if size := min(width, 3*height); width >= leastBarsWidth && height >= leastBarsHeight && size > best {
			across, best = k, size
		}
	}
	return across
}

// histogramTiles draws histograms in rows of the given number.
func histogramTiles(
	th *kit.Theme, bars plots.Histograms, across, w, h int,
) (lines []string) {
	down := (len(bars) + across - 1) / across
	width, height := (w-(across-1)*barsGap)/across, h/down
	for i := 0; i < len(bars); i += across {
		rows := make([]string, height)
		for k, b := range bars[i:min(i+across, len(bars))] {
			for y, line := range b.Render(th.VizStyle(), width, height) {
				if k > 0 {
					rows[y] += strings.Repeat(" ", barsGap)
				}
				rows[y] += line
			}
		}
		lines = append(lines, rows...)
	}
	return lines
}

// leastPITLabel is the minimum width of the name of a run before its histogram.
const leastPITLabel = 12

// histogramLines draws each histogram in one line.
func histogramLines(th *kit.Theme, bars plots.Histograms, w int) (lines []string) {
	style := th.VizStyle()
	for _, b := range bars {
		counts := make([]int, len(b.Values))
		for i, v := range b.Values {
			counts[i] = int(v)
		}
		n := min(len(counts), max(w-4, 1))
		text := fmt.Sprintf("%d of %d outside", b.Outside(), len(counts))
		if more := fmt.Sprintf(" (%.1f expected)", b.Chance); w-n-4-len(text)-len(more) >= leastPITLabel {
			text += more
		}
		if label := w - n - 4 - len(text); label > 3 {
			name := canvas.Name{Text: b.Label, Step: b.Step}.In(min(label, 24))
			text = strings.ReplaceAll(name, "…", th.Glyphs.Ellipsis) + " " + text
		}
		bar := tables.HistogramBar(style, counts, n)
		lines = append(lines, th.Marker(b.Run)+" "+bar+" "+th.Text.Render(text))
	}
	return lines
}
