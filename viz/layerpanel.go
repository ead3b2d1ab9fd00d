package viz

import (
	"fmt"
	"math"
	"strconv"
)

// GP says what the samples of one GP of a layer do.
type GP struct {
	Mean, SD, Min, Max float64
	// Histogram counts samples in equal bins from Min to Max.
	Histogram []int
	// Share is the part of the variance that is not the mean function's, 0 to 1.
	Share float64
	// Collapsed marks a GP that adds nothing.
	Collapsed bool
	// Curves holds sampled functions along the grid of the layer, [C][G].
	Curves [][]float64
}

// LayerPanel shows what samples do in one layer: a row of numbers for every GP,
// and sampled functions along the first input direction.
type LayerPanel struct {
	// Index is the layer, from 0, of Layers.
	Index, Layers int
	// Lengthscales and Variance are of the kernel that the GPs share.
	Lengthscales []float64
	Variance     float64
	// Grid is the first input direction, [G].
	Grid []float64
	GPs  []GP
	// Correlation between the GPs is [T][T]; it may be nil.
	Correlation [][]float64
	// Selected is the GP whose functions are drawn first.
	Selected int
}

// Render draws the panel as w x h cells: one line about the layer, the table of
// GPs, and below it, from about five free rows on, the functions of the
// selected GP, or with enough room of several GPs side by side.
func (p LayerPanel) Render(style Style, w, h int) string {
	if w < 1 || h < 1 {
		return ""
	}
	if len(p.GPs) == 0 {
		return emptyPlane(style, w, h, "no samples yet")
	}
	p.Selected = min(max(p.Selected, 0), len(p.GPs)-1)
	cv := newCanvas(style, w, h)
	y := 0
	if h >= 3 {
		p.drawTitle(cv)
		y = 1
	}
	tableH := p.tableRows(h - y)
	drawTable(cv, 0, y, w, tableH, p.columns(w), p.rows(style, w), p.Selected, len(p.GPs) > 1)
	y += tableH
	if y < h && p.hasCurves() {
		p.drawCurves(cv, y, h-y)
	}
	return cv.String()
}

// drawTitle writes the line about the layer.
func (p LayerPanel) drawTitle(cv *canvas) {
	dim := ink{fg: cv.style.Dim()}
	name := fmt.Sprintf("layer %d", p.Index+1)
	of := ""
	if p.Layers > 0 {
		of = fmt.Sprintf(" of %d", p.Layers)
	}
	gps := strconv.Itoa(len(p.GPs)) + " GPs"
	if len(p.GPs) == 1 {
		gps = "1 GP"
	}
	parts := []part{
		{[][]span{{{name, ink{bold: true}}, {of, dim}}}, 9},
		{[][]span{{{gps, ink{}}}, nil}, 2},
	}
	if len(p.Lengthscales) > 0 {
		full := rangeText(p.Lengthscales)
		parts = append(parts, part{[][]span{{{"lengthscale ", dim}, {full, ink{}}}, {{"len ", dim}, {full, ink{}}}, nil}, 1})
	}
	if p.Variance > 0 {
		parts = append(parts, part{[][]span{{{"kernel variance ", dim}, {Short(p.Variance), ink{}}}, {{"var ", dim}, {Short(p.Variance), ink{}}}, nil}, 0})
	}
	if n := p.collapsed(); n > 0 {
		text := fmt.Sprintf("! %d of %d collapsed", n, len(p.GPs))
		look := ink{fg: cv.style.Warn(), bold: true}
		parts = append(parts, part{[][]span{{{text, look}}, {{"! collapsed", look}}, {{"!", look}}}, 3})
	}
	drawLegend(cv, 0, 0, cv.w, parts)
}

func (p LayerPanel) collapsed() int {
	n := 0
	for _, g := range p.GPs {
		if g.Collapsed {
			n++
		}
	}
	return n
}

// rangeText writes one value, or the least and greatest of several.
func rangeText(v []float64) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if math.IsNaN(x) {
			return "NaN"
		}
		lo, hi = math.Min(lo, x), math.Max(hi, x)
	}
	a, b := Short(roundTo(lo, 3)), Short(roundTo(hi, 3))
	if a == b {
		return a
	}
	return a + " … " + b
}

// compactWidth is the panel width below which the table is written tightly.
const compactWidth = 92

// columns returns the columns of the table of GPs in a panel of w cells.
func (p LayerPanel) columns(w int) []Column {
	share, partner := "not mean", "strongest corr"
	if w < compactWidth {
		share, partner = "share", "corr GP"
	}
	return []Column{
		{Title: "GP"},
		{Title: "samples", Drop: 1},
		{Title: "mean", Right: true, Drop: 2},
		{Title: "sd", Right: true},
		{Title: "range", Drop: 5},
		{Title: "lengthscale", Drop: 7},
		{Title: share, Right: true, Drop: 3},
		{Title: partner, Drop: 4},
		{Title: "", Drop: 6},
	}
}

// histogramWidth returns the width of the histograms in a panel of w cells.
func histogramWidth(w int) int { return max(5, min(16, w/7)) }

// rows returns the table of GPs in a panel of w cells. A collapsed GP has a ! in
// any case, and the word where there is room.
func (p LayerPanel) rows(style Style, w int) [][]span {
	rows := make([][]span, len(p.GPs))
	length, digits := "–", 3
	if len(p.Lengthscales) > 0 {
		length = rangeText(p.Lengthscales)
	}
	if w < compactWidth {
		digits = 2
	}
	dim := ink{fg: style.Dim()}
	for i, g := range p.GPs {
		name, mark := span{text: strconv.Itoa(i + 1)}, span{}
		if g.Collapsed {
			look := ink{fg: style.Warn(), bold: true}
			name, mark = span{strconv.Itoa(i+1) + "!", look}, span{"collapsed", look}
		}
		extremes := fixed(g.Min, digits) + " … " + fixed(g.Max, digits)
		if w < compactWidth {
			extremes = fixed(g.Min, digits) + "…" + fixed(g.Max, digits)
		}
		rows[i] = []span{
			name,
			{string(histogramRunes(g.Histogram, histogramWidth(w))), ink{fg: style.RunColor(i)}},
			{text: fixed(g.Mean, digits)},
			{text: fixed(g.SD, digits)},
			{extremes, dim},
			{length, dim},
			{text: percent(g.Share)},
			{text: p.partner(i, w)},
			mark,
		}
	}
	return rows
}

// fixed writes a value with the given number of significant digits.
func fixed(v float64, digits int) string {
	if !finite(v) {
		return Short(v)
	}
	return Short(roundTo(v, digits))
}

func percent(share float64) string {
	if !finite(share) {
		return "–"
	}
	if p := share * 100; p > 0 && p < 1 {
		return "<1%"
	}
	return Short(math.Round(share*100)) + "%"
}

// partner returns the strongest correlation of GP i with another, and which.
func (p LayerPanel) partner(i, w int) string {
	if i >= len(p.Correlation) {
		return "–"
	}
	best, value := -1, 0.0
	for j, r := range p.Correlation[i] {
		if j != i && j < len(p.GPs) && finite(r) && (best < 0 || math.Abs(r) > math.Abs(value)) {
			best, value = j, r
		}
	}
	if best < 0 {
		return "–"
	}
	if w < compactWidth {
		return fmt.Sprintf("%+.2f %d", value, best+1)
	}
	return fmt.Sprintf("%+.2f GP %d", value, best+1)
}
