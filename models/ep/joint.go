package ep

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// joint is a tape operation for the log density of P correlated outputs at B points, log N(y; mean,
// covariance + noise I), over the observed outputs.
type joint struct {
	moments
	tape          *autodiff.Tape
	y, noise, out *autodiff.Node
	matrix        string

	dMean, dCovariance []float64 // of the terms, [P][B] and [P][P][B]

	observed             []int
	c, root, alpha, work []float64
}

// recordJoint records the log density, [1][1][B], of targets y [1][P][B] with one noise variance.
// Missing targets are NaN.
func recordJoint(
	t *autodiff.Tape, y *autodiff.Node, m moments, noise *autodiff.Node, matrix string,
) *autodiff.Node {
	p, b := y.Rows, y.Cols
	j := &joint{moments: m, tape: t, y: y, noise: noise, matrix: matrix, observed: make([]int, 0, p),
		dMean: make([]float64, p*b), dCovariance: make([]float64, p*p*b),
		c: make([]float64, p*p), root: make([]float64, p*p), alpha: make([]float64, p),
		work: make([]float64, p*p)}
	j.out = t.Output(1, 1, b, m.mean, m.vr, m.covariance, noise)
	return t.Record(j.out, j.forward, j.backward)
}

func (j *joint) forward() error {
	clear(j.dMean)
	clear(j.dCovariance)
	rescued := 0
	for b := range j.y.Cols {
		rescues, err := j.point(b)
		if err != nil {
			return err
		}
		rescued += rescues
	}
	if rescued > 0 {
		j.tape.CountRescues(j.matrix, rescued)
	}
	return nil
}

// point evaluates the density of point b and its derivatives alpha and (alpha alpha^T - C^-1)/2,
// where r = y - mean and alpha = C^-1 r.
func (j *joint) point(b int) (rescues int, err error) {
	points := j.y.Cols
	j.observed = j.observed[:0]
	for p := range j.y.Rows {
		if v := j.y.Value[p*points+b]; !math.IsNaN(v) {
			j.alpha[len(j.observed)] = v - j.mean.Value[p*points+b]
			j.observed = append(j.observed, p)
		}
	}
	n := len(j.observed)
	j.out.Value[b] = 0
	if n == 0 {
		return 0, nil
	}
	for i, p := range j.observed {
		for k, q := range j.observed[:i] {
			j.c[i*n+k] = j.covariance.Value[(p*(p-1)/2+q)*points+b]
			j.c[k*n+i] = j.c[i*n+k]
		}
		j.c[i*n+i] = j.vr.Value[p*points+b] + j.noise.Value[0]
	}
	rescues, err = linalg.Cholesky(j.root, j.c, n, j.matrix)
	if err != nil {
		return rescues, err
	}
	linalg.SolveLower(j.root, j.alpha, n, 1, 1)
	var squares float64
	for _, v := range j.alpha[:n] {
		squares += v * v
	}
	j.out.Value[b] = -0.5*squares - linalg.LogDiag(j.root, n) - 0.5*float64(n)*math.Log(2*math.Pi)
	linalg.SolveLowerTrans(j.root, j.alpha, n, 1, 1)
	inverse := j.work[:n*n]
	clear(inverse)
	for i := range n {
		inverse[i*n+i] = 1
	}
	linalg.SolveLower(j.root, inverse, n, n, n)
	linalg.SolveLowerTrans(j.root, inverse, n, n, n)
	for i, p := range j.observed {
		j.dMean[p*points+b] = j.alpha[i]
		for k, q := range j.observed {
			j.dCovariance[(p*j.y.Rows+q)*points+b] = 0.5 * (j.alpha[i]*j.alpha[k] - inverse[i*n+k])
		}
	}
	return rescues, nil
}

func (j *joint) backward() {
	g, outputs, points := j.out.Grad(), j.y.Rows, j.y.Cols
	dMean := j.mean.Grad()
	dVar := j.vr.Grad()
	dCovariance := j.moments.covariance.Grad()
	dNoise := j.noise.Grad()
	for p := range outputs {
		for b, v := range g {
			dMean[p*points+b] += v * j.dMean[p*points+b]
			slope := v * j.dCovariance[(p*outputs+p)*points+b]
			dVar[p*points+b] += slope
			dNoise[0] += slope
			for q := range p {
				dCovariance[(p*(p-1)/2+q)*points+b] += 2 * v * j.dCovariance[(p*outputs+q)*points+b]
			}
		}
	}
}
