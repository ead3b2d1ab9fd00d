package kernel

import (
	"fmt"
	"slices"

	"dgplab/models/autodiff"
)

// newMixed returns the covariance of GPs with different kernels, each with its own parameters.
func newMixed(t *autodiff.Tape, k Kernel, ard bool) *Covariance {
	c := &Covariance{Kernel: k, Outputs: len(k.each)}
	for _, one := range k.each {
		c.own = append(c.own, NewCovariance(t, one, 1, ard))
	}
	return c
}

// gp returns the covariance that holds GP t, and the number of the GP there.
func (c *Covariance) gp(t int) (own *Covariance, at int) {
	if c.own == nil {
		return c, t
	}
	return c.own[t], 0
}

// parametersOfGPs lists the parameters of GPs with different kernels: "gp0.lengthscales".
func (c *Covariance) parametersOfGPs(list func(own *Covariance) []Named) (all []Named) {
	for t, own := range c.own {
		for _, p := range list(own) {
			p.Name = fmt.Sprintf("gp%d.%s", t, p.Name)
			all = append(all, p)
		}
	}
	return all
}

// termsOfGPs returns the terms of all kernels that are sums.
func (c *Covariance) termsOfGPs() (list []*Covariance) {
	for t, own := range c.own {
		for _, term := range own.Terms() {
			part := *c
			part.own = slices.Clone(c.own)
			part.own[t], part.text, part.ofGP = term, term.text, t+1
			list = append(list, &part)
		}
	}
	return list
}

// Concerns reports whether GP t has the covariance. It is false if the covariance is a term of the kernel
// of another GP.
func (c *Covariance) Concerns(t int) bool { return c.ofGP == 0 || c.ofGP == t+1 }

// recordOfGPs records matrices of each of the GPs, one batch after the other.
func (c *Covariance) recordOfGPs(
	t *autodiff.Tape, record func(own *Covariance) *autodiff.Node,
) *autodiff.Node {
	var parts []*autodiff.Node
	for _, own := range c.own {
		parts = append(parts, record(own))
	}
	return t.StackBatch(parts...)
}

// recordDiagonals records k(x, x) of each of the GPs, [1][T][P].
func (c *Covariance) recordDiagonals(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	var parts []*autodiff.Node
	for _, own := range c.own {
		diagonal := own.RecordDiagonal(t, x)
		if diagonal.Cols < x.Cols {
			diagonal = t.Add(t.Constant(1, 1, x.Cols), diagonal)
		}
		parts = append(parts, diagonal)
	}
	return t.StackRows(parts...)
}
