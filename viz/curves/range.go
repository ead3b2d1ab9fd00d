package curves

import (
	"math"
	"sort"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// Range selects the values that set the y axis. Values outside are counted in the legend. Marks at
// the edge show where a line is outside.
type Range int

const (
	// Whole is the range of all values.
	Whole Range = iota
	// Inner is the range of most values, so that a few outliers do not flatten the rest.
	Inner
	// Recent is the range of the last three quarters of the x axis, so that a large change at the start does
	// not flatten the rest. A curve is readable with 20 points and with 20,000. Recent applies to linear
	// scales; other scales use Whole.
	Recent
)

const (
	// Values beyond this share of the x axis are recent. For a series that ends earlier, the share
	// refers to its own range.
	recentShare = 0.25
	// leastRecent is the number of points below which all points are recent.
	leastRecent = 10
	// recentTail is the share of values at either end that are outliers if they are farther from
	// the others than half of the range of the others.
	recentTail = 0.02
	// recentRoom is the room below the recent values, as a share of their range.
	recentRoom = 0.12
	// leastWidth is the minimum width of the axis, relative to the values, at which its numbers are useful.
	leastWidth = 1e-9
)

// rangeSample limits the number of values from which the range of a series is computed.
const rangeSample = 4096

// limits returns the ends of the y axis.
func (ch *layout) limits(all chart.Extent) [2]float64 {
	whole := [2]float64{all.Lo, all.Hi}
	switch {
	case ch.Range == Inner:
		return ch.inner(whole)
	case ch.Range == Recent && ch.Scale == chart.Linear:
		return ch.recent(whole)
	}
	return whole
}

// inner returns the range from the 5 % to the 95 % quantile of all values,
// widened by half its width on both sides, but not beyond the values themselves.
func (ch *layout) inner(whole [2]float64) [2]float64 {
	var v []float64
	total := 0
	for i := range ch.traces {
		total += ch.traces[i].sum.N
	}
	stride := total/rangeSample + 1
	for i := range ch.traces {
		ch.traces[i].eachFinite(ch.lo, ch.hi, stride, func(y float64) { v = append(v, y) })
	}
	if len(v) == 0 {
		return whole
	}
	sort.Float64s(v)
	lo := v[len(v)*5/100]
	hi := v[len(v)-1-len(v)*5/100]
	pad := hi/2 - lo/2
	if pad == 0 {
		return whole
	}
	return [2]float64{max(whole[0], lo-pad), min(whole[1], hi+pad)}
}

// recent returns the range of the recent values of all series. Every series contributes.
func (ch *layout) recent(whole [2]float64) [2]float64 {
	out := [2]float64{math.Inf(1), math.Inf(-1)}
	add := func(v []float64) {
		if len(v) > 0 {
			sort.Float64s(v)
			lo, hi := withoutTails(v)
			out[0] = min(out[0], lo)
			out[1] = max(out[1], hi)
		}
	}
	// The share refers to values, even on a logarithmic axis.
	after := func(share, x0, x1 float64) float64 {
		return ch.X.Position((1-share)*ch.X.Value(x0) + share*ch.X.Value(x1))
	}
	from := after(recentShare, ch.x0, ch.x1)
	for i := range ch.traces {
		t := &ch.traces[i]
		since := from
		switch {
		case t.sum.x1 < from:
			since = after(1-recentShare, t.sum.x0, t.sum.x1)
		case t.sum.N < leastRecent:
			since = math.Inf(-1)
		}
		var v []float64
		t.eachFinite(max(since, ch.lo), ch.hi, t.sum.N/rangeSample+1, func(y float64) { v = append(v, y) })
		add(v)
		if t.best >= 0 {
			add([]float64{t.y[t.best]})
		}
	}
	for i := range ch.bands {
		add(ch.bands[i].since(int(canvas.Fraction(from, ch.x0, ch.x1) * (bandColumns - 1))))
	}
	width := out[1] - out[0]
	if !(width > leastWidth*math.Abs(out[0])) || !canvas.Finite(width) {
		return whole
	}
	return [2]float64{max(whole[0], out[0]-recentRoom*width), min(whole[1], out[1]+recentRoom/3*width)}
}

// since returns the values of a band starting at a column. For a band that ends earlier, the share
// refers to its own range.
func (b *band) since(column int) (v []float64) {
	first, last := -1, -1
	for k, mean := range b.mean {
		if canvas.Finite(mean) {
			last = k
			if first < 0 {
				first = k
			}
		}
	}
	if last < column {
		column = last - int(recentShare*float64(last-first))
	}
	for k := max(column, 0); k <= last; k++ {
		if mean, se := b.mean[k], b.se[k]; canvas.Finite(mean) {
			v = append(v, mean)
			if canvas.Finite(se) {
				v = append(v, mean-se, mean+se)
			}
		}
	}
	return v
}

// withoutTails returns the range of ascending values without outliers at either end.
func withoutTails(v []float64) (lo, hi float64) {
	n := int(recentTail * float64(len(v)))
	lo, hi = v[n], v[len(v)-1-n]
	far := (hi - lo) / 2
	if v[0] >= lo-far || n == 0 {
		lo = v[0]
	}
	if last := v[len(v)-1]; last <= hi+far || n == 0 {
		hi = last
	}
	return lo, hi
}

// eachFinite calls do with every stride-th finite value whose x is in [lo, hi].
func (p *Prepared) eachFinite(lo, hi float64, stride int, do func(y float64)) {
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.N == 0 || b.x1 < lo || b.x0 > hi {
			continue
		}
		from, to := p.span(i)
		for k := (from + stride - 1) / stride * stride; k < to; k += stride {
			if x := p.xAt(k); canvas.Finite(p.y[k]) && canvas.Finite(x) && x >= lo && x <= hi {
				do(p.y[k])
			}
		}
	}
}

// countClipped counts the points of every series below and above the axis.
func (ch *layout) countClipped() {
	lo, hi := ch.clip[0], ch.clip[1]
	for i := range ch.traces {
		t := &ch.traces[i]
		for k := range t.blocks {
			b := &t.blocks[k]
			if b.N == 0 || b.Lo >= lo && b.Hi <= hi || b.x1 < ch.lo || b.x0 > ch.hi {
				continue
			}
			for at, to := t.span(k); at < to; at++ {
				x, y := t.xAt(at), t.y[at]
				if !canvas.Finite(x) || !canvas.Finite(y) || x < ch.lo || x > ch.hi {
					continue
				}
				if y < lo {
					t.below++
				} else if y > hi {
					t.above++
				}
			}
		}
	}
}
