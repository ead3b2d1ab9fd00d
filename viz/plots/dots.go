package plots

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// DotRow is a row of Dots. Values that are not finite are not drawn.
type DotRow struct {
	Label string
	// Texts are the cells next to the label, in the columns of Dots.
	Texts []string
	// Values are drawn as dots. Run selects colour and marker; see Style.RunColor.
	Values []float64
	Run    int
	// Lo and Hi are the ends of a range. Tick is a reference.
	Lo, Hi, Tick float64
}

// Dots shows values on a common axis next to the cells of a table, with a row for each label.
type Dots struct {
	Rows []DotRow
	// Columns are the titles of the labels and of the texts. The first texts are words, which are aligned to
	// the left; the others are numbers.
	Columns []string
	Words   int
	// XName names the axis. DotName, RangeName and TickName explain the glyphs; an empty name marks
	// a glyph that does not occur.
	XName                        string
	DotName, RangeName, TickName string
	// Empty is the text of a picture without rows.
	Empty string
}

// Lines returns the height of the picture with all rows: below the legend, the rows have an axis of
// one or two lines and perhaps its name.
func (d Dots) Lines() int {
	n := len(d.Rows)
	switch {
	case n+3 >= 10:
		return n + 4
	case n+2 >= 8:
		return n + 3
	}
	return max(n+2, 6)
}

// leastDots is the minimum width of the axis next to the table, and dotsGap is the space between columns if
// it fits.
const leastDots, dotsGap = 14, 2

// Render draws the rows as h lines of w cells. The axis is omitted if the table leaves no room for it. Rows
// without room are counted on the last line.
func (d Dots) Render(style canvas.Style, w, h int) []string {
	if len(d.Rows) == 0 {
		return canvas.Empty(style, w, h, d.Empty)
	}
	if w < 1 || h < 1 {
		return nil
	}
	cv := canvas.New(style, w, h)
	widths := d.widths(h)
	table, gap := 0, dotsGap
	for _, n := range widths {
		table += n
	}
	if table+(len(widths)-1)*gap > w {
		gap = 1
	}
	table += (len(widths) - 1) * gap
	top := chart.LegendRows(h)
	rows := h - top
	if at := table + dotsGap; w-at >= leastDots && h > top {
		c := d.chart()
		if canvas.Width(c.XName) > w-at {
			c.XName = "" // The legend or the table explains the dots.
		}
		c.Marks = []chart.Mark{chart.OnText(func(plot *canvas.Canvas, p *chart.Plane) {
			rows = plot.H
			d.draw(plot, p)
		})}
		cv.Blit(at, top, c.Draw(style, w-at, h-top))
		if top > 0 {
			canvas.DrawLegend(cv, at, 0, w-at, d.legend(style))
		}
	}
	dim := canvas.Ink{FG: style.Dim()}
	if top > 0 {
		d.write(cv, 0, gap, widths, d.Columns, dim)
	}
	for i, r := range d.Rows[:min(len(d.Rows), rows)] {
		if i == rows-1 && len(d.Rows) > rows && rows > 1 {
			more := "… " + strconv.Itoa(len(d.Rows)-i) + " more"
			cv.Text(0, top+i, canvas.Truncate(more, min(w, table)), dim)
			break
		}
		d.write(cv, top+i, gap, widths, slices.Concat([]string{r.Label}, r.Texts), canvas.Ink{})
	}
	return cv.Lines()
}

// mostWords is the maximum width of the labels and the words of a table. Figures show them in full.
const mostWords = 24

// widths returns the widths of the columns of the table with at most h rows.
func (d Dots) widths(h int) (list []int) {
	widen := func(cells []string) {
		for i, text := range cells {
			if i == len(list) {
				list = append(list, 0)
			}
			list[i] = max(list[i], canvas.Width(text))
		}
	}
	widen(d.Columns)
	for _, r := range d.Rows[:min(len(d.Rows), h)] {
		widen(slices.Concat([]string{r.Label}, r.Texts))
	}
	for i := range list[:min(1+d.Words, len(list))] {
		list[i] = min(list[i], mostWords)
	}
	return list
}

// write writes the cells of a line of the table. A cell without room and all cells after it are omitted.
func (d Dots) write(cv *canvas.Canvas, y, gap int, widths []int, cells []string, look canvas.Ink) {
	x := 0
	for i, text := range cells {
		switch {
		case i == 0:
			cv.Text(0, y, canvas.Truncate(text, min(widths[0], cv.W)), look)
		case x+widths[i] > cv.W:
			return
		case i <= d.Words:
			cv.Text(x, y, canvas.Truncate(text, widths[i]), look)
		default:
			cv.TextRight(x+widths[i], y, text, look)
		}
		x += widths[i] + gap
	}
}

// chart returns a chart with the axis of all values, without marks.
func (d Dots) chart() *chart.Chart {
	var values [][]float64
	for _, r := range d.Rows {
		values = append(values, r.Values, []float64{r.Lo, r.Hi, r.Tick})
	}
	c := &chart.Chart{Name: "dots", PadX: 0.03}
	c.X, _ = chart.FitValues(values, false)
	c.XName = d.XName
	return c
}

// draw draws the rows on a plot with one line for each: ranges, then ticks, then dots.
func (d Dots) draw(cv *canvas.Canvas, p *chart.Plane) {
	shown := min(len(d.Rows), cv.H)
	if shown < len(d.Rows) && shown > 1 {
		shown--
	}
	for y, r := range d.Rows[:shown] {
		color := cv.Style.RunColor(r.Run)
		if canvas.Finite(r.Lo) && canvas.Finite(r.Hi) {
			for x := p.Col(r.Lo, cv); x <= p.Col(r.Hi, cv); x++ {
				cv.Put(x, y, '─', canvas.Ink{FG: cv.Style.Tint(color, 0.4)})
			}
		}
		if canvas.Finite(r.Tick) {
			cv.Put(p.Col(r.Tick, cv), y, '│', canvas.Ink{Bold: true})
		}
		for _, v := range r.Values {
			if canvas.Finite(v) {
				cv.Put(p.Col(v, cv), y, canvas.Marker(r.Run), canvas.Ink{FG: color, Bold: true})
			}
		}
	}
}

// legend explains the glyphs.
func (d Dots) legend(style canvas.Style) (parts []canvas.Part) {
	dim := canvas.Ink{FG: style.Dim()}
	for _, entry := range []struct {
		glyph, name string
		keep        int
	}{{"●", d.DotName, 2}, {"─", d.RangeName, 0}, {"│", d.TickName, 1}} {
		if entry.name != "" {
			parts = append(parts, canvas.Note(entry.keep, dim, entry.glyph+" "+entry.name, ""))
		}
	}
	return parts
}

// labelShare limits the width of the labels as a share of the width of a figure. Longer labels are wrapped.
const labelShare = 0.4

// Figure returns the rows as a figure. The first row is at the top.
func (d Dots) Figure(o figure.Options) (*figure.Figure, error) {
	n := float64(len(d.Rows))
	c := d.chart()
	c.Marks = d.figureMarks()
	var labels []string
	row := 0.5 // the height of a row in centimetres
	widest := labelShare * vg.Length(o.Share()) * figure.PageWidth
	for _, r := range d.Rows {
		words := slices.Concat([]string{r.Label}, r.Texts[:min(d.Words, len(r.Texts))])
		words = slices.DeleteFunc(words, func(text string) bool { return text == "" })
		label := figure.Wrap(strings.Join(words, ", "), figure.TickSize, widest)
		labels = append(labels, label)
		row = max(row, 0.35*float64(1+strings.Count(label, "\n")))
	}
	c.Page = chart.Page{H: 2.5 + row*n, NX: 6}
	if len(d.Rows) == 0 {
		c.Empty = d.Empty
	}
	c.Y = chart.Scale{Lo: -n + 0.5, Hi: 0.5}
	c.YTicks = func(int) (ticks []chart.Tick) {
		for i, label := range labels {
			ticks = append(ticks, chart.Tick{At: -float64(i), Label: label})
		}
		return ticks
	}
	return c.Figure(o)
}

// barReach is half the height of a tick in a figure, relative to a row.
const barReach = 0.32

// figureMarks returns the marks of a figure: ranges, ticks and dots of each row.
func (d Dots) figureMarks() (marks []chart.Mark) {
	names := []string{d.RangeName, d.TickName, d.DotName}
	once := func(i int) (name string) { // Only the first mark has a legend entry.
		name, names[i] = names[i], ""
		return name
	}
	for i, r := range d.Rows {
		y := -float64(i)
		if canvas.Finite(r.Lo) && canvas.Finite(r.Hi) {
			marks = append(marks, chart.Line{Name: once(0), Color: chart.Run(r.Run).Fade(0, 130),
				Width: 0.6, XY: []chart.XY{{X: r.Lo, Y: y}, {X: r.Hi, Y: y}}})
		}
		if canvas.Finite(r.Tick) {
			marks = append(marks, chart.Whiskers{Name: once(1), Color: chart.Ink, Width: 0.4,
				List: []chart.Whisker{{X: r.Tick, Lo: y - barReach, Mid: y, Hi: y + barReach}}})
		}
		dots := chart.Points{Name: once(2), Color: chart.Run(r.Run), Radius: 0.9}
		for _, v := range r.Values {
			if canvas.Finite(v) {
				dots.XY = append(dots.XY, chart.XY{X: v, Y: y})
			}
		}
		marks = append(marks, dots)
	}
	return marks
}

// CSV writes every value of every row. A missing range or reference is empty.
func (d Dots) CSV(out io.Writer) error {
	head := slices.Concat(d.Columns, []string{"value", "low", "high", "reference"})
	t := figure.NewTable(out, head...)
	for _, r := range d.Rows {
		cells := make([]string, len(d.Columns))
		copy(cells, slices.Concat([]string{r.Label}, r.Texts))
		for _, v := range r.Values {
			row := slices.Clone(cells)
			for _, x := range []float64{v, r.Lo, r.Hi, r.Tick} {
				text := ""
				if canvas.Finite(x) {
					text = figure.Exact(x)
				}
				row = append(row, text)
			}
			t.Row(row...)
		}
	}
	return t.Close()
}
