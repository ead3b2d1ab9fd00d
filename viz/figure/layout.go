package figure

import (
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	// slack is the factor by which text may be wider in the font of an SVG viewer.
	slack = 1.15
	// legendGap is the room between a chart and its legend.
	legendGap = 4 * vg.Millimeter
	// widestEntry limits the width of the text in a legend. Longer text is wrapped.
	widestEntry = 11 * vg.Centimeter
	// headRoom is the height of a title of one line with the room below it.
	headRoom = 7 * vg.Millimeter
	// tilePad is the room between charts side by side.
	tilePad = 4 * vg.Millimeter
	// arrangedWidth is the width of charts side by side without their legend.
	arrangedWidth = 15 * vg.Centimeter
	// ArrangedColumns is the maximum number of charts side by side in figures with a legend.
	ArrangedColumns = 2
)

// WithLegend returns a figure of w x h, widened by the legend of the plots on the right if they have entries,
// and as high as the legend. Entries with equal names are merged, and long names are wrapped.
func WithLegend(w, h vg.Length, plots []*Plot, drawOn func(draw.Canvas)) *Figure {
	legend := NewPlot().Legend
	legend.Top, legend.Left = true, true
	named := map[string]bool{}
	for _, p := range plots {
		if p == nil {
			continue
		}
		for _, e := range p.entries {
			if named[e.name] {
				continue
			}
			named[e.name] = true
			thumbs := e.thumbs
			for _, line := range strings.Split(Wrap(e.name, LabelSize, widestEntry), "\n") {
				legend.Add(line, thumbs...)
				thumbs = nil
			}
		}
	}
	if len(named) == 0 {
		return New(w, h, drawOn)
	}
	size := legend.Rectangle(draw.Canvas{}).Size()
	room := slack*size.X + legendGap
	return New(w+room, max(h, size.Y+headRoom+3*Margin), func(dc draw.Canvas) {
		legend.Draw(draw.Crop(dc, dc.Size().X-room+legendGap, 0, 0, -headRoom))
		drawOn(draw.Crop(dc, 0, -room, 0, 0))
	})
}

// Single returns a figure of one plot of w x h with its legend on the right.
func Single(w, h vg.Length, p *Plot) *Figure {
	p.Title.Text = Wrap(p.Title.Text, TitleSize, w-2*Margin)
	return WithLegend(w, h, []*Plot{p}, p.Draw)
}

// Tile returns a figure of small charts in columns, 16 cm wide, with their legend on the right. A nil chart
// leaves a blank space.
func Tile(plots []*Plot, columns int, o Options) *Figure {
	rows := (len(plots) + columns - 1) / columns
	height := vg.Length(rows)*5*vg.Centimeter + 1.5*vg.Centimeter
	return WithLegend(16*vg.Centimeter, height, plots, func(dc draw.Canvas) {
		drawTiles(dc, plots, columns, o.Title)
	})
}

// Arrange returns a figure of charts side by side with their legend on the right.
func Arrange(plots []*Plot, o Options) *Figure {
	columns := min(len(plots), ArrangedColumns)
	rows := (len(plots) + columns - 1) / columns
	h := vg.Length(rows)*6*vg.Centimeter + 1.5*vg.Centimeter
	if rows == 1 {
		h += 1.5 * vg.Centimeter
	}
	for _, p := range plots {
		p.Title.Text = Wrap(p.Title.Text, LabelSize, (arrangedWidth-2*Margin)/vg.Length(columns)-tilePad)
	}
	return WithLegend(arrangedWidth, h, plots, func(dc draw.Canvas) {
		drawTiles(dc, plots, columns, o.Title)
	})
}

// drawTiles draws charts in columns below a title.
func drawTiles(dc draw.Canvas, plots []*Plot, columns int, title string) {
	dc = drawHead(dc, title)
	rows := (len(plots) + columns - 1) / columns
	tiles := draw.Tiles{Cols: columns, Rows: rows, PadX: tilePad, PadY: tilePad}
	for i, p := range plots {
		if p != nil {
			p.Draw(tiles.At(dc, i%columns, i/columns))
		}
	}
}

// drawHead draws a title and returns the canvas below it.
func drawHead(dc draw.Canvas, title string) draw.Canvas {
	if title == "" {
		return dc
	}
	s := TextStyle(TitleSize, Ink)
	s.XAlign, s.YAlign = draw.XCenter, draw.YTop
	title = Wrap(title, TitleSize, dc.Size().X)
	dc.FillText(s, vg.Point{X: dc.Center().X, Y: dc.Max.Y}, title)
	return draw.Crop(dc, 0, 0, 0, -headRoom-vg.Length(strings.Count(title, "\n"))*TitleSize)
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
