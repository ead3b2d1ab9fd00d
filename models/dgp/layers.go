package dgp

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/stats"
	"dgplab/models/train"
	"dgplab/models/view"
)

const (
	samplePoints = 256 // training inputs for the statistics of a layer
	sampleDraws  = 8   // samples of each
	curveDraws   = 4   // functions drawn along an input
	curvePoints  = 48  // grid of these functions
)

// sampleLayers draws function samples through all layers and summarises each layer. The posterior
// must be up to date.
func (d *deepGP) sampleLayers(seed uint64) ([]view.Units, error) {
	g, err := d.probeGraph(seed)
	if err != nil {
		return nil, err
	}
	layers := make([]view.Units, len(d.arch.Layers))
	input := g.x.Value
	for l := range layers {
		f := g.layerSamples(l, seed)
		layers[l] = d.summarise(g, l, f, input)
		input = f
	}
	return layers, d.drawCurves(layers, seed)
}

// layerSamples returns samples of layer l, [T_l][P]. Samples of the last layer are drawn from its
// moments.
func (g *graph) layerSamples(l int, seed uint64) []float64 {
	if l < len(g.f) {
		return g.f[l].Value
	}
	f := make([]float64, g.outMean.Len())
	stats.Normals(f, stats.Stream(seed, "last layer", 0))
	for k := range f {
		f[k] = g.outMean.Value[k] + math.Sqrt(g.outVar.Value[k])*f[k]
	}
	return f
}

// summarise describes the samples f [T_l][P] of layer l at input [D_l][P'].
func (d *deepGP) summarise(g *graph, l int, f, input []float64) view.Units {
	nodes, layer := g.post.layers[l], d.arch.Layers[l]
	out := view.Units{
		Variance: view.Float(nodes.kernel.Scale(0, input)),
	}
	if _, lengthscales, _, is := nodes.kernel.Simple(); is {
		out.Lengthscales = append([]float64(nil), lengthscales.Value...)
	}
	points := len(f) / layer.GPs
	out.Describe(f, meanAt(layer, input, points), layer.GPs)
	return out
}

// meanAt returns the mean function of the layer at input, [D_l][n], repeated to the given number of
// points: [T_l][points].
func meanAt(layer Layer, input []float64, points int) []float64 {
	out := make([]float64, layer.GPs*points)
	width := len(input) / layer.Inputs
	for t := 0; t < layer.GPs; t++ {
		row := out[t*points : t*points+width]
		for d := 0; d < layer.Inputs; d++ {
			w := 0.0
			if layer.Mean.Identity && d == t {
				w = 1
			} else if layer.Mean.W != nil {
				w = layer.Mean.W[d*layer.GPs+t]
			}
			addScaled(row, input[d*width:(d+1)*width], w)
		}
		repeat(out[t*points:(t+1)*points], row)
	}
	return out
}

// drawCurves draws functions through all layers along the first numeric input, if any. Each curve
// is one joint draw over the grid: f_M is drawn from q or from a chain, and then each layer is
// drawn given f_M with its full covariance.
func (d *deepGP) drawCurves(layers []view.Units, seed uint64) error {
	numbers := d.data.Numbers()
	if len(numbers) == 0 {
		return nil
	}
	line := d.data.Over(numbers[0], curvePoints, 0)
	inputs := d.arch.Layers[0].Inputs
	at := mat.NewDense(curvePoints, inputs, line.Points)
	for c := 0; c < curveDraws; c++ {
		input := make([]float64, inputs*curvePoints)
		train.Window(input, at, 0)
		f, err := d.drawLayers(input, c, curveDraws, stats.Stream(seed, "curves", uint64(c)))
		if err != nil {
			return err
		}
		for l := range layers {
			layers[l].Input, layers[l].Grid = line.Input, line.Grid
			for t := range layers[l].Units {
				layers[l].Units[t].Curves = append(layers[l].Units[t].Curves,
					f[l][t*curvePoints:(t+1)*curvePoints])
			}
		}
	}
	return nil
}

// drawLayers returns draw c of count joint draws of all layers at input [D][G]: [T_l][G] for each
// layer.
func (d *deepGP) drawLayers(input []float64, c, count int, stream *rand.Rand) (list [][]float64, err error) {
	points := len(input) / d.arch.Layers[0].Inputs
	v := d.drawInducing(c, count, stream)
	for l := range d.arch.Layers {
		eps := make([]float64, d.arch.Layers[l].GPs*points)
		stats.Normals(eps, stream)
		input, err = d.drawLayer(l, input, v, eps)
		if err != nil {
			return nil, d.wrapError(err)
		}
		list = append(list, input)
	}
	return list, nil
}

// DrawFunctions implements family.FunctionSampler.
func (d *deepGP) DrawFunctions(X *mat.Dense, count int, seed uint64) (list [][][]float64, err error) {
	if err := d.refresh(); err != nil {
		return nil, err
	}
	n, inputs := X.Dims()
	columns := make([]float64, inputs*n)
	train.Window(columns, X, 0)
	for c := range count {
		layers, err := d.drawLayers(columns, c, count, stats.Stream(seed, "functions", uint64(c)))
		if err != nil {
			return nil, err
		}
		list = append(list, slices.Collect(slices.Chunk(layers[len(layers)-1], n)))
	}
	return list, nil
}

// drawInducing returns draw c of count draws of all whitened inducing outputs.
func (d *deepGP) drawInducing(c, count int, stream *rand.Rand) []float64 {
	if d.sampledOutputs != nil {
		list := d.sampledOutputs(count)
		return list[c%len(list)]
	}
	draws := make([]float64, d.post.outputs())
	stats.Normals(draws, stream)
	return d.post.inducingFrom(draws)
}

// inducingFrom returns v = mu + L_S eps, whitened, given standard normal draws eps for all inducing
// outputs.
func (p *posterior) inducingFrom(eps []float64) []float64 {
	v := make([]float64, len(eps))
	for i, row := range p.rows {
		copy(v[p.starts[i]:p.starts[i+1]], p.layers[p.layer[i]].mu.Row(p.position(i)))
		for _, j := range row {
			p.addBlock(v, blas.NoTrans, i, j, 1, eps)
		}
	}
	return v
}

// drawLayer returns a draw of layer l at input [D_l][G] given the inducing outputs v, with the full
// covariance over the grid: [T_l][G].
func (d *deepGP) drawLayer(l int, input, v, eps []float64) ([]float64, error) {
	layer, nodes := d.arch.Layers[l], d.post.layers[l]
	points, size := len(input)/layer.Inputs, layer.M
	a := general(make([]float64, size*points), size, points)
	nodes.kernel.Kuf(a.Data, 0, nodes.z.Value, input)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(nodes.root.Value, size), a)

	k := square(d.covarianceAt(l, input), points)
	blas64.Gemm(blas.Trans, blas.NoTrans, -1, a, a, 1, k)
	f := general(meanAt(layer, input, points), layer.GPs, points)
	first := d.post.first[l]
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general(v[d.post.starts[first]:], layer.GPs, size), a, 1, f)
	return f.Data, kernel.AddGPs(f.Data, k.Data, nodes.kernel.Scale(0, input), eps, points)
}

// covarianceAt returns the prior covariance of a GP of layer l at input [D_l][G]: [G][G].
func (d *deepGP) covarianceAt(l int, input []float64) []float64 {
	layer, nodes := d.arch.Layers[l], d.post.layers[l]
	points := len(input) / layer.Inputs
	k := make([]float64, points*points)
	nodes.kernel.Kff(k, 0, input)
	return k
}
