package figure

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	// slack is the factor by which text may be wider in the font of an SVG viewer.
	slack = 1.15
	// legendGap is the room between a chart and its legend, and between the columns of a legend.
	legendGap = 3 * vg.Millimeter
	// besideShare is the maximum share of the width for a legend beside a chart. A wider legend, and the
	// legend of a figure that is narrower than besideLeast, is below the chart.
	besideShare = 0.34
	besideLeast = 12 * vg.Centimeter
	// headRoom is the height of a title of one line with the room below it.
	headRoom = 6 * vg.Millimeter
	// tilePad is the room between charts side by side.
	tilePad = 3 * vg.Millimeter
	// leastTile is the minimum width of a chart among others.
	leastTile = 3.6 * vg.Centimeter
	// leastData is the minimum height between the axes of a chart that becomes lower because it is narrow.
	leastData = 3.2 * vg.Centimeter
	// nameGap is the room between the ticks of an axis and its name.
	nameGap = 1 * vg.Millimeter
	// ArrangedColumns is the maximum number of charts side by side in figures with a legend.
	ArrangedColumns = 2
)

// WithLegend returns a figure of charts with the legend of the plots: on the right, or below the charts if it
// is wide. height returns the height of the charts for their width. Entries with equal names are merged, and
// long names are wrapped.
func WithLegend(
	plots []*Plot, o Options, height func(w vg.Length) vg.Length, drawOn func(draw.Canvas),
) *Figure {
	inner := o.width() - 2*Margin
	entries := distinctEntries(plots)
	if len(entries) == 0 {
		return New(o.width(), height(inner)+2*Margin, drawOn)
	}
	beside := layLegend(entries, 0)
	size := beside.size()
	if room := size.X + legendGap; room <= besideShare*inner && o.width() >= besideLeast {
		h := max(height(inner-room), size.Y+headRoom)
		return New(o.width(), h+2*Margin, func(dc draw.Canvas) {
			beside.draw(draw.Crop(dc, dc.Size().X-size.X, 0, 0, -headRoom))
			drawOn(draw.Crop(dc, 0, -room, 0, 0))
		})
	}
	below := layLegend(entries, inner)
	room := below.size().Y + legendGap
	return New(o.width(), height(inner)+room+2*Margin, func(dc draw.Canvas) {
		below.draw(draw.Crop(dc, 0, 0, 0, room-legendGap-dc.Size().Y))
		drawOn(draw.Crop(dc, 0, 0, room, 0))
	})
}

// distinctEntries returns the entries of the legends of plots, the first of each name.
func distinctEntries(plots []*Plot) (list []entry) {
	named := map[string]bool{}
	for _, p := range plots {
		if p == nil {
			continue
		}
		for _, e := range p.entries {
			if !named[e.name] {
				named[e.name] = true
				list = append(list, e)
			}
		}
	}
	return list
}

// legendLayout is a legend in columns of equal width.
type legendLayout struct {
	columns []plot.Legend
	width   vg.Length // of a column
}

// layLegend arranges entries in as many columns as fit into w, or in one column of wrapped names. If w is 0,
// it arranges them in one column of any width.
func layLegend(entries []entry, w vg.Length) (l legendLayout) {
	style := NewPlot().Legend
	text := w - style.ThumbnailWidth - slack*style.TextStyle.Width(" ")
	if w == 0 {
		text = mostWidth
	}
	for _, e := range entries {
		for _, line := range strings.Split(Wrap(e.name, LabelSize, text), "\n") {
			l.width = max(l.width, style.ThumbnailWidth+slack*style.TextStyle.Width(" "+line))
		}
	}
	columns := min(max(int((w+legendGap)/(l.width+legendGap)), 1), len(entries))
	rows := (len(entries) + columns - 1) / columns
	for first := 0; first < len(entries); first += rows {
		column := NewPlot().Legend
		column.Top, column.Left = true, true
		for _, e := range entries[first:min(first+rows, len(entries))] {
			thumbs := e.thumbs
			for _, line := range strings.Split(Wrap(e.name, LabelSize, text), "\n") {
				column.Add(line, thumbs...)
				thumbs = nil
			}
		}
		l.columns = append(l.columns, column)
	}
	return l
}

// size returns the size of the legend.
func (l legendLayout) size() (size vg.Point) {
	for _, column := range l.columns {
		size.Y = max(size.Y, column.Rectangle(draw.Canvas{}).Size().Y)
	}
	n := vg.Length(len(l.columns))
	size.X = n*l.width + (n-1)*legendGap
	return size
}

// draw draws the legend at the top left of a canvas.
func (l legendLayout) draw(dc draw.Canvas) {
	for i, column := range l.columns {
		column.Draw(draw.Crop(dc, vg.Length(i)*(l.width+legendGap), 0, 0, 0))
	}
}

// Single returns a figure of one plot with its legend. See HeightAt for its height.
func Single(w, h vg.Length, p *Plot, o Options) *Figure {
	title := p.Title.Text
	return WithLegend([]*Plot{p}, o, func(room vg.Length) vg.Length {
		p.Title.Text = Wrap(title, TitleSize, room)
		return p.HeightAt(room, w, h)
	}, func(dc draw.Canvas) {
		p.Title.Text = Wrap(title, TitleSize, dc.Size().X)
		p.Draw(dc)
	})
}

// HeightAt returns the height of a plot of the given width. The plot has the proportions w to h and is at
// most h high, but it always has a minimum height between the axes.
func (p *Plot) HeightAt(width, w, h vg.Length) vg.Length {
	whole := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: width, Y: h}}}
	data := p.Plot.DataCanvas(whole).Size().Y
	return max(min(h, width/w*h), h-data+leastData)
}

// Draw draws the plot. Names of axes are wrapped if they are longer than the axes.
func (p *Plot) Draw(dc draw.Canvas) {
	x, y := p.X.Label.Text, p.Y.Label.Text
	defer func() { p.X.Label.Text, p.Y.Label.Text = x, y }()
	// gonum/plot makes room for a name beside the axis instead of in its middle.
	p.X.Label.Text = ""
	names := Wrap(x, LabelSize, dc.Size().X)
	inner := dc
	style := p.X.Label.TextStyle
	if x != "" {
		inner = draw.Crop(dc, 0, 0, style.Height(names)+nameGap, 0)
	}
	p.Y.Label.Text = Wrap(y, LabelSize, p.Plot.DataCanvas(inner).Size().Y)
	p.Plot.Draw(inner)
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	data := p.Plot.DataCanvas(inner)
	half := style.Width(names) / 2
	middle := max(min(data.Center().X, dc.Max.X-half), dc.Min.X+half)
	dc.FillText(style, vg.Point{X: middle, Y: dc.Min.Y}, names)
}

// Rows returns a figure of one plot with its legend. The plot is h high, whatever its width.
func Rows(h vg.Length, p *Plot, o Options) *Figure {
	return Single(vg.Length(0.01)*h, h, p, o)
}

// Tile returns a figure of small charts in columns, as many as there is room for, with their legend. A nil
// chart leaves a blank space.
func Tile(plots []*Plot, columns int, o Options) *Figure {
	return tiles(plots, columns, 5*vg.Centimeter, o)
}

// Arrange returns a figure of charts side by side with their legend.
func Arrange(plots []*Plot, o Options) *Figure {
	columns := min(len(plots), ArrangedColumns)
	h := 6 * vg.Centimeter
	if len(plots) <= columns {
		h += 1.5 * vg.Centimeter
	}
	return tiles(plots, columns, h, o)
}

// tiles returns a figure of charts in columns. A chart is at most h high. Names of axes that all charts share
// are written once.
func tiles(plots []*Plot, columns int, h vg.Length, o Options) *Figure {
	columns = max(min(columns, int(o.width()/leastTile)), 1)
	rows := (len(plots) + columns - 1) / columns
	x, y := takeNames(plots)
	titles := make([]string, len(plots))
	for i, p := range plots {
		if p != nil {
			titles[i] = p.Title.Text
		}
	}
	left := vg.Length(0)
	if y != "" {
		left = LabelSize + 2*nameGap
	}
	below := vg.Length(0)
	if x != "" {
		below = LabelSize + 2*nameGap
	}
	tile := func(w vg.Length) vg.Length { return (w-left+tilePad)/vg.Length(columns) - tilePad }
	height := func(w vg.Length) vg.Length {
		one := vg.Length(0)
		for i, p := range plots {
			if p != nil {
				p.Title.Text = Wrap(titles[i], LabelSize, tile(w))
				one = max(one, p.HeightAt(tile(w), h, h))
			}
		}
		return headHeight(o.Title, w) + vg.Length(rows)*(one+tilePad) - tilePad + below
	}
	return WithLegend(plots, o, height, func(dc draw.Canvas) {
		dc = drawHead(dc, o.Title)
		inner := draw.Crop(dc, left, 0, below, 0)
		grid := make([][]*plot.Plot, rows)
		for i := range rows * columns {
			var p *plot.Plot
			if i < len(plots) && plots[i] != nil {
				p = plots[i].Plot
				p.Title.Text = Wrap(titles[i], LabelSize, tile(dc.Size().X))
			}
			grid[i/columns] = append(grid[i/columns], p)
		}
		at := plot.Align(grid, draw.Tiles{Cols: columns, Rows: rows, PadX: tilePad, PadY: tilePad}, inner)
		for i := range grid {
			for k, p := range grid[i] {
				if p != nil {
					p.Draw(at[i][k])
				}
			}
		}
		style := TextStyle(LabelSize, Ink)
		style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
		dc.FillText(style, vg.Point{X: inner.Center().X, Y: dc.Min.Y}, x)
		style.Rotation = math.Pi / 2
		style.YAlign = draw.YTop
		dc.FillText(style, vg.Point{X: dc.Min.X, Y: inner.Center().Y}, y)
	})
}

// takeNames removes the names of the horizontal and the vertical axes from plots, and returns them, unless
// they differ.
func takeNames(plots []*Plot) (x, y string) {
	var xs, ys []string
	for _, p := range plots {
		if p != nil {
			xs = append(xs, p.X.Label.Text)
			ys = append(ys, p.Y.Label.Text)
		}
	}
	if allEqual(xs) {
		x = xs[0]
	}
	if allEqual(ys) {
		y = ys[0]
	}
	for _, p := range plots {
		if p != nil && x != "" {
			p.X.Label.Text = ""
		}
		if p != nil && y != "" {
			p.Y.Label.Text = ""
		}
	}
	return x, y
}

// allEqual reports whether texts are equal.
func allEqual(texts []string) bool {
	for _, text := range texts {
		if text != texts[0] {
			return false
		}
	}
	return true
}

// headHeight returns the height of a title of a figure of width w with the room below it.
func headHeight(title string, w vg.Length) vg.Length {
	if title == "" {
		return 0
	}
	return headRoom + vg.Length(strings.Count(Wrap(title, TitleSize, w), "\n"))*TitleSize
}

// drawHead draws a title and returns the canvas below it.
func drawHead(dc draw.Canvas, title string) draw.Canvas {
	s := TextStyle(TitleSize, Ink)
	s.XAlign, s.YAlign = draw.XCenter, draw.YTop
	dc.FillText(s, vg.Point{X: dc.Center().X, Y: dc.Max.Y}, Wrap(title, TitleSize, dc.Size().X))
	return draw.Crop(dc, 0, 0, 0, -headHeight(title, dc.Size().X))
}

// Wrap breaks a title that is wider than w: after commas, and between words where necessary. Line breaks in
// the title are kept.
func Wrap(title string, size font.Length, w vg.Length) string {
	s := TextStyle(size, Ink)
	fits := func(line string) bool { return slack*s.Width(line) <= w }
	var lines []string
	for _, whole := range strings.Split(title, "\n") {
		for _, line := range pack(strings.SplitAfter(whole, ", "), fits) {
			lines = append(lines, pack(strings.SplitAfter(line, " "), fits)...)
		}
	}
	return strings.Join(lines, "\n")
}

// pack joins parts into lines, each with as many parts as fit.
func pack(parts []string, fits func(line string) bool) (lines []string) {
	line := ""
	for _, part := range parts {
		if line != "" && !fits(strings.TrimSpace(line+part)) {
			lines, line = append(lines, strings.TrimSpace(line)), ""
		}
		line += part
	}
	return append(lines, strings.TrimSpace(line))
}
