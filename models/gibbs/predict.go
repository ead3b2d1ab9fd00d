package gibbs

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/predictive"
	"dgplab/models/stats"
)

// predictor holds the factors and weights for predictions from one position.
type predictor struct {
	config   *config
	position *position
	inputs   []float64 // of the last layer at the training inputs, [width][n]
	width    int
	root     []float64 // lower factor of the covariance of the targets, [n][n]
	weights  []float64 // K^-1 y, [n]
	scale    float64   // tau2, y' K^-1 y / n
}

// newPredictor factorises the covariance of the targets at a position.
func newPredictor(c *config, p *position) (*predictor, error) {
	n := c.n()
	last := c.layers - 1
	out := &predictor{config: c, position: p, root: make([]float64, n*n), weights: slices.Clone(c.y)}
	out.inputs, out.width = c.below(p, last)
	k := make([]float64, n*n)
	_, err := c.correlations[last][0].factor(out.root, k, out.inputs, out.width, p.kernel[last][0],
		p.nugget[0], placeOuter)
	if err != nil {
		return nil, err
	}
	out.scale = scale(out.root, out.weights)
	linalg.SolveLowerTrans(out.root, out.weights, n, 1, 1)
	return out, nil
}

// through returns the inputs of the last layer at new inputs x, [d][points] in [0, 1]^d: hidden
// functions are replaced by their conditional means, as in deepgp.
func (p *predictor) through(x []float64, points int) ([]float64, error) {
	c := p.config
	n := c.n()
	at := x
	for l := range c.layers - 1 {
		inputs, width := c.below(p.position, l)
		next := make([]float64, c.width*points)
		root := make([]float64, n*n)
		covariance := make([]float64, n*n)
		k := make([]float64, points*n)
		for i := range c.width {
			values := p.position.kernel[l][i]
			_, err := c.correlations[l][i].factor(root, covariance, inputs, width, values, jitter, placeInner)
			if err != nil {
				return nil, err
			}
			f := centred(c.function(p.position, l, i), c.mean(inputs, n, i))
			linalg.SolveLower(root, f, n, 1, 1)
			linalg.SolveLowerTrans(root, f, n, 1, 1)
			c.correlations[l][i].set(k, at, inputs, width, values)
			to := next[i*points : (i+1)*points]
			copy(to, c.mean(at, points, i))
			linalg.Gemm(false, false, points, 1, n, 1, k, f, 1, to)
		}
		at = next
	}
	return at, nil
}

// moments returns the means and variances of f at the inputs at of the last layer, [width][points].
// solved holds the covariances with the targets, solved by the factor, [n][points].
func (p *predictor) moments(at []float64, points int) (mean, variance, solved []float64) {
	n := p.config.n()
	last := p.config.layers - 1
	values := p.position.kernel[last][0]
	mean = make([]float64, points)
	variance = make([]float64, points)
	solved = make([]float64, n*points)
	p.config.correlations[last][0].set(solved, p.inputs, at, p.width, values)
	linalg.Gemm(true, false, points, 1, n, 1, solved, p.weights, 0, mean)
	linalg.SolveLower(p.root, solved, n, points, points)
	p.config.correlations[last][0].diagonal(variance, at, values)
	for r := range n {
		for i, v := range solved[r*points : (r+1)*points] {
			variance[i] -= v * v
		}
	}
	for i, v := range variance {
		variance[i] = p.scale * max(0, v) // rounding can make a variance negative
	}
	return mean, variance, solved
}

// noise returns the noise variance, tau2 times the nugget.
func (p *predictor) noise() float64 { return p.scale * p.position.nugget[0] }

// mixture returns the prediction of f at standardised X, [N, d], as a mixture over the given
// samples.
func (m *Model) mixture(X *mat.Dense, samples [][]float64) (*predictive.Gaussians, error) {
	points, _ := X.Dims()
	x := m.cube.columns(X)
	weights := slices.Repeat([]float64{1 / float64(len(samples))}, len(samples))
	out := predictive.NewGaussians(weights, points, 1)
	out.Noise = make([]float64, len(samples))
	errs := make([]error, len(samples))
	loop := linalg.Loop{Body: func(s int) {
		p, err := newPredictor(&m.joint.config, m.joint.at(samples[s]))
		if err != nil {
			errs[s] = err
			return
		}
		at, err := p.through(x, points)
		if err != nil {
			errs[s] = err
			return
		}
		mean, variance, _ := p.moments(at, points)
		copy(out.Mean[s*points:], mean)
		copy(out.Var[s*points:], variance)
		out.Noise[s] = p.noise()
	}}
	loop.Run(len(samples))
	for _, err := range errs {
		if err != nil {
			return nil, m.WithStep(err)
		}
	}
	return out, nil
}

// Predict implements family.Model. It returns an equally weighted mixture with one Gaussian per
// kept sample. It uses at most the given number of samples, evenly spaced, or the current positions
// if none has been kept yet. It draws no random numbers.
func (m *Model) Predict(X *mat.Dense, samples int, _ uint64) (predictive.Predictive, error) {
	out, err := m.mixture(X, m.PredictionSamples(samples))
	if err != nil {
		return nil, err
	}
	return out, nil
}

// DrawFunctions implements family.FunctionSampler. Each draw is a joint draw of f given a kept
// sample, with hidden functions at their conditional means as in predictions.
func (m *Model) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	points, _ := X.Dims()
	x := m.cube.columns(X)
	streams := stats.NewStreams(seed, "functions")
	samples := m.PredictionSamples(count)
	var list [][][]float64
	for s := range count {
		p, err := newPredictor(&m.joint.config, m.joint.at(samples[s%len(samples)]))
		if err != nil {
			return nil, m.WithStep(err)
		}
		at, err := p.through(x, points)
		if err != nil {
			return nil, m.WithStep(err)
		}
		f, _, solved := p.moments(at, points)
		k := make([]float64, points*points)
		last := m.joint.layers - 1
		m.joint.correlations[last][0].among(k, at, p.width, p.position.kernel[last][0])
		linalg.Gemm(true, false, points, points, m.joint.n(), -p.scale, solved, solved, p.scale, k)
		eps := make([]float64, points)
		stats.Normals(eps, streams.At(uint64(s)))
		if err := kernel.AddGPs(f, k, p.scale, eps, points); err != nil {
			return nil, m.WithStep(err)
		}
		list = append(list, [][]float64{f})
	}
	return list, nil
}
