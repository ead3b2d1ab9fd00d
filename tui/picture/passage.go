package picture

import (
	"dgplab/models/view"
	"dgplab/viz/points"
)

// Passage is the picture of how a point's Gaussian goes through the layers: its mean and
// standard deviation at each GP, matched and of samples.
func Passage(p *view.MomentMatching, point int) points.ErrorBars {
	b := points.ErrorBars{YName: "mean ± sd of f, standardised", Categories: []string{}}
	matched := points.ErrorSeries{Label: "matched", Run: 0}
	sampled := points.ErrorSeries{Label: "sampled", Run: 1}
	for i, g := range p.GPs {
		m := p.Points[point].Moments[i]
		b.Categories = append(b.Categories, GPName(g.Layer, g.GP))
		matched.Points = append(matched.Points, points.ErrorPoint{
			X:    float64(i),
			Mean: float64(m.Mean),
			SE:   float64(m.SD),
			N:    2,
		})
		sampled.Points = append(sampled.Points, points.ErrorPoint{
			X:    float64(i),
			Mean: float64(m.SampleMean),
			SE:   float64(m.SampleSD),
			N:    2,
		})
	}
	b.Series = []points.ErrorSeries{matched, sampled}
	return b
}
