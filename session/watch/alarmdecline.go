package watch

import (
	"fmt"
	"math"
	"slices"
)

// spreadMemory is the number of spreads in memory.
const spreadMemory = 31

// decline detects that a noisy objective diverges. It compares the medians of strips of values. The alarm is
// raised if objectivePatience strips in a row lie below the best strip by more than objectiveSpreads spreads
// of single values and more than floor, and the objective is still falling: the last strip is lower than the
// one objectivePatience strips earlier. The alarm is cleared by a strip within half of that distance.
type decline struct {
	floor float64

	on    bool
	since int

	strip     []float64
	stripFrom int       // step of the first value of the strip
	medians   []float64 // medians of the last strips, at most objectivePatience+1
	// noise holds the spreads of the last strips that were not low, because a fall distorts the
	// spread.
	noise    []float64
	best     float64
	bestStep int // 0 before the first strip
	low      int // number of low strips in a row
	lowFrom  int
}

// add adds a value. Non-finite values are ignored.
func (d *decline) add(step int, value float64) {
	if notFinite(value) {
		return
	}
	if len(d.strip) == 0 {
		d.stripFrom = step
	}
	d.strip = append(d.strip, value)
	if len(d.strip) == alarmStrip {
		d.judge(step)
		d.strip = d.strip[:0]
	}
}

// judge evaluates the strip that ends at a step.
func (d *decline) judge(step int) {
	m := median(d.strip)
	d.medians = keepLast(append(d.medians, m), objectivePatience+1)
	limit := d.limit()
	switch {
	case d.bestStep == 0 || m > d.best:
		d.best = m
		d.bestStep = step
		d.low = 0
		d.on = false
	case m >= d.best-limit/2:
		d.low, d.on = 0, false
	case m >= d.best-limit:
		if !d.on {
			d.low = 0
		}
	default:
		d.fall(m)
		return
	}
	d.noise = keepLast(append(d.noise, spread(d.strip, m)), spreadMemory)
}

// fall counts a low strip.
func (d *decline) fall(m float64) {
	d.low++
	if d.low == 1 {
		d.lowFrom = d.stripFrom
	}
	if !d.on && d.low >= objectivePatience && m < d.medians[0] { // The best strip came earlier.
		d.on, d.since = true, d.lowFrom
	}
}

// limit returns the distance from the best strip beyond which a strip is low.
func (d *decline) limit() float64 {
	if len(d.noise) == 0 {
		return d.floor
	}
	return math.Max(objectiveSpreads*median(d.noise), d.floor)
}

func (d *decline) text() string {
	return fmt.Sprintf("the objective fell from %.5g at step %d to %.5g",
		d.best, d.bestStep, d.medians[len(d.medians)-1])
}

// keepLast returns the last n entries of list, moved to its beginning.
func keepLast(list []float64, n int) []float64 {
	return slices.Delete(list, 0, max(0, len(list)-n))
}

// median returns the median of values without modifying them.
func median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// spread returns the median distance from m, scaled to the standard deviation of a normal
// distribution.
func spread(values []float64, m float64) float64 {
	distances := make([]float64, len(values))
	for i, v := range values {
		distances[i] = math.Abs(v - m)
	}
	return 1.4826 * median(distances)
}
