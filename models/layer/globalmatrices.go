package layer

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
)

// leastRescue is the smallest excess of the diagonal over variance and jitter, relative to the
// kernel variance, that counts as a rescue. Smaller ones are rounding errors.
const leastRescue = 1e-12

// Matrices returns the conditioning of K_uu for the worst of the outputs.
func (g *Global) Matrices(*Inferred, []int) []Matrix {
	m := g.root.Rows
	worst := Matrix{Name: g.kuuName(), Condition: 1, SmallestPivot: math.Inf(1), Jitter: g.Config.Jitter}
	for t := range g.Config.Outputs {
		l := g.root.At(t)
		v := g.Kernels.Scale(t, g.inducing.Row(0))
		worst.Condition = max(worst.Condition, linalg.CholeskyCondition(l, m))
		worst.SmallestPivot = min(worst.SmallestPivot, linalg.SmallestPivot(l, m))
		// The first entry of L L^T is k(z, z) of the first inducing input plus all jitter.
		if added := l[0]*l[0] - v; added > g.Config.Jitter+leastRescue*v {
			worst.Jitter = max(worst.Jitter, added)
		}
	}
	return []Matrix{worst}
}

// kuuName names the covariances of the inducing outputs.
func (g *Global) kuuName() string { return "K_uu of " + g.Config.Layer }

// Inducing returns the number of inducing outputs per output, at Z and O together.
func (g *Global) Inducing() int { return g.root.Rows }

// InducingInputs returns a copy of the inducing inputs, Z followed by O, [n][D] with n = Inducing().
func (g *Global) InducingInputs() []float64 { return slices.Clone(g.inducing.Value) }

// Mean returns the mean of q(u) of output t, m(Z) + L mu, [n], where mu is the whitened mean and n
// = Inducing().
func (g *Global) Mean(t int) []float64 {
	n := g.root.Rows
	mean := slices.Clone(g.mean.Row(t))
	blas64.Trmv(blas.NoTrans, linalg.Lower(g.root.At(t), n, n), blas64.Vector{N: n, Inc: 1, Data: mean})
	if g.MeanW != nil {
		for i := range mean {
			for d, x := range g.inducing.Row(i) {
				mean[i] += g.MeanW.Row(d)[t] * x
			}
		}
	}
	return mean
}

// Covariance returns the covariance of q(u) of output t, L C C^T L^T, [n][n], where n = Inducing().
func (g *Global) Covariance(t int) []float64 {
	n := g.root.Rows
	f := make([]float64, n*n) // C
	from := 0
	for _, c := range g.factors {
		size := c.Cols
		for i := range size {
			row := f[(from+i)*n+from:]
			if c.Len() == g.Config.Outputs*size {
				row[i] = c.Row(t)[i]
				continue
			}
			copy(row, c.At(t)[i*size:i*size+i+1])
		}
		from += size
	}
	whole := blas64.General{Rows: n, Cols: n, Stride: n, Data: f}
	blas64.Trmm(blas.Left, blas.NoTrans, 1, linalg.Lower(g.root.At(t), n, n), whole)
	s := make([]float64, n*n)
	blas64.Syrk(blas.NoTrans, 1, whole, 0, blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: s})
	linalg.Mirror(s, n)
	return s
}
