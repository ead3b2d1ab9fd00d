package ep

import (
	"dgplab/models/autodiff"
	"dgplab/models/param"
)

// form selects the parametrisation of the factor of a GP.
type form int

const (
	// natural is T1 and the lower triangle R of T2 = R R^T, as in the paper.
	natural form = iota
	// whitened is the whitened posterior mean and the lower triangle of H = R R^T. These values do
	// not change with K_uu.
	whitened
)

// formNames are the values of the hyperparameter.
var formNames = []string{natural: "natural", whitened: "whitened"}

// leaf is a learned parameter.
type leaf struct {
	name      string
	node      *autodiff.Node
	transform param.Transform
}

// recordFactor records the factor of g as a function of new leaves, and returns the leaves.
func recordFactor(t *autodiff.Tape, g *gp, of form) []leaf {
	m := g.inducing
	first := t.Variable(1, m, 1)
	root := t.Variable(1, m, m)
	names := []string{"factor.T1", "factor.R"}
	r := root
	if of == natural {
		r = t.MatMul(g.root, root, autodiff.TransA)
	}
	hh := t.MatMul(r, r, autodiff.TransB)
	var h *autodiff.Node
	if of == natural {
		h = t.MatMul(g.root, first, autodiff.TransA)
	} else {
		names = []string{"q_mu", "factor.root"}
		h = t.Add(t.Scale(first, 1/float64(g.copies)), t.MatMul(hh, first))
	}
	g.setFactor(t, h, hh)
	return []leaf{
		{names[0], first, param.Identity{}}, {names[1], root, param.NewTriangular(m, []bool{false})},
	}
}
