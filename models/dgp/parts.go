package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
	"dgplab/models/train"
	"dgplab/models/view"
)

// partDraws is the maximum number of kept samples used for the parts of functions.
const partDraws = 400

// parts returns the GPs of the first layer, without mean functions, and the terms of their kernel. It
// returns nil unless the kernel is a sum.
func (d *deepGP) parts() *view.Functions {
	k := d.post.layers[0].kernel
	if k.Terms() == nil {
		return nil
	}
	n, inputs := d.data.X.Dims()
	x := make([]float64, inputs*n)
	train.Window(x, d.data.X, 0)
	return d.data.Parts(k, x, func(k *kernel.Covariance, line view.Line) *view.Functions {
		f := line.Functions(d.partMoments(k, line.Points))
		f.OfFirstLayer(len(d.arch.Layers))
		return f
	})
}

// partMoments returns the posterior moments of the parts of the GPs of the first layer with prior
// covariance k at points [G][D]: means and variances, [G][T]. k is also the covariance of a part with
// the inducing outputs, since the terms of a sum are independent.
func (d *deepGP) partMoments(k *kernel.Covariance, points []float64) (mean, variance []float64) {
	layer, nodes := d.arch.Layers[0], d.post.layers[0]
	n := len(points) / layer.Inputs
	columns := make([]float64, len(points))
	linalg.Transpose(columns, points, n, layer.Inputs)
	a := general(make([]float64, layer.M*n), layer.M, n)
	k.Kuf(a.Data, 0, nodes.z.Value, columns)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(nodes.root.Value, layer.M), a)
	residual := make([]float64, n)
	k.Diagonal(residual, 0, columns)
	for row := range layer.M {
		vec.SubMul(residual, a.Data[row*n:(row+1)*n], a.Data[row*n:(row+1)*n])
	}
	mean = make([]float64, n*layer.GPs)
	variance = make([]float64, n*layer.GPs)
	for t, i := range d.post.members(0) {
		m, v := d.projected(i, a)
		for g := range n {
			mean[g*layer.GPs+t] = m[g]
			variance[g*layer.GPs+t] = max(residual[g]+v[g], 0)
		}
	}
	return mean, variance
}

// projected returns the posterior moments of a^T v for the whitened inducing outputs v of GP i and a,
// [M][n].
func (d *deepGP) projected(i int, a blas64.General) (mean, variance []float64) {
	p := d.post
	mean = make([]float64, a.Cols)
	variance = make([]float64, a.Cols)
	times := func(v, dst []float64) {
		blas64.Gemv(blas.Trans, 1, a, blas64.Vector{N: a.Rows, Inc: 1, Data: v},
			0, blas64.Vector{N: a.Cols, Inc: 1, Data: dst})
	}
	if d.sampledOutputs != nil {
		samples := d.sampledOutputs(partDraws)
		row := make([]float64, a.Cols)
		for s, v := range samples {
			times(v[p.starts[i]:p.starts[i+1]], row)
			for g, f := range row { // running means and variances
				off := f - mean[g]
				mean[g] += off / float64(s+1)
				variance[g] += (off*(f-mean[g]) - variance[g]) / float64(s+1)
			}
		}
		return mean, variance
	}
	times(p.layers[p.layer[i]].mu.Row(p.position(i)), mean)
	for _, j := range p.rows[i] {
		factor := p.factorOf(i, j)
		c := general(make([]float64, factor.Cols*a.Cols), factor.Cols, a.Cols)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, factor, a, 0, c)
		for row := range c.Rows {
			vec.AddMul(variance, c.Data[row*a.Cols:(row+1)*a.Cols], c.Data[row*a.Cols:(row+1)*a.Cols])
		}
	}
	return mean, variance
}
