package board

import "math"

// window is the part of the horizontal axis that all curves show. New points move it only if it
// follows them.
type window struct {
	// on is false if the whole axis is shown.
	on     bool
	lo, hi float64
	// follow keeps the right edge at the newest point.
	follow bool
}

// narrowest is the minimum width of a window as a share of the span.
const narrowest = 1.0 / 4096

// at returns the visible range of curves that extend from span[0] to span[1].
func (w window) at(span [2]float64) [2]float64 {
	switch {
	case !w.on:
		return span
	case w.follow:
		return [2]float64{span[1] - (w.hi - w.lo), span[1]}
	}
	return [2]float64{w.lo, w.hi}
}

// zoomed returns the window with its width multiplied by a factor. The position about keeps its place on the
// screen.
func (w window) zoomed(span [2]float64, about, factor float64) window {
	whole := span[1] - span[0]
	if !(whole > 0) {
		return w
	}
	now := w.at(span)
	width := now[1] - now[0]
	factor = math.Max(factor, narrowest*whole/width)
	if width*factor >= whole {
		return window{}
	}
	about = math.Min(math.Max(about, now[0]), now[1])
	lo := about - (about-now[0])*factor
	return window{on: true}.placed(span, lo, width*factor)
}

// panned returns the window moved by a share of its width.
func (w window) panned(span [2]float64, share float64) window {
	if !w.on {
		return w
	}
	now := w.at(span)
	width := now[1] - now[0]
	return w.placed(span, now[0]+share*width, width)
}

// placed returns the window that starts at lo, moved into the span. A window that ends at the newest point
// follows it.
func (w window) placed(span [2]float64, lo, width float64) window {
	lo = math.Max(math.Min(lo, span[1]-width), span[0])
	w.lo, w.hi = lo, lo+width
	w.follow = w.hi >= span[1]-1e-9*width
	return w
}

// following returns the window with follow toggled. A window that starts to follow moves to the end of the
// span.
func (w window) following(span [2]float64) window {
	now := w.at(span)
	if w.follow {
		w.lo, w.hi, w.follow = now[0], now[1], false
		return w
	}
	return w.placed(span, math.Inf(1), now[1]-now[0])
}

// String describes the window. It returns "" if the whole axis is shown.
func (w window) String() string {
	switch {
	case !w.on:
		return ""
	case w.follow:
		return "zoomed, follows"
	}
	return "zoomed"
}
