package layer

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// joint is the part of a conditional that computes the covariances between the S samples of each
// point. Sample s of point b is column s*B + b. With a and h = C^T a of samples i and j,
//
//	covariance = k(x_i, x_j) - a_i^T a_j + h_i^T h_j.
//
// A tile holds one sample of some points; the tiles of their other samples have the same shape.
type joint struct {
	*conditional
	prior, out *autodiff.Node // [T*B][S][S]
	samples    int
	grad       []float64      // of out during backward
	products   [][2][]float64 // of each output, [width]
	weights    [][]float64    // of each part, [width]
	forward    linalg.Loop
}

// newJoint adds the covariances to a conditional with the given inputs.
func (c *conditional) newJoint(
	t *autodiff.Tape, prior *autodiff.Node, inputs []*autodiff.Node,
) *autodiff.Node {
	j := &joint{conditional: c, prior: prior, samples: prior.Rows}
	j.out = t.Output(prior.Batch, prior.Rows, prior.Cols, append(inputs, prior)...)
	for range c.outMean.Rows {
		j.products = append(j.products,
			[2][]float64{make([]float64, c.tiling.Width), make([]float64, c.tiling.Width)})
	}
	for range c.groups * c.tiling.Chains {
		j.weights = append(j.weights, make([]float64, c.tiling.Width))
	}
	j.forward.Body = j.evaluate
	c.joint = j
	return j.out
}

// entry returns the index of samples s and r in the block of output t at point b.
func (j *joint) entry(t, b, s, r int) int {
	return ((t*j.tiling.Period+b)*j.samples+s)*j.samples + r
}

// evaluate computes the covariances of one output from a and h of all tiles.
func (j *joint) evaluate(t int) {
	m, points := j.root.Rows, j.tiling.Period
	for start := 0; start < points; start += j.tiling.Width {
		width := min(j.tiling.Width, points-start)
		at := func(v []float64, s int) []float64 {
			first := s*points + start
			return j.of(v, tile{t: t, start: first, end: first + width})
		}
		explained, posterior := j.products[t][0][:width], j.products[t][1][:width]
		for s := range j.samples {
			for r := range s + 1 {
				vec.SumProducts(explained, at(j.a, s), width, at(j.a, r), width, m)
				vec.SumProducts(posterior, at(j.h, s), width, at(j.h, r), width, m)
				for i, e := range explained {
					from := j.entry(t, start+i, s, r)
					v := j.prior.Value[from] - e + posterior[i]
					j.out.Value[from], j.out.Value[j.entry(t, start+i, r, s)] = v, v
				}
			}
		}
	}
}

// prepare passes the gradient of the covariances to the prior.
func (j *joint) prepare() {
	j.grad = j.out.Grad()
	addTo(j.prior.Grad(), j.grad)
}

// addGradient adds sign times the gradient through the products of rows of v, a or h, to the gradient
// of a tile.
func (j *joint) addGradient(w tile, grad, v []float64, sign float64) {
	m, points, width := j.root.Rows, j.tiling.Period, w.end-w.start
	own, b := w.start/points, w.start%points
	weights := j.weights[w.part][:width]
	for s := range j.samples {
		for i := range weights {
			weights[i] = sign * (j.grad[j.entry(w.t, b+i, own, s)] + j.grad[j.entry(w.t, b+i, s, own)])
		}
		other := w
		other.start, other.end = s*points+b, s*points+b+width
		vec.AddOuter(grad, width, weights, j.of(v, other), width, m)
	}
}
