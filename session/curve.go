package session

import (
	"math"
	"slices"

	"dgplab/session/rundir"
)

// curveCap is the most points that a curve holds in memory.
const curveCap = 4096

// curve holds report lines for display, at most cap of them. When it is full the
// step axis is cut into groups of equal width, doubled until at most half of the
// room is taken, and of each group the points with the least and the greatest
// objective and validation value stay: extremes never vanish. What stays depends
// on the points alone, so a curve that was read back from metrics.jsonl equals
// the one that was in memory.
//
// The slice that points returns is never written again: later points are
// appended behind it, and thinning makes a new slice.
type curve struct {
	cap    int
	width  int // steps in a group; 0 before the first thinning
	points []rundir.Point
}

func newCurve(capacity int) *curve { return &curve{cap: capacity} }

// add appends a point; steps ascend.
func (c *curve) add(p rundir.Point) {
	if len(c.points) >= c.cap {
		c.thin()
	}
	c.points = append(c.points, p)
}

// replace puts a point in the place of the last one if that is of the same step.
func (c *curve) replace(p rundir.Point) bool {
	last := len(c.points) - 1
	if last < 0 || c.points[last].Step != p.Step {
		return false
	}
	c.points = slices.Clone(c.points)
	c.points[last] = p
	return true
}

// view returns all points, for readers; it must not be written.
func (c *curve) view() []rundir.Point { return slices.Clip(c.points) }

func (c *curve) thin() {
	c.width = max(2*c.width, 1)
	for {
		if kept := thinned(c.points, c.width); len(kept) <= c.cap/2 {
			c.points = kept
			return
		}
		c.width *= 2
	}
}

// thinned returns a new slice with the extremes of every group of width steps,
// in the old order. The last point always stays.
func thinned(points []rundir.Point, width int) []rundir.Point {
	kept := make([]rundir.Point, 0, len(points)/2+1)
	for first := 0; first < len(points); {
		end := first + 1
		for end < len(points) && points[end].Step/width == points[first].Step/width {
			end++
		}
		group := points[first:end]
		for _, i := range extremes(group) {
			kept = append(kept, group[i])
		}
		first = end
	}
	if last := points[len(points)-1]; kept[len(kept)-1].Step != last.Step {
		kept = append(kept, last)
	}
	return kept
}

// extremes returns the ascending indices of the least and greatest objective and
// validation value (the first of equal ones), at most four. Of a group without
// any finite value the first point stays.
func extremes(group []rundir.Point) []int {
	var at []int
	for _, value := range []func(rundir.Point) float64{
		func(p rundir.Point) float64 { return p.Objective },
		func(p rundir.Point) float64 { return p.ValLogLik },
	} {
		least, greatest := -1, -1
		for i, p := range group {
			v := value(p)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			if least < 0 || v < value(group[least]) {
				least = i
			}
			if greatest < 0 || v > value(group[greatest]) {
				greatest = i
			}
		}
		if least >= 0 {
			at = append(at, least, greatest)
		}
	}
	if len(at) == 0 {
		return []int{0}
	}
	slices.Sort(at)
	return slices.Compact(at)
}
