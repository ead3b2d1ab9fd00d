package plots

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Relevance shows the relevance of inputs in runs, 1/lengthscale, as bars with numbers.
type Relevance struct {
	Inputs []string
	List   []Lengths
	// Lead is the index in List of the run whose most relevant inputs come first.
	Lead int
}

// Lengths holds the standardised lengthscales of a run.
type Lengths struct {
	Label  string
	Run    int
	Values []float64
}

// of returns the relevance of an input, or NaN if it is unknown.
func (l Lengths) of(input int) float64 {
	if input >= len(l.Values) || !(l.Values[input] > 0) || math.IsInf(l.Values[input], 0) {
		return math.NaN()
	}
	return 1 / l.Values[input]
}

// order returns the inputs by descending relevance in the leading run.
func (r Relevance) order() []int {
	order := make([]int, len(r.Inputs))
	for k := range order {
		order[k] = k
	}
	if r.Lead < len(r.List) {
		l := r.List[r.Lead]
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.of(b), l.of(a)) })
	}
	return order
}

// most returns the largest relevance, or 0 if there is none.
func (r Relevance) most() (most float64) {
	for _, l := range r.List {
		for k := range r.Inputs {
			if v := l.of(k); v > most && canvas.Finite(v) {
				most = v
			}
		}
	}
	return most
}

// Render draws the bars as h lines of w cells: a line for each input and run. Inputs without room are
// omitted.
func (r Relevance) Render(style canvas.Style, w, h int) []string {
	most := r.most()
	if most == 0 {
		return canvas.Empty(style, w, h, "no lengthscales yet")
	}
	cv := canvas.New(style, w, h)
	top := chart.LegendRows(h)
	names, texts := 0, 0
	for _, name := range r.Inputs {
		names = max(names, canvas.Width(name))
	}
	for _, l := range r.List {
		for k := range r.Inputs {
			texts = max(texts, canvas.Width(l.text(k)))
		}
	}
	names = min(names, max(2*w/5, 4), max(w-texts-1, 0))
	group := len(r.List)
	shown := min(len(r.Inputs), max((h-top)/group, 1))
	for position, k := range r.order()[:shown] {
		for i, l := range r.List {
			y := top + position*group + i
			if i == 0 {
				cv.Text(0, y, canvas.Truncate(r.Inputs[k], names), canvas.Ink{})
			}
			if share := l.of(k) / most; canvas.Finite(share) && w > names+texts+2 {
				eighths := max(int(share*float64(8*(w-names-texts-2))+0.5), 1)
				canvas.DrawBar(cv, names+1, y, eighths, canvas.Ink{FG: style.RunColor(l.Run)})
			}
			cv.TextRight(w, y, l.text(k), canvas.Ink{FG: style.Dim()})
		}
	}
	if top > 0 {
		canvas.DrawLegend(cv, 0, 0, w, r.legend(style, shown))
	}
	return cv.Lines()
}

// text formats the relevance of an input. It is empty if the relevance is unknown.
func (l Lengths) text(k int) string {
	v := l.of(k)
	if !canvas.Finite(v) {
		return ""
	}
	return canvas.Digits(v, 3)
}

func (r Relevance) legend(style canvas.Style, shown int) (parts []canvas.Part) {
	for _, l := range r.List {
		if l.Label != "" {
			parts = append(parts, canvas.Label(style, l.Run, l.Label, "").Part())
		}
	}
	dim := canvas.Ink{FG: style.Dim()}
	parts = append(parts, canvas.Note(1, dim, "1/lengthscale, inputs standardised", "1/lengthscale", ""))
	if left := len(r.Inputs) - shown; left > 0 {
		parts = append(parts, canvas.Note(1, dim, strconv.Itoa(left)+" less relevant not shown",
			strconv.Itoa(left)+" more"))
	}
	return parts
}

// relevanceShare is the approximate share of the width of a figure for the bars, without the legend.
const relevanceShare = 0.6

// barShades holds the opacities of the bars of runs in turn, which distinguish them without colour.
var barShades = [...]uint8{255, 150, 200, 70}

// Figure returns the relevance as vertical bars, with runs side by side.
func (r Relevance) Figure(o figure.Options) (*figure.Figure, error) {
	most := r.most()
	if most == 0 {
		return nil, fmt.Errorf("relevance: %w: no lengthscales", figure.ErrNothing)
	}
	if err := figure.CheckRange("relevance", most); err != nil {
		return nil, err
	}
	p := figure.NewPlot()
	p.Title.Text, p.Y.Label.Text = o.Title, "1/lengthscale, inputs standardised"
	order := r.order()
	names := make([]string, len(order))
	room := relevanceShare * vg.Length(o.Share()) * figure.PageWidth
	width := 0.7 * room / vg.Length(len(order)*len(r.List))
	for i, l := range r.List {
		values := make(plotter.Values, len(order))
		for position, k := range order {
			names[position] = r.Inputs[k]
			if v := l.of(k); canvas.Finite(v) {
				values[position] = v
			}
		}
		bars := &plotter.BarChart{
			Values: values,
			Width:  width,
			Color:  figure.RunColor(l.Run, barShades[i%len(barShades)]),
			LineStyle: draw.LineStyle{
				Color: figure.RunColor(l.Run, 255),
				Width: vg.Millimeter / 5,
			},
			Offset: width * (vg.Length(i) - vg.Length(len(r.List)-1)/2),
		}
		p.Add(bars)
		if l.Label != "" {
			p.AddEntry(l.Label, bars)
		}
	}
	p.NominalX(names...)
	if slices.ContainsFunc(names, func(name string) bool {
		return p.X.Tick.Label.Width(name) > room/vg.Length(len(names)+1)
	}) {
		p.X.Tick.Label.Rotation = 0.6
		p.X.Tick.Label.XAlign = draw.XRight
		p.X.Tick.Label.YAlign = draw.YTop
	}
	p.Y.Tick.Marker = chart.Ticks(chart.Plain.Ticks(0, most, 6))
	p.X.Min, p.X.Max = -0.5, float64(len(order))-0.5
	p.Y.Min = 0
	return figure.Single(16*vg.Centimeter, 10*vg.Centimeter, p, o), nil
}

// CSV writes the lengthscale and the relevance of every input.
func (r Relevance) CSV(out io.Writer) error {
	t := figure.NewTable(out, "run", "label", "input", "lengthscale", "relevance")
	for _, l := range r.List {
		for k, name := range r.Inputs {
			if k < len(l.Values) {
				t.Row(fmt.Sprint(l.Run+1), l.Label, name, figure.Exact(l.Values[k]), figure.Exact(l.of(k)))
			}
		}
	}
	return t.Close()
}
