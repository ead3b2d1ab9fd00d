package probe

import (
	"math"
	"testing"

	"dgplab/datasets"
	"dgplab/models/stats"
)

// The densities of a mixture add up to the probability of their cells. Gaussian predictions and classes
// have none.
func TestFitDensities(t *testing.T) {
	for _, log := range []bool{false, true} {
		p := onPlane(&linear{draws: 3, spread: 0.01})
		p.Data.Scaling = datasets.Scaling{InputMean: []float64{0, 0}, InputSD: []float64{1, 1},
			TargetMean: []float64{1}, TargetSD: []float64{0.2}, Log: log}
		f, err := p.Fit(t.Context(), 7)
		if err == nil {
			err = f.Check()
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.DensitySamples != 3 {
			t.Errorf("%d samples", f.DensitySamples)
		}
		l := f.Lines[0]
		d := l.Densities[0]
		edges := gridOver(p.Data.Train.Y, 0, len(d.Y)+1, densityMargin)
		for g := range l.Grid {
			var mass float64
			for e := range d.Y {
				width := 0.2 * (edges[e+1] - edges[e])
				if log {
					width = math.Exp(1+0.2*edges[e+1]) - math.Exp(1+0.2*edges[e])
				}
				mass += width * d.Values[e*len(l.Grid)+g]
			}
			// Predictions have the standard deviation 1 in standardised units, 0.2 in others.
			mean := (l.Slices[1][0].Mean[g] - 1) / 0.2
			if log {
				mean = (math.Log(l.Slices[1][0].Mean[g]) - 1 - 0.5*0.04) / 0.2
			}
			want := stats.CDF(edges[len(d.Y)]-mean) - stats.CDF(edges[0]-mean)
			if math.Abs(mass-want) > 0.02 {
				t.Fatalf("log %v: at %g the cells have probability %g, want %g", log, l.Grid[g], mass, want)
			}
		}
	}
	for _, m := range []*linear{{}, {draws: 3, class: true}} {
		p := onPlane(m)
		f, err := p.Fit(t.Context(), 7)
		if err != nil || f.DensitySamples != 0 || f.Lines[0].Densities != nil {
			t.Errorf("%+v: densities, or %v", m, err)
		}
	}
}
