package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Prior is the prior of a parameter around its starting value. It is log-normal for a positive
// parameter, with the starting value as its median, and normal for a real parameter.
type Prior struct {
	Start float64
	// Spread is the standard deviation of the logarithm of a positive parameter, or of a real one.
	Spread float64
	Real   bool
}

// prior returns the prior of the parameter for the given starting value.
func (p Parameter) prior(start float64) Prior { return Prior{start, p.Spread, p.Real} }

// LogDensity returns the log density at x, -Inf outside the support.
func (p Prior) LogDensity(x float64) float64 {
	off := x - p.Start
	var jacobian float64
	if !p.Real {
		if !(x > 0) {
			return math.Inf(-1)
		}
		off = math.Log(x / p.Start)
		jacobian = math.Log(x)
	}
	off /= p.Spread
	return -0.5*off*off - math.Log(p.Spread) - 0.5*math.Log(2*math.Pi) - jacobian
}

// Draw returns a draw.
func (p Prior) Draw(r *rand.Rand) float64 {
	off := p.Spread * r.NormFloat64()
	if p.Real {
		return p.Start + off
	}
	return p.Start * math.Exp(off)
}

// String describes the prior, for example "lognormal(log 1, 1)".
func (p Prior) String() string {
	if p.Real {
		return fmt.Sprintf("normal(%g, %g)", p.Start, p.Spread)
	}
	return fmt.Sprintf("lognormal(log %g, %g)", p.Start, p.Spread)
}

// Unknown is a parameter value that determines a kernel up to its scale.
type Unknown struct {
	// Name is the name of the parameter as in Parameters. Column is the number of the value if the
	// parameter has several, and -1 otherwise.
	Name   string
	Column int
	// Value is the current value.
	Value *float64
	Prior Prior
	// Lengthscale is set for lengthscales.
	Lengthscale bool
}

// Unknowns lists the parameter values of a single GP that determine its covariance up to a factor. The
// first variance of each function whose variance is a scale of the whole kernel, or of a product that has
// another one, keeps its starting value and is not among them. Start must have been called; the priors are
// centred at the current values.
func (c *Covariance) Unknowns() (list []Unknown) {
	fixed := make([]bool, len(c.leaves))
	c.root.eachScale(true, func(l *leaf, scale bool) { fixed[l.index] = scale })
	names := c.Parameters(nil)
	for i, l := range c.leaves {
		for k, p := range l.Parameters() {
			name := names[0].Name
			names = names[1:]
			values := c.nodes[i][k].Value
			for at := range values {
				if p.Name == variance && at == 0 && fixed[i] {
					continue
				}
				u := Unknown{Name: name, Column: at, Value: &values[at], Prior: p.prior(values[at]),
					Lengthscale: p.Name == lengthscales}
				if len(values) == 1 {
					u.Column = -1
				}
				list = append(list, u)
			}
		}
	}
	return list
}

// eachScale calls visit with each function. scale reports whether the variance of the function scales the
// whole kernel, or a product that also has the variance of its first factor.
func (n *node) eachScale(scale bool, visit func(l *leaf, scale bool)) {
	if n.leaf != nil {
		visit(n.leaf, scale)
	}
	for i, term := range n.terms {
		if i > 0 {
			scale = n.product
		}
		term.eachScale(scale, visit)
	}
}

// NumUnknowns returns the number of Unknowns of a GP with d inputs and one lengthscale per function. The
// kernel need not be bound.
func (k Kernel) NumUnknowns(d int) int {
	count := k.NumParameters(d, false)
	k.root.eachScale(true, func(_ *leaf, scale bool) {
		if scale {
			count--
		}
	})
	return count
}
