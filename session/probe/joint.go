package probe

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

// Joint holds the joint predictions at test points, taken as Gaussian, in units of the targets.
type Joint struct {
	// Rows holds the rows of the test points in the data set, [n].
	Rows []int
	// Mean and Covariance are the moments of each function without noise, [P][n] and [P][n*n], and Noise
	// holds the noise variances, [P].
	Mean, Covariance [][]float64
	Noise            []float64
	// Draws is the number of joint draws that the moments are estimated from, or 0 if they are exact.
	Draws int
}

// JointDistance is the distance between joint predictions A and B at the same points.
type JointDistance struct {
	// Points is the number of points, and Draws the smallest number of draws behind the moments, or 0 if
	// these are exact.
	Points int `json:"points"`
	Draws  int `json:"draws,omitempty"`
	// KL is the Kullback-Leibler divergence KL(A||B) of the joint distributions with noise, in nats per
	// point. Covariance is the Frobenius norm of the difference of the covariances without noise, relative
	// to B. Both are means over functions.
	KL         float64 `json:"kl"`
	Covariance float64 `json:"covariance"`
}

// JointAt returns the joint predictions at evenly spaced test points, at most the given number of them.
// samples is the number of samples of predictions.
func (p *Probe) JointAt(ctx context.Context, most, samples int) (*Joint, error) {
	if p.Data.Task != task.Regression {
		return nil, errors.New("joint predictions need real targets")
	}
	test := p.Data.Test
	n := min(most, rowsOf(test.X))
	_, inputs := test.X.Dims()
	x := mat.NewDense(n, inputs, nil)
	out := &Joint{}
	for i := range n {
		at := i * rowsOf(test.X) / n
		x.SetRow(i, test.X.RawRowView(at))
		out.Rows = append(out.Rows, test.Rows[at])
	}
	d := &design{criterion: ALM, candidates: n}
	about := &Suggestions{}
	if err := p.designMoments(ctx, d, x, samples, about); err != nil {
		return nil, err
	}
	if d.independent {
		return nil, errors.New("the family has no covariance of points")
	}
	out.Mean, out.Covariance, out.Noise, out.Draws = d.mean, d.covariance, d.noise, about.Draws
	for k := range out.Mean {
		scale := p.Data.Scaling.TargetSD[k]
		for i, v := range out.Mean[k] {
			out.Mean[k][i] = p.Data.Scaling.TargetMean[k] + scale*v
		}
		own := slices.Clone(out.Covariance[k]) // Functions can share a covariance.
		for i := range own {
			own[i] *= scale * scale
		}
		out.Covariance[k] = own
		out.Noise[k] *= scale * scale
	}
	return out, nil
}

// Distance returns the distance between joint predictions a and b.
func (a *Joint) Distance(b *Joint) (d JointDistance, err error) {
	n := len(a.Rows)
	if !slices.Equal(a.Rows, b.Rows) || len(a.Mean) != len(b.Mean) {
		return d, errors.New("the runs have different test points or functions")
	}
	d.Points = n
	d.Draws = max(a.Draws, b.Draws)
	if a.Draws > 0 && b.Draws > 0 {
		d.Draws = min(a.Draws, b.Draws)
	}
	functions := float64(len(a.Mean))
	for k := range a.Mean {
		kl, err := gaussianKL(a.Mean[k], a.noisy(k), b.Mean[k], b.noisy(k))
		if err != nil {
			return d, err
		}
		d.KL += kl / float64(n) / functions
		var off, size float64
		for i, v := range b.Covariance[k] {
			off += (a.Covariance[k][i] - v) * (a.Covariance[k][i] - v)
			size += v * v
		}
		d.Covariance += math.Sqrt(off/size) / functions
	}
	return d, nil
}

// noisy returns the covariance of function k with noise.
func (a *Joint) noisy(k int) *mat.SymDense {
	n := len(a.Rows)
	out := mat.NewSymDense(n, slices.Clone(a.Covariance[k]))
	for i := range n {
		out.SetSym(i, i, out.At(i, i)+a.Noise[k])
	}
	return out
}

// gaussianKL returns KL(N(meanA, a) || N(meanB, b)) in nats.
func gaussianKL(meanA []float64, a *mat.SymDense, meanB []float64, b *mat.SymDense) (float64, error) {
	var rootA, rootB mat.Cholesky
	if !rootA.Factorize(a) || !rootB.Factorize(b) {
		return 0, errors.New("a covariance with noise is not positive definite")
	}
	n := len(meanA)
	off := mat.NewVecDense(n, nil)
	off.SubVec(mat.NewVecDense(n, meanA), mat.NewVecDense(n, meanB))
	var solved mat.VecDense
	var ratio mat.Dense
	if err := rootB.SolveVecTo(&solved, off); err != nil {
		return 0, err
	}
	if err := rootB.SolveTo(&ratio, a); err != nil {
		return 0, err
	}
	logs := rootB.LogDet() - rootA.LogDet()
	return 0.5 * (mat.Trace(&ratio) + mat.Dot(off, &solved) - float64(n) + logs), nil
}
