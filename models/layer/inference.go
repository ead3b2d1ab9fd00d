package layer

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/linalg/vec"
	"dgplab/models/stats"
)

// inference computes inducing points and their q from the inputs of a layer.
type inference interface {
	// start sets the starting values of the parameters.
	start(s Start)
	// each calls do for all parameters.
	each(do func(name string, n *autodiff.Node))
	// record records the inferred values for seen, [1][D][G].
	record(t *autodiff.Tape, seen *autodiff.Node) *Inferred
}

func newInference(t *autodiff.Tape, c LocalConfig) inference {
	d, m, outputs := c.Inputs, c.Inducing, c.Outputs
	sizes := func(out int) []int { return autodiff.PerceptronSizes(d, out, c.Hidden, c.Width) }
	if c.Inference == ByNetwork {
		width := m*d + outputs*(m+c.spreads())
		return &single{config: c, net: autodiff.NewPerceptron(t, sizes(width), autodiff.LeakyReLU)}
	}
	return &maps{config: c,
		w: t.Variable(1, m*d, d), b: t.Variable(1, m*d, 1),
		mean:   autodiff.NewPerceptron(t, sizes(outputs*m), autodiff.LeakyReLU),
		spread: autodiff.NewPerceptron(t, sizes(outputs*c.spreads()), autodiff.LeakyReLU)}
}

// maps implements ByMaps.
type maps struct {
	config       LocalConfig
	w, b         *autodiff.Node // [1][M*D][D], [1][M*D][1]
	mean, spread *autodiff.Perceptron
}

func (f *maps) each(do func(name string, n *autodiff.Node)) {
	do("affine.W", f.w)
	do("affine.b", f.b)
	f.mean.Each(func(name string, n *autodiff.Node) { do("mean_net."+name, n) })
	f.spread.Each(func(name string, n *autodiff.Node) { do("std_net."+name, n) })
}

func (f *maps) record(t *autodiff.Tape, seen *autodiff.Node) *Inferred {
	return &Inferred{
		Z:      t.Affine(f.w, f.b, seen, autodiff.Linear),
		Mean:   f.mean.Record(t, seen),
		Spread: recordSpread(t, f.spread.Record(t, seen), f.config),
	}
}

func (f *maps) start(s Start) {
	c, rng := f.config, stats.Stream(s.Seed, "inference functions", uint64(f.config.Index))
	for m := range c.Inducing {
		identity(f.w.Value[m*c.Inputs*c.Inputs:], c.Inputs, c.Inputs)
	}
	stats.Normals(f.b.Value, rng)
	scale(f.b.Value, s.Noise)
	f.mean.Start(rng)
	f.spread.Start(rng)
	c.startMean(f.mean, 0, s.ZeroMean)
	c.startSpread(f.spread, 0, s.Spread)
}

// single implements ByNetwork. Its outputs are the inducing points, point by point, the means and
// the spread.
type single struct {
	config LocalConfig
	net    *autodiff.Perceptron
}

func (f *single) each(do func(name string, n *autodiff.Node)) {
	f.net.Each(func(name string, n *autodiff.Node) { do("net."+name, n) })
}

// parts returns the offsets of the means and the spread among the outputs.
func (f *single) parts() (mean, spread int) {
	c := f.config
	mean = c.Inducing * c.Inputs
	return mean, mean + c.Outputs*c.Inducing
}

func (f *single) record(t *autodiff.Tape, seen *autodiff.Node) *Inferred {
	out := f.net.Record(t, seen)
	mean, spread := f.parts()
	return &Inferred{
		Z:      t.SliceRows(out, 0, mean),
		Mean:   t.SliceRows(out, mean, spread),
		Spread: recordSpread(t, t.SliceRows(out, spread, out.Rows), f.config),
	}
}

func (f *single) start(s Start) {
	rng := stats.Stream(s.Seed, "inference functions", uint64(f.config.Index))
	f.net.Start(rng)
	// Random biases spread the inducing points.
	mean, spread := f.parts()
	last := f.net.B[len(f.net.B)-1].Value
	stats.Normals(last[:mean], rng)
	scale(last[:mean], s.Noise)
	f.config.startMean(f.net, mean, s.ZeroMean)
	f.config.startSpread(f.net, spread, s.Spread)
}

// startMean makes the means of all inducing points of an output the same function of the input, or
// zero if zero is set. from is the first output of net that holds a mean.
func (c LocalConfig) startMean(net *autodiff.Perceptron, from int, zero bool) {
	w := net.W[len(net.W)-1]
	b := net.B[len(net.B)-1]
	for o := range c.Outputs {
		first := from + o*c.Inducing
		if zero {
			clear(w.Row(first))
			b.Value[first] = 0
		}
		for m := 1; m < c.Inducing; m++ {
			copy(w.Row(first+m), w.Row(first))
			b.Value[first+m] = b.Value[first]
		}
	}
}

// startSpread makes the spread of all inducing points equal to sd. from is the first output of net
// that holds a spread.
func (c LocalConfig) startSpread(net *autodiff.Perceptron, from int, sd float64) {
	w := net.W[len(net.W)-1]
	b := net.B[len(net.B)-1]
	for k := range c.Outputs * c.spreads() {
		clear(w.Row(from + k))
		b.Value[from+k] = 0
		if c.positive(k) {
			b.Value[from+k] = math.Log(math.Expm1(sd))
		}
	}
}

// positive reports whether entry k of the spread must be positive: it is a standard deviation or a
// diagonal entry of a packed factor.
func (c LocalConfig) positive(k int) bool {
	if !c.Full {
		return true
	}
	k %= c.spreads()
	for i := range c.Inducing {
		if k == packed(i, i) {
			return true
		}
	}
	return false
}

// recordSpread records the spread, given raw, the outputs of a perceptron. Positive entries are
// transformed by softplus; the others are unchanged.
func recordSpread(t *autodiff.Tape, raw *autodiff.Node, c LocalConfig) *autodiff.Node {
	out := t.Output(1, raw.Rows, raw.Cols, raw)
	row := make([]float64, raw.Cols)
	return t.Record(out, func() error {
		for k := range raw.Rows {
			if c.positive(k) {
				vec.Softplus(out.Row(k), raw.Row(k))
			} else {
				copy(out.Row(k), raw.Row(k))
			}
		}
		return nil
	}, func() {
		g := out.Grad()
		d := raw.Grad()
		for k := range raw.Rows {
			from, to := k*raw.Cols, (k+1)*raw.Cols
			if !c.positive(k) {
				vec.AddScaled(d[from:to], g[from:to], 1)
				continue
			}
			// The derivative of softplus is exp(raw - softplus(raw)).
			for p, v := range raw.Row(k) {
				row[p] = v - out.Value[from+p]
			}
			vec.Exp(row, row)
			vec.AddMul(d[from:to], g[from:to], row)
		}
	})
}

// identity sets the rows x cols matrix w to ones on its diagonal and zeros elsewhere.
func identity(w []float64, rows, cols int) {
	clear(w[:rows*cols])
	for i := range min(rows, cols) {
		w[i*cols+i] = 1
	}
}

func scale(v []float64, c float64) {
	for i := range v {
		v[i] *= c
	}
}
