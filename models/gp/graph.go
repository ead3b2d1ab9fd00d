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
	"math"

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
	z *autodiff.Node
	// noise is the learned variance, [1][1][1], a constant 0 if all variances are known. known and weights
	// hold the known variances and the weights of the points, [1][1][N], or are nil.
	noise, known, weights *autodiff.Node

	terms []*autodiff.Node // [1][1][1], the parts of the objective
	parts []float64        // their values at the last evaluation
	value *autodiff.Node   // [1][1][1], their sum

	// Factors for predictions, valid after forward. root is the factor of K_MM (of K + noise for
	// the exact GP), [M][M]. inner is the factor of B, [M][M], or nil for the exact GP. solution
	// multiplies the solved kernel columns, [M][P].
	root, inner, solution []float64
	// features holds the whitened kernel columns at the training points, [1][M][N], or is nil for the exact
	// GP. diagonal holds the diagonal part D of the covariance of the targets, [1][1][N], or [1][1][1] if it
	// is the same for all points; see weighted.
	features, diagonal *autodiff.Node

	set    *param.Set
	leaves []*autodiff.Node // the nodes of the parameters in set, in the same order
	grads  [][]float64      // the gradients of the leaves
}

// start holds the initial parameters, and what is known about the points.
type start struct {
	z               []float64 // [M][D]; nil to use the data
	fixedZ          bool      // keep z fixed in training
	lengthscales    []float64 // [D]
	variance, noise float64
	known, weights  []float64 // as in family.Data, [N] or nil
	learned         bool      // the noise has a learned part besides the known one
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
	if s.known != nil {
		g.known = t.Constant(1, 1, n)
		copy(g.known.Value, s.known)
		if !s.learned {
			g.noise = t.Constant(1, 1, 1)
			s.noise = 0
		}
	}
	if s.weights != nil {
		g.weights = t.Constant(1, 1, n)
		copy(g.weights.Value, s.weights)
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
	if g.noise.Wanted() {
		add("likelihood.variance", g.noise, positive)
	}
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

// recordVariances records the noise variances of the points: [1][1][N], or [1][1][1] if they are equal.
func (g *graph) recordVariances() *autodiff.Node {
	if g.known == nil {
		return g.noise
	}
	return g.tape.Add(g.known, g.noise)
}

// weighted records the diagonal part D of the covariance of the targets for independent variances v of the
// targets, [1][1][N] or [1][1][1], and a constant that is added to the objective. Without weights, D is v and
// the constant is nil.
//
// With weight w, the log-likelihood of a target counts w times. Its factor in the likelihood is a Gaussian in
// f with the variance v/w, up to a constant:
//
//	N(y; f, v)^w = N(y; f, v/w) (2 pi v)^((1-w)/2) w^(-1/2),
//
// because w log N(y; f, v) = -w/2 log(2 pi v) - w (y - f)^2 / (2 v), and log N(y; f, v/w) begins with
// -1/2 log(2 pi v) + 1/2 log w. The evidence is therefore that of the targets with the variances v/w, plus
//
//	sum_n (1 - w_n)/2 log(2 pi v_n) - 1/2 log w_n
//
// for each output. With w = 2 it equals the evidence of a table in which the point occurs twice. Titsias'
// bound is the evidence of another covariance minus tr(K - Q) terms of the same form, sum_n w_n (K - Q)_nn /
// (2 v_n). FITC has v_n = (K - Q)_nn + noise, because its targets are independent given the inducing outputs.
func (g *graph) weighted(v *autodiff.Node) (diagonal, constant *autodiff.Node) {
	if g.weights == nil {
		return v, nil
	}
	t, n, p := g.tape, g.x.Cols, float64(g.y.Rows)
	halves := t.Constant(1, 1, n)
	var rest float64
	for i, w := range g.weights.Value {
		halves.Value[i] = 0.5 * (1 - w)
		rest += halves.Value[i]*math.Log(2*math.Pi) - 0.5*math.Log(w)
	}
	logs := t.Sum(t.Mul(halves, t.Log(v)))
	return t.Div(v, g.weights), t.Scale(t.AddScalar(logs, rest), p)
}

// withConstant records the sum of a term and a constant of weighted, which may be nil.
func (g *graph) withConstant(term, constant *autodiff.Node) *autodiff.Node {
	if constant == nil {
		return term
	}
	return g.tape.Add(term, constant)
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
