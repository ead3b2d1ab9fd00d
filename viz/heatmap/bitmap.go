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

// drawImage draws the colours and the contour as a bitmap if the terminal can show it.
func (l *planeContent) drawImage(cv *canvas.Canvas) bool {
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
	})
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
