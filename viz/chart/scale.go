package chart

import (
	"math"

	"dgplab/viz/canvas"
)

// Kind is the transformation of a scale.
type Kind int

const (
	// Linear shows values as they are.
	Linear Kind = iota
	// Log is logarithmic if all values are positive. Otherwise, as for most ELBOs, it is symmetric:
	// logarithmic on both sides of zero, and linear within a thousandth of the largest magnitude.
	Log
	// Gap shows the distance to the best value on a logarithmic axis with small gaps on top. A
	// curve that improves rises.
	Gap
)

// Scale is a Kind fitted to data.
type Scale struct {
	Kind      Kind
	symmetric bool
	// best and floor belong to Gap; down is set if lower values are better. bend is the value at
	// which the symmetric logarithm becomes linear.
	best, floor, bend float64
	down              bool
	// Lo and Hi are the range of transformed values.
	Lo, Hi float64
}

// gapDecades limits a Gap axis. Smaller gaps lie on its upper edge.
const gapDecades = 6

// Fit fits a scale to the values in e, which has at least one.
func Fit(kind Kind, e Extent, lessIsBetter bool) Scale {
	s := Scale{Kind: kind}
	switch kind {
	case Log:
		s.symmetric = e.Lo <= 0
		most := math.Max(math.Abs(e.Lo), math.Abs(e.Hi))
		s.bend = math.Pow(10, math.Floor(math.Log10(most))-3)
		if most == 0 || s.bend == 0 {
			s.Kind = Linear
		}
	case Gap:
		s.down = lessIsBetter
		widest, least := e.Hi-e.Lo, e.Hi-e.Hi2
		s.best = e.Hi
		if s.down {
			s.best, least = e.Lo, e.Lo2-e.Lo
		}
		widest = math.Min(widest, math.MaxFloat64)
		if !(widest > 0) {
			s.Kind = Linear
			break
		}
		s.floor = math.Max(math.Min(least, widest), widest*math.Pow(10, -gapDecades))
		if s.floor == 0 {
			s.Kind = Linear
		}
	}
	s.Lo = s.Forward(e.Lo)
	s.Hi = s.Forward(e.Hi)
	if s.Lo > s.Hi {
		s.Lo, s.Hi = s.Hi, s.Lo
	}
	if s.Lo == s.Hi {
		pad := math.Max(math.Abs(s.Lo)*0.05, 1e-300)
		if s.Lo == 0 {
			pad = 1
		}
		s.Lo = math.Max(s.Lo-pad, -math.MaxFloat64)
		s.Hi = math.Min(s.Hi+pad, math.MaxFloat64)
	}
	return s
}

// Forward transforms a finite value. For Gap the result falls as the value gets worse.
func (s *Scale) Forward(v float64) float64 {
	switch s.Kind {
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
		switch {
		case gap <= -s.floor: // better than the best value of the data, above the axis
			return -math.Log10(s.floor) + 1
		case gap < s.floor: // The best value lies slightly above the smallest gap.
			return -math.Log10(s.floor) + 0.3
		}
		return -math.Log10(gap)
	default:
		return v
	}
}

// Note describes the scale in a legend. It is empty for a linear scale.
func (s *Scale) Note() string {
	switch {
	case s.Kind == Log && s.symmetric:
		return "symlog axis"
	case s.Kind == Log:
		return "log axis"
	case s.Kind == Gap:
		return "gap to best, log"
	default:
		return ""
	}
}

// Ticks returns about n ticks within the range of the axis.
func (s *Scale) Ticks(n int) []Tick {
	var values []float64
	switch s.Kind {
	case Log:
		values = s.logValues(n)
	case Gap:
		for _, g := range powersOfTen(math.Pow(10, -s.Hi), math.Pow(10, -s.Lo), n) {
			v := s.best - g
			if s.down {
				v = s.best + g
			}
			values = append(values, v)
		}
	default:
		return someTicks(s.Lo, s.Hi, n)
	}
	var out []Tick
	for _, v := range values {
		label := canvas.Number(v)
		if s.Kind == Gap {
			label = canvas.Digits(math.Abs(s.best-v), 1)
		}
		if at := s.Forward(v); at >= s.Lo-1e-9 && at <= s.Hi+1e-9 {
			out = append(out, Tick{at, label})
		}
	}
	return out
}

// logValues returns powers of ten in the range, or multiples of a linear step if there are fewer
// than two.
func (s *Scale) logValues(n int) []float64 {
	lo := s.inverse(s.Lo)
	hi := s.inverse(s.Hi)
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
	return multiples(lo, hi, niceStep((hi/2-lo/2)/float64(n)*2))
}

// inverse inverts Forward for Log.
func (s *Scale) inverse(at float64) float64 {
	if !s.symmetric {
		return math.Min(math.Pow(10, at), math.MaxFloat64)
	}
	v := math.Copysign((math.Pow(10, math.Abs(at))-1)*s.bend, at)
	return math.Max(-math.MaxFloat64, math.Min(v, math.MaxFloat64))
}

// powersOfTen returns about n powers of ten in [lo, hi], both positive, and their multiples by 2
// and 5 if there are few decades.
func powersOfTen(lo, hi float64, n int) []float64 {
	if !(lo > 0) || !canvas.Finite(hi) || hi < lo {
		return nil
	}
	first := int(math.Floor(math.Log10(lo)))
	last := int(math.Ceil(math.Log10(hi)))
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
			if v := f * math.Pow(10, float64(k)); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) && canvas.Finite(v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// positionOf returns the position of a transformed value among n along the axis.
func (s *Scale) positionOf(at float64, n int) int {
	return int(canvas.Fraction(at, s.Lo, s.Hi)*float64(n-1) + 0.5)
}

// position returns the position of a value among n along the axis: columns from the left, or rows from
// the bottom.
func (s *Scale) position(v float64, n int) int { return s.positionOf(s.Forward(v), n) }

// edgeOf returns the height of the edge of a band at v in a plot of h rows, in eighths of a cell
// from the bottom. It is the middle of a line at v in the given style.
func (s *Scale) edgeOf(v float64, h int, style canvas.Style) int {
	lines := float64(h) // A line lies in the middle of one.
	if style.Dots() {
		lines *= 4
	}
	return int((canvas.Fraction(s.Forward(v), s.Lo, s.Hi)*(lines-1)+0.5)*float64(8*h)/lines + 0.5)
}

// padBelow widens the range at its lower end by a share of its width.
func (s *Scale) padBelow(share float64) {
	if d := (s.Hi - s.Lo) * share; canvas.Finite(d) && canvas.Finite(s.Lo-d) {
		s.Lo -= d
	}
}

// Pad widens the range at both ends by a share of its width.
func (s *Scale) Pad(share float64) {
	if d := (s.Hi - s.Lo) * share; canvas.Finite(d) && canvas.Finite(s.Lo-d) && canvas.Finite(s.Hi+d) {
		s.Lo, s.Hi = s.Lo-d, s.Hi+d
	}
}
