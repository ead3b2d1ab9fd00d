package bnn

import (
	"math"

	"dgplab/models/linalg/vec"
)

// dense is a layer with independent Gaussian weights that propagates the moments of independent
// Gaussian inputs. The last input is the constant 1, and outputs are divided by the square root of
// the number of inputs including the constant (Hernández-Lobato, Adams, "Probabilistic
// Backpropagation for Scalable Learning of Bayesian Neural Networks", ICML 2015, arXiv:1502.05336,
// section 3.1).
type dense struct {
	outputs     int
	mean, vr    []float64 // of the weights, [outputs][inputs]
	dMean, dVar []float64 // derivatives with respect to the weights' moments

	inMean, inVar   []float64 // [inputs]
	inSquare        []float64 // inMean^2 + inVar
	dInMean, dInVar []float64
	outMean, outVar []float64 // before rectification, [outputs]
	dOut, dOutVar   []float64
	rectified       rectified // outputs after rectification
}

// newDense returns a layer with the given number of inputs, not counting the constant.
func newDense(inputs, outputs int) *dense {
	list := func(n int) []float64 { return make([]float64, n) }
	inputs++
	d := &dense{outputs: outputs, mean: list(inputs * outputs), vr: list(inputs * outputs),
		dMean: list(inputs * outputs), dVar: list(inputs * outputs),
		inMean: list(inputs), inVar: list(inputs), inSquare: list(inputs),
		dInMean: list(inputs), dInVar: list(inputs),
		outMean: list(outputs), outVar: list(outputs), dOut: list(outputs), dOutVar: list(outputs),
		rectified: newRectified(outputs)}
	d.inMean[inputs-1] = 1
	return d
}

// row returns the row of an output in an array [outputs][inputs].
func (d *dense) row(of []float64, output int) []float64 {
	n := len(d.inMean)
	return of[output*n : (output+1)*n]
}

// forward computes the moments of the outputs from the moments of the inputs.
func (d *dense) forward() {
	n := float64(len(d.inMean))
	root := math.Sqrt(n)
	for i, a := range d.inMean {
		d.inSquare[i] = a*a + d.inVar[i]
	}
	for o := range d.outputs {
		mean, vr := vec.ProductMoments(d.row(d.mean, o), d.row(d.vr, o), d.inMean, d.inVar, d.inSquare)
		d.outMean[o], d.outVar[o] = mean/root, vr/n
	}
}

// update backpropagates derivatives from the outputs to the inputs and updates the weights, as described at
// propagation.update. It returns the number of weights left unchanged.
func (d *dense) update() (stayed int) {
	clear(d.dInMean)
	clear(d.dInVar)
	n := float64(len(d.inMean))
	root := math.Sqrt(n)
	for o := range d.outputs {
		gm := d.dOut[o] / root
		gv := d.dOutVar[o] / n
		stayed += vec.UpdateMoments(d.row(d.mean, o), d.row(d.vr, o), d.inMean, d.inVar, d.inSquare,
			d.dInMean, d.dInVar, gm, gv)
	}
	return stayed
}

// backward backpropagates derivatives from the outputs to the weights and inputs.
func (d *dense) backward() {
	clear(d.dInMean)
	clear(d.dInVar)
	n := float64(len(d.inMean))
	root := math.Sqrt(n)
	for o := range d.outputs {
		m := d.row(d.mean, o)
		v := d.row(d.vr, o)
		dm := d.row(d.dMean, o)
		dv := d.row(d.dVar, o)
		gm := d.dOut[o] / root
		gv := d.dOutVar[o] / n
		for i, a := range d.inMean {
			dm[i] = gm*a + 2*gv*m[i]*d.inVar[i]
			dv[i] = gv * d.inSquare[i]
			d.dInMean[i] += gm*m[i] + 2*gv*v[i]*a
			d.dInVar[i] += gv * (m[i]*m[i] + v[i])
		}
	}
}

// rectify sets the inputs of next to the rectified outputs of d.
func (d *dense) rectify(next *dense) {
	d.rectified.set(d.outMean, d.outVar)
	copy(next.inMean, d.rectified.mean)
	copy(next.inVar, d.rectified.vr)
}

// unrectify backpropagates derivatives through the rectifier, from the inputs of next to the
// outputs of d.
func (d *dense) unrectify(next *dense) {
	r := &d.rectified
	for o, mean := range r.mean {
		gm, gv := next.dInMean[o], next.dInVar[o]
		d.dOut[o] = gm*r.above[o] + gv*2*mean*r.below[o]
		d.dOutVar[o] = gm*0.5*r.density[o] + gv*(r.above[o]-mean*r.density[o])
	}
}

// rectified holds moments and probabilities of max(0, x) for Gaussian variables x.
type rectified struct {
	mean, vr     []float64
	above, below []float64 // P(x > 0) and P(x < 0)
	density      []float64 // of x at 0
	inverse      []float64 // reciprocals of the standard deviations of x
}

func newRectified(n int) rectified {
	list := func() []float64 { return make([]float64, n) }
	return rectified{mean: list(), vr: list(), above: list(), below: list(), density: list(), inverse: list()}
}

// set sets the moments for Gaussians with the given means and positive variances. With s the
// standard deviation, E+ the mean of max(0, x) and E- the mean of max(0, -x), the variance is s^2
// P(x > 0) - E+ E-, which avoids cancellation if x is far above 0.
func (r *rectified) set(mean, vr []float64) {
	vec.InverseRoots(r.inverse, vr)
	vec.Mul(r.above, mean, r.inverse)
	vec.Scaled(r.below, r.above, -1)
	vec.Normal(r.above, r.density, r.above)
	vec.Normal(r.below, r.density, r.below)
	vec.Mul(r.density, r.density, r.inverse)
	for i, m := range mean {
		v, above, density := vr[i], r.above[i], r.density[i]
		r.mean[i] = max(m*above+v*density, 0)
		r.vr[i] = max(v*above-r.mean[i]*max(v*density-m*r.below[i], 0), 0)
	}
}
