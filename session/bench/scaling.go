package bench

import (
	"math"
	"slices"
	"strconv"

	"dgplab/models"
)

// Exponent is the power of an axis value with which the cost of a family's step grows.
type Exponent struct {
	Family string `json:"family"`
	Axis   string `json:"axis"`
	// Values are the fitted values on the axis, in ascending order.
	Values []float64 `json:"values"`
	// Time is fitted to the median times, and Operations to the operation counts. They are NaN if
	// these are unknown.
	Time       Measure `json:"time"`
	Operations Measure `json:"operations"`
	// Theory is the exponent of the leading term for large N, if the family declares one.
	Theory Count `json:"theory"`
}

// Scaling fits the exponents of each family along each numeric axis with at least two values. The fit is a
// least-squares line through the logarithms for fixed values of the other axes; the exponents are averaged
// over these values. Cells with an error are ignored, and so are cells that lack a value on an axis on which
// others have one. The result is in the order of the cells, then of the axes.
func Scaling(cells []Cell, axes []string) []Exponent {
	byFamily, families := grouped(cells, func(c Cell) string { return c.Family })
	var list []Exponent
	for _, name := range families {
		for _, axis := range axes {
			if e, ok := exponent(byFamily[name], axis); ok {
				e.Family, e.Theory = name, theory(name, axis)
				list = append(list, e)
			}
		}
	}
	return list
}

// exponent averages the fits over the groups of cells that differ only on axis.
func exponent(cells []Cell, axis string) (Exponent, bool) {
	e := Exponent{Axis: axis}
	groups, order := grouped(cells, func(c Cell) string { return c.Without(axis).String() })
	fits := Measure(0)
	for _, key := range order {
		var x, times, operations []float64
		for _, c := range groups[key] {
			if v, err := strconv.ParseFloat(c.On(axis), 64); err == nil {
				x = append(x, v)
				times = append(times, float64(c.Median))
				operations = append(operations, float64(c.FLOPs))
			}
		}
		if len(x) < 2 {
			continue
		}
		fits++
		e.Values = append(e.Values, x...)
		e.Time += Measure(powerLaw(x, times))
		e.Operations += Measure(powerLaw(x, operations))
	}
	if fits == 0 {
		return e, false
	}
	slices.Sort(e.Values)
	e.Values = slices.Compact(e.Values)
	e.Time, e.Operations = e.Time/fits, e.Operations/fits
	return e, true
}

// grouped groups the cells without errors by a key. The keys are in the order of their first cells.
func grouped(cells []Cell, key func(Cell) string) (groups map[string][]Cell, order []string) {
	groups = map[string][]Cell{}
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

// powerLaw returns the exponent p of the least-squares fit y = c x^p on logarithms. It returns NaN if a value
// is not positive or all x are equal.
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
	return xy / xx
}

// theory returns the exponent that a family declares, or 0 if there is none.
func theory(name, axis string) Count {
	spec, err := models.Lookup(name)
	if err != nil {
		return 0
	}
	for _, e := range spec.Scaling {
		if e.Hyperparameter == axis {
			return Count(e.Power)
		}
	}
	return 0
}
