package picture

import (
	"math"

	"dgplab/datasets/columns"
	"dgplab/models/view"
	"dgplab/viz/axes"
	"dgplab/viz/plane"
)

// Plane returns the picture of a field of a plane of predictions.
func Plane(p *view.Plane, field int) plane.Map {
	f := p.Fields[field]
	m := plane.Map{
		X:      p.X,
		Y:      p.Y,
		Values: f.Values,
		XDates: Dates(p.Inputs[0], p.Units[0]),
		XName:  AxisName(p.Inputs[0], p.Units[0]),
		YName:  AxisName(p.Inputs[1], p.Units[1]),
		Name:   f.Name,
		Level:  math.NaN(),
		Of:     p.Total,
	}
	if f.Probability {
		m.Lo, m.Hi, m.Level = 0, 1, 0.5
	}
	m.Classes = f.Classes
	for _, g := range p.Points {
		m.Points = append(m.Points, plane.Points{Label: g.Name, X: g.X, Y: g.Y})
	}
	return m
}

// Dates returns the dates on the axis of a column, which are known if its unit is one of time.
func Dates(name, unit string) axes.Dates {
	return axes.Dates{Name: name, Unit: columns.SecondsOf(unit)}
}

// AxisName returns a name with its unit if it has one.
func AxisName(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}
