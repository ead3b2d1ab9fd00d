package picture

import (
	"math"

	"dgplab/models/view"
	"dgplab/viz/plane"
)

// Plane is the picture of a field of a plane of predictions.
func Plane(p *view.Plane, field int) plane.Map {
	f := p.Fields[field]
	m := plane.Map{
		X:      p.X,
		Y:      p.Y,
		Values: f.Values,
		XDates: dates(p.Inputs[0], p.Units[0]),
		XName:  axisName(p.Inputs[0], p.Units[0]),
		YName:  axisName(p.Inputs[1], p.Units[1]),
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
