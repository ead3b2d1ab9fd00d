package plots

import (
	"math"
	"math/rand/v2"

	"dgplab/viz/chart"
)

// demoPIT returns the transform of n targets. It is uniform for a tilt of 1; a smaller tilt means
// an overconfident model.
func demoPIT(n int, tilt float64) []float64 {
	r := rand.New(rand.NewPCG(41, uint64(n)))
	var out []float64
	for range n {
		v := 2*r.Float64() - 1
		out = append(out, 0.5+0.5*math.Copysign(math.Pow(math.Abs(v), tilt), v))
	}
	return out
}

// demoDraws returns n draws of a log-normal variable.
func demoDraws(n int) (out []float64) {
	r := rand.New(rand.NewPCG(47, 1))
	for range n {
		out = append(out, math.Exp(r.NormFloat64()/2))
	}
	return out
}

// demoCoverage returns n lines.
func demoCoverage(n int) (c Coverage) {
	for run, label := range []string{"star", "mean-field", "svgp"}[:n] {
		l := NewCoverageLine(demoPIT(400, 1-0.25*float64(run)), 101)
		l.Label, l.Run = label, run
		c.Lines = append(c.Lines, l)
	}
	return c
}

// demoReliability returns n lines. The second model is overconfident.
func demoReliability(n int) (r Reliability) {
	rng := rand.New(rand.NewPCG(43, 1))
	for run, label := range []string{"star", "mean-field"}[:n] {
		var confidence []float64
		var right []bool
		for range 400 {
			v := 0.35 + 0.65*math.Sqrt(rng.Float64())
			confidence = append(confidence, v)
			right = append(right, rng.Float64() < v-0.2*float64(run))
		}
		l := NewReliabilityLine(confidence, right, 15)
		l.Label, l.Run = label, run
		r.Lines = append(r.Lines, l)
	}
	return r
}

// demoErrors returns a metric against the number of inducing points for n methods.
func demoErrors(n int) ErrorBars {
	r := rand.New(rand.NewPCG(21, 22))
	b := ErrorBars{XName: "inducing", YName: "test log-likelihood", LogX: true, Best: chart.Highest}
	for run := range n {
		s := ErrorSeries{
			Label: []string{"stripes-and-arrow", "mean-field", "fully-coupled", "svgp"}[run],
			Run:   run,
		}
		for i := range 5 {
			m := math.Pow(2, float64(4+i))
			p := ErrorPoint{
				X:    m,
				Mean: -2.2 - 0.15*float64(run) - 4/m + 0.02*r.NormFloat64(),
				SE:   0.02 + 0.04*r.Float64(),
				N:    6 - i%2,
			}
			s.Points = append(s.Points, p)
		}
		b.Series = append(b.Series, s)
	}
	return b
}

// demoCloud returns squared errors against predicted variances of a slightly overconfident model.
func demoCloud(run, n int) Cloud {
	r := rand.New(rand.NewPCG(31, uint64(run)))
	c := Cloud{Label: []string{"star", "mean-field", "svgp"}[run], Run: run}
	for range n {
		variance := 0.3 * math.Exp(r.NormFloat64())
		e := 1.2 * math.Sqrt(variance) * r.NormFloat64()
		c.X = append(c.X, variance)
		c.Y = append(c.Y, e*e+1e-7)
	}
	return c
}

// demoScatter returns clouds with a diagonal.
func demoScatter(n ...int) Scatter {
	s := Scatter{
		XName:    "predicted variance",
		YName:    "squared error",
		LogX:     true,
		LogY:     true,
		Diagonal: true,
		Trend:    RunningMean,
	}
	for run, n := range n {
		s.Clouds = append(s.Clouds, demoCloud(run, n))
	}
	return s
}

// demoLayer returns a layer of n GPs. The second GP has collapsed.
func demoLayer(n int) Layer {
	r := rand.New(rand.NewPCG(7, 8))
	p := Layer{Layers: 3, Lengthscales: []float64{1.234, 0.8}, Variance: 0.9812, XName: "the first input"}
	for i := range 60 {
		p.Grid = append(p.Grid, -3+6*float64(i)/59)
	}
	for t := range n {
		g := LayerGP{
			Mean:      0.1 * r.NormFloat64(),
			SD:        math.Exp(r.NormFloat64() / 3),
			Min:       -2.3 + r.Float64(),
			Max:       2.5,
			Share:     r.Float64(),
			Collapsed: t == 1,
		}
		for k := range 20 {
			d := float64(k-10+t) / 4
			g.Histogram = append(g.Histogram, int(200*math.Exp(-d*d/2)))
		}
		for range 3 {
			a := r.NormFloat64()
			b := r.NormFloat64()
			var curve []float64
			for _, x := range p.Grid {
				curve = append(curve, math.Tanh(2*x)+0.3*(a*math.Sin(x)+b*math.Cos(1.3*x)))
			}
			g.Curves = append(g.Curves, curve)
		}
		p.GPs = append(p.GPs, g)
		row := make([]float64, n)
		for j := range row {
			row[j] = 2*r.Float64() - 1
		}
		p.Correlation = append(p.Correlation, row)
	}
	return p
}
