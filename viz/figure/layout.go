package figure

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	// slack is the factor by which text may be wider in the font of an SVG viewer.
	slack = 1.15
	// legendGap is the room between a chart and its legend.
	legendGap = 4 * vg.Millimeter
	// widestLegend limits the width of a legend.
	widestLegend = 13 * vg.Centimeter
	// headRoom is the height of a title of one line with the room below it.
	headRoom = 7 * vg.Millimeter
	// tilePad is the room between charts side by side.
	tilePad = 4 * vg.Millimeter
	// arrangedWidth is the width of charts side by side without their legend.
	arrangedWidth = 15 * vg.Centimeter
	// ArrangedColumns is the maximum number of charts side by side in figures with a legend.
	ArrangedColumns = 2
)

// WithLegend returns a figure of w x h, widened by a legend on the right if the legend has entries.
func WithLegend(w, h vg.Length, legend plot.Legend, drawOn func(draw.Canvas)) *Figure {
	legend.Top, legend.Left = true, true
	room := min(slack*legend.Rectangle(draw.Canvas{}).Size().X, widestLegend)
	if room > 0 {
		room += legendGap
	}
	return New(w+room, h, func(dc draw.Canvas) {
		legend.Draw(draw.Crop(dc, dc.Size().X-room+legendGap, 0, 0, -headRoom))
		drawOn(draw.Crop(dc, 0, -room, 0, 0))
	})
}

// Single returns a figure of one plot of w x h with its legend on the right.
func Single(w, h vg.Length, p *plot.Plot) *Figure {
	legend := p.Legend
	p.Legend = plot.NewLegend()
	p.Title.Text = Wrap(p.Title.Text, TitleSize, w-2*Margin)
	return WithLegend(w, h, legend, p.Draw)
}

// Tile returns a figure of small charts in columns, 16 cm wide. A nil chart leaves a blank space.
func Tile(plots []*plot.Plot, columns int, o Options) *Figure {
	rows := (len(plots) + columns - 1) / columns
	height := vg.Length(rows)*5*vg.Centimeter + 1.5*vg.Centimeter
	return New(16*vg.Centimeter, height, func(dc draw.Canvas) { drawTiles(dc, plots, columns, o.Title) })
}

// Arrange returns a figure of charts side by side with the longest of their legends on the right.
func Arrange(plots []*plot.Plot, o Options) *Figure {
	var legend plot.Legend
	height := func(l plot.Legend) vg.Length { return l.Rectangle(draw.Canvas{}).Size().Y }
	for _, p := range plots {
		if height(p.Legend) > height(legend) {
			legend = p.Legend
		}
		p.Legend = plot.NewLegend()
	}
	columns := min(len(plots), ArrangedColumns)
	rows := (len(plots) + columns - 1) / columns
	h := vg.Length(rows)*6*vg.Centimeter + 1.5*vg.Centimeter
	if rows == 1 {
		h += 1.5 * vg.Centimeter
	}
	for _, p := range plots {
		p.Title.Text = Wrap(p.Title.Text, LabelSize, (arrangedWidth-2*Margin)/vg.Length(columns)-tilePad)
	}
	return WithLegend(arrangedWidth, h, legend, func(dc draw.Canvas) {
		drawTiles(dc, plots, columns, o.Title)
	})
}

// drawTiles draws charts in columns below a title.
func drawTiles(dc draw.Canvas, plots []*plot.Plot, columns int, title string) {
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
