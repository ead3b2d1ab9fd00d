package watch

import (
	"math"

	"dgplab/session/rundir"
)

// The run is divided into parts of equal numbers of steps. The validation log-likelihood has fallen if the
// whole last quarter of the parts lies below the best part by more than fallErrors standard errors of a part
// and more than floorFall nats, or the whole last sixth by twice as much. The fall is over when the last part
// is within half of that distance. The parts cover the whole phase. Series with fewer than minValues values
// are not tested. Runs that rise and then stay level with autoregressive noise rarely cause false alarms (see
// the tests).
const (
	fallErrors = 6.5
	floorFall  = 0.02
	minValues  = 16
)

// watchFall tests for a fall of the validation log-likelihood after a new value.
func (d *Drift) watchFall() {
	bins := d.validation.bins
	if d.Sampler || len(bins) < minValues {
		return
	}
	first, last := bins[0].first, bins[len(bins)-1].first
	parts := divide(bins, first, last, maxBatches)
	filled := nonEmpty(parts)
	if len(filled) < minBatches {
		return
	}
	quarter := len(filled) - len(filled)/4
	sixth := len(filled) - (len(filled)+5)/6
	best := filled[0]
	for _, k := range filled[:sixth] {
		if parts[k].mean() > parts[best].mean() {
			best = k
		}
	}
	highest := func(list []int) float64 {
		most := math.Inf(-1)
		for _, k := range list {
			most = math.Max(most, parts[k].mean())
		}
		return most
	}
	level := parts[best].mean()
	now := parts[filled[len(filled)-1]].mean()
	noise, scatter := errorsOfPart(parts, best)
	se := math.Max(noise, scatter)
	limit := math.Max(fallErrors*se, floorFall)
	since := d.step
	switch {
	case d.fall != nil && level-now > limit/2:
		since = d.fall.Since
	case level-highest(filled[quarter:]) > limit:
	case level-highest(filled[sixth:]) > 2*math.Max(fallErrors*noise, floorFall):
	default:
		d.fall = nil
		return
	}
	objective := divide(d.objective.between(first, last), first, last, maxBatches)
	d.fall = &rundir.Fall{
		Best: rundir.Number(level), Step: int(parts[best].steps / parts[best].n), Last: rundir.Number(now),
		SE: rundir.Number(se), Since: since,
		Overfits: rose(objective, best, floorPerPoint*float64(d.Points)),
	}
}

// nonEmpty returns the indices of the parts that hold values.
func nonEmpty(parts []bin) (list []int) {
	for k, b := range parts {
		if b.n > 0 {
			list = append(list, k)
		}
	}
	return list
}

// errorsOfPart returns two estimates of the standard error of the mean of a part. Both use second differences
// of neighbouring parts, which do not depend on a steady slope. noise uses their median, which is robust
// against a steep rise or a sudden fall; scatter is their root mean square from the best part on.
func errorsOfPart(parts []bin, best int) (noise, scatter float64) {
	var differences []float64
	squares, later := 0.0, 0.0
	filled := nonEmpty(parts)
	for i, k := range filled[2:] {
		d := parts[k].mean() - 2*parts[filled[i+1]].mean() + parts[filled[i]].mean()
		differences = append(differences, math.Abs(d))
		if filled[i] >= best {
			squares += d * d
			later++
		}
	}
	return 1.4826 * median(differences) / math.Sqrt(6), math.Sqrt(squares / math.Max(later, 1) / 6)
}

// rose reports whether the mean of the last quarter of the parts (or of the parts after since, if
// there are fewer) exceeds the mean of part since by more than two standard errors and more than
// floor.
func rose(parts []bin, since int, floor float64) bool {
	before := parts[since]
	var later bin
	for _, b := range parts[max(since+1, len(parts)-len(parts)/4):] {
		later.n += b.n
		later.sums += b.sums
	}
	if before.n == 0 || later.n == 0 || len(nonEmpty(parts)) < minBatches {
		return false
	}
	noise, scatter := errorsOfPart(parts, since)
	return later.mean()-before.mean() > math.Max(floor, 2*math.Max(noise, scatter))
}
