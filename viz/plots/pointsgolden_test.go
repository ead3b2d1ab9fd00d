package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

func TestErrorBarsGolden(t *testing.T) {
	named := demoErrors(2)
	named.LogX = false
	named.Categories = []string{"zero", "linear", "identity", "none", "二号"}
	named.XName = "mean function"
	named.Best = chart.Lowest
	broken := demoErrors(3)
	for i := range named.Series {
		for k := range named.Series[i].Points {
			named.Series[i].Points[k].X = float64(k)
		}
		named.Series[i].Points[2].N = 1
	}
	broken.Series[0].Points[1].X = -3
	broken.Series[1].Points[2].Mean = math.NaN()
	broken.Series[2].Points[3].SE = math.Inf(1)
	charts := map[string]ErrorBars{
		"one": demoErrors(1), "four": demoErrors(4), "named": named, "broken": broken, "empty": {},
		"single": {YName: "rmse", XName: "layers",
			Series: []ErrorSeries{{"a", 3, []ErrorPoint{{X: 2, Mean: 0.5, N: 1}}}}},
	}
	for name, b := range charts {
		t.Run(name, func(t *testing.T) {
			golden.CheckSizes(t, "errors_"+name, b, canvas.Style{}, golden.Sizes)
			golden.CheckSizes(t, "errors_"+name+"_ascii", b, canvas.Style{ASCII: true}, golden.Sizes[1:3])
		})
	}
	golden.CheckSizes(t, "errors_colour", charts["four"], canvas.Style{Mode: canvas.TrueColor, Dark: true},
		golden.Sizes[1:2])
}

func TestScatterGolden(t *testing.T) {
	linear := demoScatter(300)
	linear.LogX, linear.LogY, linear.Trend = false, false, RunningMedian
	linear.Clouds[0].Of = 5000
	broken := demoScatter(50)
	broken.Clouds[0].X[3], broken.Clouds[0].Y[4], broken.Clouds[0].Y[5] = math.NaN(), 0, -2
	charts := map[string]Scatter{
		"few": demoScatter(60), "many": demoScatter(5000), "two": demoScatter(300, 300), "linear": linear,
		"broken": broken, "empty": {},
		"single": {Clouds: []Cloud{{X: []float64{1}, Y: []float64{2}}}, Diagonal: true},
	}
	for name, s := range charts {
		t.Run(name, func(t *testing.T) {
			golden.CheckSizes(t, "scatter_"+name, s, canvas.Style{}, golden.Sizes)
			golden.CheckSizes(t, "scatter_"+name+"_ascii", s, canvas.Style{ASCII: true}, golden.Sizes[1:3])
		})
	}
	golden.CheckSizes(t, "scatter_colour", charts["many"], canvas.Style{Mode: canvas.TrueColor, Dark: true},
		golden.Sizes[1:2])
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
