package layer

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// Cost holds the size of a layer and the cost of a forward pass.
type Cost struct {
	// Variational counts the parameters of q(u), or of the inference functions that compute it.
	// Parameters counts all trainable parameters.
	Variational, Parameters int
	// MACs counts the multiply-adds of one forward pass.
	MACs float64
	// Elementwise counts the multiply-adds outside of matrix products, and Shape is the shape of the
	// products that hold most of the others.
	Elementwise float64
	Shape       struct{ Rows, Inner, Cols int }
	// Stored is the approximate number of values stored for a forward pass. Gradients double it.
	Stored float64
}

// Costed is a layer configuration that computes the cost of the layer without building it.
type Costed interface {
	// Cost returns the cost of a pass of the given number of points. groups is the number of
	// columns in the input of the inference functions.
	Cost(points, groups int) Cost
}

// Cost implements Costed. It ignores elementwise operations of products except exponentials, which count
// as 20 multiply-adds. Operations on small matrices are elementwise, because vectors hold the same
// entry of the matrices of several points.
func (c LocalConfig) Cost(points, groups int) Cost {
	const exponential = 20
	d, t, m := c.Inputs, c.Outputs, c.Inducing
	sizes := func(outputs int) []int { return autodiff.PerceptronSizes(d, outputs, c.Hidden, c.Width) }
	inferred := m*d + t*m + t*c.spreads()
	var cost Cost
	if c.Inference == ByNetwork {
		cost.Variational = autodiff.NumWeights(sizes(inferred))
	} else {
		cost.Variational = m*d*(d+1) + autodiff.NumWeights(sizes(t*m)) +
			autodiff.NumWeights(sizes(t*c.spreads()))
	}
	cost.Parameters = cost.Variational + t*c.Kernel.NumParameters(d, c.ARD)
	if c.LinearMean {
		cost.Parameters += d * t
	}
	kernels := 1 // number of distance computations
	if c.ARD {
		kernels = t
	}
	cubes := m * m * m / 3 // factor and inverse
	if c.Full {
		cubes += m * m * m / 6
	}
	pairs := m * (m - 1) / 2
	ofGroup := cost.Variational + kernels*pairs*d + t*(exponential*pairs+cubes+m*m)
	ofPoint := kernels*m*d + t*m*(exponential+m+2)
	if c.LinearMean {
		ofGroup, ofPoint = ofGroup+m*d*t, ofPoint+d*t
	}
	cost.MACs = float64(groups)*float64(ofGroup) + float64(points)*float64(ofPoint)
	cost.Elementwise = cost.MACs - float64(groups)*float64(cost.Variational)
	cost.Shape.Rows, cost.Shape.Inner, cost.Shape.Cols = inferred, sizes(inferred)[c.Hidden], groups
	// Inducing inputs, inferred moments of their outputs, and their matrices.
	kept := 1.1*float64(m*d) + 2*float64(t*(m+c.spreads())) + 1.9*float64(t*(2*triangle(m)+m))
	cost.Stored = float64(cost.Parameters) + float64(groups)*kept + float64(points)*float64(2*t)
	return cost
}

// Cost implements Costed.
func (c GlobalConfig) Cost(points, _ int) Cost {
	m := float64(c.Inducing + c.Orthogonal)
	t := float64(c.Outputs)
	d := float64(c.Inputs)
	p := float64(points)
	kernels, blocks := 1.0, 0.0 // number of distance computations; entries of C
	if c.ARD {
		kernels = t
	}
	var cost Cost
	for _, n := range []int{c.Inducing, c.Orthogonal} {
		cost.Variational += 2 * c.Outputs * n
		if !c.Diagonal {
			cost.Variational += c.Outputs * n * (n - 1) / 2
		}
		blocks += float64(n * n)
	}
	cost.Parameters = cost.Variational + (c.Inducing+c.Orthogonal)*c.Inputs
	for gp := range c.Outputs {
		cost.Parameters += c.Kernel.Of(gp).NumParameters(c.Inputs, c.ARD)
	}
	if c.LinearMean {
		cost.Parameters += c.Inputs * c.Outputs
	}
	// Distances, factors, and triangular solves; triangular products count half.
	cost.Shape.Rows, cost.Shape.Inner, cost.Shape.Cols = c.Inducing, c.Inducing, points
	cost.MACs = kernels*m*d*(m/2+p) + t*(m*m*m/6+m*m/2*p)
	tiling := linalg.NewTiling(points)
	groups := min(c.Outputs, max(1, maxGroups/tiling.Chains))
	// Matrices per output; numbers per column and inducing input.
	sums, columns := float64(tiling.Chains), 1.0
	if !c.Diagonal || !c.Whiten {
		cost.MACs += t * blocks / 2 * p
		sums, columns = 2*sums+2, 2
	}
	if !c.Whiten {
		cost.MACs += t * (m*blocks/6 + m*m/2)
	}
	// Matrices that are not nodes have no gradients and count half.
	cost.Stored = float64(cost.Parameters) + m*m*(t*(1+sums/2)+kernels+float64(min(c.Outputs, maxGroups))) +
		m*p*(t*columns+2*kernels+float64(groups))/2 + 3*m*float64(groups*tiling.Chains*tiling.Width)/2
	return cost
}
