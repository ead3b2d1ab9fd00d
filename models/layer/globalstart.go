package layer

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/stats"
)

// GlobalStart holds the starting values of the parameters of a Global.
type GlobalStart struct {
	// Z holds the inducing inputs Z followed by O, [M+M_O, D].
	Z *mat.Dense
	// MeanW holds the weights of the linear mean function, [D, T]. It is nil for a zero mean.
	MeanW *mat.Dense
	// Variance and Lengthscale are the starting values for all kernels.
	Variance, Lengthscale float64
	// Spread is the standard deviation of q(u) relative to the prior. Noise is the standard
	// deviation of the means of q(u) around the prior means.
	Spread, Noise float64
	// Seed and Index identify the random stream of the layer.
	Seed  uint64
	Index int
}

// Start sets the parameters of a layer created on t. Without whitening, the means of q(u) start at
// the mean function. Its factor starts at Spread times the root of the prior covariance, or, if the
// factor is diagonal, at Spread times the root of the diagonal of that covariance. Start returns an
// error if a factorisation fails.
func (g *Global) Start(t *autodiff.Tape, s GlobalStart) error {
	z := mat.DenseCopyOf(s.Z).RawMatrix().Data
	copy(g.Z.Value, z)
	if g.O != nil {
		copy(g.O.Value, z[g.Z.Len():])
	}
	g.Kernels.Start(s.Variance, func(int) float64 { return s.Lengthscale })
	if g.MeanW != nil {
		copy(g.MeanW.Value, mat.DenseCopyOf(s.MeanW).RawMatrix().Data)
	}
	stream := stats.Stream(s.Seed, "q_mu", uint64(s.Index))
	for _, q := range g.Q {
		stats.Normals(q.Mu.Value, stream)
		for i := range q.Mu.Value {
			q.Mu.Value[i] *= s.Noise
		}
		for i := range q.Factor.Value {
			q.Factor.Value[i] *= s.Spread
		}
	}
	if g.Config.Whiten {
		return nil
	}
	return g.colour(t, s)
}

// colour converts the starting values of q(u) from whitened to unwhitened form.
func (g *Global) colour(t *autodiff.Tape, s GlobalStart) error {
	if g.MeanW != nil {
		var means mat.Dense
		means.Mul(s.Z, s.MeanW)
		for k := range g.Config.Outputs {
			for m, v := range mat.Col(nil, k, &means) {
				g.Q[0].Mu.Row(k)[m] += v
			}
		}
	}
	if g.Config.Diagonal {
		inputs := mat.DenseCopyOf(s.Z.T()).RawMatrix().Data
		for _, q := range g.Q {
			for i := range q.Factor.Value {
				q.Factor.Value[i] *= math.Sqrt(g.Kernels.Scale(i/q.Factor.Cols, inputs))
			}
		}
		return nil
	}
	if err := t.WithoutRescues(t.Forward); err != nil {
		return err
	}
	from := 0
	for _, q := range g.Q {
		n := q.Mu.Cols
		for k := range g.Config.Outputs {
			root := g.root.At(k)
			for i := range n {
				at := (from+i)*g.root.Cols + from
				for j, v := range root[at : at+i+1] {
					q.Factor.At(k)[i*n+j] = s.Spread * v
				}
			}
		}
		from += n
	}
	return nil
}
