package watch

import "slices"

// maxBins bounds the bins of a series. The last fifth of a full series has 256 bins, or 128 after thinning.
const maxBins = 1280

// series is a noisy series over steps in bounded memory. The values of neighbouring steps are summed in bins
// of equal width, which doubles when there are too many bins. The bins depend only on the values and their
// steps.
type series struct {
	width int // steps per bin; 0 before the first value
	bins  []bin
}

// bin holds the values of the steps [k*width, (k+1)*width), with k = first/width.
type bin struct {
	first       int     // the first step with a value
	n           float64 // number of values
	steps, sums float64 // sum of the steps with values, and sum of the values
}

func (b bin) mean() float64 { return b.sums / b.n }

// add adds the value of a step. Steps must ascend.
func (s *series) add(step int, value float64) {
	s.width = max(s.width, 1)
	if last := len(s.bins) - 1; last >= 0 && s.bins[last].first/s.width == step/s.width {
		b := &s.bins[last]
		b.n, b.steps, b.sums = b.n+1, b.steps+float64(step), b.sums+value
		return
	}
	if len(s.bins) == maxBins {
		s.thin()
		s.add(step, value)
		return
	}
	s.bins = append(s.bins, bin{step, 1, float64(step), value})
}

// thin doubles the width of bins until at most maxBins/2 are left.
func (s *series) thin() {
	for len(s.bins) > maxBins/2 {
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

// since returns the bins that begin at or after a step.
func (s *series) since(step int) []bin {
	at, _ := slices.BinarySearchFunc(s.bins, step, func(b bin, step int) int { return b.first - step })
	return s.bins[at:]
}

// between returns the bins that begin between the steps first and last, inclusive.
func (s *series) between(first, last int) []bin {
	bins := s.since(first)
	end, _ := slices.BinarySearchFunc(bins, last+1, func(b bin, step int) int { return b.first - step })
	return bins[:end]
}
