package viz

import (
	"io"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Picture is one description of a picture that can be drawn as text, drawn as a figure and written
// as a table.
type Picture interface {
	// Render draws the picture as exactly h lines of w cells. It returns nil if w or h is below 1.
	Render(style canvas.Style, w, h int) []string
	// Figure returns a vector drawing. The error wraps figure.ErrNothing if there is nothing to
	// draw, as when no value is finite.
	Figure(o figure.Options) (*figure.Figure, error)
	// CSV writes the numbers of the picture in full precision.
	CSV(w io.Writer) error
}
