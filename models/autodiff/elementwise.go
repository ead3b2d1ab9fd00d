package autodiff

import (
	"math"

	"dgplab/models/linalg/vec"
)

// unary records an elementwise operation. value computes out from a; grad adds to da, given the
// gradient g of out.
func (t *Tape) unary(a *Node, value func(out, a []float64), grad func(da, g, a, out []float64)) *Node {
	out := t.Output(a.Batch, a.Rows, a.Cols, a)
	return t.Record(out, func() error {
		value(out.Value, a.Value[:len(out.Value)])
		return nil
	}, func() {
		size := out.Len()
		grad(a.Grad()[:size], out.Grad()[:size], a.Value[:size], out.Value[:size])
	})
}

// Neg returns -a.
func (t *Tape) Neg(a *Node) *Node { return t.Scale(a, -1) }

// Scale returns c a.
func (t *Tape) Scale(a *Node, c float64) *Node {
	return t.unary(a, func(out, a []float64) {
		for i, v := range a {
			out[i] = c * v
		}
	}, func(da, g, _, _ []float64) {
		for i, v := range g {
			da[i] += c * v
		}
	})
}

// AddScalar returns a with c added to every entry.
func (t *Tape) AddScalar(a *Node, c float64) *Node {
	return t.unary(a, func(out, a []float64) {
		for i, v := range a {
			out[i] = v + c
		}
	}, func(da, g, _, _ []float64) {
		for i, v := range g {
			da[i] += v
		}
	})
}

// Exp returns the exponential of every entry.
func (t *Tape) Exp(a *Node) *Node {
	return t.unary(a, vec.Exp, func(da, g, _, out []float64) {
		for i, v := range g {
			da[i] += v * out[i]
		}
	})
}

// Log returns the natural logarithm of every entry, which is NaN below zero and -Inf at zero.
func (t *Tape) Log(a *Node) *Node {
	return t.unary(a, vec.Log, func(da, g, a, _ []float64) {
		for i, v := range g {
			da[i] += v / a[i]
		}
	})
}

// Sqrt returns the square root of every entry, which is NaN below zero. The gradient at zero is
// infinite.
func (t *Tape) Sqrt(a *Node) *Node {
	return t.unary(a, func(out, a []float64) {
		for i, v := range a {
			out[i] = math.Sqrt(v)
		}
	}, func(da, g, _, out []float64) {
		for i, v := range g {
			da[i] += 0.5 * v / out[i]
		}
	})
}

// Square returns the square of every entry.
func (t *Tape) Square(a *Node) *Node {
	return t.unary(a, func(out, a []float64) {
		for i, v := range a {
			out[i] = v * v
		}
	}, func(da, g, a, _ []float64) {
		for i, v := range g {
			da[i] += 2 * v * a[i]
		}
	})
}

// Reciprocal returns the reciprocal of every entry.
func (t *Tape) Reciprocal(a *Node) *Node {
	return t.unary(a, func(out, a []float64) {
		for i, v := range a {
			out[i] = 1 / v
		}
	}, func(da, g, _, out []float64) {
		for i, v := range g {
			da[i] -= v * out[i] * out[i]
		}
	})
}

// Tanh returns the hyperbolic tangent of every entry.
func (t *Tape) Tanh(a *Node) *Node {
	return t.unary(a, func(out, a []float64) {
		for i, v := range a {
			out[i] = math.Tanh(v)
		}
	}, func(da, g, _, out []float64) {
		for i, v := range g {
			da[i] += v * (1 - out[i]*out[i])
		}
	})
}

// Softplus returns log(1 + exp(v)) for every entry v, without overflow for large v and without loss
// of the exponential tail for very negative v.
func (t *Tape) Softplus(a *Node) *Node {
	return t.unary(a, func(out, a []float64) {
		for i, v := range a {
			out[i] = math.Max(v, 0) + math.Log1p(math.Exp(-math.Abs(v)))
		}
	}, func(da, g, a, _ []float64) {
		for i, v := range g {
			da[i] += v * sigmoid(a[i])
		}
	})
}

// sigmoid returns 1/(1 + exp(-v)), accurate in both tails.
func sigmoid(v float64) float64 {
	if v >= 0 {
		return 1 / (1 + math.Exp(-v))
	}
	e := math.Exp(v)
	return e / (1 + e)
}
