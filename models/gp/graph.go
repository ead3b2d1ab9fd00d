// Package gp implements regression with one Gaussian process and Gaussian noise, for models whose
// evidence or bound has a closed form: the exact GP, Titsias' collapsed bound (SGPR) and FITC.
// Several outputs are independent GPs that share one kernel.
//
//	graph               the objective, recorded once: its parameters and terms
//	evidence, sparse    the recorded objectives of the exact GP and of SGPR and FITC
//	predict             the predictive moments at new points
//	Families            the families, their hyperparameters and their models
package gp

import (
	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/param"
	"dgplab/models/train"
)

// positiveFloor is the lower bound of variances, lengthscales and noise.
const positiveFloor = 1e-6

// graph is an objective on the full data, recorded once, with its parameters. It is a deterministic
// train.Problem.
type graph struct {
	tape   *autodiff.Tape
	kernel *kernel.Covariance
	jitter float64
	x, y   *autodiff.Node // the data, [1][D][N] and [1][P][N]

	// z holds the inducing inputs, [1][M][D]; the exact GP uses the training inputs.
	z     *autodiff.Node
	noise *autodiff.Node // [1][1][1]

	terms []*autodiff.Node // [1][1][1], the parts of the objective
	parts []float64        // their values at the last evaluation
	value *autodiff.Node   // [1][1][1], their sum

	// Factors for predictions, valid after forward. root is the factor of K_MM (of K + noise for
	// the exact GP), [M][M]. inner is the factor of B, [M][M], or nil for the exact GP. weights
	// multiplies the solved kernel columns, [M][P].
	root, inner, weights []float64
	// features holds the whitened kernel columns at the training points, [1][M][N], and diagonal
	// holds the diagonal part of the covariance of the targets, [1][1][N], or [1][1][1] if it is the
	// same for all points. Both are nil for the exact GP.
	features, diagonal *autodiff.Node

	set    *param.Set
	leaves []*autodiff.Node // the nodes of the parameters in set, in the same order
	grads  [][]float64      // the gradients of the leaves
}

// start holds the initial parameters.
type start struct {
	z               []float64 // [M][D]; nil to use the data
	fixedZ          bool      // keep z fixed in training
	lengthscales    []float64 // [D]
	variance, noise float64
}

// newGraph returns a graph for x [N][D] and y [N][P]; record records the objective.
func newGraph(
	k kernel.Kernel, jitter float64, s start, x, y []float64, n int, record func(*graph),
) (*graph, error) {
	t := autodiff.NewTape()
	d := len(x) / n
	p := len(y) / n
	g := &graph{
		tape: t, jitter: jitter, x: t.Constant(1, d, n), y: t.Constant(1, p, n),
		kernel: kernel.NewCovariance(t, k, 1, true), noise: t.Variable(1, 1, 1),
	}
	linalg.Transpose(g.x.Value, x, n, d)
	linalg.Transpose(g.y.Value, y, n, p)
	if s.z == nil {
		s.z, s.fixedZ = x, true
	}
	leaf := t.Variable
	if s.fixedZ {
		leaf = t.Constant
	}
	g.z = leaf(1, len(s.z)/d, d)
	copy(g.z.Value, s.z)
	g.kernel.Start(s.variance, func(column int) float64 { return s.lengthscales[column] })
	g.noise.Value[0] = s.noise
	record(g)
	return g, g.collect()
}

// finish records the objective, which is the sum of terms.
func (g *graph) finish(terms ...*autodiff.Node) {
	g.terms, g.value = terms, terms[0]
	g.parts = make([]float64, len(terms))
	for _, term := range terms[1:] {
		g.value = g.tape.Add(g.value, term)
	}
}

// collect creates the parameter set.
func (g *graph) collect() error {
	var list []*param.Parameter
	add := func(name string, n *autodiff.Node, transform param.Transform) {
		list = append(list, &param.Parameter{
			Name:      name,
			Shape:     []int{n.Rows, n.Cols},
			Value:     n.Value,
			Transform: transform,
		})
		g.leaves = append(g.leaves, n)
	}
	// The lengthscales of irrelevant inputs grow by orders of magnitude. On boston, training
	// converges in 60 steps with this transform, and in 500 with param.Positive.
	positive := param.Exponential{Lower: positiveFloor}
	if g.z.Wanted() {
		add("Z", g.z, param.Identity{})
	}
	for _, p := range g.kernel.Parameters(positive) {
		add("kernel."+p.Name, p.Node, p.Transform)
	}
	add("likelihood.variance", g.noise, positive)
	set, err := param.NewSet(list...)
	if err != nil {
		return err
	}
	g.set, g.grads = set, make([][]float64, len(list))
	// Recompute the values from the free parameters, so that they equal the values of a restored
	// checkpoint to the last bit.
	set.Forward()
	return nil
}

var _ train.Problem = (*graph)(nil)

// Parameters implements infer.Problem.
func (g *graph) Parameters() *param.Set { return g.set }

// Draw implements infer.Problem. It does nothing: the objective is deterministic.
func (g *graph) Draw(uint64) {}

// Evaluate implements infer.Problem.
func (g *graph) Evaluate(dFree []float64) (float64, error) {
	if err := g.tape.Forward(); err != nil {
		return 0, err
	}
	for i, term := range g.terms {
		g.parts[i] = term.Value[0]
	}
	if dFree != nil {
		g.tape.Backward(g.value)
		for i, leaf := range g.leaves {
			g.grads[i] = leaf.Grad()
		}
		g.set.Pullback(dFree, g.grads)
	}
	return g.value.Value[0], nil
}

// Terms implements train.Problem.
func (g *graph) Terms() []float64 { return g.parts }

// Rescues implements train.Problem.
func (g *graph) Rescues() int { return g.tape.Rescues() }

// State implements train.Problem. It returns nil: training changes only the parameters.
func (g *graph) State() []param.Array { return nil }
