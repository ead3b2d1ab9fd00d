package linear

import (
	"slices"

	"dgplab/models/likelihood"
	"dgplab/models/linalg"
	"dgplab/models/predictive"
	"dgplab/models/stats"
)

// refresh finds the mode, on which predictions depend, unless it is up to date.
func (c *classification) refresh() error {
	if slices.Equal(c.known, c.alpha) {
		return nil
	}
	rescues := c.rescues
	_, err := c.mode()
	c.rescues = rescues // do not count rescues outside training
	return err
}

// weights implements problem.
func (c *classification) weights() ([]float64, error) {
	err := c.refresh()
	return c.w, err
}

// latent implements problem.
func (c *classification) latent(x *points) (mean, vr []float64, err error) {
	if err := c.refresh(); err != nil {
		return nil, nil, err
	}
	size := c.l * c.d
	mean = make([]float64, x.n()*c.l)
	vr = make([]float64, x.n()*c.l)
	x.times(mean, c.w)
	columns := make([]float64, size*min(tile, x.n()))
	for k := range c.l {
		x.tiles(func(rows []float64, from, to int) {
			n := to - from
			clear(columns)
			for i := range n {
				for j, v := range rows[i*c.d : (i+1)*c.d] {
					columns[(k*c.d+j)*n+i] = v
				}
			}
			linalg.SolveLower(c.root, columns, size, n, n)
			for at, v := range columns[:size*n] {
				vr[(from+at%n)*c.l+k] += v * v
			}
		})
	}
	return mean, vr, nil
}

// predict implements problem. For two classes it returns one Gaussian and ignores samples. For more
// classes it draws the weights, because the latent functions are correlated.
func (c *classification) predict(x *points, samples int, seed uint64) (predictive.Predictive, error) {
	if c.l > 1 {
		return c.draws(x, samples, seed)
	}
	out := predictive.NewGaussians([]float64{1}, x.n(), 1)
	var err error
	out.Mean, out.Var, err = c.latent(x)
	return likelihood.NewBernoulli().Observe(out, nil), err
}

// draws returns the mixture over draws of the weights.
func (c *classification) draws(x *points, samples int, seed uint64) (predictive.Predictive, error) {
	shares := make([]float64, samples)
	for s := range shares {
		shares[s] = 1 / float64(samples)
	}
	out := predictive.NewGaussians(shares, x.n(), c.l)
	streams := stats.NewStreams(seed, "predict")
	for s := range samples {
		w, err := c.drawWeights(streams.At(uint64(s)))
		if err != nil {
			return nil, err
		}
		x.times(out.Mean[s*x.n()*c.l:(s+1)*x.n()*c.l], w)
	}
	return likelihood.NewSoftmax(c.l).Observe(out, nil), nil
}
