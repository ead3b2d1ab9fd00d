package canvas

import (
	"image"
	"math"
)

// Images shows bitmaps in the cells of a terminal.
type Images interface {
	// CellSize returns the size of a cell in pixels.
	CellSize() (w, h int)
	// Show returns the number of a bitmap, which fills w x h cells. Cells with the text of Cell in
	// the colour 0xrrggbb of this number show their part of it. ok is false if it cannot be shown.
	Show(bitmap *image.RGBA, w, h int) (number int, ok bool)
	// Cell returns the text of a cell, one column wide.
	Cell(row, column int) string
}

// The runes of cells with a bitmap: firstImageRune + row*imageColumns + column. They are no
// characters.
const (
	firstImageRune = 1 << 24
	imageColumns   = 1 << 12
)

// mostPixels is the maximum number of pixels of a bitmap. The terminal enlarges coarser bitmaps.
const mostPixels = 1 << 19

// Image draws a bitmap of w x h cells at x, y and reports whether the terminal can show it. paint
// fills the bitmap, which has the resolution of the terminal or less.
func (c *Canvas) Image(x, y, w, h int, paint func(bitmap *image.RGBA)) bool {
	images := c.Style.Images
	if images == nil || c.Style.ASCII || c.Style.Mode != TrueColor || w < 1 || h < 1 ||
		w > imageColumns || h > imageColumns {
		return false
	}
	across, down := images.CellSize()
	width, height := float64(across*w), float64(down*h)
	scale := math.Min(1, math.Sqrt(mostPixels/(width*height)))
	bitmap := image.NewRGBA(image.Rect(0, 0, int(math.Round(width*scale)), int(math.Round(height*scale))))
	paint(bitmap)
	number, ok := images.Show(bitmap, w, h)
	if !ok {
		return false
	}
	for row := range h {
		for column := range w {
			c.Put(x+column, y+row, rune(firstImageRune+row*imageColumns+column), Ink{FG: rgb(uint32(number))})
		}
	}
	return true
}
