package chart

import (
	"dgplab/viz/canvas"
)

// Side shifts one of several series sideways to avoid overlap at the same x. The zero value shifts
// nothing.
type Side struct {
	Index, Count int
	// X are the distinct x of all series in order, and Spacing is their minimum distance on the
	// axis.
	X       []float64
	Spacing float64
}

// sideShare is the distance between two series in a figure, as a share of the spacing of x.
const sideShare = 0.14

// Column returns the column of x in a text picture.
func (s Side) Column(x float64, plot *canvas.Canvas, p *Plane) int {
	return s.move(p.Col(x, plot), plot, p)
}

// move returns a column moved sideways: by at most 3 columns from one series to the next.
func (s Side) move(column int, plot *canvas.Canvas, p *Plane) int {
	spacing := plot.W
	for k := 1; k < len(s.X); k++ {
		spacing = min(spacing, p.Col(s.X[k], plot)-p.Col(s.X[k-1], plot))
	}
	gap := min(3, spacing/(s.Count+1))
	return max(0, min(column+s.Index*gap-max(s.Count-1, 0)*gap/2, plot.W-1))
}

// Reach returns the largest distance that a series is moved by in a figure.
func (s Side) Reach() float64 { return sideShare * s.Spacing * 0.5 * float64(max(s.Count-1, 0)) }

// Shift returns the distance that the series is moved by in a figure.
func (s Side) Shift() float64 {
	return sideShare*s.Spacing*float64(s.Index) - s.Reach()
}
