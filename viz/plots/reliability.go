package plots

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// ReliabilityLine holds the share of correct predictions of a run in equal bins of the probability of the
// most probable class.
type ReliabilityLine struct {
	// Label names the run. Step is the step of the model, for example "at step 290".
	Label, Step string
	Run         int
	Bins        []ReliabilityBin
}

// ReliabilityBin holds N points with their mean probability and the share of correct predictions.
type ReliabilityBin struct {
	N                 int
	Confidence, Right float64
}

// NewReliabilityLine returns the line of points with the given probabilities of the most probable class. A
// bin includes its upper end. Values that are not probabilities are ignored.
func NewReliabilityLine(confidence []float64, right []bool, bins int) ReliabilityLine {
	l := ReliabilityLine{Bins: make([]ReliabilityBin, max(bins, 1))}
	for i, v := range confidence[:min(len(confidence), len(right))] {
		if !(v >= 0 && v <= 1) {
			continue
		}
		b := &l.Bins[max(0, min(int(math.Ceil(v*float64(len(l.Bins))))-1, len(l.Bins)-1))]
		b.N++
		b.Confidence += v
		if right[i] {
			b.Right++
		}
	}
	for i := range l.Bins {
		b := &l.Bins[i]
		b.Confidence /= float64(max(b.N, 1))
		b.Right /= float64(max(b.N, 1))
	}
	return l
}

// points returns the number of points.
func (l ReliabilityLine) points() (n int) {
	for _, b := range l.Bins {
		n += max(b.N, 0)
	}
	return n
}

// calibrationError returns the expected calibration error: the mean over points of the absolute difference
// between the probability and the share of correct predictions in their bin. It is NaN without points.
func (l ReliabilityLine) calibrationError() float64 {
	var sum float64
	for _, b := range l.Bins {
		if b.N > 0 {
			sum += float64(b.N) * math.Abs(b.Right-b.Confidence)
		}
	}
	return sum / float64(l.points())
}

// band returns the ends of a central 95 % interval of the share right if all points of the bin are
// right with its mean probability.
func (b ReliabilityBin) band() (lo, hi float64) {
	if b.N < 1 {
		return 0, 1
	}
	least, most, _ := binomialBand(b.N, math.Max(0, math.Min(b.Confidence, 1)))
	return float64(least) / float64(b.N), float64(most) / float64(b.N)
}

// Reliability shows the share of correct predictions against their probability. A model below the diagonal is
// overconfident (Guo, Pleiss, Sun, Weinberger, "On Calibration of Modern Neural Networks", 2017,
// https://arxiv.org/abs/1706.04599, figure 1).
type Reliability struct {
	Lines []ReliabilityLine
}

// Render draws the chart as h lines of w cells: the diagonal, for the first run the consistency
// band and the number of points of each bin, and a mark for each bin of each run.
func (r Reliability) Render(style canvas.Style, w, h int) []string {
	return r.chart().Render(style, w, h)
}

// Figure returns the chart as a figure of 11 x 10 cm: the diagonal, and for each bin of each run the share of
// correct predictions with its consistency band.
func (r Reliability) Figure(o figure.Options) (*figure.Figure, error) { return r.chart().Figure(o) }

// CSV writes every bin that has points, with the ends of the consistency band.
func (r Reliability) CSV(out io.Writer) error {
	t := figure.NewTable(out, "run", "label", "bin", "n", "probability", "right", "chance_low", "chance_high")
	for _, l := range r.Lines {
		for i, b := range l.Bins {
			if b.N > 0 {
				lo, hi := b.band()
				t.Row(strconv.Itoa(l.Run+1), titled(l.Label, l.Step), strconv.Itoa(i+1), strconv.Itoa(b.N),
					figure.Exact(b.Confidence), figure.Exact(b.Right), figure.Exact(lo), figure.Exact(hi))
			}
		}
	}
	return t.Close()
}

func (r Reliability) chart() *chart.Chart {
	c := &chart.Chart{Name: "reliability", Page: chart.Page{W: 11, H: 10, NX: 6, NY: 6}}
	c.Plane = chart.Plane{X: chart.Scale{Hi: 1}, Y: chart.Scale{Hi: 1},
		XName: "probability of the most probable class", XShort: "probability", YName: "accuracy"}
	counted := false
	c.Legend = func(style canvas.Style) []canvas.Part { return r.legend(style, counted) }
	c.Marks = []chart.Mark{chart.OnText(func(cv *canvas.Canvas, p *chart.Plane) {
		r.Lines[0].drawBands(cv, p)
	}),
		chart.Diagonal{To: 1}}
	least, most := 0, 0
	for _, l := range r.Lines {
		n := l.points()
		if n == 0 {
			continue
		}
		if most == 0 {
			least = n
		}
		least = min(least, n)
		most = max(most, n)
		bands := chart.Whiskers{Color: chart.Run(l.Run).Fade(0, 70), Width: 2}
		points := chart.Points{Glyph: canvas.Marker(l.Run), Color: chart.Run(l.Run), Bold: true, Radius: 1}
		for _, b := range l.Bins {
			if b.N < 1 {
				continue
			}
			if !canvas.Finite(b.Confidence) || !canvas.Finite(b.Right) {
				c.Err = fmt.Errorf("reliability %q: a bin has the probability %v and the share %v", l.Label,
					b.Confidence, b.Right)
			}
			lo, hi := b.band()
			bands.List = append(bands.List, chart.Whisker{X: b.Confidence, Lo: lo, Hi: hi})
			points.XY = append(points.XY, chart.XY{X: b.Confidence, Y: b.Right})
		}
		name := fmt.Sprintf("%s, calibration error %.3g", titled(l.Label, l.Step), l.calibrationError())
		line := chart.RunLine(name, l.Run, points.XY)
		c.Marks = append(c.Marks, chart.OnPage{Mark: bands}, chart.OnPage{Mark: line}, points)
	}
	if most == 0 {
		c.Empty = "no points yet"
	}
	c.Marks = append(c.Marks, chart.OnText(func(cv *canvas.Canvas, _ *chart.Plane) {
		counted = r.Lines[0].counts(cv)
	}))
	c.Page.XName = c.XName + ", " + canvas.CountRange(least, most) + " test points"
	return c
}

// drawBands shades the consistency band over the width of each bin.
func (l ReliabilityLine) drawBands(cv *canvas.Canvas, p *chart.Plane) {
	for i, b := range l.Bins {
		if b.N < 1 {
			continue
		}
		lo, hi := b.band()
		for x := i * cv.W / len(l.Bins); x < (i+1)*cv.W/len(l.Bins); x++ {
			p.Shade(cv, x, lo, hi, cv.Style.Faint(), '░')
		}
	}
}

// counts writes the number of points below each bin, in the colour of the line. It writes nothing and returns
// false if a number has no room.
func (l ReliabilityLine) counts(cv *canvas.Canvas) bool {
	width := cv.W / len(l.Bins)
	if cv.H < 8 || slices.ContainsFunc(l.Bins, func(b ReliabilityBin) bool {
		return b.N > 0 && len(strconv.Itoa(b.N)) >= width
	}) {
		return false
	}
	for i, b := range l.Bins {
		from := i * cv.W / len(l.Bins)
		to := (i + 1) * cv.W / len(l.Bins)
		text := strconv.Itoa(b.N)
		if b.N > 0 {
			cv.Text(from+(to-from-len(text))/2, cv.H-1, text, canvas.Ink{FG: cv.Style.RunColor(l.Run)})
		}
	}
	return true
}

// legend shows the calibration error of every line. counted reports whether the points of the first
// line are counted below.
func (r Reliability) legend(style canvas.Style, counted bool) []canvas.Part {
	parts := []canvas.Part{diagonal(style)} // shortened before the errors of the lines
	dim := canvas.Ink{FG: style.Dim()}
	for _, l := range r.Lines {
		parts = append(parts, shareOf(canvas.Label(style, l.Run, l.Label, l.Step), l.calibrationError(),
			canvas.Text(" calibration error", dim)))
	}
	parts = append(parts, chance(style, r.Lines[0].points()))
	if counted {
		below := "test points per bin below"
		if len(r.Lines) > 1 {
			below = string(canvas.Marker(r.Lines[0].Run)) + " " + below
		}
		parts = append(parts, canvas.Note(2, dim, below, ""))
	}
	return parts
}
