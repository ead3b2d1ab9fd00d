package fits

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/figure"
	"dgplab/viz/number"
)

// Figure returns the fits of runs as charts on one scale.
func (f Fits) Figure(o figure.Options) (*figure.Figure, error) {
	x, y, ok := f.Extents()
	if !ok {
		return nil, fmt.Errorf("fit: %w: no finite value", figure.ErrNothing)
	}
	var plots []*plot.Plot
	for _, one := range f.List {
		p, err := framed("fit", x, y, f.XName, f.YName, f.XDates)
		if err != nil {
			return nil, err
		}
		p.Title.Text = titled(one.Label, one.Note)
		if err := addFit(p, one, x); err != nil {
			return nil, fmt.Errorf("fit %q: %w", one.Label, err)
		}
		figure.SetRange(&p.X, x.Lo, x.Hi, 0)
		figure.SetRange(&p.Y, y.Lo, y.Hi, 0.04)
		figure.AddMarks(p, one.Marks, one.MarksName)
		plots = append(plots, p)
	}
	return figure.Arrange(plots, o), nil
}

// framed returns a plot with axes of these ranges.
func framed(what string, x, y axes.Extent, xName, yName string, dates axes.Dates) (*plot.Plot, error) {
	if err := figure.CheckRange(what, x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return nil, err
	}
	p := figure.NewPlot()
	p.X.Label.Text, p.Y.Label.Text = axes.DrawnName(xName, dates), yName
	p.X.Tick.Marker = figure.XTicks(x.Lo, x.Hi, dates)
	p.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(y.Lo, y.Hi, 6))
	p.Title.TextStyle.Font.Size = figure.LabelSize
	figure.AddGrid(p)
	return p, nil
}

// titled joins the name of a chart among others and a note about it.
func titled(label, note string) string {
	if label == "" || note == "" {
		return label
	}
	return label + ", " + note
}

// arrangedWidth is that of charts side by side without their legend.
const arrangedWidth = 15 * vg.Centimeter

// addFit adds the ranges, the points, the draws and the mean.
func addFit(p *plot.Plot, f Fit, x axes.Extent) error {
	for i, r := range f.Ranges {
		n := min(len(f.X), len(r.Lo), len(r.Hi))
		var outline plotter.XYs
		for k := range n {
			if number.Finite(r.Lo[k]) && number.Finite(r.Hi[k]) {
				outline = append(outline, plotter.XY{X: f.X[k], Y: r.Lo[k]})
			}
		}
		for k := range slices.Backward(f.X[:n]) {
			if number.Finite(r.Lo[k]) && number.Finite(r.Hi[k]) {
				outline = append(outline, plotter.XY{X: f.X[k], Y: r.Hi[k]})
			}
		}
		if len(outline) < 4 {
			continue
		}
		if err := figure.AddShade(p, r.Name, f.Run, outline); err != nil {
			return err
		}
		look := draw.LineStyle{
			Color: figure.RunColor(f.Run, uint8(min(50*(i+1), 255))),
			Width: 2 * vg.Millimeter,
		}
		p.Legend.Add(r.Name, &plotter.Line{LineStyle: look})
	}
	for i, d := range f.Draws {
		line := plotter.Line{
			XYs:       figure.Finite(figure.Join(f.X, d)),
			LineStyle: draw.LineStyle{Color: figure.RunColor(f.Run, 140), Width: vg.Millimeter / 5},
		}
		p.Add(&line)
		if i == 0 {
			p.Legend.Add(f.DrawsName, &line)
		}
	}
	for i, c := range f.Clouds {
		look := draw.GlyphStyle{Color: figure.Soft, Radius: vg.Millimeter * 0.5, Shape: draw.CircleGlyph{}}
		if i%2 == 1 {
			look.Color, look.Radius, look.Shape = figure.Ink, vg.Millimeter*0.7, draw.CrossGlyph{}
		}
		if list := c.Inside(x); len(list) > 0 {
			name := c.Name
			if c.Short != "" {
				name = c.Short + " points"
			}
			p.Legend.Add(name, figure.AddPoints(p, list, look))
		}
	}
	mean := plotter.Line{XYs: figure.Finite(figure.Join(f.X, f.Mean)), LineStyle: figure.RunLine(f.Run)}
	p.Add(&mean)
	p.Legend.Add(f.MeanName, &mean)
	return nil
}

// CSV writes every value and every point of fits.
func (f Fits) CSV(out io.Writer) error {
	t := figure.NewTable(out, "run", "label", "what", cmp.Or(f.XName, "x"), cmp.Or(f.YName, "y"))
	for _, one := range f.List {
		write := func(what string, x, y []float64) {
			for _, p := range figure.Join(x, y) {
				t.Row(fmt.Sprint(one.Run+1), one.Label, what, figure.Exact(p.X), figure.Exact(p.Y))
			}
		}
		write(one.MeanName, one.X, one.Mean)
		for _, r := range one.Ranges {
			write(r.Name+" from", one.X, r.Lo)
			write(r.Name+" to", one.X, r.Hi)
		}
		for i, d := range one.Draws {
			write(fmt.Sprintf("draw %d", i+1), one.X, d)
		}
		for _, c := range one.Clouds {
			write(c.Name, c.X, c.Y)
		}
		for _, v := range one.Marks {
			t.Row(fmt.Sprint(one.Run+1), one.Label, one.MarksName, figure.Exact(v), "")
		}
	}
	return t.Close()
}

// Figure returns predictions of runs against observations as charts on one scale.
func (a Againsts) Figure(o figure.Options) (*figure.Figure, error) {
	x, y, ok := a.Extents()
	if !ok {
		return nil, fmt.Errorf("predictions: %w: no finite point", figure.ErrNothing)
	}
	var plots []*plot.Plot
	for _, one := range a.List {
		p, err := framed("predictions", x, y, a.XName, a.YName, axes.Dates{})
		if err != nil {
			return nil, err
		}
		p.Title.Text = titled(one.Label, one.Note)
		lo := max(x.Lo, y.Lo)
		hi := min(x.Hi, y.Hi)
		diagonal := &plotter.Line{
			XYs:       plotter.XYs{{X: lo, Y: lo}, {X: hi, Y: hi}},
			LineStyle: draw.LineStyle{Color: figure.Soft, Width: vg.Millimeter / 4},
		}
		p.Add(diagonal)
		p.Legend.Add("y = x", diagonal)
		var list []axes.XY
		for _, at := range one.Points() {
			for i, r := range at.Ranges {
				look := draw.LineStyle{
					Color: figure.RunColor(one.Run, uint8(min(70*(i+1), 255))),
					Width: vg.Millimeter * vg.Length(0.3+0.5*float64(i)),
				}
				p.Add(&plotter.Line{
					XYs:       plotter.XYs{{X: at.X, Y: r[0]}, {X: at.X, Y: r[1]}},
					LineStyle: look,
				})
			}
			list = append(list, axes.XY{X: at.X, Y: at.Y})
		}
		var counts []string
		for i, r := range one.Ranges {
			inside, of := one.Inside(i)
			counts = append(counts, fmt.Sprintf("%d of %d in %s", inside, of, r.Name))
			look := draw.LineStyle{
				Color: figure.RunColor(one.Run, uint8(min(70*(i+1), 255))),
				Width: vg.Millimeter * vg.Length(0.3+0.5*float64(i)),
			}
			p.Legend.Add(r.Name, &plotter.Line{LineStyle: look})
		}
		p.Title.Text = strings.TrimSpace(p.Title.Text + "\n" + strings.Join(counts, ", "))
		p.Legend.Add("mean", figure.AddPoints(p, list, draw.GlyphStyle{
			Color:  figure.RunColor(one.Run, 255),
			Radius: vg.Millimeter * 0.6,
			Shape:  draw.CircleGlyph{},
		}))
		figure.SetRange(&p.X, x.Lo, x.Hi, 0.02)
		figure.SetRange(&p.Y, y.Lo, y.Hi, 0.03)
		plots = append(plots, p)
	}
	return figure.Arrange(plots, o), nil
}

// CSV writes every point with the ends of its ranges.
func (a Againsts) CSV(out io.Writer) error {
	header := []string{"run", "label", "observed", "mean"}
	if len(a.List) > 0 {
		for _, r := range a.List[0].Ranges {
			header = append(header, r.Name+" from", r.Name+" to")
		}
	}
	t := figure.NewTable(out, header...)
	for _, one := range a.List {
		for _, p := range one.Points() {
			row := []string{fmt.Sprint(one.Run + 1), one.Label, figure.Exact(p.X), figure.Exact(p.Y)}
			for _, r := range p.Ranges {
				row = append(row, figure.Exact(r[0]), figure.Exact(r[1]))
			}
			t.Row(row...)
		}
	}
	return t.Close()
}

// relevanceWidth is about that of the bars of a relevance.
const relevanceWidth = 13 * vg.Centimeter

// Figure returns the relevance of inputs as upright bars, those of several runs beside
// each other.
func (r Relevance) Figure(o figure.Options) (*figure.Figure, error) {
	most := r.Most()
	if most == 0 {
		return nil, fmt.Errorf("relevance: %w: no lengthscales", figure.ErrNothing)
	}
	if err := figure.CheckRange("relevance", most); err != nil {
		return nil, err
	}
	p := figure.NewPlot()
	p.Title.Text, p.Y.Label.Text = o.Title, "1/lengthscale, inputs standardised"
	order := r.Order()
	names := make([]string, len(order))
	width := 0.7 * relevanceWidth / vg.Length(len(order)*len(r.List))
	for i, l := range r.List {
		values := make(plotter.Values, len(order))
		for place, k := range order {
			names[place] = r.Inputs[k]
			if v := l.Of(k); number.Finite(v) {
				values[place] = v
			}
		}
		bars, err := plotter.NewBarChart(values, width)
		if err != nil {
			return nil, fmt.Errorf("relevance of %q: %w", l.Label, err)
		}
		bars.Color, bars.LineStyle.Width = figure.RunColor(l.Run, 200), 0
		bars.Offset = width * (vg.Length(i) - vg.Length(len(r.List)-1)/2)
		p.Add(bars)
		if l.Label != "" {
			p.Legend.Add(l.Label, bars)
		}
	}
	p.NominalX(names...)
	if slices.ContainsFunc(names, func(name string) bool {
		return p.X.Tick.Label.Width(name) > relevanceWidth/vg.Length(len(names)+1)
	}) {
		p.X.Tick.Label.Rotation = 0.6
		p.X.Tick.Label.XAlign = draw.XRight
		p.X.Tick.Label.YAlign = draw.YTop
	}
	p.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(0, most, 6))
	p.X.Min, p.X.Max = -0.5, float64(len(order))-0.5
	p.Y.Min = 0
	return figure.Single(16*vg.Centimeter, 10*vg.Centimeter, p), nil
}

// CSV writes the lengthscale and the relevance of every input.
func (r Relevance) CSV(out io.Writer) error {
	t := figure.NewTable(out, "run", "label", "input", "lengthscale", "relevance")
	for _, l := range r.List {
		for k, name := range r.Inputs {
			if k < len(l.Values) {
				t.Row(fmt.Sprint(l.Run+1), l.Label, name, figure.Exact(l.Values[k]), figure.Exact(l.Of(k)))
			}
		}
	}
	return t.Close()
}
