package layer

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/prior"
)

// gps is the GPs of a layer before there is any posterior.
type gps struct {
	kernel                 kernel.Kernel
	inputs                 int            // D
	variance, lengthscales *autodiff.Node // [1][T][1], [1][T][1 or D]
	meanW                  *autodiff.Node // [1][D][T]; nil for a zero mean
}

// priorOf returns the GPs of a layer.
func (l *Local) priorOf() gps {
	return gps{kernel.Kernel{Kind: l.config.Kernel}, l.config.Inputs, l.variance, l.lengthscales, l.meanW}
}

func (g *Global) priorOf() gps {
	return gps{g.Config.Kernel, g.Config.Inputs, g.Variance, g.Lengthscales, g.MeanW}
}

// Prior draws functions from the GPs of a layer of this package.
func Prior(l Layer) prior.Layer {
	g := l.(interface{ priorOf() gps }).priorOf()
	return prior.Layer{Numbers: func(n int) int { return g.outputs() * n }, Draw: g.draw}
}

func (g gps) outputs() int { return g.variance.Rows }

// scales returns the lengthscales of output t, [D].
func (g gps) scales(t int) []float64 {
	row := g.lengthscales.Row(t)
	if len(row) == g.inputs {
		return row
	}
	all := make([]float64, g.inputs)
	for d := range all {
		all[d] = row[0]
	}
	return all
}

// mean returns the mean function at in, [D][n]: [T][n].
func (g gps) mean(in []float64) []float64 {
	n := len(in) / g.inputs
	f := make([]float64, g.outputs()*n)
	if g.meanW != nil {
		matrix := func(data []float64, cols int) blas64.General {
			return blas64.General{Rows: len(data) / cols, Cols: cols, Stride: cols, Data: data}
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, matrix(g.meanW.Value, g.outputs()), matrix(in, n), 0, matrix(f, n))
	}
	return f
}

// byPoint returns points, [D][n], point by point, [n][D].
func byPoint(in []float64, d int) []float64 {
	n, out := len(in)/d, make([]float64, len(in))
	for i := range d {
		for k := range n {
			out[k*d+i] = in[i*n+k]
		}
	}
	return out
}

// draw returns the functions at in, [D][n], for eps [T][n]: [T][n].
func (g gps) draw(in, eps []float64) ([]float64, error) {
	n, d := len(in)/g.inputs, g.inputs
	f, k, rows, scratch := g.mean(in), make([]float64, n*n), byPoint(in, d), make([]float64, d)
	for t := range g.outputs() {
		variance := g.variance.Value[t]
		g.kernel.Kuf(k, rows, in, g.scales(t), variance, scratch, n, d, n)
		if err := prior.AddGPs(f[t*n:(t+1)*n], k, variance, eps[t*n:(t+1)*n], n); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// AmortizedPrior draws functions from the prior of a layer given inducing outputs u that
// each input has of its own, at inducing points that the inference functions make of it
// (Meng, Zhang, 2024, eqs. 4.2 and 4.3): with L L^T = K_uu of input x, a = L^-1 k_u(x) and
// v = L^-1 (u - m(Z)),
//
//	f(x) = m(x) + a^T v + sqrt(k(x, x) - a^T a) e,
//
// with a standard normal e that all inputs of a function share. Either u is what the
// inference functions say is its mean, or it comes from its prior, where a function has one
// standard normal v. Then each value has the distribution of the conventional prior, and
// how the values go together is up to the inference functions.
//
// ok is false for a layer without inference functions.
func AmortizedPrior(of Layer, atMeans bool) (p prior.Layer, ok bool) {
	l, ok := of.(*Local)
	if !ok {
		return p, false
	}
	d := &amortizedDraw{layer: l, gps: l.priorOf(), atMeans: atMeans}
	return prior.Layer{Numbers: func(int) int { return d.outputs() * d.each() }, Draw: d.draw}, true
}

// amortizedDraw draws from the prior of a layer given inducing outputs.
type amortizedDraw struct {
	gps
	layer   *Local
	atMeans bool
}

// each returns how many numbers an output takes: e, and before it v, unless u is given.
func (d *amortizedDraw) each() int {
	if d.atMeans {
		return 1
	}
	return d.layer.config.Inducing + 1
}

// draw returns the functions at in, [D][n], for eps [T][M+1], or [T][1]: [T][n].
func (d *amortizedDraw) draw(in, eps []float64) ([]float64, error) {
	inputs, m := d.inputs, d.layer.config.Inducing
	n, each := len(in)/inputs, d.each()
	q, err := d.inferred(in)
	if err != nil {
		return nil, err
	}
	z := byPoint(q.Z.Value, m*inputs)
	f, rows, scratch := d.mean(in), byPoint(in, inputs), make([]float64, m*inputs+inputs)
	root, a, v := make([]float64, m*m), make([]float64, m), make([]float64, m)
	for t := range d.outputs() {
		own := eps[t*each : (t+1)*each]
		variance, scales := d.variance.Value[t], d.scales(t)
		for k := range n {
			points := z[k*m*inputs : (k+1)*m*inputs]
			if err := d.root(root, points, t, scratch); err != nil {
				return nil, err
			}
			d.kernel.Kuf(a, points, rows[k*inputs:(k+1)*inputs], scales, variance, scratch, m, inputs, 1)
			linalg.SolveLower(root, a, m, 1, 1)
			if d.atMeans {
				d.beyond(v, q.Mean, points, t, k)
				linalg.SolveLower(root, v, m, 1, 1)
			} else {
				copy(v, own)
			}
			f[t*n+k] += blend(a, v, variance, own[each-1])
		}
	}
	return f, nil
}

// root sets dst, [M][M], to the factor of K_uu of output t at inducing points [M][D].
func (d *amortizedDraw) root(dst, points []float64, t int, scratch []float64) error {
	m := d.layer.config.Inducing
	kuu := make([]float64, m*m)
	d.kernel.Kuu(kuu, points, d.scales(t), d.variance.Value[t], scratch, m, d.inputs)
	for i := range m {
		kuu[i*m+i] += d.layer.config.Jitter
	}
	_, err := linalg.Cholesky(dst, kuu, m, d.layer.place())
	return err
}

// beyond sets dst, [M], to by how much the means, [1][T*M][n], of output t at column k exceed
// those of the mean function at its inducing points, [M][D].
func (d *amortizedDraw) beyond(dst []float64, means *autodiff.Node, points []float64, t, k int) {
	for m := range dst {
		dst[m] = means.Row(t*len(dst) + m)[k]
		if d.meanW == nil {
			continue
		}
		for i, x := range points[m*d.inputs : (m+1)*d.inputs] {
			dst[m] -= d.meanW.Row(i)[t] * x
		}
	}
}

// blend returns a^T v + sqrt(variance - a^T a) e.
func blend(a, v []float64, variance, e float64) (sum float64) {
	rest := variance
	for i, x := range a {
		sum += x * v[i]
		rest -= x * x
	}
	return sum + math.Sqrt(math.Max(rest, 0))*e
}

// inferred returns what the inference functions make of inputs, [D][n].
func (d *amortizedDraw) inferred(in []float64) (*Inferred, error) {
	t := autodiff.NewTape()
	seen := t.Constant(1, d.inputs, len(in)/d.inputs)
	copy(seen.Value, in)
	q := d.layer.inference.record(t, seen)
	return q, t.Forward()
}
