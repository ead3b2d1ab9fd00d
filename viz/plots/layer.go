package plots

import (
	"fmt"
	"math"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// LayerGP summarises the samples of one GP of a layer.
type LayerGP struct {
	Mean, SD, Min, Max float64
	// Histogram counts samples in equal bins from Min to Max.
	Histogram []int
	// Share is the share of the variance, from 0 to 1, that does not come from the mean function.
	Share float64
	// Collapsed marks a GP without effect.
	Collapsed bool
	// Curves holds sampled functions along the grid of the layer, [C][G].
	Curves [][]float64
}

// Layer shows the samples in one layer: a row of numbers for every GP, and sampled functions along
// an input.
type Layer struct {
	// Index is the number of the layer, counted from 0, and Layers is the number of layers.
	Index, Layers int
	// Lengthscales and Variance are the hyperparameters of the kernel that the GPs share.
	Lengthscales []float64
	Variance     float64
	// Grid holds the values of the input along which the functions vary, [G], and XName is its name.
	Grid  []float64
	XName string
	GPs   []LayerGP
	// Correlation holds the correlations of the GPs, [T][T]. It is optional.
	Correlation [][]float64
	// Selected is the GP whose functions are always drawn.
	Selected int
}

// Render draws the panel as h lines of w cells: a line about the layer, the table of GPs and, if about five
// more rows fit, the functions of the selected GP or of several GPs side by side.
func (p Layer) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if len(p.GPs) == 0 {
		return canvas.Empty(style, w, h, "no samples yet")
	}
	p.Selected = min(max(p.Selected, 0), len(p.GPs)-1)
	cv := canvas.New(style, w, h)
	y := 0
	if h >= 3 {
		p.drawTitle(cv)
		y = 1
	}
	tableH := p.tableRows(h - y)
	p.table(style, w).Draw(cv, 0, y, w, tableH)
	y += tableH
	if y < h && p.hasCurves() {
		p.drawCurves(cv, y, h-y)
	}
	return cv.Lines()
}

// drawTitle writes the line about the layer.
func (p Layer) drawTitle(cv *canvas.Canvas) {
	dim := canvas.Ink{FG: cv.Style.Dim()}
	name := fmt.Sprintf("layer %d", p.Index+1)
	of := ""
	if p.Layers > 0 {
		of = fmt.Sprintf(" of %d", p.Layers)
	}
	gps := strconv.Itoa(len(p.GPs)) + " GPs"
	if len(p.GPs) == 1 {
		gps = "1 GP"
	}
	named := func(keep int, name, short, value string) canvas.Part {
		v := canvas.Plain(value)
		return canvas.Part{
			Variants: [][]canvas.Span{{canvas.Text(name, dim), v}, {canvas.Text(short, dim), v}, nil},
			Keep:     keep,
		}
	}
	parts := []canvas.Part{
		{Variants: [][]canvas.Span{{canvas.Text(name, canvas.Ink{Bold: true}), canvas.Text(of, dim)}},
			Keep: 9},
		canvas.Note(2, canvas.Ink{}, gps, ""),
	}
	if len(p.Lengthscales) > 0 {
		parts = append(parts, named(1, "lengthscale ", "len ", rangeText(p.Lengthscales)))
	}
	if p.Variance > 0 {
		parts = append(parts, named(0, "kernel variance ", "var ", canvas.Number(p.Variance)))
	}
	if n := p.collapsed(); n > 0 {
		text := fmt.Sprintf("! %d of %d collapsed", n, len(p.GPs))
		look := canvas.Ink{FG: cv.Style.Warn(), Bold: true}
		parts = append(parts, canvas.Note(3, look, text, "! collapsed", "!"))
	}
	canvas.DrawLegend(cv, 0, 0, cv.W, parts)
}

func (p Layer) collapsed() int {
	n := 0
	for _, g := range p.GPs {
		if g.Collapsed {
			n++
		}
	}
	return n
}

// rangeText formats one value, or the smallest and the largest of several.
func rangeText(v []float64) string {
	lo := math.Inf(1)
	hi := math.Inf(-1)
	for _, x := range v {
		if math.IsNaN(x) {
			return "NaN"
		}
		lo = math.Min(lo, x)
		hi = math.Max(hi, x)
	}
	a := canvas.Digits(lo, 3)
	b := canvas.Digits(hi, 3)
	if a == b {
		return a
	}
	return a + " … " + b
}

// compactWidth is the width below which the table is compact.
const compactWidth = 92

// columns returns the columns of the table of GPs in a panel of w cells.
func (p Layer) columns(w int) []tables.Column {
	share, partner := "not mean", "strongest corr"
	if w < compactWidth {
		share, partner = "share", "corr GP"
	}
	return []tables.Column{
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

// table returns the table of GPs in a panel of w cells. A collapsed GP is marked by ! and, if there is room,
// by a word.
func (p Layer) table(style canvas.Style, w int) tables.Table {
	t := tables.Table{Columns: p.columns(w), Selected: p.Selected, Mark: len(p.GPs) > 1}
	length, digits, to := "–", 3, " … "
	dim, looks := canvas.Ink{FG: style.Dim()}, [][]canvas.Ink{}
	if len(p.Lengthscales) > 0 {
		length = rangeText(p.Lengthscales)
	}
	if w < compactWidth {
		digits, to = 2, "…"
	}
	for i, g := range p.GPs {
		name, word, look := strconv.Itoa(i+1), "", canvas.Ink{}
		if g.Collapsed {
			name, word, look = name+"!", "collapsed", canvas.Ink{FG: style.Warn(), Bold: true}
		}
		looks = append(looks, []canvas.Ink{look, {FG: style.RunColor(i)}, {}, {}, dim, dim, {}, {}, look})
		t.Rows = append(t.Rows, []string{
			name, string(tables.HistogramRunes(g.Histogram, histogramWidth(w))),
			canvas.Digits(g.Mean, digits), canvas.Digits(g.SD, digits),
			canvas.Digits(g.Min, digits) + to + canvas.Digits(g.Max, digits),
			length, percent(g.Share), p.partner(i, w), word,
		})
	}
	t.Look = func(row, column int) canvas.Ink { return looks[row][column] }
	return t
}

func percent(share float64) string {
	if !canvas.Finite(share) {
		return "–"
	}
	if p := share * 100; p > 0 && p < 1 {
		return "<1%"
	}
	return canvas.Number(math.Round(share*100)) + "%"
}

// partner returns the strongest correlation of GP i and the number of the other GP, as text.
func (p Layer) partner(i, w int) string {
	if i >= len(p.Correlation) {
		return "–"
	}
	best, value := -1, 0.0
	for j, r := range p.Correlation[i] {
		if j != i && j < len(p.GPs) && canvas.Finite(r) && (best < 0 || math.Abs(r) > math.Abs(value)) {
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
