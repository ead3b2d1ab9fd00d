package gprn

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/kernel"
	"dgplab/models/param"
)

// positiveFloor is the lower bound of variances, lengthscales and noise.
const positiveFloor = 1e-6

// data holds the inputs and observed targets.
type data struct {
	inputs  family.Data // the inputs and their columns
	n, d, p int
	x       []float64 // [N][D]
	// y holds the targets by output, [P][N], with 0 for missing targets. seen is 1 for observed
	// targets and 0 for missing ones.
	y, seen []float64
	count   float64 // number of observed targets
}

// newData returns the data for inputs [N, D] and targets [N, P]. Missing targets are NaN.
func newData(x, y *mat.Dense) *data {
	n, dims := x.Dims()
	_, p := y.Dims()
	d := &data{
		inputs: family.Data{X: x},
		n:      n,
		d:      dims,
		p:      p,
		x:      make([]float64, 0, n*dims),
		y:      make([]float64, n*p),
		seen:   make([]float64, n*p),
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

// prior is the Gaussian process prior of all latent functions, of one of them, or of all weight functions,
// at the training inputs.
type prior struct {
	name string // "latent" or "weight"
	gp   string // "gp0." and so on if the prior belongs to one latent function, or ""
	of   string // name of K in errors and reports
	data *data
	// jitter is added to the diagonal of K.
	jitter float64
	// columns holds the training inputs, [D][N].
	columns []float64
	kernel  *kernel.Covariance
	// learned lists the learned parameters of the kernel, and grads lists their gradients.
	learned []kernel.Named
	grads   [][]float64

	tape *autodiff.Tape
	out  *autodiff.Node
	k    []float64 // K + jitter I, [N][N]
}

// newPrior returns a prior with initial lengthscales [D] or [1]. Unless learned is set, the first
// variance of the kernel is fixed.
func newPrior(
	name string, k kernel.Kernel, d *data, jitter, variance float64, scales []float64, learned bool,
) *prior {
	tape := autodiff.NewTape()
	p := &prior{name: name, of: "K of " + name + " functions", data: d, jitter: jitter,
		columns: columnsOf(d.x, d.d), tape: tape, kernel: kernel.NewCovariance(tape, k, 1, len(scales) > 1)}
	p.kernel.Start(variance, func(column int) float64 { return scales[column%len(scales)] })
	fixed := !learned
	for _, parameter := range p.kernel.Parameters(param.Exponential{Lower: positiveFloor}) {
		if fixed && strings.HasSuffix(parameter.Name, "variance") {
			fixed = false
			continue
		}
		p.learned = append(p.learned, parameter)
		p.grads = append(p.grads, make([]float64, parameter.Node.Len()))
	}
	x := tape.Constant(1, d.n, d.d)
	copy(x.Value, d.x)
	p.out = p.kernel.RecordKuu(tape, x, jitter)
	p.k = p.out.Value
	return p
}

// label marks the prior of one latent function.
func (p *prior) label(j, latents int) {
	p.gp = fmt.Sprintf("gp%d.", j)
	p.of = "K of latent function " + functionName(j, latents)
}

// prefix returns the prefix of the names of parameters.
func (p *prior) prefix() string { return p.name + ".kernel." + p.gp }

// parameters returns the learned parameters.
func (p *prior) parameters() (list []*param.Parameter) {
	for _, learned := range p.learned {
		list = append(list, &param.Parameter{
			Name:      p.prefix() + learned.Name,
			Shape:     []int{learned.Node.Len()},
			Value:     learned.Node.Value,
			Transform: learned.Transform,
		})
	}
	return list
}

// refresh recomputes K from the current parameters. No operation on the tape of a kernel fails.
func (p *prior) refresh() { _ = p.tape.Forward() }

// backward computes the gradients of the parameters, given the gradient with respect to K, dK
// [N][N].
func (p *prior) backward(dK []float64) {
	p.tape.BackwardFrom(p.out, dK)
	for i, learned := range p.learned {
		copy(p.grads[i], learned.Node.Grad())
	}
}

// scale returns the mean of k(x, x) at the training inputs.
func (p *prior) scale() float64 { return p.kernel.Scale(0, p.columns) }
