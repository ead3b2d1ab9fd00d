package figure

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
	"dgplab/viz/fits"
	"dgplab/viz/number"
)

// Fits writes the fits of runs as charts on one scale.
func Fits(out io.Writer, format Format, f fits.Fits, o Options) error {
	x, y, ok := f.Extents()
	if !ok {
		return fmt.Errorf("fit: %w: no finite value", ErrNothing)
	}
	var plots []*plot.Plot
	for _, one := range f.List {
		p, err := framed("fit", x, y, f.XName, f.YName, f.XDates)
		if err != nil {
			return err
		}
		p.Title.Text = titled(one.Label, one.Note)
		if err := addFit(p, one, x); err != nil {
			return fmt.Errorf("fit %q: %w", one.Label, err)
		}
		setRange(&p.X, x.Lo, x.Hi, 0)
		setRange(&p.Y, y.Lo, y.Hi, 0.04)
		addMarks(p, one.Marks, one.MarksName)
		plots = append(plots, p)
	}
	return arrange(out, format, plots, o)
}

// framed returns a plot with axes of these ranges.
func framed(what string, x, y axes.Extent, xName, yName string, dates axes.Dates) (*plot.Plot, error) {
	if err := checkRange(what, x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return nil, err
	}
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = axes.DrawnName(xName, dates), yName
	p.X.Tick.Marker = xTicks(x.Lo, x.Hi, dates)
	p.Y.Tick.Marker = ticks(axes.Plain.Ticks(y.Lo, y.Hi, 6))
	p.Title.TextStyle.Font.Size = labelSize
	addGrid(p)
	return p, nil
}

// xTicks are those of an axis that may be time.
func xTicks(lo, hi float64, dates axes.Dates) plot.Ticker {
	if dates.Known() {
		return ticks(axes.DateTicks(lo, hi, dates.Unit, 80))
	}
	return ticks(axes.Plain.Ticks(lo, hi, 6))
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

// arrange writes charts side by side, with the longest legend beside them: one as a figure of
// 15 x 9 cm and its legend.
func arrange(out io.Writer, format Format, plots []*plot.Plot, o Options) error {
	var legend plot.Legend
	for _, p := range plots {
		if high := func(l plot.Legend) vg.Length {
			return l.Rectangle(draw.Canvas{}).Size().Y
		}; high(p.Legend) > high(legend) {
			legend = p.Legend
		}
		p.Legend = plot.NewLegend()
	}
	columns := min(len(plots), histogramColumns)
	rows := (len(plots) + columns - 1) / columns
	height := vg.Length(rows)*6*vg.Centimeter + 1.5*vg.Centimeter
	if rows == 1 {
		height += 1.5 * vg.Centimeter
	}
	for _, p := range plots {
		p.Title.Text = wrapped(p.Title.Text, labelSize, (arrangedWidth-2*margin)/vg.Length(columns)-tilePad)
	}
	return withLegend(out, format, arrangedWidth, height, legend, func(dc draw.Canvas) {
		dc = head(dc, o.Title)
		tiles := draw.Tiles{Cols: columns, Rows: rows, PadX: tilePad, PadY: tilePad}
		for i, p := range plots {
			p.Draw(tiles.At(dc, i%columns, i/columns))
		}
	})
}

// addFit adds the ranges, the points, the draws and the mean.
func addFit(p *plot.Plot, f fits.Fit, x axes.Extent) error {
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
		if err := addShade(p, r.Name, f.Run, outline); err != nil {
			return err
		}
		look := draw.LineStyle{Color: runColor(f.Run, uint8(min(50*(i+1), 255))), Width: 2 * vg.Millimeter}
		p.Legend.Add(r.Name, &plotter.Line{LineStyle: look})
	}
	for i, d := range f.Draws {
		line := plotter.Line{
			XYs:       finite(joinedXY(f.X, d)),
			LineStyle: draw.LineStyle{Color: runColor(f.Run, 140), Width: vg.Millimeter / 5},
		}
		p.Add(&line)
		if i == 0 {
			p.Legend.Add(f.DrawsName, &line)
		}
	}
	for i, c := range f.Clouds {
		look := draw.GlyphStyle{Color: softColor, Radius: vg.Millimeter * 0.5, Shape: draw.CircleGlyph{}}
		if i%2 == 1 {
			look.Color, look.Radius, look.Shape = inkColor, vg.Millimeter*0.7, draw.CrossGlyph{}
		}
		if list := c.Inside(x); len(list) > 0 {
			name := c.Name
			if c.Short != "" {
				name = c.Short + " points"
			}
			p.Legend.Add(name, cloud(p, list, look))
		}
	}
	mean := plotter.Line{XYs: finite(joinedXY(f.X, f.Mean)), LineStyle: runLine(f.Run)}
	p.Add(&mean)
	p.Legend.Add(f.MeanName, &mean)
	return nil
}

// joinedXY joins coordinates of points.
func joinedXY(x, y []float64) []axes.XY {
	list := make([]axes.XY, min(len(x), len(y)))
	for k := range list {
		list[k] = axes.XY{X: x[k], Y: y[k]}
	}
	return list
}

// addMarks adds marks along the lower edge of a plot whose ranges are set.
func addMarks(p *plot.Plot, marks []float64, name string) {
	var list []axes.XY
	for _, v := range marks {
		if v >= p.X.Min && v <= p.X.Max {
			list = append(list, axes.XY{X: v, Y: p.Y.Min})
		}
	}
	if len(list) > 0 {
		p.Legend.Add(name, cloud(p, list, draw.GlyphStyle{
			Color:  softColor,
			Radius: vg.Millimeter,
			Shape:  draw.PlusGlyph{},
		}))
	}
}

// FitsCSV writes every value and every point of fits.
func FitsCSV(out io.Writer, f fits.Fits) error {
	t := NewTable(out, "run", "label", "what", cmp.Or(f.XName, "x"), cmp.Or(f.YName, "y"))
	for _, one := range f.List {
		write := func(what string, x, y []float64) {
			for _, p := range joinedXY(x, y) {
				t.Row(fmt.Sprint(one.Run+1), one.Label, what, Exact(p.X), Exact(p.Y))
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
			t.Row(fmt.Sprint(one.Run+1), one.Label, one.MarksName, Exact(v), "")
		}
	}
	return t.Close()
}

// Against writes predictions of runs against observations as charts on one scale.
func Against(out io.Writer, format Format, a fits.Againsts, o Options) error {
	x, y, ok := a.Extents()
	if !ok {
		return fmt.Errorf("predictions: %w: no finite point", ErrNothing)
	}
	var plots []*plot.Plot
	for _, one := range a.List {
		p, err := framed("predictions", x, y, a.XName, a.YName, axes.Dates{})
		if err != nil {
			return err
		}
		p.Title.Text = titled(one.Label, one.Note)
		lo := max(x.Lo, y.Lo)
		hi := min(x.Hi, y.Hi)
		diagonal := &plotter.Line{
			XYs:       plotter.XYs{{X: lo, Y: lo}, {X: hi, Y: hi}},
			LineStyle: draw.LineStyle{Color: softColor, Width: vg.Millimeter / 4},
		}
		p.Add(diagonal)
		p.Legend.Add("y = x", diagonal)
		var list []axes.XY
		for _, at := range one.Points() {
			for i, r := range at.Ranges {
				look := draw.LineStyle{
					Color: runColor(one.Run, uint8(min(70*(i+1), 255))),
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
				Color: runColor(one.Run, uint8(min(70*(i+1), 255))),
				Width: vg.Millimeter * vg.Length(0.3+0.5*float64(i)),
			}
			p.Legend.Add(r.Name, &plotter.Line{LineStyle: look})
		}
		p.Title.Text = strings.TrimSpace(p.Title.Text + "\n" + strings.Join(counts, ", "))
		p.Legend.Add("mean", cloud(p, list, draw.GlyphStyle{
			Color:  runColor(one.Run, 255),
			Radius: vg.Millimeter * 0.6,
			Shape:  draw.CircleGlyph{},
		}))
		setRange(&p.X, x.Lo, x.Hi, 0.02)
		setRange(&p.Y, y.Lo, y.Hi, 0.03)
		plots = append(plots, p)
	}
	return arrange(out, format, plots, o)
}

// AgainstCSV writes every point with the ends of its ranges.
func AgainstCSV(out io.Writer, a fits.Againsts) error {
	header := []string{"run", "label", "observed", "mean"}
	if len(a.List) > 0 {
		for _, r := range a.List[0].Ranges {
			header = append(header, r.Name+" from", r.Name+" to")
		}
	}
	t := NewTable(out, header...)
	for _, one := range a.List {
		for _, p := range one.Points() {
			row := []string{fmt.Sprint(one.Run + 1), one.Label, Exact(p.X), Exact(p.Y)}
			for _, r := range p.Ranges {
				row = append(row, Exact(r[0]), Exact(r[1]))
			}
			t.Row(row...)
		}
	}
	return t.Close()
}

// relevanceWidth is about that of the bars of a relevance.
const relevanceWidth = 13 * vg.Centimeter

// Relevance writes the relevance of inputs as upright bars, those of several runs beside
// each other.
func Relevance(out io.Writer, format Format, r fits.Relevance, o Options) error {
	most := r.Most()
	if most == 0 {
		return fmt.Errorf("relevance: %w: no lengthscales", ErrNothing)
	}
	if err := checkRange("relevance", most); err != nil {
		return err
	}
	p := newPlot()
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
			return fmt.Errorf("relevance of %q: %w", l.Label, err)
		}
		bars.Color, bars.LineStyle.Width = runColor(l.Run, 200), 0
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
	p.Y.Tick.Marker = ticks(axes.Plain.Ticks(0, most, 6))
	p.X.Min, p.X.Max = -0.5, float64(len(order))-0.5
	p.Y.Min = 0
	return single(out, format, 16*vg.Centimeter, 10*vg.Centimeter, p)
}

// RelevanceCSV writes the lengthscale and the relevance of every input.
func RelevanceCSV(out io.Writer, r fits.Relevance) error {
	t := NewTable(out, "run", "label", "input", "lengthscale", "relevance")
	for _, l := range r.List {
		for k, name := range r.Inputs {
			if k < len(l.Values) {
				t.Row(fmt.Sprint(l.Run+1), l.Label, name, Exact(l.Values[k]), Exact(l.Of(k)))
			}
		}
	}
	return t.Close()
}
