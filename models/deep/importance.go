package deep

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/linalg/vec"
)

// recordLogMeanExp records log (1/S) sum_s exp(a) over the samples of each point, [1][1][B], for a
// [1][1][S*B]. The derivatives are the normalised weights of the samples.
func recordLogMeanExp(t *autodiff.Tape, a *autodiff.Node, samples int) *autodiff.Node {
	b := a.Cols / samples
	out := t.Output(1, 1, b, a)
	top := make([]float64, b)
	weights := make([]float64, a.Cols)
	return t.Record(out, func() error {
		copy(top, a.Value)
		for k, v := range a.Value {
			top[k%b] = math.Max(top[k%b], v)
		}
		for k, v := range a.Value {
			weights[k] = v - top[k%b]
		}
		vec.Exp(weights, weights)
		clear(out.Value)
		for k, w := range weights {
			out.Value[k%b] += w
		}
		for k := range weights {
			weights[k] /= out.Value[k%b]
		}
		for k, sum := range out.Value {
			out.Value[k] = top[k] + math.Log(sum/float64(samples))
		}
		return nil
	}, func() {
		d := a.Grad()
		g := out.Grad()
		for k, w := range weights {
			d[k] += w * g[k%b]
		}
	})
}

// recordJointDraw records draws of a layer that are joint over the S samples of a point, [1][T][S*B]:
// mean + L eps, where L is the Cholesky factor of the covariance, blocks [T*B][S][S], plus jitter.
// With smooth kernels and a narrow q(w), the covariances are nearly singular; the jitter is white
// noise in the functions of the layer.
func recordJointDraw(
	t *autodiff.Tape, mean, blocks, eps *autodiff.Node, jitter float64, matrix string,
) *autodiff.Node {
	root := t.Cholesky(t.AddDiagConstant(blocks, jitter), matrix)
	out := t.Output(1, mean.Rows, mean.Cols, mean, root)
	s := blocks.Rows
	b := mean.Cols / s
	// each calls visit for the indices of entry (i, j) of the factor of a block, and of the samples i
	// and j of its point.
	each := func(visit func(entry, i, j int)) {
		for block := range root.Batch {
			first := block/b*mean.Cols + block%b
			for i := range s {
				for j := range i + 1 {
					visit((block*s+i)*s+j, first+i*b, first+j*b)
				}
			}
		}
	}
	return t.Record(out, func() error {
		copy(out.Value, mean.Value)
		each(func(entry, i, j int) { out.Value[i] += root.Value[entry] * eps.Value[j] })
		return nil
	}, func() {
		g := out.Grad()
		dRoot := root.Grad()
		vec.AddScaled(mean.Grad(), g, 1)
		each(func(entry, i, j int) { dRoot[entry] += g[i] * eps.Value[j] })
	})
}
