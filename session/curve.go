package session

import (
	"math"
	"slices"

	"dgplab/session/rundir"
)

// curveCap is the maximum number of points of a curve in memory.
const curveCap = 4096

// curve holds at most cap report lines for display. When it is full, it divides the steps into groups of
// equal width, doubled until at most half of the capacity is used, and keeps the points with the smallest and
// the largest objective and validation value of each group, so that extremes are never lost. The result
// depends only on the points: a curve read from metrics.jsonl equals the curve in memory.
//
// Slices returned by view are never modified. Later points are appended after them, and thinning
// allocates a new slice.
type curve struct {
	cap    int
	width  int // steps per group; 0 before the first thinning
	points []rundir.Point
}

func newCurve(capacity int) *curve { return &curve{cap: capacity} }

// add appends a point. Steps must ascend.
func (c *curve) add(p rundir.Point) {
	if len(c.points) >= c.cap {
		c.thin()
	}
	c.points = append(c.points, p)
}

// replace replaces the last point if it has the same step as p, and reports whether it did.
func (c *curve) replace(p rundir.Point) bool {
	last := len(c.points) - 1
	if last < 0 || c.points[last].Step != p.Step {
		return false
	}
	c.points = slices.Clone(c.points)
	c.points[last] = p
	return true
}

// view returns all points. Callers must not modify them.
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

// thinned returns a new slice with the extremes of each group of width steps, in order. It always
// keeps the last point.
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

// extremes returns the ascending indices of the points with the smallest and the largest objective
// and validation value, at most four. If values are equal, the first is chosen. If no value is
// finite, it returns the index of the first point.
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
