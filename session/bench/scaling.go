package bench

import (
	"math"
	"slices"

	"dgplab/models"
)

// Axis is one along which a sweep goes.
type Axis string

const (
	Inducing Axis = "inducing" // M
	Layers   Axis = "layers"   // L
	Width    Axis = "width"    // tau
)

// Exponent says how the cost of a step of a family grows along an axis: as the
// value on the axis to this power.
type Exponent struct {
	Family string
	Axis   Axis
	// Values are those on the axis that took part, ascending.
	Values []int
	// Time is fitted to the median times, Operations to the counted operations;
	// NaN where those are not known.
	Time, Operations float64
	// Theory is the exponent of the leading term for many points; 0 when the
	// family does not declare it.
	Theory int
}

// Scaling fits the exponents of all families along every axis on which a family
// has at least two values: by least squares on logarithms with the other axes
// held fixed, averaged over these. Cells that have an error, or no hidden layer
// while others have some, take no part. The order is that of the cells, then M, L
// and tau.
func Scaling(cells []Cell) []Exponent {
	byFamily, families := grouped(cells, func(c Cell) string { return c.Family })
	var list []Exponent
	for _, name := range families {
		for _, axis := range []Axis{Inducing, Layers, Width} {
			if e, ok := exponent(byFamily[name], axis); ok {
				e.Family, e.Theory = name, theory(name, axis)
				list = append(list, e)
			}
		}
	}
	return list
}

// exponent averages the fits over the groups of cells that differ on axis only.
func exponent(cells []Cell, axis Axis) (Exponent, bool) {
	e := Exponent{Axis: axis}
	groups, order := grouped(cells, func(c Cell) Setting { return c.without(axis) })
	fits := 0.0
	for _, key := range order {
		group := groups[key]
		if len(group) < 2 {
			continue
		}
		var x, times, operations []float64
		for _, c := range group {
			v := c.on(axis)
			if !slices.Contains(e.Values, v) {
				e.Values = append(e.Values, v)
			}
			x, times, operations = append(x, float64(v)), append(times, c.Median), append(operations, c.FLOPs)
		}
		fits++
		e.Time += powerLaw(x, times)
		e.Operations += powerLaw(x, operations)
	}
	if fits == 0 {
		return e, false
	}
	slices.Sort(e.Values)
	e.Time, e.Operations = e.Time/fits, e.Operations/fits
	return e, true
}

// grouped collects the cells that have no error by a key, and returns the keys
// in the order of their first cells.
func grouped[K comparable](cells []Cell, key func(Cell) K) (groups map[K][]Cell, order []K) {
	groups = map[K][]Cell{}
	for _, c := range cells {
		if c.Err != nil {
			continue
		}
		k := key(c)
		if _, known := groups[k]; !known {
			order = append(order, k)
		}
		groups[k] = append(groups[k], c)
	}
	return groups, order
}

// on returns the value of a setting on an axis.
func (s Setting) on(axis Axis) int {
	switch axis {
	case Inducing:
		return s.Inducing
	case Layers:
		return s.Layers
	}
	return s.Width
}

// without returns the setting with nothing on the axis.
func (s Setting) without(axis Axis) Setting {
	switch axis {
	case Inducing:
		s.Inducing = 0
	case Layers:
		s.Layers = 0
	case Width:
		s.Width = 0
	}
	return s
}

// powerLaw returns the p of the y = c x^p that is nearest to the points, by least
// squares on logarithms. It is NaN where a value is not positive or all x are
// equal.
func powerLaw(x, y []float64) float64 {
	var meanX, meanY float64
	n := float64(len(x))
	for i := range x {
		meanX += math.Log(x[i]) / n
		meanY += math.Log(y[i]) / n
	}
	var xx, xy float64
	for i := range x {
		dx := math.Log(x[i]) - meanX
		xx += dx * dx
		xy += dx * (math.Log(y[i]) - meanY)
	}
	if p := xy / xx; !math.IsInf(p, 0) {
		return p
	}
	return math.NaN()
}

// theory returns what a family declares, 0 if nothing.
func theory(name string, axis Axis) int {
	spec, err := models.Lookup(name)
	if err != nil {
		return 0
	}
	for _, e := range spec.Scaling {
		if e.Hyperparameter == string(axis) {
			return e.Power
		}
	}
	return 0
}
