package viz

// XY is a point of a Plan, in the units of its axes.
type XY struct{ X, Y float64 }

// PlanLine is one series of a Plan. Lines are cut into pieces at gaps.
type PlanLine struct {
	Label string
	Run   int
	// Raw goes through first, least, greatest and last value of every column.
	Raw [][]XY
	// Smooth is nil without smoothing.
	Smooth [][]XY
	// Best is the marked value, if HasBest; BestValue is it on the original scale.
	Best      XY
	BestValue float64
	HasBest   bool
}

// PlanBand is one group of a Plan: its mean and the ends of its band, each cut
// into pieces at gaps, and how many members took part.
type PlanBand struct {
	Label string
	Run   int
	Mean  [][]XY
	// Lower and Upper have the same pieces.
	Lower, Upper [][]XY
	N            string
}

// Plan is a Curve ready to be drawn by other means than text: thinned, scaled,
// with ticks. Heights are those of the scale, so a straight axis from Y0 to Y1
// labelled with YTicks shows what the text shows.
type Plan struct {
	Lines          []PlanLine
	Bands          []PlanBand
	X0, X1, Y0, Y1 float64
	XTicks, YTicks []Tick
	// Note says what the scale is, "" for a linear one.
	Note string
	// Clipped and NotFinite count points that are not within the picture.
	Clipped, NotFinite int
}

// Plan thins the curve to the given number of columns and about as many ticks as
// given. ok is false when there is no finite point.
func (c Curve) Plan(columns, xTicks, yTicks int) (plan Plan, ok bool) {
	ch := c.measure()
	if !ch.hasPoints || columns < 1 {
		return Plan{}, false
	}
	ch.bin(columns)
	plan = Plan{
		X0: ch.x0, X1: ch.x1, Y0: ch.scale.lo, Y1: ch.scale.hi,
		XTicks: c.X.Ticks(ch.x0, ch.x1, xTicks), YTicks: ch.scale.ticks(yTicks),
		Note: ch.scale.note(), NotFinite: ch.notFinite(),
	}
	for i := range ch.traces {
		t := &ch.traces[i]
		plan.Clipped += t.clipped
		line := PlanLine{Label: t.label, Run: t.run, Raw: ch.pieces(t.raw, true)}
		ch.reachPlan(line.Raw, t, columns, false)
		if t.average != nil {
			line.Smooth = ch.pieces(t.average, false)
			ch.reachPlan(line.Smooth, t, columns, true)
		}
		if t.best >= 0 {
			line.HasBest, line.BestValue = true, t.y[t.best]
			line.Best = XY{t.xAt(t.best), ch.height(line.BestValue)}
		}
		plan.Lines = append(plan.Lines, line)
	}
	for i := range ch.bands {
		plan.Bands = append(plan.Bands, ch.planBand(&ch.bands[i]))
	}
	return plan, true
}

// planBand cuts a band into pieces.
func (ch *chart) planBand(b *band) PlanBand {
	out := PlanBand{Label: b.label, Run: b.run, N: countText(b.least, b.most)}
	x := func(k int) float64 {
		t := float64(k) / (bandColumns - 1)
		return ch.x0*(1-t) + ch.x1*t
	}
	inMean, inBand := false, false
	for k, mean := range b.mean {
		se := b.se[k]
		if out.Mean, inMean = extend(out.Mean, inMean, finite(mean), XY{x(k), ch.height(mean)}); !inMean {
			inBand = false
			continue
		}
		was := inBand
		out.Lower, _ = extend(out.Lower, was, finite(se), XY{x(k), ch.height(mean - se)})
		out.Upper, inBand = extend(out.Upper, was, finite(se), XY{x(k), ch.height(mean + se)})
	}
	return out
}

// extend adds a point to the last of the pieces, or to a new one where the last
// has ended, if there is a point.
func extend(pieces [][]XY, going, ok bool, p XY) ([][]XY, bool) {
	switch {
	case !ok:
		return pieces, false
	case !going:
		return append(pieces, []XY{p}), true
	}
	last := len(pieces) - 1
	pieces[last] = append(pieces[last], p)
	return pieces, true
}

// reachPlan lengthens the first and last piece of a zoomed line to the edges of
// the window, where the way to the point beside it stays within the picture.
func (ch *chart) reachPlan(pieces [][]XY, t *trace, columns int, smooth bool) {
	for side, e := range t.edges {
		if !e.ok || len(pieces) == 0 || columns < 2 {
			continue
		}
		value := e.raw
		if smooth {
			value = e.smooth
		}
		beside := XY{ch.x0 + (ch.x1-ch.x0)*e.at/float64(columns-1), ch.scale.forward(value)}
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
		case !(y >= ch.scale.lo && y <= ch.scale.hi):
		case side == 0:
			*piece = append([]XY{{end, y}}, *piece...)
		default:
			*piece = append(*piece, XY{end, y})
		}
	}
}

// height returns where a value lies on the axis, clipped to it.
func (ch *chart) height(v float64) float64 {
	return max(ch.scale.lo, min(ch.scale.forward(v), ch.scale.hi))
}

// pieces returns the lines through columns, cut where values are not finite.
func (ch *chart) pieces(cols []column, extremes bool) [][]XY {
	var out [][]XY
	var piece []XY
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
		piece = append(piece, XY{x, ch.height(c.first)})
		if extremes && c.n > 2 {
			piece = append(piece, XY{x, ch.height(c.lo)}, XY{x, ch.height(c.hi)})
		}
		if c.n > 1 {
			piece = append(piece, XY{x, ch.height(c.last)})
		}
	}
	if piece != nil {
		out = append(out, piece)
	}
	return out
}
