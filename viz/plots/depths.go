package plots

import (
	"fmt"
	"io"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
)

// Depths shows functions by the number of layers they have passed through, as small charts side by side with
// a row for each kind of function. Every chart has its own scale.
type Depths struct {
	// Grid holds the x of the functions, [G]. Along names the axis.
	Grid  []float64
	Along string
	Kinds []DepthsKind
	// Selected is the depth, counted from 0, that is shown if there is no room for all depths.
	Selected int
}

// DepthsKind holds functions of one kind by depth, [L][C][G].
type DepthsKind struct {
	Name   string
	Depths [][][]float64
}

const (
	// depthWidth and depthHeight are the minimum size of a chart with its title.
	depthWidth, depthHeight = 24, 6
)

// deepest returns the number of depths.
func (p Depths) deepest() (n int) {
	for _, k := range p.Kinds {
		n = max(n, len(k.Depths))
	}
	return n
}

// Render draws the charts that fit as h lines of w cells.
func (p Depths) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	depths := p.deepest()
	if depths == 0 {
		return canvas.Empty(style, w, h, "no functions yet")
	}
	cv := canvas.New(style, w, h)
	top := 0
	if h >= depthHeight {
		p.explain(cv, depths)
		top = 1
	}
	columns := max(min(w/depthWidth, depths), 1)
	rows := max(min((h-top)/depthHeight, len(p.Kinds)), 1)
	// Add lines of charts as long as they fit for all kinds.
	lines := 1
	for columns*lines < depths && (lines+1)*rows*depthHeight <= h-top {
		lines++
	}
	first := min(max(p.Selected, 0), depths-1)
	first = min(first/(columns*lines)*(columns*lines), max(depths-columns*lines, 0))
	grid := canvas.Grid{Columns: columns, Rows: lines * rows, W: w, H: h - top, Gap: canvas.TileGap}
	for i := range columns * lines * rows {
		line, kind := i/columns/rows, i/columns%rows
		depth := first + line*columns + i%columns
		if depth < len(p.Kinds[kind].Depths) {
			x, y, w, h := grid.Tile(i)
			p.drawChart(cv, kind, depth, x, top+y, w, h)
		}
	}
	return cv.Lines()
}

// explain writes the line above all charts.
func (p Depths) explain(cv *canvas.Canvas, depths int) {
	dim := canvas.Ink{FG: cv.Style.Dim()}
	n := 0
	for _, k := range p.Kinds {
		for _, curves := range k.Depths {
			n = max(n, len(curves))
		}
	}
	canvas.DrawLegend(cv, 0, 0, cv.W, []canvas.Part{
		canvas.Note(2, canvas.Ink{}, fmt.Sprintf("%d draws through 1 to %d layers", n, depths),
			fmt.Sprintf("1 to %d layers", depths)),
		canvas.Note(1, dim, "along the "+p.Along, ""),
		canvas.Note(0, dim, "first output of each layer, separate scales", "separate scales", ""),
	})
}

// depthName names a depth, counted from 0: "1 layer", "2 layers".
func depthName(depth int) string {
	if depth == 0 {
		return "1 layer"
	}
	return fmt.Sprintf("%d layers", depth+1)
}

// drawChart draws the functions of a kind at a depth, below a title.
func (p Depths) drawChart(cv *canvas.Canvas, kind, depth, x, y, w, h int) {
	dim, name := canvas.Ink{FG: cv.Style.Dim()}, p.Kinds[kind].Name
	canvas.DrawLegend(cv, x, y, w, []canvas.Part{
		canvas.Note(1, canvas.Ink{Bold: true}, depthName(depth)),
		canvas.Note(0, dim, name, canvas.Truncate(name, 6), ""),
	})
	cv.Blit(x, y+1, p.curve(kind, depth).Draw(cv.Style, w, h-1))
}

// curve returns the functions of a kind at a depth as curves.
func (p Depths) curve(kind, depth int) curves.Curve {
	return lines(p.Grid, p.Kinds[kind].Depths[depth])
}

// Figure returns the functions as small charts: a column for each depth and a row for each kind.
func (p Depths) Figure(o figure.Options) (*figure.Figure, error) {
	depths := p.deepest()
	columns := min(depths, layerColumns)
	var charts []*chart.Chart
	for first := 0; first < depths; first += columns {
		for kind, k := range p.Kinds {
			for depth := first; depth < first+columns; depth++ {
				c := &chart.Chart{Empty: "no such depth"}
				if depth < len(k.Depths) {
					c = smallChart(p.curve(kind, depth), k.Name+", "+depthName(depth), p.Along)
				}
				charts = append(charts, c)
			}
		}
	}
	return chart.Grid("prior", charts, columns, o)
}

// CSV writes every point of every function. Depths and curves are counted from 1.
func (p Depths) CSV(out io.Writer) error {
	t := figure.NewTable(out, "prior", "layers", "curve", "x", "value")
	for _, kind := range p.Kinds {
		for depth, list := range kind.Depths {
			for c, curve := range list {
				for i, v := range curve[:min(len(curve), len(p.Grid))] {
					t.Row(kind.Name, strconv.Itoa(depth+1), strconv.Itoa(c+1),
						figure.Exact(p.Grid[i]), figure.Exact(v))
				}
			}
		}
	}
	return t.Close()
}
