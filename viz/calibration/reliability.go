package calibration

import (
	"math"
	"slices"
	"strconv"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// ReliabilityLine is one run: in equal bins of the probability that it gives the class
// that it finds most probable, how often that class was right.
type ReliabilityLine struct {
	Label string
	Run   int
	Bins  []ReliabilityBin
}

// ReliabilityBin is N points, with the mean of their probabilities and the share of
// those that were right.
type ReliabilityBin struct {
	N                 int
	Confidence, Right float64
}

// Relied returns the line of points with these probabilities of the most probable class,
// of which some were right. A bin has its upper end. Values that are no probabilities are
// left out.
func Relied(confidence []float64, right []bool, bins int) ReliabilityLine {
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

// Points returns how many points there are.
func (l ReliabilityLine) Points() (n int) {
	for _, b := range l.Bins {
		n += max(b.N, 0)
	}
	return n
}

// Error is the expected calibration error: the mean over points of the difference between
// confidence and share right in their bin; NaN without points.
func (l ReliabilityLine) Error() float64 {
	var sum float64
	for _, b := range l.Bins {
		if b.N > 0 {
			sum += float64(b.N) * math.Abs(b.Right-b.Confidence)
		}
	}
	return sum / float64(l.Points())
}

// Band returns the ends of the share right that 95 % of what chance does lies in, where
// the model means its probabilities (its mean one, for all points of the bin).
func (b ReliabilityBin) Band() (lo, hi float64) {
	if b.N < 1 {
		return 0, 1
	}
	least, most, _ := binomialBand(b.N, math.Max(0, math.Min(b.Confidence, 1)))
	return float64(least) / float64(b.N), float64(most) / float64(b.N)
}

// Reliability compares what runs promise with what they keep: below the diagonal a model
// is more sure than right (Guo, Pleiss, Sun, Weinberger, "On Calibration of Modern Neural
// Networks", 2017, https://arxiv.org/abs/1706.04599, figure 1).
type Reliability struct {
	Lines []ReliabilityLine
}

// Render draws the chart as w x h cells: the diagonal, of the first run the band of chance
// and the number of points of each bin, and a mark for each bin of each run.
func (r Reliability) Render(style canvas.Style, w, h int) []string {
	if !slices.ContainsFunc(r.Lines, func(l ReliabilityLine) bool { return l.Points() > 0 }) {
		return canvas.Empty(style, w, h, "no points yet")
	}
	p := axes.Plane{
		X:      axes.Scale{Hi: 1},
		Y:      axes.Scale{Hi: 1},
		XName:  "probability of the most probable class",
		XShort: "probability",
		YName:  "share right",
	}
	counted := false
	return p.Chart(style, w, h, func(cv *canvas.Canvas) {
		r.draw(cv, &p)
		counted = r.Lines[0].counts(cv)
	}, func(style canvas.Style) []canvas.Part { return r.legend(style, counted) })
}

func (r Reliability) draw(cv *canvas.Canvas, p *axes.Plane) {
	first := r.Lines[0]
	for i, b := range first.Bins {
		if b.N < 1 {
			continue
		}
		lo, hi := b.Band()
		from := i * cv.W / len(first.Bins)
		to := (i + 1) * cv.W / len(first.Bins)
		for x := from; x < to; x++ {
			p.Shade(cv, x, lo, hi, cv.Style.Faint(), '░')
		}
	}
	drawDiagonal(cv)
	for _, l := range r.Lines {
		for _, b := range l.Bins {
			if b.N > 0 && number.Finite(b.Right) && number.Finite(b.Confidence) {
				cv.Put(p.Col(b.Confidence, cv), p.Row(b.Right, cv), canvas.Marker(l.Run), canvas.Ink{
					FG:   cv.Style.RunColor(l.Run),
					Bold: true,
				})
			}
		}
	}
}

// counts writes the number of points of each bin under it, in the colour of the line: of all
// that have any, or of none where there is too little room for one of them; it returns which.
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
		if text := strconv.Itoa(b.N); b.N > 0 {
			cv.Text(from+(to-from-len(text))/2, cv.H-1, text, canvas.Ink{FG: cv.Style.RunColor(l.Run)})
		}
	}
	return true
}

// legend tells for every line its calibration error, and for the first whether its points
// are counted below.
func (r Reliability) legend(style canvas.Style, counted bool) []canvas.Part {
	var parts []canvas.Part
	dim := canvas.Ink{FG: style.Dim()}
	for _, l := range r.Lines {
		p := canvas.Label(style, l.Run, l.Label, 4)
		if v := l.Error(); number.Finite(v) {
			in := canvas.Text("  "+strconv.FormatFloat(100*v, 'f', 1, 64)+"%", canvas.Ink{Bold: true})
			full := slices.Concat(p.Variants[0], []canvas.Span{in, canvas.Text(" calibration error", dim)})
			p.Variants = append([][]canvas.Span{full, full[:len(full)-1]}, p.Variants...)
			p.Cut = p.Cut + 2
		}
		parts = append(parts, p)
	}
	n := strconv.Itoa(r.Lines[0].Points())
	parts = append(parts, chance(style, "95% band of chance, n = "+n, n))
	if counted {
		below := "points of each bin below"
		if len(r.Lines) > 1 {
			below = string(canvas.Marker(r.Lines[0].Run)) + " " + below
		}
		parts = append(parts, canvas.Note(1, dim, below, ""))
	}
	return parts
}
