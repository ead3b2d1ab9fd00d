package heatmap

import (
	"image"
	"image/color"
	"math"
	"slices"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// drawImage draws the map as a bitmap if the terminal can show it. The bitmap is aligned with the
// strips, so that names, the chosen part and the cursor have the same positions as with characters,
// and it shows every cell of the map that has a pixel.
func (l *blockLayout) drawImage(cv *canvas.Canvas) bool {
	w, h := len(l.cols), (len(l.rows)+1)/2
	return cv.Image(l.x+l.left, l.top, w, h, func(bitmap *image.RGBA) {
		side := l.Side()
		size := bitmap.Bounds().Size()
		cols := make([]place, size.X)
		for x := range cols {
			cols[x] = placeIn(l.cols, x, float64(w)/float64(size.X))
		}
		for y := range size.Y {
			row := placeIn(l.rows, y, float64(2*h)/float64(size.Y))
			for x, col := range cols {
				switch {
				case l.lines && (row.line == layerBorder || col.line == layerBorder):
					setPixel(bitmap, x, y, cv.Style.Faint())
				case row.border == inBlock && col.border == inBlock:
					v := l.Log10[row.cell*side+col.cell]
					setPixel(bitmap, x, y, l.colorOf(cv.Style, row.strip, col.strip, v))
				}
			}
		}
	})
}

// place is the place of a column or a row of pixels of a bitmap in the strips of a map.
type place struct {
	strip
	cell int // of the map, in a block
	// line is the kind of the line through the pixels, which is in the middle of the strips of a
	// border.
	line border
}

// placeIn returns the place of a pixel, which is as long as the given part of a strip.
func placeIn(strips []strip, pixel int, length float64) place {
	at := (float64(pixel) + 0.5) * length
	i := int(at)
	if i >= len(strips) { // The lower half of the last cell.
		return place{strip: strip{border: gpBorder}}
	}
	s := strips[i]
	if s.border == inBlock {
		within := int((at - float64(i)) * float64(s.hi-s.lo))
		return place{strip: s, cell: s.lo + within}
	}
	first, last := i, i
	for first > 0 && strips[first-1].border == s.border {
		first--
	}
	for last+1 < len(strips) && strips[last+1].border == s.border {
		last++
	}
	out := place{strip: s}
	if math.Abs(at-float64(first+last+1)/2) <= length {
		out.line = s.border
	}
	return out
}

// setPixel sets a pixel. It stays transparent without a colour.
func setPixel(bitmap *image.RGBA, x, y int, c canvas.Color) {
	if r, g, b, ok := c.RGB(); ok {
		bitmap.SetRGBA(x, y, color.RGBA{R: r, G: g, B: b, A: 255})
	}
}

// heatSteps is the number of colours of a bitmap of a plane.
const heatSteps = 1024

// drawImage draws the colours, the contour and the signs with a shape as a bitmap if the terminal can show
// it.
func (l *planeContent) drawImage(cv *canvas.Canvas, signs []sign) bool {
	return cv.Image(0, 0, cv.W, cv.H, func(bitmap *image.RGBA) {
		l.contour = !math.IsNaN(l.Level)
		heat := make([]canvas.Color, heatSteps)
		for i := range heat {
			heat[i] = cv.Style.Heat((float64(i) + 0.5) / heatSteps)
		}
		colorOf := func(v float64) canvas.Color {
			if t := l.unit(v); l.Classes == nil && !math.IsNaN(t) {
				return heat[min(int(t*heatSteps), heatSteps-1)]
			}
			return l.color(cv.Style, v)
		}
		size := bitmap.Bounds().Size()
		xs, ys := l.scales()
		cols := placesBetween(l.X, xs, size.X, cv.W)
		rows := placesBetween(l.Y, ys, size.Y, cv.H)
		slices.Reverse(rows) // The largest y is on top.
		above := make([]float64, size.X)
		for y, row := range rows {
			left := math.NaN()
			for x, col := range cols {
				v := l.mixed(col, row)
				c := colorOf(v)
				if l.contour && (crosses(l.Level, v, left) || y > 0 && crosses(l.Level, v, above[x])) {
					c = c.Opposite()
				}
				setPixel(bitmap, x, y, c)
				left = v
				above[x] = v
			}
		}
		across := float64(size.X) / float64(cv.W)
		down := float64(size.Y) / float64(cv.H)
		for _, s := range signs {
			x := (0.5 + canvas.Fraction(s.X, xs.Lo, xs.Hi)*float64(cv.W-1)) * across
			y := (0.5 + (1-canvas.Fraction(s.Y, ys.Lo, ys.Hi))*float64(cv.H-1)) * down
			c := colorOf(l.at(s.X, s.Y)).Opposite()
			s.paint(bitmap, math.Round(x), math.Round(y), across/2, c) // Between pixels: equal shapes.
		}
	})
}

// paint paints the shape of a sign around a place in pixels. Its parts are at most radius away.
func (s sign) paint(bitmap *image.RGBA, x, y, radius float64, c canvas.Color) {
	for row := int(y - radius); row <= int(y+radius); row++ {
		for col := int(x - radius); col <= int(x+radius); col++ {
			if s.covers((float64(col)+0.5-x)/radius, (float64(row)+0.5-y)/radius) {
				setPixel(bitmap, col, row, c)
			}
		}
	}
}

// hasShape reports whether a bitmap can show a sign. Letters remain text.
func (s sign) hasShape() bool { return s.covers(0, 0) }

// covers reports whether the shape of a sign covers a place, which is 0, 0 in its middle and at most 1 away
// on both axes.
func (s sign) covers(x, y float64) bool {
	x, y = math.Abs(x), math.Abs(y)
	switch s.glyph {
	case '∙':
		return math.Hypot(x, y) < 0.65
	case '◆':
		return x+y < 1
	case '+':
		return min(x, y) < 0.2 && max(x, y) < 0.9
	case '×':
		return math.Abs(x-y) < 0.3 && max(x, y) < 0.7
	}
	return false
}

// placesBetween returns the place of each pixel on a grid, with the ends of the scale in the middle of
// the first and of the last cell.
func placesBetween(grid []float64, scale chart.Scale, pixels, cells int) (list []gridPlace) {
	for k := range pixels {
		cell := (float64(k)+0.5)*float64(cells)/float64(pixels) - 0.5
		share := canvas.Fraction(cell, 0, float64(max(cells-1, 1)))
		list = append(list, placeOn(grid, mix(scale.Lo, scale.Hi, share)))
	}
	return list
}

// crosses reports whether a level lies between two values.
func crosses(level, a, b float64) bool { return a >= level && b < level || a < level && b >= level }
