package dgp

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/view"
)

// maxCovarianceSamples is the maximum number of kept samples used to estimate covariances.
const maxCovarianceSamples = 1000

// Views implements family.Viewer. The covariances are estimated from the kept samples of all chains
// and need at least two. The matrices are K_MM of every layer and the residual prior variances
// given the inducing outputs.
func (m *Chains) Views(seed uint64) (view.Views, error) {
	v, err := m.views(seed, m.covariance, m.matrices)
	var failed error
	v.Chains, failed = m.draws(seed)
	if failed != nil {
		failed = fmt.Errorf("cannot compute the draws of the chains: %w", failed)
	}
	return v, errors.Join(err, failed)
}

// covariance returns the block map of the covariance of f_M = L_K v over the kept samples, in the
// form of the structured families. It is nil with fewer than two samples.
func (m *Chains) covariance() *view.Blocks {
	var samples [][]float64
	if len(m.Draws(0)) > 0 { // before that, PredictionSamples returns the current states
		samples = m.PredictionSamples(maxCovarianceSamples)
	}
	if len(samples) < 2 {
		return nil
	}
	p := m.post
	deviations := make([]blas64.General, p.NumGPs())
	var parts []view.Part
	for i := range deviations {
		parts = append(parts, view.Part{Group: p.layer[i], Index: p.position(i), Size: p.points(i)})
		deviations[i] = p.deviations(i, samples)
	}
	out := view.NewPool(parts, view.MaxCells)
	for i, a := range deviations {
		for j, b := range deviations[:i+1] {
			s := general(make([]float64, a.Rows*b.Rows), a.Rows, b.Rows)
			blas64.Gemm(blas.NoTrans, blas.Trans, 1, a, b, 0, s)
			out.Enter(i, j, s)
		}
	}
	b := out.Blocks()
	b.Draws = len(samples)
	return b
}

// deviations returns the deviations of the inducing outputs of GP i from their mean, divided by
// sqrt(S-1), [M_i][S], so products of these matrices are covariances. samples holds whitened
// inducing outputs.
func (p *posterior) deviations(i int, samples [][]float64) blas64.General {
	count, from := len(samples), p.starts[i]
	out := general(make([]float64, p.points(i)*count), p.points(i), count)
	for r := range out.Rows {
		row := out.Data[r*count : (r+1)*count]
		var mean float64
		for s, v := range samples {
			row[s] = v[from+r]
			mean += v[from+r] / float64(count)
		}
		for s := range row {
			row[s] = (row[s] - mean) / math.Sqrt(float64(count-1))
		}
	}
	blas64.Trmm(blas.Left, blas.NoTrans, 1, lower(p.layers[p.layer[i]].root.Value, out.Rows), out)
	return out
}

// matrices returns the conditioning of the current matrices. The posterior must be up to date.
func (m *Chains) matrices() (*view.Matrices, error) {
	g, err := m.probeGraph(healthSeed)
	if err != nil {
		return nil, err
	}
	rescues := map[string]int{}
	for _, c := range m.chains {
		for _, t := range []interface{ RescuesByMatrix() map[string]int }{c.hyperBound.tape,
			c.outputBound.tape} {
			for matrix, count := range t.RescuesByMatrix() {
				rescues[matrix] += count
			}
		}
	}
	h := matrixReport{post: m.post, rescues: rescues, report: &view.Matrices{}}
	for l := range m.post.layers {
		h.addPrior(l)
		h.addResidual(g, l)
	}
	h.addRescues()
	return h.report, nil
}
