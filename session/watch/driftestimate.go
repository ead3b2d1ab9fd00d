package watch

import (
	"math"
	"slices"

	"dgplab/session/rundir"
)

const (
	// perSteps is the number of steps in the unit of slopes.
	perSteps = 1000
	// The limits of the number of batches. With 16 batches, the intervals for first-order autoregressive
	// noise cover a slope of zero in 92 to 97 % of cases if a batch spans at least two correlation times (see
	// the tests). With few values they are hardly wider than intervals for known white noise.
	maxBatches, minBatches = 16, 8
	// maxCorrelation bounds the estimated autocorrelation of batches in short series.
	maxCorrelation = 0.9
)

// studentQuantiles holds the 0.975 quantiles of Student's t for 6 to 14 degrees of freedom.
var studentQuantiles = [...]float64{
	2.4469118511, 2.3646242516, 2.3060041352, 2.2621571628, 2.2281388520, 2.2009851601, 2.1788128297,
	2.1603686565, 2.1447866879,
}

// estimate returns the slope over bins, by least squares over the means of batches of equal numbers of steps.
// The standard error is computed from the scatter of these means about the line (Law, "Simulation Modeling
// and Analysis", 2015, section 9.5.3), times sqrt((1+r)/(1-r)), where r is their lag-one autocorrelation,
// corrected for the bias of regression residuals, which is about -(2+3r)/K for K batches. The interval uses
// Student's t with K-2 degrees of freedom. The second result is false if there are too few values.
func estimate(bins []bin) (rundir.Estimate, bool) {
	means := batches(bins)
	k := float64(len(means))
	if len(means) < minBatches {
		return rundir.Estimate{}, false
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
		r = math.Max(0, math.Min(r, maxCorrelation))
		se *= math.Sqrt((1 + r) / (1 - r))
	}
	half := se * studentQuantiles[len(means)-minBatches]
	in := func(x float64) rundir.Number { return rundir.Number(perSteps * x) }
	return rundir.Estimate{
		Slope:  in(slope),
		SE:     in(se),
		Low:    in(slope - half),
		High:   in(slope + half),
		Values: int(values),
	}, true
}

// batches divides the steps spanned by bins into at most maxBatches equal parts. It returns the parts that
// hold values, or nil if there are too few bins.
func batches(bins []bin) []bin {
	if len(bins) < minBatches {
		return nil
	}
	parts := divide(bins, bins[0].first, bins[len(bins)-1].first, min(len(bins), maxBatches))
	return slices.DeleteFunc(parts, func(b bin) bool { return b.n == 0 })
}

// divide sums bins over count equal parts of the steps from first to last. Bins outside this range
// count towards the nearest part.
func divide(bins []bin, first, last, count int) []bin {
	span := float64(last - first)
	parts := make([]bin, count)
	for _, b := range bins {
		k := 0
		// The position can be NaN.
		if at := float64(b.first-first) * float64(count) / span; at > 0 {
			k = int(math.Min(at, float64(count-1)))
		}
		parts[k].n += b.n
		parts[k].steps += b.steps
		parts[k].sums += b.sums
	}
	return parts
}
