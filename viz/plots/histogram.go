package plots

import (
	"io"
	"math"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// densityPoints is the number of points of the density over bars.
const densityPoints = 121

// NewHistogram returns the histogram of values with the density of a Gaussian with the given mean and
// standard deviation, on the scale of the counts. The values set the range.
func NewHistogram(values []float64, bins int, mean, sd float64) Histogram {
	bins = max(bins, 1)
	b := Histogram{Values: make([]float64, bins), Lo: math.Inf(1), Hi: math.Inf(-1), YName: "draws"}
	for _, v := range values {
		if canvas.Finite(v) {
			b.Lo = min(b.Lo, v)
			b.Hi = max(b.Hi, v)
		}
	}
	n := 0
	for _, v := range values {
		if !canvas.Finite(v) {
			b.Left++
			continue
		}
		b.Values[min(int(canvas.Fraction(v, b.Lo, b.Hi)*float64(bins)), bins-1)]++
		n++
	}
	if !(b.Lo < b.Hi) || !(sd > 0) || !canvas.Finite(mean) {
		return b
	}
	scale := float64(n) * (b.Hi - b.Lo) / float64(bins) / (sd * math.Sqrt(2*math.Pi))
	for k := range densityPoints {
		z := (b.Lo + (b.Hi-b.Lo)*float64(k)/(densityPoints-1) - mean) / sd
		b.Density = append(b.Density, scale*math.Exp(-z*z/2))
	}
	return b
}

// NewRankHistogram returns the histogram of the ranks that the draws of one chain have among the draws of
// all chains, in equal bins. The ranks are uniform if the chains have mixed (Vehtari et al., "An
// Improved R-hat for Assessing Convergence of MCMC", 2021, arXiv:1903.08008, section 4.4).
// The band holds 95 % of the binomial distribution of each bin, for independent draws.
func NewRankHistogram(counts []int) Histogram {
	b := Histogram{Hi: 1, XName: "rank, as a share", XShort: "rank", YName: "draws"}
	n := 0
	for _, c := range counts {
		b.Values = append(b.Values, float64(c))
		n += c
	}
	return b.uniform(n)
}

// uniform returns the bars with the line and the band of a uniform distribution of n values.
func (b Histogram) uniform(n int) Histogram {
	p := 1 / float64(max(len(b.Values), 1))
	b.Expected = float64(n) * p
	lo, hi, outside := binomialBand(n, p)
	b.Band = [2]float64{float64(lo), float64(hi)}
	b.Chance = float64(len(b.Values)) * outside
	return b
}

// Histograms are histograms side by side.
type Histograms []Histogram

// leastHistogram is the minimum height of a histogram among others.
const leastHistogram = 4

// Render draws the histograms in one row, or in two if there is room.
func (list Histograms) Render(style canvas.Style, w, h int) []string {
	if len(list) == 0 {
		return canvas.Empty(style, w, h, "no points yet")
	}
	cv := canvas.New(style, w, h)
	rows := 1
	if len(list) > 2 && h >= 2*leastHistogram {
		rows = 2
	}
	grid := canvas.Grid{Columns: (len(list) + rows - 1) / rows, Rows: rows, W: w, H: h}
	for i, b := range list {
		if x, y, w, h := grid.Tile(i); w > 0 && h > 0 {
			cv.Blit(x, y, b.chart().Draw(style, w, h))
		}
	}
	return cv.Lines()
}

// Figure returns the histograms as small charts. Each of several has its label.
func (list Histograms) Figure(o figure.Options) (*figure.Figure, error) {
	var charts []*chart.Chart
	for _, b := range list {
		c := b.chart()
		c.Page.NX = 4
		if len(list) > 1 {
			c.Page.Title = b.Label
		}
		charts = append(charts, c)
	}
	return chart.Grid("histograms", charts, min(len(charts), figure.ArrangedColumns), o)
}

// CSV writes the value of every bin of every histogram.
func (list Histograms) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", "from", "to", "value")
	for _, b := range list {
		width := (b.Hi - b.Lo) / float64(len(b.Values))
		for i, v := range b.Values {
			t.Row(b.Label, figure.Exact(b.Lo+float64(i)*width),
				figure.Exact(b.Lo+float64(i+1)*width), figure.Exact(v))
		}
	}
	return t.Close()
}
