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

// CoverageLine holds the share of a run's test targets in the central interval of each nominal probability.
// Nominal rises. Nominal and Observed are between 0 and 1 and have the same length.
type CoverageLine struct {
	// Label names the run. Step is the step of the model, for example "at step 290".
	Label, Step       string
	Run               int
	Nominal, Observed []float64
	// N is the number of targets.
	N int
}

// NewCoverageLine returns the coverage line of a probability integral transform: a target lies in the central
// interval of probability a if its transform is at most a/2 away from 1/2. The levels are 0, 1/(levels-1),
// ..., 1. Values that are not probabilities are ignored.
func NewCoverageLine(pit []float64, levels int) CoverageLine {
	var distance []float64
	for _, v := range pit {
		if v >= 0 && v <= 1 {
			distance = append(distance, math.Abs(2*v-1))
		}
	}
	slices.Sort(distance)
	line := CoverageLine{N: len(distance)}
	for i := range max(levels, 2) {
		a := float64(i) / float64(max(levels, 2)-1)
		below, _ := slices.BinarySearch(distance, math.Nextafter(a, 2))
		line.Nominal = append(line.Nominal, a)
		line.Observed = append(line.Observed, float64(below)/math.Max(1, float64(len(distance))))
	}
	return line
}

// at returns the observed coverage at a nominal probability, interpolated between the levels. It is
// NaN without targets and outside the levels.
func (c CoverageLine) at(nominal float64) float64 {
	n := min(len(c.Nominal), len(c.Observed))
	i, _ := slices.BinarySearch(c.Nominal[:n], nominal)
	switch {
	case c.N == 0 || i == n || i == 0 && c.Nominal[0] != nominal:
		return math.NaN()
	case c.Nominal[i] == nominal:
		return c.Observed[i]
	}
	t := (nominal - c.Nominal[i-1]) / (c.Nominal[i] - c.Nominal[i-1])
	return (1-t)*c.Observed[i-1] + t*c.Observed[i]
}

// Coverage shows observed against nominal coverage. A model above the diagonal is underconfident.
type Coverage struct {
	Lines []CoverageLine
}

// Render draws the chart as h lines of w cells: the diagonal, the consistency band of the line with
// the fewest targets, and the lines.
func (c Coverage) Render(style canvas.Style, w, h int) []string { return c.chart().Render(style, w, h) }

// Figure returns the chart as a figure of 13 x 12 cm.
func (c Coverage) Figure(o figure.Options) (*figure.Figure, error) { return c.chart().Figure(o) }

// CSV writes every level of every line, with the ends of the consistency band for its number of
// targets.
func (c Coverage) CSV(out io.Writer) error {
	t := figure.NewTable(out, "run", "label", "n", "nominal", "observed", "chance_low", "chance_high")
	for _, l := range c.Lines {
		for k := range min(len(l.Nominal), len(l.Observed)) {
			if l.N > 0 {
				lo, hi := chanceBand(l.N, l.Nominal[k])
				t.Row(strconv.Itoa(l.Run+1), titled(l.Label, l.Step), strconv.Itoa(l.N),
					figure.Exact(l.Nominal[k]), figure.Exact(l.Observed[k]),
					figure.Exact(lo), figure.Exact(hi))
			}
		}
	}
	return t.Close()
}

// chancePoints is the number of points of the consistency band.
const chancePoints = 401

func (c Coverage) chart() *chart.Chart {
	least := c.least()
	out := &chart.Chart{Name: "coverage", Page: chart.Page{W: 13, H: 12, NX: 6, NY: 6},
		Legend: func(style canvas.Style) []canvas.Part { return c.legend(style, least) }}
	if least == 0 {
		out.Empty = "no points yet"
		return out
	}
	out.Plane = chart.Plane{X: chart.Scale{Hi: 1}, Y: chart.Scale{Hi: 1}, XName: "nominal coverage",
		YName: "observed coverage", YShort: "observed"}
	chance := chart.Range{Name: fmt.Sprintf("95 %% consistency band of %d test points", least)}
	band := chart.Band{Color: chart.Faint.Fade(0, 110)}
	for k := range chancePoints {
		a := float64(k) / (chancePoints - 1)
		lo, hi := chanceBand(least, a)
		band.X = append(band.X, a)
		chance.Lo = append(chance.Lo, lo)
		chance.Hi = append(chance.Hi, hi)
	}
	band.Ranges = []chart.Range{chance}
	out.Marks = []chart.Mark{band, chart.Diagonal{To: 1}}
	var markers chart.Markers
	for i, l := range c.Lines {
		if l.N == 0 {
			continue
		}
		name := fmt.Sprintf("%s, %.1f %% in 95 %%", titled(l.Label, l.Step), 100*l.at(0.95))
		line := chart.RunLine(name, l.Run, chart.Join(l.Nominal, l.Observed))
		line.Index, line.Count = i, len(c.Lines)
		out.Marks = append(out.Marks, line)
		markers = append(markers, line)
	}
	out.Marks = append(out.Marks, markers)
	return out
}

// least returns the number of targets of the line with the fewest targets, or 0 if there are none.
func (c Coverage) least() (least int) {
	for _, l := range c.Lines {
		if l.N > 0 && len(l.Nominal) > 0 && (least == 0 || l.N < least) {
			least = l.N
		}
	}
	return least
}

// chanceBand returns the ends of a central 95 % interval of the observed coverage of n targets at a
// nominal probability.
func chanceBand(n int, nominal float64) (lo, hi float64) {
	from, to, _ := binomialBand(n, nominal)
	return float64(from) / float64(n), float64(to) / float64(n)
}

// NewCoverageRow returns a row with the share of a probability integral transform in the central
// interval of a nominal probability, and as its range the central 95 % of the binomial distribution
// of this share for a calibrated model.
func NewCoverageRow(pit []float64, nominal float64) DotRow {
	inside, n := 0, 0
	for _, v := range pit {
		if v >= 0 && v <= 1 {
			n++
			if math.Abs(2*v-1) <= nominal {
				inside++
			}
		}
	}
	row := DotRow{Values: []float64{float64(inside) / float64(n)}, Tick: nominal,
		Lo: math.NaN(), Hi: math.NaN()}
	if n > 0 {
		row.Lo, row.Hi = chanceBand(n, nominal)
	}
	return row
}

// chance returns the legend entry of the consistency band of some test points.
func chance(style canvas.Style, points int) canvas.Part {
	of := strconv.Itoa(points) + " test points"
	return canvas.Band(style, 1, style.Faint(), '░', "95% consistency band of "+of, "95% band, "+of,
		"95% band", "")
}

// legend shows the coverage of the 95 % intervals of every line.
func (c Coverage) legend(style canvas.Style, least int) []canvas.Part {
	parts := []canvas.Part{diagonal(style)} // shortened before the shares of the lines
	dim := canvas.Ink{FG: style.Dim()}
	for _, l := range c.Lines {
		parts = append(parts, shareOf(canvas.Label(style, l.Run, l.Label, l.Step), l.at(0.95),
			canvas.Text(" in 95%", dim)))
	}
	return append(parts, chance(style, least))
}

// shareOf returns the entry of a run with a share, unless it is not finite, and its meaning.
func shareOf(n canvas.Name, share float64, meaning canvas.Span) canvas.Part {
	if canvas.Finite(share) {
		text := strconv.FormatFloat(100*share, 'f', 1, 64) + "%"
		n.Details = []canvas.Span{canvas.Text(text, canvas.Ink{Bold: true}), meaning}
	}
	return n.Part()
}
