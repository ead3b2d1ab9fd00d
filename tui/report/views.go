package report

import (
	"fmt"
	"math"

	"dgplab/datasets/table"
	"dgplab/models/view"
	"dgplab/viz/chart"
	"dgplab/viz/heatmap"
)

// Blocks returns the picture of a covariance map.
func Blocks(b *view.Blocks) heatmap.BlockMap {
	m := heatmap.BlockMap{Log10: b.Log10, Free: b.Free}
	for _, part := range b.Parts {
		m.Parts = append(m.Parts, heatmap.Part{
			Group: part.Group,
			Size:  part.Size,
			Cells: part.Cells,
			Name:  part.Name,
		})
	}
	return m
}

// Plane returns the picture of a field of a plane of predictions.
func Plane(p *view.Plane, field int) heatmap.PlaneMap {
	f := p.Fields[field]
	m := heatmap.PlaneMap{
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
	m.XLevels = Levels(p.XCategory)
	m.YLevels = Levels(p.YCategory)
	for _, g := range p.Points {
		points := heatmap.Points{Label: g.Name, X: g.X, Y: g.Y}
		if p.XCategory != nil {
			points.X = spreadLevels(g.X, 0)
		}
		if p.YCategory != nil {
			points.Y = spreadLevels(g.Y, 1)
		}
		m.Points = append(m.Points, points)
	}
	return m
}

// Levels returns the names of the levels of a category as they are printed, or nil for a number.
func Levels(c *view.Category) (names []string) {
	if c == nil {
		return nil
	}
	for _, name := range c.Names {
		names = append(names, Printable(name))
	}
	return names
}

// levelSpread is the width over which the points of a level are spread, relative to the distance
// between two levels.
const levelSpread = 0.7

// spreadLevels moves the points of a category away from the centres of their levels, so that all are visible.
// Successive points are spread evenly by multiples of an irrational number, which differs between the axes
// (Kronecker sequences).
func spreadLevels(values []float64, axis int) []float64 {
	step := [...]float64{math.Phi - 1, math.Sqrt2 - 1}[axis]
	out := make([]float64, len(values))
	for k, v := range values {
		_, place := math.Modf(float64(k) * step)
		out[k] = v + levelSpread*(place-0.5)
	}
	return out
}

// Dates returns the dates on the axis of a column. They are known if the column has a unit of time.
func Dates(name, unit string) chart.Dates {
	return chart.Dates{Name: name, Unit: table.SecondsOf(unit)}
}

// AxisName returns a name with its unit if it has one.
func AxisName(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}

// MixingText summarises the mixing of chains in one line.
func MixingText(s *view.ChainsSummary) string {
	text := fmt.Sprintf("%d with %d draws each", s.Chains, s.Draws)
	if s.Tested == 0 {
		return text
	}
	return fmt.Sprintf("%s; R-hat up to %.3f (%s), effective sample sizes at least %d (bulk) and %d (tail); "+
		"%d of %d beyond R-hat %g or sample size %d",
		text, float64(s.Rhat), s.Worst, int(s.ESSBulk), int(s.ESSTail), s.Unmixed, s.Tested,
		view.MaxRhat, view.MinESS)
}

// NormalityText summarises the normality tests for a kind of quantity.
func NormalityText(n view.Normality) string {
	kind := string(n.Kind)
	if n.Tested != 1 {
		kind += "s"
	}
	return fmt.Sprintf("%d of %d %s rejected", n.Rejected, n.Tested, kind)
}
