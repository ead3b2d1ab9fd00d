package fits

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Against is what a run predicts of points against what was observed there.
type Against struct {
	Label, Note string
	Run         int
	// Observed, Mean and the ranges, the widest first, have a value for each point.
	Observed, Mean []float64
	Ranges         []Range
}

// Againsts are those of runs, of the same target.
type Againsts struct {
	List         []Against
	XName, YName string
}

// AgainstPoint is a point that can be drawn: what was observed, the mean, and the ends of
// the ranges, the widest first.
type AgainstPoint struct {
	X, Y   float64
	Ranges [][2]float64
}

// Points returns those of all that are finite, in the order of what was observed.
func (a Against) Points() (list []AgainstPoint) {
	for k := range min(len(a.Observed), len(a.Mean)) {
		p := AgainstPoint{X: a.Observed[k], Y: a.Mean[k]}
		ok := number.Finite(p.X) && number.Finite(p.Y)
		for _, r := range a.Ranges {
			if k >= len(r.Lo) || k >= len(r.Hi) || !number.Finite(r.Lo[k]) ||
				!number.Finite(r.Hi[k]) || r.Lo[k] > r.Hi[k] {
				ok = false
				break
			}
			p.Ranges = append(p.Ranges, [2]float64{r.Lo[k], r.Hi[k]})
		}
		if ok {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b AgainstPoint) int { return cmp.Compare(a.X, b.X) })
	return list
}

// Inside counts the points that lie in range i.
func (a Against) Inside(i int) (inside, of int) {
	for _, p := range a.Points() {
		of++
		if p.X >= p.Ranges[i][0] && p.X <= p.Ranges[i][1] {
			inside++
		}
	}
	return inside, of
}

// Extents returns the ranges of both axes, of all runs together; ok is false without a point.
func (a Againsts) Extents() (x, y axes.Extent, ok bool) {
	x = axes.NewExtent()
	y = axes.NewExtent()
	for _, one := range a.List {
		for _, p := range one.Points() {
			x.Add(p.X)
			y.Add(p.Y)
			for _, r := range p.Ranges {
				y.Add(r[0])
				y.Add(r[1])
			}
		}
	}
	return x, y, x.N > 0
}

// Render draws the runs as w x h cells: the diagonal, over it each point with its ranges.
func (a Againsts) Render(style canvas.Style, w, h int) []string {
	x, y, ok := a.Extents()
	if !ok {
		return canvas.Empty(style, w, h, "no points yet")
	}
	plane := axes.Plane{
		X:     axes.Fit(axes.Linear, x, false),
		Y:     axes.Fit(axes.Linear, y, false),
		XName: a.XName,
		YName: a.YName,
	}
	plane.X.Pad(0.02)
	plane.Y.Pad(0.02)
	return tiled{n: len(a.List), plane: plane,
		draw:   func(i int, cv *canvas.Canvas, p *axes.Plane) { a.List[i].draw(cv, p) },
		own:    func(style canvas.Style, i int) []canvas.Part { return a.List[i].label(style) },
		shared: a.legend}.render(style, w, h)
}

func (a Against) draw(cv *canvas.Canvas, p *axes.Plane) {
	points := a.Points()
	for i := range a.Ranges {
		look := canvas.Ink{FG: barColor(cv.Style, a.Run, i, len(a.Ranges)), Bold: i > 0}
		bars := newBars(cv)
		for _, at := range points {
			bars.add(p, at.X, at.Ranges[i])
		}
		bars.drawOn(cv, look)
	}
	canvas.DrawLine(cv, canvas.Ink{FG: cv.Style.Dim(), Bold: true}, func(w, h int) []int {
		rows := make([]int, w)
		for x := range rows {
			rows[x] = -1
			if v := valueOf(&p.X, x, w); v >= p.Y.Lo && v <= p.Y.Hi {
				rows[x] = p.Y.RowOf(v, h)
			}
		}
		return rows
	})
	for _, at := range points {
		cv.Put(p.Col(at.X, cv), p.Row(at.Y, cv), canvas.Marker(a.Run), canvas.Ink{
			FG:   cv.Style.RunColor(a.Run),
			Bold: true,
		})
	}
}

// barColor is that of range i of n, the widest the faintest.
func barColor(style canvas.Style, run, i, n int) canvas.Color {
	if i+1 < n {
		return style.Tint(style.RunColor(run), 0.55)
	}
	return style.RunColor(run)
}

// bars are upright lines: of dots where the style has them, else of cells.
type bars struct {
	dots  *canvas.Dots
	cells map[[2]int]bool
	w, h  int
}

func newBars(cv *canvas.Canvas) *bars {
	if cv.Style.Dots() {
		return &bars{dots: canvas.NewDots(cv.W, cv.H), w: 2 * cv.W, h: 4 * cv.H}
	}
	return &bars{cells: map[[2]int]bool{}, w: cv.W, h: cv.H}
}

// add adds a line at x.
func (b *bars) add(p *axes.Plane, x float64, ends [2]float64) {
	col := int(number.Unit(x, p.X.Lo, p.X.Hi)*float64(b.w-1) + 0.5)
	for row := p.Y.RowOf(ends[0], b.h); row <= p.Y.RowOf(ends[1], b.h); row++ {
		if b.dots != nil {
			b.dots.Set(col, row)
			continue
		}
		b.cells[[2]int{col, b.h - 1 - row}] = true
	}
}

func (b *bars) drawOn(cv *canvas.Canvas, look canvas.Ink) {
	if b.dots != nil {
		b.dots.DrawOn(cv, look)
		return
	}
	glyph := '│'
	if look.Bold {
		glyph = '┃'
	}
	for at := range b.cells {
		cv.Put(at[0], at[1], glyph, look)
	}
}

// label names the run, and says how many points its ranges hold.
func (a Against) label(style canvas.Style) []canvas.Part {
	parts := nameParts(style, a.Run, a.Label, a.Note)
	var full, shares []string
	for i, r := range a.Ranges {
		inside, of := a.Inside(i)
		full = append(full, fmt.Sprintf("%d of %d in %s", inside, of, r.Name))
		shares = append(shares, fmt.Sprintf("%.0f%% in %s",
			100*float64(inside)/math.Max(float64(of), 1), r.Name))
	}
	if len(full) > 0 {
		parts = append(parts, canvas.Note(1, canvas.Ink{}, strings.Join(full, "  "),
			strings.Join(shares, "  "), ""))
	}
	return parts
}

func (a Againsts) legend(style canvas.Style) (parts []canvas.Part) {
	first, dim := a.List[0], canvas.Ink{FG: style.Dim()}
	parts = append(parts, canvas.Note(1, dim, "╱ y = x", ""))
	for i, r := range first.Ranges {
		glyph := "│ "
		if i > 0 && !style.Dots() {
			glyph = "┃ "
		}
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: barColor(style, first.Run, i, len(first.Ranges))},
			glyph+r.Name, ""))
	}
	return parts
}
