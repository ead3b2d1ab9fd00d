package curves

import (
	"dgplab/viz/axes"
	"dgplab/viz/number"
)

// LineOutline is one series of an Outline. Lines are cut into pieces at gaps.
type LineOutline struct {
	Label string
	Run   int
	// Raw runs through the first, least, greatest and last value of every column.
	Raw [][]axes.XY
	// Smooth is the moving average or the line through means. It is nil if there is neither. MeanOf
	// is the approximate number of points of a mean, 0 without means.
	Smooth [][]axes.XY
	MeanOf int
	// Best is the marked value if HasBest is set. BestValue is the value before the transformation
	// of the scale.
	Best      axes.XY
	BestValue float64
	HasBest   bool
}

// BandOutline is one group of an Outline: its mean and the ends of its band, cut into pieces at
// gaps, and the number of members.
type BandOutline struct {
	Label string
	Run   int
	Mean  [][]axes.XY
	// Lower and Upper have the same pieces.
	Lower, Upper [][]axes.XY
	N            string
}

// Outline is a Curve ready to be drawn by other means than text: thinned, scaled, with ticks.
// Heights are transformed by the scale, so that a straight axis from Y0 to Y1 with YTicks shows the
// same as the text.
type Outline struct {
	Lines          []LineOutline
	Bands          []BandOutline
	X0, X1, Y0, Y1 float64
	XTicks, YTicks []axes.Tick
	// Note describes the scale. It is empty for a linear scale.
	Note string
	// Below, Above and NotFinite count the raw points that are not shown. Lines are cut at the
	// edges.
	Below, Above, NotFinite int
}

// outlineMeans is the number of columns for which a series has many points in a figure. It is about
// that of a panel on the screen.
const outlineMeans = 160

// Outline thins the curve to the given number of columns, with about the given numbers of ticks. ok
// is false without a finite point.
func (c Curve) Outline(columns, xTicks, yTicks int) (out Outline, ok bool) {
	ch := c.measure()
	if !ch.hasPoints || columns < 1 {
		return Outline{}, false
	}
	ch.bin(columns)
	out = Outline{
		X0: ch.x0, X1: ch.x1, Y0: ch.scale.Lo, Y1: ch.scale.Hi,
		XTicks: c.X.Ticks(ch.x0, ch.x1, xTicks), YTicks: ch.scale.Ticks(yTicks),
		Note: ch.scale.Note(), NotFinite: ch.notFinite(),
	}
	for i := range ch.traces {
		t := &ch.traces[i]
		if ch.Means {
			t.condense(outlineMeans)
		}
		out.Below, out.Above = out.Below+t.below, out.Above+t.above
		line := LineOutline{Label: t.label, Run: t.run, Raw: ch.pieces(t.raw, true)}
		ch.lengthen(line.Raw, t, columns, false)
		line.Raw = ch.within(line.Raw)
		if t.average != nil {
			line.Smooth = ch.pieces(t.average, false)
			ch.lengthen(line.Smooth, t, columns, true)
			line.Smooth = ch.within(line.Smooth)
		} else if t.mean != nil {
			line.Smooth, line.MeanOf = ch.within(ch.pieces(t.mean, false)), t.meanOf
		}
		if t.best >= 0 {
			line.HasBest, line.BestValue = true, t.y[t.best]
			line.Best = axes.XY{X: t.xAt(t.best), Y: ch.height(line.BestValue)}
		}
		out.Lines = append(out.Lines, line)
	}
	for i := range ch.bands {
		out.Bands = append(out.Bands, ch.outlineBand(&ch.bands[i]))
	}
	return out, true
}

// outlineBand cuts a band into pieces.
func (ch *layout) outlineBand(b *band) BandOutline {
	out := BandOutline{Label: b.label, Run: b.run, N: number.Count(b.least, b.most)}
	x := func(k int) float64 {
		t := float64(k) / (bandColumns - 1)
		return ch.x0*(1-t) + ch.x1*t
	}
	inMean, inBand := false, false
	for k, mean := range b.mean {
		se := b.se[k]
		out.Mean, inMean = extend(out.Mean, inMean, number.Finite(mean), axes.XY{
			X: x(k),
			Y: ch.scale.Forward(mean),
		})
		if !inMean {
			inBand = false
			continue
		}
		was := inBand
		out.Lower, _ = extend(out.Lower, was, number.Finite(se), axes.XY{X: x(k), Y: ch.height(mean - se)})
		out.Upper, inBand = extend(out.Upper, was, number.Finite(se), axes.XY{
			X: x(k),
			Y: ch.height(mean + se),
		})
	}
	out.Mean = ch.within(out.Mean)
	return out
}

// extend adds a point to the last piece, or to a new piece after a gap. It returns whether there is
// a point.
func extend(pieces [][]axes.XY, going, ok bool, p axes.XY) ([][]axes.XY, bool) {
	switch {
	case !ok:
		return pieces, false
	case !going:
		return append(pieces, []axes.XY{p}), true
	}
	last := len(pieces) - 1
	pieces[last] = append(pieces[last], p)
	return pieces, true
}

// lengthen extends the first and the last piece of a zoomed line to the edges of the window.
func (ch *layout) lengthen(pieces [][]axes.XY, t *trace, columns int, smooth bool) {
	for side, e := range t.edges {
		if !e.ok || len(pieces) == 0 || columns < 2 {
			continue
		}
		value := e.raw
		if smooth {
			value = e.smooth
		}
		beside := axes.XY{X: ch.x0 + (ch.x1-ch.x0)*e.at/float64(columns-1), Y: ch.scale.Forward(value)}
		piece, end := &pieces[0], ch.x0
		inner := (*piece)[0]
		if side == 1 {
			piece, end = &pieces[len(pieces)-1], ch.x1
			inner = (*piece)[len(*piece)-1]
		}
		if inner.X == end {
			continue
		}
		y := beside.Y + (inner.Y-beside.Y)*(end-beside.X)/(inner.X-beside.X)
		switch {
		case !number.Finite(y):
		case side == 0:
			*piece = append([]axes.XY{{X: end, Y: y}}, *piece...)
		default:
			*piece = append(*piece, axes.XY{X: end, Y: y})
		}
	}
}

// height returns the height of an end of a band, clipped to the axis.
func (ch *layout) height(v float64) float64 {
	return max(ch.scale.Lo, min(ch.scale.Forward(v), ch.scale.Hi))
}

// pieces returns the line through columns, cut at values that are not finite.
func (ch *layout) pieces(cols []column, extremes bool) [][]axes.XY {
	var out [][]axes.XY
	var piece []axes.XY
	for i := range cols {
		c := &cols[i]
		if c.broken() && piece != nil {
			out, piece = append(out, piece), nil
		}
		if c.n == 0 {
			continue
		}
		x := ch.x0
		if len(cols) > 1 {
			t := float64(i) / float64(len(cols)-1)
			x = ch.x0*(1-t) + ch.x1*t
		}
		piece = append(piece, axes.XY{X: x, Y: ch.scale.Forward(c.first)})
		if extremes && c.n > 2 {
			piece = append(piece, axes.XY{X: x, Y: ch.scale.Forward(c.lo)}, axes.XY{
				X: x,
				Y: ch.scale.Forward(c.hi),
			})
		}
		if c.n > 1 {
			piece = append(piece, axes.XY{X: x, Y: ch.scale.Forward(c.last)})
		}
	}
	if piece != nil {
		out = append(out, piece)
	}
	return out
}
