package dgp

import "dgplab/models/family"

// cost counts the operations of one step for a structure of layers, B points and R samples.
type cost struct {
	structure *structure
	inputs    []int // D_l
	kernels   []int // parameters of the kernel of each layer
	n, b, r   int
	sampled   bool // the inducing outputs are sampled
}

// points returns the number of columns of layer l. Layer 1 has deterministic inputs and B columns.
func (c cost) points(l int) float64 {
	if l == 0 {
		return float64(c.b)
	}
	return float64(c.r * c.b)
}

// predicted returns the numbers of points and of columns that predictions hold in memory; see
// family.PredictionSize.
func (c cost) predicted() (points, columns float64) { return family.PredictionSize(c.n) }

// shape returns the shape of the products of a block of L_S with the columns of the last layer.
func (c cost) shape() family.Shape {
	last := len(c.structure.widths) - 1
	m := c.structure.inducing[last]
	return family.Shape{Rows: m, Inner: m, Cols: int(c.points(last))}
}

// sampledMACs returns the multiply-adds of the bound if the inducing outputs are sampled: no
// covariance of inducing outputs is computed, and blocks of L_S are multiplied by R columns.
func (c cost) sampledMACs() (total float64) {
	s := c.structure
	for l := range s.widths {
		total += c.independentMACs(l)
	}
	for _, g := range s.groups {
		for _, pair := range g.pairs {
			size := float64(s.inducing[g.upper] * s.inducing[g.lower] * c.r)
			if pair.i == pair.j {
				size /= 2
			}
			total += size
		}
	}
	return total
}

// independentMACs returns the multiply-adds of layer l that do not depend on L_S.
func (c cost) independentMACs(l int) float64 {
	s := c.structure
	p := c.points(l)
	m := float64(s.inducing[l])
	total := m * m / 2 * p                            // L_K^-1 K_MN
	total += float64(s.widths[l]+c.inputs[l]) * m * p // means, distances
	total += m * m * m / 6                            // chol K_MM
	return total + float64(c.inputs[l])*m*(m+1)/2     // K_MM
}

// forwardMACs returns the multiply-adds of the matrix products of the bound. A triangular product
// counts half; elementwise operations and scalars per point are omitted. The form of a pair within a
// layer, which is quadratic, counts as a triangular product: it is computed as a full product, but its
// gradient costs correspondingly less.
func (c cost) forwardMACs() float64 {
	s := c.structure
	var total float64
	for l, width := range s.widths {
		m := float64(s.inducing[l])
		total += c.independentMACs(l) + float64(width)*m*m/2*c.points(l) // quadratic forms
	}
	for _, g := range s.groups {
		forms := float64((len(g.pairs) - g.diagonal) * s.inducing[g.upper] * s.inducing[g.lower])
		if g.upper == g.lower {
			forms /= 2
		}
		total += forms * c.points(g.lower)
		for _, pair := range g.pairs {
			total += c.block(pair.i, pair.j)
		}
	}
	return total
}

// variational returns the number of free entries of the means and of L_S.
func (c cost) variational() int {
	s := c.structure
	free := s.outputs() + s.factors.size()
	for i := range s.rows {
		free -= s.points(i) * (s.points(i) - 1) / 2 // above the diagonal
	}
	return free
}

// hyperparameters returns the number of kernel parameters, inducing inputs and noise parameters.
func (c cost) hyperparameters() int {
	n := 1
	for l, in := range c.inputs {
		n += c.structure.inducing[l]*in + c.kernels[l]
	}
	return n
}

// block returns the multiply-adds that compute block (i, j) of S_M.
func (c cost) block(i, j int) float64 {
	s := c.structure
	size := float64(s.points(i) * s.points(j))
	var total float64
	for _, k := range s.common(i, j) {
		if k == j {
			total += size * float64(s.points(k)) / 2
		} else {
			total += size * float64(s.points(k))
		}
	}
	return total
}

// stepFLOPs returns the floating-point operations of the bound and its gradient. The backward pass
// costs twice the forward pass, and a multiply-add is two operations.
func (c cost) stepFLOPs() float64 {
	if c.sampled {
		return 2 * 3 * c.sampledMACs()
	}
	return 2 * 3 * c.forwardMACs()
}
