package drift

import "slices"

// mostBins bounds the bins of a series. A fifth of a full series, and of one that was
// just thinned, is 256 or 128 of them.
const mostBins = 1280

// series is a noisy series over steps, in memory that is bounded whatever its length:
// values of neighbouring steps are summed in bins of equal width, which doubles when
// there are too many. What is kept depends on the values alone.
type series struct {
	width int // steps of a bin; 0 before the first
	bins  []bin
}

// bin holds the values of the steps [k*width, (k+1)*width), k = first/width.
type bin struct {
	first       int     // the first step that has a value
	n           float64 // values
	steps, sums float64 // of the steps that have one, and of the values
}

// mean returns the mean of the values.
func (b bin) mean() float64 { return b.sums / b.n }

// add takes the value of a step; steps ascend.
func (s *series) add(step int, value float64) {
	s.width = max(s.width, 1)
	if last := len(s.bins) - 1; last >= 0 && s.bins[last].first/s.width == step/s.width {
		b := &s.bins[last]
		b.n, b.steps, b.sums = b.n+1, b.steps+float64(step), b.sums+value
		return
	}
	if len(s.bins) == mostBins {
		s.thin()
		s.add(step, value)
		return
	}
	s.bins = append(s.bins, bin{step, 1, float64(step), value})
}

// thin doubles the width of bins until there are half as many at most.
func (s *series) thin() {
	for len(s.bins) > mostBins/2 {
		s.width *= 2
		kept := s.bins[:1]
		for _, b := range s.bins[1:] {
			into := &kept[len(kept)-1]
			if into.first/s.width != b.first/s.width {
				kept = append(kept, b)
				continue
			}
			into.n, into.steps, into.sums = into.n+b.n, into.steps+b.steps, into.sums+b.sums
		}
		s.bins = kept
	}
}

// since returns the bins that begin at a step or after it.
func (s *series) since(step int) []bin {
	at, _ := slices.BinarySearchFunc(s.bins, step, func(b bin, step int) int { return b.first - step })
	return s.bins[at:]
}

// between returns the bins that begin at a step from first to last.
func (s *series) between(first, last int) []bin {
	bins := s.since(first)
	end, _ := slices.BinarySearchFunc(bins, last+1, func(b bin, step int) int { return b.first - step })
	return bins[:end]
}
