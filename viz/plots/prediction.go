package plots

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Prediction holds the predictions of a run and the observations of the same points.
type Prediction struct {
	// Label names the run. Step is the step of the model, for example "at step 290".
	Label, Step string
	// Run selects colour and marker; see Style.RunColor.
	Run int
	// Observed, Mean and the ranges, the widest first, have a value for each point.
	Observed, Mean []float64
	Ranges         []chart.Range
}

// Predictions holds the predictions of runs for the same target.
type Predictions struct {
	List         []Prediction
	XName, YName string
}

// againstPoint is a point that can be drawn, with the ends of its ranges, the widest first.
type againstPoint struct {
	observed, mean float64
	ranges         [][2]float64
}

// points returns the points whose numbers are all finite, ordered by observation.
func (a Prediction) points() (list []againstPoint) {
	for k := range min(len(a.Observed), len(a.Mean)) {
		p := againstPoint{observed: a.Observed[k], mean: a.Mean[k]}
		ok := canvas.Finite(p.observed) && canvas.Finite(p.mean)
		for _, r := range a.Ranges {
			if k >= len(r.Lo) || k >= len(r.Hi) || !canvas.Finite(r.Lo[k]) ||
				!canvas.Finite(r.Hi[k]) || r.Lo[k] > r.Hi[k] {
				ok = false
				break
			}
			p.ranges = append(p.ranges, [2]float64{r.Lo[k], r.Hi[k]})
		}
		if ok {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b againstPoint) int { return cmp.Compare(a.observed, b.observed) })
	return list
}

// inside counts the points whose observation is in range i.
func (a Prediction) inside(i int) (inside, of int) {
	for _, p := range a.points() {
		of++
		if p.observed >= p.ranges[i][0] && p.observed <= p.ranges[i][1] {
			inside++
		}
	}
	return inside, of
}

// Render draws the runs as h lines of w cells.
func (a Predictions) Render(style canvas.Style, w, h int) []string {
	return a.facets().Render(style, w, h)
}

// Figure returns the runs as charts on one scale.
func (a Predictions) Figure(o figure.Options) (*figure.Figure, error) { return a.facets().Figure(o) }

// CSV writes every point with the ends of its ranges.
func (a Predictions) CSV(out io.Writer) error {
	header := []string{"run", "label", "observed", "mean"}
	if len(a.List) > 0 {
		for _, r := range a.List[0].Ranges {
			header = append(header, r.Name+" from", r.Name+" to")
		}
	}
	t := figure.NewTable(out, header...)
	for _, one := range a.List {
		for _, p := range one.points() {
			row := []string{fmt.Sprint(one.Run + 1), one.Label,
				figure.Exact(p.observed), figure.Exact(p.mean)}
			for _, r := range p.ranges {
				row = append(row, figure.Exact(r[0]), figure.Exact(r[1]))
			}
			t.Row(row...)
		}
	}
	return t.Close()
}

// facets describes a chart for each run.
func (a Predictions) facets() chart.Facets {
	x := chart.NewExtent()
	y := chart.NewExtent()
	for _, one := range a.List {
		for _, p := range one.points() {
			x.Add(p.observed)
			y.Add(p.mean)
			for _, r := range p.ranges {
				y.Add(r[0])
				y.Add(r[1])
			}
		}
	}
	out := chart.Facets{Name: "predictions", Legend: a.legend}
	if x.N == 0 {
		out.Empty = "no points yet"
		return out
	}
	plane := chart.Plane{X: chart.Fit(chart.Linear, x, false), Y: chart.Fit(chart.Linear, y, false),
		XName: a.XName, YName: a.YName}
	diagonal := chart.Diagonal{Name: "y = x", From: max(x.Lo, y.Lo), To: min(x.Hi, y.Hi), Bold: true}
	for _, one := range a.List {
		full, shares := one.counts()
		heading := strings.TrimSpace(titled(one.Label, one.Step) + "\n" + strings.Join(full, ", "))
		out.Charts = append(out.Charts, chart.Chart{Name: "predictions", Plane: plane, PadX: 0.02, PadY: 0.02,
			Marks: one.marks(diagonal), Page: chart.Page{NX: 6, NY: 6, Title: heading},
			Legend: func(style canvas.Style) []canvas.Part {
				parts := nameParts(style, one.Run, one.Label, one.Step)
				if len(full) > 0 {
					parts = append(parts, canvas.Note(1, canvas.Ink{}, strings.Join(full, "  "),
						strings.Join(shares, "  "), ""))
				}
				return parts
			}})
	}
	return out
}

// marks describes the ranges of the points, then the diagonal, then the means.
func (a Prediction) marks(diagonal chart.Diagonal) (list []chart.Mark) {
	means := chart.Points{Name: "mean", Glyph: canvas.SmallMarker(a.Run), Color: chart.Run(a.Run),
		Bold: true, Dotted: true, Radius: 0.6}
	points := a.points()
	for i, r := range a.Ranges {
		bars := chart.Whiskers{Name: r.Name, Color: rangeColor(a.Run, i, len(a.Ranges)),
			Width: 0.3 + 0.5*float64(i), Bold: i > 0}
		if i > 0 {
			bars.Glyph = '┃'
		}
		for _, p := range points {
			bars.List = append(bars.List, chart.Whisker{
				X:  p.observed,
				Lo: p.ranges[i][0],
				Hi: p.ranges[i][1],
			})
		}
		list = append(list, bars)
	}
	for _, p := range points {
		means.XY = append(means.XY, chart.XY{X: p.observed, Y: p.mean})
	}
	return append(list, diagonal, means)
}

// rangeColor returns the colour of range i of n. The widest range is the faintest.
func rangeColor(run, i, n int) chart.Color {
	alpha := uint8(min(70*(i+1), 255))
	if i+1 < n {
		return chart.Run(run).Fade(0.55, alpha)
	}
	return chart.Run(run).Fade(0, alpha)
}

// counts returns the number and the share of the points in each range, as text.
func (a Prediction) counts() (full, shares []string) {
	for i, r := range a.Ranges {
		inside, of := a.inside(i)
		full = append(full, fmt.Sprintf("%d of %d in %s", inside, of, r.Name))
		shares = append(shares, fmt.Sprintf("%.0f%% in %s",
			100*float64(inside)/math.Max(float64(of), 1), r.Name))
	}
	return full, shares
}

// legend explains the diagonal and the ranges.
func (a Predictions) legend(style canvas.Style) (parts []canvas.Part) {
	first, dim := a.List[0], canvas.Ink{FG: style.Dim()}
	point := string(canvas.SmallMarker(first.Run))
	if style.Dots() {
		point = "⠂"
	}
	look := canvas.Ink{FG: style.RunColor(first.Run), Bold: true}
	parts = append(parts, canvas.Note(0, look, point+" mean", ""), canvas.Note(1, dim, "╱ y = x", ""))
	for i, r := range first.Ranges {
		glyph := "│ "
		if i > 0 && !style.Dots() {
			glyph = "┃ "
		}
		color := rangeColor(first.Run, i, len(first.Ranges)).Text(style)
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: color}, glyph+r.Name, ""))
	}
	return parts
}
