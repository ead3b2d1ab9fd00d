package board

import (
	"math"
	"strings"

	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// predictionBar is a column of the table of predictions that draws the prediction of a run: for a real target
// the central 95 % interval of a Gaussian with the predictive moments, for classes the largest probability.
type predictionBar struct {
	of evaluatedRun
	w  int
}

// leastBar and mostBar are the minimum and the maximum width of a bar, and barGap is the gap before it.
const leastBar, mostBar, barGap = 16, 60, 2

// bars returns the bars of the runs in a number of cells. Without room for those of both runs there is only
// the bar of the selected run.
func (p testedPair) bars(room int) (list []predictionBar) {
	runs := []evaluatedRun{p.evaluatedRun}
	if p.other != nil && room >= 2*(barGap+leastBar) {
		runs = append(runs, *p.other)
	}
	w := min(room/len(runs)-barGap, mostBar)
	if w < leastBar {
		return nil
	}
	for _, r := range runs {
		list = append(list, predictionBar{r, w})
	}
	return list
}

// interval95 is the half width of the central 95 % interval of a Gaussian in standard deviations.
const interval95 = 1.96

// intervalEnds returns the smallest and the largest end of the intervals and the observations of both runs.
// Intervals that are not finite are left out.
func (p testedPair) intervalEnds() (lo, hi float64) {
	if p.IsClassification() {
		return 0, 1
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	runs := []evaluatedRun{p.evaluatedRun}
	if p.other != nil {
		runs = append(runs, *p.other)
	}
	for _, r := range runs {
		for i := range r.N {
			half := interval95 * r.sd(i)
			for _, v := range []float64{r.mean(i) - half, r.mean(i) + half, r.observed(i)} {
				if canvas.Finite(v) {
					lo = min(lo, v)
					hi = max(hi, v)
				}
			}
		}
	}
	return lo, hi
}

// title returns the ends of the axis at the ends of the column, and between them the meaning of the signs if
// it fits.
func (b predictionBar) title(th *kit.Theme, lo, hi float64) string {
	left := report.Number(lo)
	right := report.Number(hi)
	style := th.VizStyle()
	meaning := style.RunMarker(b.of.Index) + " 95 % interval, " + cross(th) + " observed"
	if b.of.IsClassification() {
		meaning = style.RunMarker(b.of.Index) + " probability of the predicted class"
	}
	room := b.w - kit.Cells(left) - kit.Cells(right) - 2
	if room < kit.Cells(meaning) {
		meaning = style.RunMarker(b.of.Index)
	}
	before := max((room-kit.Cells(meaning))/2, 0)
	after := max(room-kit.Cells(meaning)-before, 0)
	return strings.Repeat(" ", barGap) + left + strings.Repeat(" ", before+1) + meaning +
		strings.Repeat(" ", after+1) + right
}

// cross returns the sign of an observation.
func cross(th *kit.Theme) string {
	if th.Glyphs.Unicode {
		return "×"
	}
	return "x"
}

// draw draws the prediction at point i on an axis from lo to hi.
func (b predictionBar) draw(th *kit.Theme, i int, lo, hi float64) string {
	style := th.VizStyle()
	cv := canvas.New(style, b.w, 1)
	at := func(v float64) int { return int(canvas.Fraction(v, lo, hi)*float64(b.w-1) + 0.5) }
	color := style.RunColor(b.of.Index)
	line := func(from, to, mark float64) {
		if !canvas.Finite(from) || !canvas.Finite(to) || !canvas.Finite(mark) {
			return
		}
		for x := at(from); x <= at(to); x++ {
			cv.Put(x, 0, '━', canvas.Ink{FG: color})
		}
		cv.Put(at(mark), 0, canvas.Marker(b.of.Index), canvas.Ink{FG: color, Bold: true})
	}
	gap := strings.Repeat(" ", barGap)
	if b.of.IsClassification() {
		_, probability := b.of.mostProbable(i)
		line(0, probability, probability)
		return gap + cv.String()
	}
	mean := b.of.mean(i)
	half := interval95 * b.of.sd(i)
	line(mean-half, mean+half, mean)
	if v := b.of.observed(i); canvas.Finite(v) {
		look := canvas.Ink{Bold: true}
		if b.of.missed(i) {
			look.FG = style.Warn()
		}
		cv.Put(at(v), 0, '×', look)
	}
	return gap + cv.String()
}
