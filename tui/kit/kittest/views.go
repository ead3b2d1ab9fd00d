package kittest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"dgplab/models/sampling"
	"dgplab/models/view"
	"dgplab/session"
)

// Plane returns the mean and the standard deviation of a function of two inputs.
func Plane() *view.Plane {
	p := &view.Plane{Step: 1100, Inputs: [2]string{"position", "velocity"}, Samples: 16, Total: 1620,
		Fields: []view.Field{{Name: "mean of value"}, {Name: "standard deviation of value"}},
		Points: []view.PlanePoints{{}}}
	for i := range 24 {
		p.X = append(p.X, -1.2+1.8*float64(i)/23)
	}
	for j := range 16 {
		p.Y = append(p.Y, -0.07+0.14*float64(j)/15)
	}
	for j, y := range p.Y {
		for i, x := range p.X {
			p.Fields[0].Values = append(p.Fields[0].Values, math.Sin(3*x)*math.Cos(20*y))
			p.Fields[1].Values = append(p.Fields[1].Values, 0.1+x*x+100*y*y)
			if (7*i+3*j)%11 == 0 {
				p.Points[0].X = append(p.Points[0].X, x)
				p.Points[0].Y = append(p.Points[0].Y, y)
			}
		}
	}
	return p
}

// Amortization returns inducing points around the inputs in two layers. In the second layer they have
// collapsed to a line.
func Amortization() *view.Amortization {
	const inputs, inducing = 6, 4
	a := &view.Amortization{}
	for l, outputs := range []int{2, 1} {
		layer := view.AmortizedLayer{Width: 2, Outputs: outputs, Inducing: inducing,
			Axes: [2]string{"input 1", "input 2"}, Rank: 1.96, SeenRank: 1.98,
			Distances: view.Spread{0.2, 0.4, 0.6, 0.7, 0.9}, Means: view.Spread{-1, -0.5, 0.1, 0.5, 1.2},
			SDs: view.Spread{0.01, 0.1, 0.2, 0.3, 0.4}}
		if l == 1 {
			layer.Rank, layer.Collapsed = 1.03, true
		}
		for i := range 60 {
			layer.SeenX = append(layer.SeenX, 2*math.Sin(float64(7*i)))
			layer.SeenY = append(layer.SeenY, 2*math.Cos(float64(3*i)))
		}
		for i := range inputs {
			in := view.AmortizedInput{X: view.Float(layer.SeenX[i]), Y: view.Float(layer.SeenY[i])}
			for m := range inducing {
				x := layer.SeenX[i] + 0.6*math.Cos(float64(m))
				y := layer.SeenY[i] + 0.6*math.Sin(1.6*float64(m))
				if l == 1 {
					y = 0.5*x + 0.01*y
				}
				in.ZX = append(in.ZX, x)
				in.ZY = append(in.ZY, y)
			}
			for t := range outputs {
				mean := make(view.Rounded, inducing)
				sd := make(view.Rounded, inducing)
				for m := range inducing {
					mean[m] = float64(t) + 0.25*float64(m+i)
					sd[m] = 0.1 * float64(m+1)
				}
				in.Mean = append(in.Mean, mean)
				in.SD = append(in.SD, sd)
			}
			layer.Inputs = append(layer.Inputs, in)
		}
		a.Layers = append(a.Layers, layer)
	}
	return a
}

// Quadrature returns the quadrature points of two hidden layers.
func Quadrature() *view.Quadrature {
	q := &view.Quadrature{}
	for s := range 8 {
		q.Weights = append(q.Weights, float64(s+1)/36)
	}
	for l := range 2 {
		var layer view.QuadratureLayer
		for t := range 3 - l {
			points := make(view.Rounded, 8)
			for s := range points {
				points[s] = -2 + 0.55*float64(s) + 0.1*float64(t) + 0.3*math.Sin(float64(s*(l+2)))
			}
			layer.Points = append(layer.Points, points)
		}
		q.Layers = append(q.Layers, layer)
	}
	return q
}

// Functions returns n functions along two inputs.
func Functions(n int) *view.Functions {
	f := &view.Functions{Input: 1, Name: "Yloc", Others: []view.Functions{{Input: 0, Name: "Xloc"}}}
	for k, l := range f.Lines() {
		for i := range 24 {
			l.Grid = append(l.Grid, -2+4*float64(i)/23)
		}
		for j := range n {
			item := view.Function{Name: fmt.Sprintf("w_%d", j+1)}
			for _, x := range l.Grid {
				item.Mean = append(item.Mean, math.Sin(x*float64(j+1))+float64(k))
				item.SD = append(item.SD, 0.1+0.1*x*x)
			}
			l.Items = append(l.Items, item)
		}
	}
	return f
}

// Network returns a network of three outputs and two latent functions at four points.
func Network() *view.Network {
	n := &view.Network{
		Inputs:  []string{"Xloc", "Yloc"},
		Outputs: []string{"Cd", "Ni", "Zn"},
		Latents: []string{"f_1", "f_2"},
		Noise:   0.25,
		Total:   359,
	}
	for k := range 5 {
		var p view.NetworkPoint
		for i := range 3 {
			var weights, signal view.Rounded
			for j := range 2 {
				weights = append(weights, math.Abs(math.Sin(float64(1+k+2*i+j))))
			}
			for j := range 3 {
				signal = append(signal, math.Cos(float64((i-j)*(1+k))/2))
			}
			p.Weights = append(p.Weights, weights)
			p.Signal = append(p.Signal, signal)
		}
		n.Average = p
		if k < 4 {
			p.X = view.Rounded{1.5 + float64(k), 2.25}
			n.Points = append(n.Points, p)
		}
	}
	return n
}

// Moments returns the moments of three points in two layers.
func Moments() *view.MomentMatching {
	p := &view.MomentMatching{Total: 455, Samples: 256, GPs: []view.MatchedGP{
		{Strength: view.Spread{0.2, 0.5, 0.8, 0.9, 0.99}, Widest: 1.02}, {GP: 1,
			Strength: view.Spread{0.1, 0.4, 0.6, 0.7, 0.9}, Widest: 1.1},
		{Layer: 1, Strength: view.Spread{0.3, 0.6, 0.97, 0.99, 1}, Widest: 1.31}}}
	for k := range 3 {
		x := float64(k)
		p.Points = append(p.Points, view.MatchedPoint{Row: 56 * k, Moments: []view.MatchedMoments{
			{Mean: view.Float(0.4 - x), SD: 0.11, SampleMean: view.Float(0.41 - x), SampleSD: 0.108},
			{Mean: view.Float(0.2 * x), SD: 0.3, SampleMean: view.Float(0.2*x + 0.02), SampleSD: 0.28},
			{Mean: 1.25, SD: 0.5, SampleMean: 1.19, SampleSD: 0.25}}})
	}
	return p
}

// Maps returns maps of two GPs over two inputs and of one GP over one input.
func Maps() *view.Maps {
	m := &view.Maps{Total: 455, More: 2}
	grid := func(n int) (list view.Rounded) {
		for i := range n {
			list = append(list, 2*float64(i)/float64(n-1)-1)
		}
		return list
	}
	scatter := func(n int, step float64) (list view.Rounded) {
		for i := range n {
			list = append(list, math.Sin(step*float64(i*i)))
		}
		return list
	}
	for k := range 2 {
		g := view.Map{GP: k, Axes: []int{0, 3}, Names: []string{"position", "velocity"},
			X: grid(9), Y: grid(7),
			Data: []view.Rounded{scatter(20, 1), scatter(20, 2)}, Out: scatter(20, 3),
			Inducing: []view.Rounded{scatter(8, 4), scatter(8, 5)},
			Strength: view.Rounded{0.9, 0.2, 0.5, 2.1, 0.1, 0.7, 0.4, 0}}
		for _, y := range g.Y {
			for _, x := range g.X {
				g.Mean = append(g.Mean, math.Sin(3*x+y+float64(k)))
				g.SD = append(g.SD, 0.2+0.1*x*x)
			}
		}
		m.GPs = append(m.GPs, g)
	}
	last := view.Map{Layer: 1, Axes: []int{0}, Names: []string{"unit 1 of the layer below"}, X: grid(41),
		Data: []view.Rounded{scatter(20, 1)}, Out: scatter(20, 2),
		Inducing: []view.Rounded{scatter(8, 4)},
		Strength: view.Rounded{0.9, 0.2, 0.5, 2.1, 0.1, 0.7, 0.4, 0}}
	for _, x := range last.X {
		last.Mean = append(last.Mean, math.Tanh(4*x))
		last.SD = append(last.SD, 0.1+0.2*x*x)
	}
	m.GPs = append(m.GPs, last)
	return m
}

// Weights returns the weights of a network with one hidden layer.
func Weights() *view.Weights {
	list := func(n int, scale float64) (mean, sd []float64) {
		for i := range n {
			mean = append(mean, scale*math.Sin(float64(i*i)))
			sd = append(sd, 0.2+0.3*math.Abs(math.Cos(float64(i))))
		}
		return mean, sd
	}
	return &view.Weights{Layers: []view.WeightLayer{
		{Inputs: 8, Units: 50, Weights: view.NewWeightsSpread(list(400, 0.8)),
			Biases: view.NewWeightsSpread(list(50, 0.3))},
		{Inputs: 50, Units: 1, Weights: view.NewWeightsSpread(list(50, 0.5)),
			Biases: view.NewWeightsSpread(list(1, 0.1))}}}
}

// Prior returns draws from two priors through three layers.
func Prior() *view.Prior {
	p := &view.Prior{
		Direction: "first principal direction",
		Kinds:     []view.PriorKind{{Name: "conventional"}, {Name: "amortized"}},
	}
	for i := range 24 {
		p.Grid = append(p.Grid, -2+4*float64(i)/23)
	}
	for k := range p.Kinds {
		for l := range 3 {
			var curves []view.Rounded
			for c := range 2 {
				var curve view.Rounded
				for _, x := range p.Grid {
					v := math.Sin(2*x + float64(c))
					for range l * (1 - k) {
						v = math.Tanh(4 * v)
					}
					curve = append(curve, v)
				}
				curves = append(curves, curve)
			}
			p.Kinds[k].Depths = append(p.Kinds[k].Depths, curves)
		}
	}
	return p
}

// Fit returns a fit of two targets along the given number of inputs, shifted upwards by shift.
func Fit(inputs int, shift float64) *view.Fit {
	f := &view.Fit{Step: 1100, Targets: []string{"value", "cost"}, Samples: 16, Levels: []float64{0.5}}
	if inputs > 1 {
		f.Levels, f.Rows = []float64{0.1, 0.5, 0.9}, 24
	}
	for range f.Levels {
		f.At = append(f.At, make(view.Rounded, inputs))
	}
	fitted := func(grid view.Rounded, level, target int) (p view.Fitted) {
		p.Quantiles = make([]view.Rounded, len(view.FitLevels))
		for _, x := range grid {
			y, sd := math.Sin(2*x)+shift+0.5*float64(level)+3*float64(target), 0.1+0.1*x*x
			p.Mean = append(p.Mean, y)
			for q, z := range []float64{-1.96, -0.674, 0.674, 1.96} {
				p.Quantiles[q] = append(p.Quantiles[q], y+z*sd)
			}
		}
		return p
	}
	points := func(name string, n int) (p view.FitPoints) {
		p.Name, p.Total, p.Y = name, 5*n, make([]view.Rounded, 2)
		for i := range inputs {
			p.X = append(p.X, nil)
			for k := range n {
				p.X[i] = append(p.X[i], 2*math.Sin(float64(7*k+i)))
			}
		}
		for k := range n {
			y := math.Sin(2*p.X[0][k]) + 0.2*math.Cos(float64(5*k))
			p.Y[0] = append(p.Y[0], y)
			p.Y[1] = append(p.Y[1], y+3)
		}
		return p
	}
	f.Train = points("training points", 60)
	f.Held = points("test points", 20)
	for target := range 2 {
		f.Predicted = append(f.Predicted, fitted(f.Held.X[0], 0, target))
	}
	for i := range inputs {
		l := view.FitLine{
			Input:    i,
			Name:     []string{"position", "velocity", "mass"}[i],
			Inducing: view.Rounded{-1, 0.5},
		}
		f.Inputs = append(f.Inputs, l.Name)
		for k := range 31 {
			l.Grid = append(l.Grid, -2+float64(k)*4/30)
		}
		for level := range f.Levels {
			var slice []view.Fitted
			for target := range 2 {
				slice = append(slice, fitted(l.Grid, level, target))
			}
			l.Slices = append(l.Slices, slice)
		}
		if inputs > 1 {
			l.Coarse = l.Grid
			for target := range 2 {
				p := fitted(l.Grid, 1, target)
				l.Dependence = append(l.Dependence, view.Dependence{
					Mean: p.Mean,
					Lo:   p.Quantiles[0],
					Hi:   p.Quantiles[3],
				})
			}
		}
		draw := fitted(l.Grid, len(f.Levels)/2, 0).Quantiles[2]
		l.Draws = [][]view.Rounded{{draw}, {draw}}
		f.Lines = append(f.Lines, l)
	}
	return f
}

// WithLevels makes the second input of a fit a category.
func WithLevels(f *view.Fit) *view.Fit {
	names := []string{"high", "low", "none"}
	n := len(names)
	f.Categories = []int{1}
	l := &f.Lines[1]
	l.Category = &view.Category{Names: names, Counts: []int{3, 20, 7}}
	cut := func(p *view.Fitted) {
		p.Mean = p.Mean[:n]
		for q := range p.Quantiles {
			p.Quantiles[q] = p.Quantiles[q][:n]
		}
	}
	l.Grid = view.Rounded{0, 1, 2}
	l.Coarse, l.Inducing = l.Grid, nil
	for _, slice := range l.Slices {
		for k := range slice {
			cut(&slice[k])
		}
	}
	for k := range l.Dependence {
		d := &l.Dependence[k]
		d.Mean, d.Lo, d.Hi = d.Mean[:n], d.Lo[:n], d.Hi[:n]
	}
	for k := range l.Draws {
		l.Draws[k] = []view.Rounded{l.Draws[k][0][:n]}
	}
	for _, p := range []*view.FitPoints{&f.Train, &f.Held} {
		for k := range p.X[1] {
			p.X[1][k] = float64(k % (n + 1))
			if k%(n+1) == n {
				p.X[1][k] = math.NaN() // a missing cell
			}
		}
	}
	for level := range f.At {
		f.At[level][1] = 1
	}
	return f
}

// DensityRun returns a run with densities of two branches along a number of inputs.
func DensityRun(inputs int, shift float64) *session.Snapshot {
	s := FitRun(inputs, shift)
	f := s.Diagnostics.Views.Fit
	f.DensitySamples = 128
	for i := range f.Lines {
		l := &f.Lines[i]
		for target := range 2 {
			d := view.Density{}
			for e := range 40 {
				y := -2 + 0.15*float64(e)
				d.Y = append(d.Y, y)
				for k, x := range l.Grid {
					lower := y - l.Slices[0][target].Mean[k]
					upper := lower - 0.4*(2-math.Abs(x))
					d.Values = append(d.Values, 2*math.Exp(-20*lower*lower)+math.Exp(-20*upper*upper))
				}
			}
			l.Densities = append(l.Densities, d)
		}
	}
	return s
}

// Chains returns four chains of autocorrelated draws of a noise variance, a function value and inducing
// outputs. One inducing output is stuck and one is not Gaussian.
func Chains(n int) *view.Chains {
	rng := rand.New(rand.NewPCG(21, 22))
	sample := func(name string, kind view.QuantityKind,
		of func(x float64, chain int) float64) sampling.Quantity {
		q := sampling.Quantity{Name: name, Kind: kind}
		for c := range 4 {
			x := rng.NormFloat64()
			draws := make([]float64, n)
			for i := range draws {
				x = 0.5*x + math.Sqrt(0.75)*rng.NormFloat64()
				draws[i] = of(x, c)
			}
			q.Draws = append(q.Draws, draws)
		}
		return q
	}
	list := []sampling.Quantity{
		sample("likelihood.variance", view.Hyperparameter, func(x float64, _ int) float64 {
			return math.Exp(x / 3)
		}),
		sample("f at row 17", view.FunctionValue, func(x float64, _ int) float64 { return 2 + 0.1*x }),
	}
	for u := range 12 {
		list = append(list, sample(fmt.Sprintf("layer 1, GP %d, u %d", u/6+1, u%6+1), view.InducingOutput,
			func(x float64, c int) float64 {
				switch {
				case u == 4 && c == 1:
					return x + 3
				case u == 7:
					return math.Tanh(2 * x)
				}
				return x * float64(u+1)
			}))
	}
	return sampling.View(list, 5)
}

// SomeChains returns a few chains, which are computed once. They must not be changed.
var SomeChains = sync.OnceValue(func() (list []*view.Chains) {
	for _, n := range []int{3, 20, 60} {
		list = append(list, Chains(n))
	}
	return list
})

// AllViews returns views of all kinds.
func AllViews() view.Views {
	views := Training(OfFamily("star", 0), 1240).Diagnostics.Views
	views.Amortization = Amortization()
	views.Quadrature = Quadrature()
	views.Prior = Prior()
	views.Network = Network()
	views.Functions = Functions(2)
	views.Weights = Weights()
	views.Plane = Plane()
	views.MomentMatching = Moments()
	views.Maps = Maps()
	views.Chains = SomeChains()[2]
	views.Fit = Fit(2, 0)
	return views
}
