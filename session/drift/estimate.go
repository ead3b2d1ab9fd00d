package drift

import (
	"math"
	"slices"

	"dgplab/models/number"
)

// Estimate is how fast a series changes.
type Estimate struct {
	// Slope is the change per 1,000 steps and SE its standard error; [Low, High] is the
	// interval that covers it with 95 %.
	Slope number.Float `json:"slope"`
	SE    number.Float `json:"se"`
	Low   number.Float `json:"low"`
	High  number.Float `json:"high"`
	// Values is how many it is estimated from.
	Values int   `json:"values"`
	Trend  Trend `json:"trend"`
}

const (
	// perSteps is what slopes are per.
	perSteps = 1000
	// most and least are numbers of batches. With 16 of them the intervals of first-order
	// autoregressive noise cover a slope of zero in 92 to 97 of 100 cases while a batch is
	// as long as two correlation times (see the tests), and few are hardly wider than
	// those of someone who knows that the noise is white.
	mostBatches, leastBatches = 16, 8
	// mostCorrelation bounds what is believed of the correlation of batches, where a series
	// is too short for them.
	mostCorrelation = 0.9
)

// quantiles are those of Student's t at 0.975, for 6 to 14 degrees of freedom.
var quantiles = [...]float64{
	2.4469118511, 2.3646242516, 2.3060041352, 2.2621571628, 2.2281388520, 2.2009851601, 2.1788128297,
	2.1603686565, 2.1447866879,
}

// estimate returns the slope over bins, by least squares over the means of batches of
// steps of equal length. Its standard error is that of the scatter of these means
// about the line (Law, "Simulation Modeling and Analysis", 2015, section 9.5.3), times
// sqrt((1+r)/(1-r)) with r their autocorrelation at distance one, corrected for the
// bias of residuals of a line, of K batches about -(2+3r)/K; the interval is Student's
// with K-2 degrees of freedom. It is false where there are too few values.
func estimate(bins []bin) (Estimate, bool) {
	means := batches(bins)
	k := float64(len(means))
	if len(means) < leastBatches {
		return Estimate{}, false
	}
	var weight, x, y, values float64
	for _, b := range means {
		weight, x, y = weight+b.n, x+b.steps, y+b.sums
		values += b.n
	}
	x, y = x/weight, y/weight
	var sxx, sxy float64
	for _, b := range means {
		dx := b.steps/b.n - x
		sxx, sxy = sxx+b.n*dx*dx, sxy+b.n*dx*(b.sums/b.n-y)
	}
	slope := sxy / sxx
	var scatter, squares, products, before float64
	for i, b := range means {
		r := b.sums/b.n - y - slope*(b.steps/b.n-x)
		scatter, squares = scatter+b.n*r*r, squares+r*r
		if i > 0 {
			products += r * before
		}
		before = r
	}
	se := math.Sqrt(scatter / (k - 2) / sxx)
	if squares > 0 {
		r := (products/squares*k + 2) / (k - 3)
		r = math.Max(0, math.Min(r, mostCorrelation))
		se *= math.Sqrt((1 + r) / (1 - r))
	}
	half := se * quantiles[len(means)-leastBatches]
	in := func(x float64) number.Float { return number.Float(perSteps * x) }
	return Estimate{
		Slope:  in(slope),
		SE:     in(se),
		Low:    in(slope - half),
		High:   in(slope + half),
		Values: int(values),
	}, true
}

// batches divides the steps that bins span into equal parts, at most mostBatches of them, and
// returns the parts that hold values; nil where there are too few bins.
func batches(bins []bin) []bin {
	if len(bins) < leastBatches {
		return nil
	}
	parts := divide(bins, bins[0].first, bins[len(bins)-1].first, min(len(bins), mostBatches))
	return slices.DeleteFunc(parts, func(b bin) bool { return b.n == 0 })
}

// divide sums bins over count equal parts of the steps from first to last. Bins beyond these
// steps count for the nearest part.
func divide(bins []bin, first, last, count int) []bin {
	span := float64(last - first)
	parts := make([]bin, count)
	for _, b := range bins {
		k := 0
		if at := float64(b.first-first) * float64(count) / span; at > 0 { // It may be NaN.
			k = int(math.Min(at, float64(count-1)))
		}
		parts[k].n += b.n
		parts[k].steps += b.steps
		parts[k].sums += b.sums
	}
	return parts
}
