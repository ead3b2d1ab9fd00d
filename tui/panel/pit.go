package panel

import (
	"fmt"
	"math"
	"strings"

	"dgplab/tui/kit"
	"dgplab/viz/calibration"
	"dgplab/viz/spark"
)

// PIT draws histograms of the probability integral transform of a target, one for
// each run, with the line of a calibrated model and its 95 % band. Histograms do not
// overlay well: those of several runs stand beside or above each other, or take a
// line each where there is little room. It is exactly h lines of w cells.
func PIT(th *kit.Theme, runs []Run, target, w, h int) []string {
	return evaluated(th, runs, target, w, h,
		"classes have no probability integral transform: see how reliable their probabilities are",
		func(list []scored, w, h int) []string {
			bars := pitBars(th, list)
			across := spread(len(bars), w, h)
			if across == 0 {
				return histogramLines(th, bars, w)
			}
			return tiles(th, bars, across, w, h)
		})
}

// PITBars are the histograms of PIT, none where no run has any.
func PITBars(th *kit.Theme, runs []Run, target int) []calibration.Bars {
	return pitBars(th, onNumbers(th, runs, target))
}

func pitBars(th *kit.Theme, list []scored) (bars []calibration.Bars) {
	for _, r := range list {
		b := calibration.PITBars(r.pit(), bins(r.N))
		b.Label, b.Run, b.YName = r.label(th)+r.picked(), r.Index, ""
		bars = append(bars, b)
	}
	return bars
}

// bins returns the number of bins for n points: about the square root, between 5
// and 20, so that a bin has a few dozen of them.
func bins(n int) int { return max(5, min(int(math.Sqrt(float64(n))), 20)) }

// The smallest cells of a histogram beside others, and the gap between them.
const leastBarsWidth, leastBarsHeight, barsGap = 24, 5, 2

// spread returns how many of n histograms stand beside each other in w x h cells, so
// that they look least flat or narrow; 0 if they do not fit.
func spread(n, w, h int) (across int) {
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

// tiles draws histograms in rows of so many.
func tiles(th *kit.Theme, bars []calibration.Bars, across, w, h int) (lines []string) {
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

// leastPITLabel is the room that the name of a run keeps before a histogram's line says
// more.
const leastPITLabel = 12

// histogramLines draws histograms in a line each.
func histogramLines(th *kit.Theme, bars []calibration.Bars, w int) (lines []string) {
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
			text = cut(th, b.Label, min(label, 24)) + " " + text
		}
		lines = append(lines, th.Marker(b.Run)+" "+spark.Histogram(style, counts, n)+" "+th.Text.Render(text))
	}
	return lines
}
