package gprn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/param"
)

// positiveFloor is the lower bound of variances, lengthscales and noise.
const positiveFloor = 1e-6

// data holds the inputs and observed targets.
type data struct {
	n, d, p int
	x       []float64 // [N][D]
	// y holds the targets by output, [P][N], or 0 if missing. seen is 1 for observed targets, else
	// 0.
	y, seen []float64
	count   float64 // number of observed targets
}

// newData returns the data for inputs [N, D] and targets [N, P], or NaN if missing.
func newData(x, y *mat.Dense) *data {
	n, dims := x.Dims()
	_, p := y.Dims()
	d := &data{
		n:    n,
		d:    dims,
		p:    p,
		x:    make([]float64, 0, n*dims),
		y:    make([]float64, n*p),
		seen: make([]float64, n*p),
	}
	for k := range n {
		d.x = append(d.x, x.RawRowView(k)...)
		for i, v := range y.RawRowView(k) {
			if !math.IsNaN(v) {
				d.y[i*n+k], d.seen[i*n+k] = v, 1
				d.count++
			}
		}
	}
	return d
}

// targets returns the targets of output i and the indicators of observed targets, both [N].
func (d *data) targets(i int) (y, seen []float64) {
	return d.y[i*d.n : (i+1)*d.n], d.seen[i*d.n : (i+1)*d.n]
}

// prior is the Gaussian process prior of all latent functions, or of all weight functions, at the
// training inputs.
type prior struct {
	name     string // "latent" or "weight"
	place    string // name of K in errors and reports
	kernel   kernel.Kernel
	data     *data
	jitter   float64
	variance []float64 // [1]
	// scales holds the learned lengthscales, one for each input or one for all.
	scales []float64
	// learned is set if the variance is a parameter.
	learned bool

	lengthscales []float64 // [D]
	k            []float64 // K + jitter I, [N][N]
	scratch      []float64
	dVariance    []float64 // [1]
	dScales      []float64
	dLengths     []float64 // [D]
}

// newPrior returns a prior with initial lengthscales [D] or [1].
func newPrior(
	name string, k kernel.Kernel, d *data, jitter, variance float64, scales []float64, learned bool,
) *prior {
	return &prior{
		name: name, place: "K of " + name + " functions", kernel: k, data: d, jitter: jitter,
		variance: []float64{variance}, scales: scales, learned: learned,
		lengthscales: make([]float64, d.d), k: make([]float64, d.n*d.n),
		scratch: make([]float64, 2*d.n*d.d+kernel.Tile+d.d), dVariance: make([]float64, 1),
		dScales: make([]float64, len(scales)), dLengths: make([]float64, d.d),
	}
}

// parameters returns the learned parameters.
func (p *prior) parameters() []*param.Parameter {
	positive := param.Exponential{Lower: positiveFloor}
	list := []*param.Parameter{{Name: p.name + ".kernel.lengthscales", Shape: []int{len(p.scales)},
		Value: p.scales, Transform: positive}}
	if p.learned {
		list = append(list, &param.Parameter{
			Name:      p.name + ".kernel.variance",
			Shape:     []int{1},
			Value:     p.variance,
			Transform: positive,
		})
	}
	return list
}

// refresh recomputes K from the current parameters.
func (p *prior) refresh() {
	for i := range p.lengthscales {
		p.lengthscales[i] = p.scales[i%len(p.scales)]
	}
	n := p.data.n
	p.kernel.Kuu(p.k, p.data.x, p.lengthscales, p.variance[0], p.scratch, n, p.data.d)
	for i := range n {
		p.k[i*n+i] += p.jitter
	}
}

// gradients returns the slices that backward writes to, in the order of parameters.
func (p *prior) gradients() [][]float64 {
	list := [][]float64{p.dScales}
	if p.learned {
		list = append(list, p.dVariance)
	}
	return list
}

// backward computes the gradients of the parameters, given the gradient with respect to K, dK
// [N][N].
func (p *prior) backward(dK []float64) {
	clear(p.dVariance)
	clear(p.dLengths)
	clear(p.dScales)
	g := kernel.Grad{Lengthscales: p.dLengths, Variance: &p.dVariance[0]}
	p.kernel.KuuBackward(g, p.data.x, p.lengthscales, p.variance[0], p.jitter, p.k, dK,
		p.scratch, p.data.n, p.data.d)
	for i, v := range p.dLengths {
		p.dScales[i%len(p.scales)] += v
	}
}
