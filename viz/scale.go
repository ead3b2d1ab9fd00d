package viz

import (
	"math"
)

// Scale is how values become heights.
type Scale int

const (
	// Linear is the plain axis.
	Linear Scale = iota
	// Log is logarithmic where all values are positive; where they are not (an
	// ELBO mostly is negative) it is symmetric: logarithmic away from zero on
	// both sides, and linear within a thousandth of the greatest magnitude.
	Log
	// Gap shows the distance to the best value on a logarithmic axis, small gaps
	// on top, so that a curve that gets better still climbs.
	Gap
)

// String returns the name of the scale as a legend says it.
func (s Scale) String() string {
	switch s {
	case Log:
		return "log"
	case Gap:
		return "gap to best, log"
	default:
		return "linear"
	}
}

// extent is what one pass over finite values leaves.
type extent struct {
	lo, hi float64
	// lo2 and hi2 are the next values inwards that differ.
	lo2, hi2 float64
	n        int
}

func newExtent() extent {
	return extent{lo: math.Inf(1), hi: math.Inf(-1), lo2: math.Inf(1), hi2: math.Inf(-1)}
}

func (e *extent) add(v float64) {
	e.n++
	switch {
	case v < e.lo:
		e.lo, e.lo2 = v, e.lo
	case v > e.lo && v < e.lo2:
		e.lo2 = v
	}
	switch {
	case v > e.hi:
		e.hi, e.hi2 = v, e.hi
	case v < e.hi && v > e.hi2:
		e.hi2 = v
	}
}

func (e *extent) merge(o extent) {
	if o.n == 0 {
		return
	}
	n := e.n + o.n
	for _, v := range [...]float64{o.lo, o.lo2, o.hi2, o.hi} {
		if finite(v) {
			e.add(v)
		}
	}
	e.n = n
}

// scale is a Scale fitted to data: increasing from values to heights.
type scale struct {
	kind      Scale
	symmetric bool
	// best and floor belong to Gap, with down when less is better; bend is where
	// the symmetric logarithm turns.
	best, floor, bend float64
	down              bool
	// lo and hi are the range of the axis after the transformation.
	lo, hi float64
}

// gapDecades bounds a Gap axis: smaller gaps sit on its upper edge.
const gapDecades = 6

// fitScale fits a scale to the finite values in e, of which there is at least one.
func fitScale(kind Scale, e extent, lessIsBetter bool) scale {
	s := scale{kind: kind}
	switch kind {
	case Log:
		s.symmetric = e.lo <= 0
		most := math.Max(math.Abs(e.lo), math.Abs(e.hi))
		s.bend = math.Pow(10, math.Floor(math.Log10(most))-3)
		if most == 0 || s.bend == 0 {
			s.kind = Linear
		}
	case Gap:
		s.down = lessIsBetter
		widest, least := e.hi-e.lo, e.hi-e.hi2
		s.best = e.hi
		if s.down {
			s.best, least = e.lo, e.lo2-e.lo
		}
		widest = math.Min(widest, math.MaxFloat64)
		if !(widest > 0) {
			s.kind = Linear
			break
		}
		s.floor = math.Max(math.Min(least, widest), widest*math.Pow(10, -gapDecades))
		if s.floor == 0 {
			s.kind = Linear
		}
	}
	s.lo, s.hi = s.forward(e.lo), s.forward(e.hi)
	if s.lo > s.hi {
		s.lo, s.hi = s.hi, s.lo
	}
	if s.lo == s.hi {
		pad := math.Max(math.Abs(s.lo)*0.05, 1e-300)
		if s.lo == 0 {
			pad = 1
		}
		s.lo, s.hi = math.Max(s.lo-pad, -math.MaxFloat64), math.Min(s.hi+pad, math.MaxFloat64)
	}
	return s
}

// forward returns the height of a finite value. For Gap it falls as the value
// gets worse, whichever direction that is.
func (s *scale) forward(v float64) float64 {
	switch s.kind {
	case Log:
		if !s.symmetric {
			return math.Log10(math.Max(v, math.SmallestNonzeroFloat64))
		}
		return math.Copysign(math.Log10(1+math.Abs(v)/s.bend), v)
	case Gap:
		gap := s.best - v
		if s.down {
			gap = -gap
		}
		gap = math.Min(gap, math.MaxFloat64)
		if gap < s.floor {
			// The best value sits a little above the smallest gap.
			return -math.Log10(s.floor) + 0.3
		}
		return -math.Log10(gap)
	default:
		return v
	}
}

// note is what the legend says of the scale; "" for the linear one.
func (s *scale) note() string {
	switch {
	case s.kind == Log && s.symmetric:
		return "symlog axis"
	case s.kind == Log:
		return "log axis"
	case s.kind == Gap:
		return "gap to best, log"
	default:
		return ""
	}
}

// ticks returns about n ticks within the range of the axis.
func (s *scale) ticks(n int) []Tick {
	var values []float64
	switch s.kind {
	case Log:
		values = s.logValues(n)
	case Gap:
		for _, g := range powersOfTen(math.Pow(10, -s.hi), math.Pow(10, -s.lo), n) {
			v := s.best - g
			if s.down {
				v = s.best + g
			}
			values = append(values, v)
		}
	default:
		return someTicks(s.lo, s.hi, n)
	}
	var out []Tick
	for _, v := range values {
		label := Short(v)
		if s.kind == Gap {
			label = Short(roundTo(math.Abs(s.best-v), 1))
		}
		if at := s.forward(v); at >= s.lo-1e-9 && at <= s.hi+1e-9 {
			out = append(out, Tick{at, label})
		}
	}
	return out
}

// logValues returns powers of ten in the range; where there are fewer than two,
// multiples of a step as on a linear axis.
func (s *scale) logValues(n int) []float64 {
	lo, hi := s.inverse(s.lo), s.inverse(s.hi)
	var values []float64
	if !s.symmetric {
		values = powersOfTen(lo, hi, n)
	} else {
		if lo < 0 {
			for _, v := range powersOfTen(math.Max(s.bend, -hi), -lo, n) {
				values = append(values, -v)
			}
		}
		if lo <= 0 && hi >= 0 {
			values = append(values, 0)
		}
		if hi > 0 {
			values = append(values, powersOfTen(math.Max(s.bend, lo), hi, n)...)
		}
	}
	if len(values) >= 2 {
		return values
	}
	return multiples(lo, hi, niceStep((hi/2-lo/2)/float64(max(n, 1))*2))
}

// inverse undoes forward for Log.
func (s *scale) inverse(at float64) float64 {
	if !s.symmetric {
		return math.Min(math.Pow(10, at), math.MaxFloat64)
	}
	v := math.Copysign((math.Pow(10, math.Abs(at))-1)*s.bend, at)
	return math.Max(-math.MaxFloat64, math.Min(v, math.MaxFloat64))
}

// powersOfTen returns powers of ten in [lo, hi], both positive, thinned to about
// n; where few decades are in reach also their multiples by 2 and 5.
func powersOfTen(lo, hi float64, n int) []float64 {
	if !(lo > 0) || !finite(hi) || hi < lo {
		return nil
	}
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	stride := max(1, (last-first)/max(n, 1))
	factors := []float64{1}
	if 3*(last-first) <= 2*n {
		factors = []float64{1, 2, 5}
	}
	var out []float64
	for k := first; k <= last; k++ {
		if k%stride != 0 {
			continue
		}
		for _, f := range factors {
			if v := f * math.Pow(10, float64(k)); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) && finite(v) {
				out = append(out, v)
			}
		}
	}
	return out
}
