package gibbs

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/linalg"
	"dgplab/models/sampling"
	"dgplab/models/stats"
	"dgplab/models/train"
	"dgplab/models/view"
)

// Model samples a deep GP by Markov chains. It implements family.Model, family.Viewer and
// family.FunctionSampler.
type Model struct {
	*sampling.Model
	joint *joint // of the first chain
	cube  cube
	data  family.Data
}

// cube maps the range of each training input to [0, 1], the range that the priors assume.
type cube struct{ low, width []float64 }

// newCube returns the cube of the inputs, [N, d]. A constant input is mapped to 0.
func newCube(X *mat.Dense) cube {
	_, d := X.Dims()
	c := cube{make([]float64, d), make([]float64, d)}
	for k := range d {
		column := mat.Col(nil, k, X)
		c.low[k] = slices.Min(column)
		c.width[k] = slices.Max(column) - c.low[k]
		if c.width[k] == 0 {
			c.width[k] = 1
		}
	}
	return c
}

// columns returns inputs [N, d] in the cube, [d][N].
func (c cube) columns(X *mat.Dense) []float64 {
	n, d := X.Dims()
	out := make([]float64, 0, d*n)
	for k := range d {
		for i := range n {
			out = append(out, (X.At(i, k)-c.low[k])/c.width[k])
		}
	}
	return out
}

// build returns an untrained model. The first chain starts at the starting values of the kernels, all others
// at draws from their priors.
func build(v family.Values, data family.Data, seed uint64) (*Model, error) {
	n, d := data.X.Dims()
	if _, err := size(v, n, d, 1); err != nil {
		return nil, err
	}
	layers := v.Int("layers")
	inputs := append([]int{d}, slices.Repeat([]int{width(v, d)}, layers-1)...)
	kernels, err := data.Kernels(v, "kernel", inputs)
	if err != nil {
		return nil, err
	}
	y := mat.Col(nil, 0, data.Y)
	m := &Model{cube: newCube(data.X), data: data}
	c := config{
		x: m.cube.columns(data.X), y: y, inputs: d,
		layers: layers, width: width(v, d),
		sampleNugget: v.Text("nugget") == "sampled", followInputs: v.Text("prior_mean") == "inputs",
	}
	if c.followInputs && c.width != d {
		return nil, &family.ValueError{Name: "prior_mean", Value: "inputs",
			Want: fmt.Sprintf("needs width=%d, one hidden function for each input", d)}
	}
	c.priors = defaultPriors(c.layers, c.sampleNugget)
	for l, k := range kernels {
		var functions []correlation
		for i := range c.functions(l) {
			functions = append(functions, newCorrelation(k.Of(i), startTheta(l, layers), c.priors.theta[l]))
		}
		c.correlations = append(c.correlations, functions)
	}
	start, err := startingFunctions(c.x, n, d, c.width)
	if err != nil {
		return nil, err
	}
	var chains []sampling.Chain
	for chain, own := range sampling.Seeds(seed, v.Int("chains")) {
		j, err := newJoint(c, v.Float("nugget_value"), start)
		if err != nil {
			return nil, err
		}
		if chain == 0 {
			m.joint = j
		} else {
			err = j.disperse(stats.Stream(own, "start", 0))
		}
		if err != nil {
			return nil, err
		}
		chains = append(chains, sampling.Chain{Problem: j, Method: newSweep(j, own)})
	}
	m.Model, err = sampling.New(objective, sampling.ReadPhases(v), chains)
	return m, err
}

// startingFunctions returns the initial functions of each hidden layer, [width][n]: the inputs x,
// [d][n], repeated if there are more functions than inputs, or the leading principal components of
// the inputs if there are fewer.
func startingFunctions(x []float64, n, d, width int) ([]float64, error) {
	if width >= d {
		out := make([]float64, 0, width*n)
		for i := range width {
			k := i % d
			out = append(out, x[k*n:(k+1)*n]...)
		}
		return out, nil
	}
	centredInputs := mat.NewDense(n, d, nil)
	for k := range d {
		column := x[k*n : (k+1)*n]
		var mean float64
		for _, v := range column {
			mean += v / float64(n)
		}
		for i, v := range column {
			centredInputs.Set(i, k, v-mean)
		}
	}
	directions, err := linalg.Directions(centredInputs, width)
	if err != nil {
		return nil, err
	}
	var out mat.Dense
	out.Mul(directions, centredInputs.T())
	return out.RawMatrix().Data, nil
}

// maxViewSamples is the maximum number of samples over which Hyper and Views average.
const maxViewSamples = 100

// Hyper implements family.Model. It returns means over samples.
func (m *Model) Hyper() []family.Quantity {
	samples := m.PredictionSamples(maxViewSamples)
	share := 1 / float64(len(samples))
	noise := family.Quantity{Name: "likelihood.variance", Value: make([]float64, 1)}
	scale := family.Quantity{Name: "kernel.variance", Value: make([]float64, 1)}
	kernels := make([][]float64, m.joint.layers)
	for l := range kernels {
		kernels[l] = make([]float64, len(m.joint.values(l)))
	}
	for _, free := range samples {
		position := m.joint.at(free)
		for l, functions := range position.kernel {
			of := m.joint.values(l)
			for i, v := range slices.Concat(functions...) {
				kernels[l][i] += share * of[i].shown(v)
			}
		}
		p, err := newPredictor(&m.joint.config, position)
		if err != nil {
			return m.kernelQuantities(kernels)
		}
		noise.Value[0] += share * p.noise()
		scale.Value[0] += share * p.scale
	}
	return append([]family.Quantity{noise, scale}, m.kernelQuantities(kernels)...)
}

// kernelQuantities returns parameters of the kernels of each layer as quantities. Functions with the same
// kernel share quantities.
func (m *Model) kernelQuantities(parameters [][]float64) (list []family.Quantity) {
	for l, values := range parameters {
		names := m.joint.names(l)
		for i, v := range values {
			name := fmt.Sprintf("layer.%d.%s", l, names[i])
			at := slices.IndexFunc(list, func(q family.Quantity) bool { return q.Name == name })
			if at < 0 {
				at = len(list)
				list = append(list, family.Quantity{Name: name})
			}
			list[at].Value = append(list[at].Value, v)
		}
	}
	return list
}

// names returns the names of the parameters of a layer: "theta" or "kernel.rq.alpha". If the kernels of the
// functions differ, the latter contain the number of the function, "kernel.gp0.rq.alpha".
func (c *config) names(layer int) (list []string) {
	first := c.correlations[layer][0]
	for i, of := range c.correlations[layer] {
		for _, v := range of.values {
			switch {
			case of.other == nil && c.simple(layer):
				list = append(list, v.name)
			case first.other != nil && of.other != nil && first.other.String() == of.other.String():
				list = append(list, "kernel."+v.name)
			default:
				list = append(list, fmt.Sprintf("kernel.gp%d.%s", i, v.name))
			}
		}
	}
	return list
}

// labels returns the names of the sampled values of a layer for people: "theta 2, layer 1".
func (c *config) labels(layer int) (list []string) {
	for i, of := range c.correlations[layer] {
		for _, v := range of.values {
			name := v.name
			if len(c.correlations[layer]) > 1 {
				name = fmt.Sprintf("%s %d", name, i+1)
			}
			if v.column >= 0 {
				name = fmt.Sprintf("%s, column %d", name, v.column)
			}
			list = append(list, fmt.Sprintf("%s, layer %d", name, layer+1))
		}
	}
	return list
}

// Views implements family.Viewer. It draws no random numbers.
func (m *Model) Views(uint64) (v view.Views, err error) {
	_, d := m.data.X.Dims()
	line := m.data.Line(slices.Repeat([]float64{1}, d))
	n := len(line.Grid)
	out, err := m.mixture(mat.NewDense(n, d, line.Points), m.PredictionSamples(maxViewSamples))
	if err != nil {
		return v, err
	}
	mean := make([]float64, n)
	variance := make([]float64, n)
	out.Noise = make([]float64, out.S)
	out.Moments(mean, variance)
	v.Functions = line.Functions(mean, variance)
	v.Chains, err = m.chains()
	return v, err
}

// viewPoints is the maximum number of training inputs at which function values are monitored.
const viewPoints = 8

// chains returns the view of the chains: nugget, scale, the kernels of all layers, and the function at some
// training inputs.
func (m *Model) chains() (*view.Chains, error) {
	points := train.Spread(m.data.X, viewPoints)
	count, _ := points.Dims()
	x := m.cube.columns(points)
	n, _ := m.data.X.Dims()
	out, err := m.View(m.quantities(count, n), func(values, free []float64) error {
		position := m.joint.at(free)
		p, err := newPredictor(&m.joint.config, position)
		if err != nil {
			return err
		}
		at, err := p.through(x, count)
		if err != nil {
			return err
		}
		mean, _, _ := p.moments(at, count)
		all := []float64{position.nugget[0], p.scale}
		for l, functions := range position.kernel {
			of := m.joint.values(l)
			for i, v := range slices.Concat(functions...) {
				all = append(all, of[i].shown(v))
			}
		}
		copy(values, append(all, mean...))
		return nil
	})
	return out, m.WithStep(err)
}

// quantities returns the quantities that chains monitors, including the function at the given
// number of points among n.
func (m *Model) quantities(points, n int) []sampling.Quantity {
	list := []sampling.Quantity{
		{Name: "nugget", Kind: view.Hyperparameter}, {Name: "scale tau2", Kind: view.Hyperparameter},
	}
	for l := range m.joint.layers {
		for _, name := range m.joint.labels(l) {
			list = append(list, sampling.Quantity{Name: name, Kind: view.Hyperparameter})
		}
	}
	return append(list, sampling.Functions(1, points, n)...)
}
