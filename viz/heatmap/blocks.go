package heatmap

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"dgplab/viz/canvas"
)

// BlockMap is a heat map of log10|S_M|, the covariance of the inducing outputs of all GPs of all
// layers, or of log10|S|, the covariance of named parts.
type BlockMap struct {
	// Parts are the GPs from the top left to the bottom right.
	Parts []Part
	// Log10 holds [side][side] values, row-major. The side is the sum of the cells of all parts.
	// -Inf is an entry that is zero by construction; it is left blank.
	Log10 []float64
	// Free holds pairs of parts, the later first, whose zero entries may become nonzero. They are
	// marked instead of blank.
	Free [][2]int
	// Lo and Hi fix the colour range to compare maps. Unless Lo is below Hi, the values set the
	// range. The legend shows if values lie outside.
	Lo, Hi float64
	// Chosen is the number of the marked part, from 1, or 0. The legend shows its largest values.
	Chosen int
	// Cursor marks a cell that the lines below the map describe. It may be nil. Mark precedes the
	// value of this map if there are several.
	Cursor *Cursor
	Mark   string
	// Title is written above the map, after Mark. Step is the step of the model, for example
	// "at step 290".
	Title, Step string

	// bare leaves out the legend.
	bare bool
}

// Part is a block on the diagonal: a GP or a named part.
type Part struct {
	// Group is the layer, from 0. Parts of a layer are neighbours.
	Group int
	// Size is the number of inducing points, or 0 if unknown. Cells is the side of the block in
	// Log10.
	Size, Cells int
	// Name is the name of the part, or "" for a GP of a layer. All parts have names or none has.
	Name string
}

// decades limits the colour range below the largest value if no range is given. Smaller values have
// the lowest colour, and the legend shows that.
const decades = 8

// mostCells limits the side of a map.
const mostCells = 1 << 20

// total returns the number of parts.
func (b BlockMap) total() int { return len(b.Parts) }

// Side returns the number of cells of a row, or -1 if the parts are invalid.
func (b BlockMap) Side() int {
	side := 0
	for _, p := range b.Parts {
		side += p.Cells
		if p.Cells < 1 || p.Group < 0 || side > mostCells {
			return -1
		}
	}
	return side
}

// layers returns the range of parts of each layer.
func (b BlockMap) layers() (list [][2]int) {
	for i, p := range b.Parts {
		if i == 0 || p.Group != b.Parts[i-1].Group {
			list = append(list, [2]int{i, i})
		}
		list[len(list)-1][1]++
	}
	return list
}

// partSizes returns the smallest and the largest size of a part.
func (b BlockMap) partSizes() (least, most int) {
	for i, p := range b.Parts {
		if i == 0 {
			least, most = p.Size, p.Size
		}
		least = min(least, p.Size)
		most = max(most, p.Size)
	}
	return least, most
}

// Named reports whether the parts have names.
func (b BlockMap) Named() bool { return len(b.Parts) > 0 && b.Parts[0].Name != "" }

// Symbol returns the symbol of the covariance.
func (b BlockMap) Symbol() string {
	if b.Named() {
		return "S"
	}
	return "S_M"
}

// Subject returns the variables of the covariance as text.
func (b BlockMap) Subject() string {
	if b.Named() {
		return "the functions"
	}
	return "the inducing outputs"
}

// label is the name of neighbouring parts.
type label struct {
	name        string
	first, past int
}

// labels returns the names of the parts or of the layers.
func (b BlockMap) labels() (list []label) {
	if !b.Named() {
		for _, layer := range b.layers() {
			list = append(list, label{layerName(b.Parts[layer[0]].Group), layer[0], layer[1]})
		}
		return list
	}
	for i, p := range b.Parts {
		list = append(list, label{p.Name, i, i + 1})
	}
	return list
}

// even reports whether all parts have the same number of cells.
func (b BlockMap) even() bool {
	return !slices.ContainsFunc(b.Parts, func(p Part) bool { return p.Cells != b.Parts[0].Cells })
}

// problem returns the reason why the map cannot be drawn, or "".
func (b BlockMap) problem() string {
	side := b.Side()
	switch {
	case len(b.Log10) == 0 || b.total() == 0:
		return "no covariance yet"
	case side < 0 || side*side != len(b.Log10):
		return fmt.Sprintf("covariance map has %d values for %d GPs", len(b.Log10), b.total())
	}
	return ""
}

// colorRange returns the colour range, whether smaller values are clipped, and the number of values
// that are NaN or +Inf. Without a finite value the range is 0 to 0.
func (b BlockMap) colorRange() (lo, hi float64, clipped bool, notFinite int) {
	lo, hi, notFinite = b.extremes()
	if b.fixed() {
		return b.Lo, b.Hi, lo < b.Lo, notFinite
	}
	if lo > hi {
		return 0, 0, false, notFinite
	}
	if hi-decades > lo {
		return hi - decades, hi, true, notFinite
	}
	return lo, hi, false, notFinite
}

// mayCouple reports whether two parts are uncorrelated, but not by construction.
func (b BlockMap) mayCouple(i, j int) bool {
	return len(b.Free) > 0 && slices.Contains(b.Free, [2]int{max(i, j), min(i, j)})
}

// zeros reports whether there are zeros by construction, and others.
func (b BlockMap) zeros() (blank, free bool) {
	side, row := b.Side(), 0
	for i, p := range b.Parts {
		col := 0
		for j, q := range b.Parts[:i+1] {
			// All entries of a free block are zero.
			if b.mayCouple(i, j) {
				free = true
			} else if !blank {
				blank = b.blank(side, [2]int{row, row + p.Cells}, [2]int{col, col + q.Cells})
			}
			col += q.Cells
		}
		row += p.Cells
	}
	return blank, free
}

// blank reports whether there is a zero in some rows and columns.
func (b BlockMap) blank(side int, rows, cols [2]int) bool {
	for r := rows[0]; r < rows[1]; r++ {
		if slices.ContainsFunc(b.Log10[r*side+cols[0]:r*side+cols[1]], func(v float64) bool {
			return math.IsInf(v, -1)
		}) {
			return true
		}
	}
	return false
}

// fixed reports whether the colour range is given.
func (b BlockMap) fixed() bool { return canvas.Finite(b.Lo) && canvas.Finite(b.Hi) && b.Lo < b.Hi }

// extremes returns the smallest and the largest finite value (lo > hi if there is none) and the
// number of values that are NaN or +Inf.
func (b BlockMap) extremes() (lo, hi float64, notFinite int) {
	lo = math.Inf(1)
	hi = math.Inf(-1)
	for _, v := range b.Log10 {
		switch {
		case canvas.Finite(v):
			lo = math.Min(lo, v)
			hi = math.Max(hi, v)
		case !math.IsInf(v, -1):
			notFinite++
		}
	}
	return lo, hi, notFinite
}

// Render draws the map as large as possible in w x h cells, square to the eye. TrueColor and
// ANSI256 have two rows of pixels per cell (▀ and ▄). Terminals with fewer colours use a ramp of
// characters.
func (b BlockMap) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	lines := b.readoutLines(h)
	drawn, l := b.draw(style, w, h-lines)
	if lines == 0 {
		return drawn.Lines()
	}
	cv := canvas.New(style, w, h)
	cv.Blit(0, 0, drawn)
	drawReadout(cv, h-lines, []*blockLayout{l})
	return cv.Lines()
}

// draw draws the map and returns its layout, or nil if there is nothing to draw.
func (b BlockMap) draw(style canvas.Style, w, h int) (*canvas.Canvas, *blockLayout) {
	cv := canvas.New(style, w, h)
	if b.Title != "" && h >= 4 {
		title := b.name().In(w)
		cv.Text((w-canvas.Width(title))/2, 0, title, canvas.Ink{Bold: true})
		b.Title = ""
		below, l := b.draw(style, w, h-1)
		cv.Blit(0, 1, below)
		return cv, l
	}
	if p := b.problem(); p != "" {
		cv.Message(p)
		return cv, nil
	}
	l := b.layout(style, w, h)
	l.draw(cv)
	return cv, l
}

// name returns the name above the map.
func (b BlockMap) name() canvas.Name {
	name := canvas.Name{Text: b.Title, Step: b.Step}
	if b.Mark != "" {
		name.Mark = canvas.Plain(b.Mark + " ")
	}
	return name
}

// blockLayout is the layout of a map.
type blockLayout struct {
	BlockMap
	lo, hi    float64
	clipped   bool // there are smaller values
	over      bool // there are greater values
	hasBlank  bool // there are zeros by construction
	hasFree   bool // there are other zeros
	chosen    string
	notFinite int
	ratio     int    // see poolRatio
	sizes     [2]int // the smallest and the largest; 0 if not shown
	// pixels is set for half blocks and unset for characters.
	pixels bool
	// lines is set if lines separate layers: always with characters, with pixels if there is room.
	// Otherwise there are gaps.
	lines bool
	// cols and rows are the strips of the map from left to right and from top to bottom. With
	// pixels two rows share a cell.
	cols, rows []strip
	// gpLabels is set if there is room to number the GPs.
	gpLabels    bool
	left, top   int // margins
	legendRight bool
	legendBelow bool
	x           int // the column of the left margin
}

// legendColumns is the width of a legend beside the map, with its gap.
const legendColumns = 21

// layout chooses the margins and the place of the legend that make the map as large as possible.
// With about equal sizes the legend is beside the map. GPs are numbered if every number has room.
func (b BlockMap) layout(style canvas.Style, w, h int) *blockLayout {
	l := b.fitted(style, w, h)
	l.lo, l.hi, l.clipped, l.notFinite = b.colorRange()
	l.sizes[0], l.sizes[1] = b.partSizes()
	_, most, _ := b.extremes()
	l.over = most > l.hi
	l.hasBlank, l.hasFree = b.zeros()
	l.chosen = b.chosenText()
	l.ratio = l.poolRatio()
	l.x = max(0, (w-l.width())/2)
	return l
}

// fitted returns the part of a layout that does not depend on the values of the map.
func (b BlockMap) fitted(style canvas.Style, w, h int) *blockLayout {
	plain := blockLayout{BlockMap: b, pixels: style.Shades()}
	if w >= 14 && h >= 5 {
		for _, label := range b.labels() {
			plain.left = max(plain.left, 1+canvas.Width(label.name))
		}
		plain.top = 1
	}
	l := plain.beside(w, h)
	if plain.top > 0 && !b.Named() && b.total() > len(b.layers()) {
		numbered := plain
		numbered.gpLabels, numbered.left, numbered.top = true, plain.left+2, 2
		if n := numbered.beside(w, h); n.numbersFit() {
			l = n
		}
	}
	return l
}

// Height returns the number of lines that the map can use in w x h cells. With more it is not larger.
func (b BlockMap) Height(style canvas.Style, w, h int) int {
	if b.problem() != "" {
		return 0
	}
	return usedHeight(h, func(h int) int { return b.pixelsIn(style, w, h) })
}

// pixelsIn returns the side of the map in w x h cells.
func (b BlockMap) pixelsIn(style canvas.Style, w, h int) int {
	h -= b.readoutLines(h)
	if b.Title != "" && h >= 4 {
		h--
	}
	return len(b.fitted(style, w, h).cols)
}

// usedHeight returns the smallest height, at most h, at which a map is as large as at any other.
func usedHeight(h int, side func(h int) int) int {
	used := 0
	most := 0
	for n := 1; n <= h; n++ {
		if s := side(n); s > most {
			used = n
			most = s
		}
	}
	return used
}

// beside fits the map with the legend below it or to its right, whichever leaves more room for the
// map.
func (l blockLayout) beside(w, h int) *blockLayout {
	right := l
	l.legendBelow = h >= 4 && !l.bare
	l.fit(w, h)
	if !l.bare && w >= l.left+legendColumns+6 && h >= 8 {
		right.legendRight = true
		right.fit(w, h)
		if len(right.cols)*10 >= len(l.cols)*9 {
			return &right
		}
	}
	return &l
}

// numbersFit reports whether the number of every GP has room at its block.
func (l *blockLayout) numbersFit() bool {
	perCell := 1
	if l.pixels {
		perCell = 2
	}
	cols := extents(l.cols, l.total())
	rows := extents(l.rows, l.total())
	for _, layer := range l.layers() {
		digits := len(strconv.Itoa(layer[1] - layer[0]))
		for gp := layer[0]; gp < layer[1]; gp++ {
			if cols[gp][0] < 0 || cols[gp][1]-cols[gp][0] < digits || rows[gp][1]-rows[gp][0]+1 < perCell {
				return false
			}
		}
	}
	return true
}

// width returns the width of margin, map and legend.
func (l *blockLayout) width() int {
	w := l.left + len(l.cols)
	if l.legendRight {
		w += legendColumns
	}
	return w
}

// fit makes the strips for a panel of w x h cells.
func (l *blockLayout) fit(w, h int) {
	w -= l.left
	h -= l.top
	if l.legendRight {
		w -= legendColumns
	}
	if l.legendBelow {
		h--
	}
	w = max(w, 1)
	h = max(h, 1)
	if l.pixels {
		l.fitPixels(w, h)
		return
	}
	l.lines = true // Characters are about twice as high as wide.
	l.rows = l.strips(max(1, min(h, (w+1)/2)), 1, 2)
	l.cols = l.strips(min(w, 2*len(l.rows)), 2, 2)
	if n := l.strips(min(w, 2*min(h, (w+1)/2)), 2, 2); len(n) > len(l.cols) {
		l.cols = n
	}
}

// fitPixels makes the strips of a map that is drawn with pixels in w x h cells, with lines between
// layers. If lines cost more than a tenth of the map, there are gaps instead, unless GPs have
// lines.
func (l *blockLayout) fitPixels(w, h int) {
	l.cols = l.strips(min(w, 2*h), 1, 3)
	lined := l.cols
	if len(inCells(lined)) > 2*h {
		lined = l.strips(min(w, 2*h-2*(len(l.layers())-1)), 1, 3)
	}
	gaps := slices.ContainsFunc(l.cols, func(s strip) bool { return s.border == gpBorder })
	l.lines = gaps || len(lined)*10 >= len(l.cols)*9
	if l.lines {
		l.cols, l.rows = lined, inCells(lined)
		return
	}
	l.rows = l.cols
}
