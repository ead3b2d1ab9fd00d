package layer

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
)

// GPs holds the GPs of a layer's prior.
type GPs struct {
	Kernels *kernel.Covariance
	Inputs  int // D
	// MeanW holds the weights of the linear mean function, [1][D][T]. It is nil for a zero mean.
	MeanW *autodiff.Node
}

// Prior implements Layer.
func (l *Local) Prior() GPs {
	return GPs{l.covariance, l.config.Inputs, l.meanW}
}

// Prior implements Layer.
func (g *Global) Prior() GPs {
	return GPs{g.Kernels, g.Config.Inputs, g.MeanW}
}

// Draws returns a kernel.PriorLayer that draws functions from the GPs.
func (g GPs) Draws() kernel.PriorLayer {
	return kernel.PriorLayer{NumNormals: func(n int) int { return g.outputs() * n }, Draw: g.draw}
}

func (g GPs) outputs() int { return g.Kernels.Outputs }

// Mean returns the mean function, [T][n], at the points in, [D][n].
func (g GPs) Mean(in []float64) []float64 {
	n := len(in) / g.Inputs
	f := make([]float64, g.outputs()*n)
	if g.MeanW != nil {
		matrix := func(data []float64, cols int) blas64.General {
			return blas64.General{Rows: len(data) / cols, Cols: cols, Stride: cols, Data: data}
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, matrix(g.MeanW.Value, g.outputs()),
			matrix(in, n), 0, matrix(f, n))
	}
	return f
}

// transposed returns the transpose, [n][D], of points [D][n].
func transposed(in []float64, d int) []float64 {
	n := len(in) / d
	out := make([]float64, len(in))
	for i := range d {
		for k := range n {
			out[k*d+i] = in[i*n+k]
		}
	}
	return out
}

// draw returns the functions, [T][n], at the points in, [D][n], for eps [T][n].
func (g GPs) draw(in, eps []float64) ([]float64, error) {
	n := len(in) / g.Inputs
	f := g.Mean(in)
	k := make([]float64, n*n)
	for t := range g.outputs() {
		g.Kernels.Kff(k, t, in)
		if err := kernel.AddGPs(f[t*n:(t+1)*n], k, g.Kernels.Scale(t, in), eps[t*n:(t+1)*n], n); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// AmortizedPrior returns a prior layer that draws functions given inducing outputs u. Each input
// has its own u, at the inducing points that the inference functions compute (Meng, Zhang, 2024,
// eqs. 4.2 and 4.3). With L L^T = K_uu of input x, a = L^-1 k_u(x) and v = L^-1 (u - m(Z)),
//
//	f(x) = m(x) + a^T v + sqrt(k(x, x) - a^T a) e,
//
// where the standard normal e is shared by all inputs of a function. If atMeans is set, u is the
// mean that the inference functions compute. Otherwise u is drawn from its prior, with one standard
// normal v per function. In the second case, each value has the distribution of the conventional
// prior, and the inference functions determine the dependence between values.
func (l *Local) AmortizedPrior(atMeans bool) kernel.PriorLayer {
	d := &amortizedDraw{priorFactor: newPriorFactor(l), gps: l.Prior(), atMeans: atMeans}
	return kernel.PriorLayer{
		NumNormals: func(int) int { return l.config.Outputs * d.normalsPerOutput() },
		Draw:       d.draw,
	}
}

// amortizedDraw draws from the prior of a layer given inducing outputs.
type amortizedDraw struct {
	*priorFactor
	gps     GPs
	atMeans bool
}

// normalsPerOutput returns the number of standard normal numbers per output: v, unless u is given,
// followed by e.
func (d *amortizedDraw) normalsPerOutput() int {
	if d.atMeans {
		return 1
	}
	return d.config.Inducing + 1
}

// draw returns the functions, [T][n], at the points in, [D][n], for eps [T][M+1] or [T][1].
func (d *amortizedDraw) draw(in, eps []float64) ([]float64, error) {
	inputs, m := d.config.Inputs, d.config.Inducing
	n := len(in) / inputs
	each := d.normalsPerOutput()
	tape := autodiff.NewTape()
	seen := tape.Constant(1, inputs, n)
	copy(seen.Value, in)
	q := d.inference.record(tape, seen)
	if err := tape.Forward(); err != nil {
		return nil, err
	}
	f := d.gps.Mean(in)
	points := transposed(in, inputs)
	a := make([]float64, m)
	v := make([]float64, m)
	variances := make([]float64, n)
	for t := range d.config.Outputs {
		own := eps[t*each : (t+1)*each]
		d.gps.Kernels.Diagonal(variances, t, in)
		for k := range n {
			if err := d.factorise(q, t, k); err != nil {
				return nil, err
			}
			d.gps.Kernels.Kuf(a, t, d.z, points[k*inputs:(k+1)*inputs])
			linalg.SolveLower(d.root, a, m, 1, 1)
			if d.atMeans {
				copy(v, rows(q.Mean.Value, q.Mean.Cols, t*m, m, k))
				d.addMean(v, t, -1)
				linalg.SolveLower(d.root, v, m, 1, 1)
			} else {
				copy(v, own)
			}
			sum, rest := 0.0, variances[k]
			for i, x := range a {
				sum += x * v[i]
				rest -= x * x
			}
			f[t*n+k] += sum + math.Sqrt(math.Max(rest, 0))*own[each-1]
		}
	}
	return f, nil
}
