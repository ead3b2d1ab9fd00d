package layer

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/random"
)

// GlobalStart is where the parameters of a Global begin.
type GlobalStart struct {
	// Z holds the inducing inputs, those of O after those of Z, [M+M_O, D].
	Z *mat.Dense
	// MeanW is the linear mean function, [D, T], nil where there is none.
	MeanW *mat.Dense
	// Variance and Lengthscale are those of all kernels.
	Variance, Lengthscale float64
	// Spread is the standard deviation of q(u), relative to the prior's, and Noise that
	// of its means around the prior's.
	Spread, Noise float64
	// Seed and Index name the stream of random numbers of the layer.
	Seed  uint64
	Index int
}

// Start sets the parameters of a layer that was made on t. Not whitened, means start at
// the mean function, a full q(u) at Spread times the root of its prior's covariance,
// and a diagonal one at that of its diagonal. The error is that of a factorisation.
func (g *Global) Start(t *autodiff.Tape, s GlobalStart) error {
	z := mat.DenseCopyOf(s.Z).RawMatrix().Data
	copy(g.Z.Value, z)
	if g.O != nil {
		copy(g.O.Value, z[g.Z.Len():])
	}
	fill(g.Variance, s.Variance)
	fill(g.Lengthscales, s.Lengthscale)
	if g.MeanW != nil {
		copy(g.MeanW.Value, mat.DenseCopyOf(s.MeanW).RawMatrix().Data)
	}
	stream := random.Stream(s.Seed, "q_mu", uint64(s.Index))
	for _, q := range g.Q {
		random.Normals(q.Mu.Value, stream)
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

// colour takes the start of a whitened q(u) to that of u itself.
func (g *Global) colour(t *autodiff.Tape, s GlobalStart) error {
	if g.MeanW != nil {
		for k := range g.Config.Outputs {
			for m, v := range mat.Col(nil, k, product(s.Z, s.MeanW)) {
				g.Q[0].Mu.Row(k)[m] += v
			}
		}
	}
	if g.Config.Diagonal {
		for _, q := range g.Q {
			for i := range q.Factor.Value {
				q.Factor.Value[i] *= math.Sqrt(s.Variance)
			}
		}
		return nil
	}
	if err := t.Quietly(t.Forward); err != nil {
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

func product(a, b *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Mul(a, b)
	return &c
}

// Cost implements Costed.
func (c GlobalConfig) Cost(points, _ int) Cost {
	m, t, d, p := float64(c.Inducing+c.Orthogonal), float64(c.Outputs), float64(c.Inputs), float64(points)
	scales, kernels, blocks := 1, 1.0, 0.0 // of an output; that distances are computed for; entries of C
	if c.ARD {
		scales, kernels = c.Inputs, t
	}
	var cost Cost
	for _, n := range []int{c.Inducing, c.Orthogonal} {
		cost.Variational += 2 * c.Outputs * n
		if !c.Diagonal {
			cost.Variational += c.Outputs * n * (n - 1) / 2
		}
		blocks += float64(n * n)
	}
	cost.Parameters = cost.Variational + (c.Inducing+c.Orthogonal)*c.Inputs + c.Outputs*(1+scales)
	if c.LinearMean {
		cost.Parameters += c.Inputs * c.Outputs
	}
	// Distances, factors, and what is solved with them: triangular products count half.
	cost.MACs = kernels*m*d*(m/2+p) + t*(m*m*m/6+m*m/2*p)
	tiling := linalg.NewTiling(points)
	groups := min(c.Outputs, max(1, maxGroups/tiling.Chains))
	sums, columns := float64(tiling.Chains), 1.0 // matrices of an output; its numbers of a column and an inducing input
	if !c.Diagonal || !c.Whiten {
		cost.MACs += t * blocks / 2 * p
		sums, columns = 2*sums+2, 2
	}
	if !c.Whiten {
		cost.MACs += t * (m*blocks/6 + m*m/2)
	}
	// Half of what is kept, since only nodes have gradients as well.
	cost.Numbers = float64(cost.Parameters) + m*m*(t*(1+sums/2)+kernels+float64(min(c.Outputs, maxGroups))) +
		m*p*(t*columns+2*kernels+float64(groups))/2 + 3*m*float64(groups*tiling.Chains*tiling.Width)/2
	return cost
}
