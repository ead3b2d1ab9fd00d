package dgp

import (
	"fmt"
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/param"
	"dgplab/models/random"
	"dgplab/models/train"
)

// positiveFloor is the lower bound of variances, lengthscales and noise.
const positiveFloor = 1e-6

// problem is the bound of a model's minibatches: a train.Problem, and an
// infer.GaussianProblem when q(f_M) is not among its parameters.
type problem struct {
	*bound
	data    family.Data
	seed    uint64
	batches *train.Minibatches

	set     *param.Set
	sources []source    // behind the parameters of set
	values  [][]float64 // the gradients of the sources, in order
	natural *gaussians  // q(f_M), when natural gradients move it
	terms   []float64
}

// source is where the values of a parameter are: a part of a leaf.
type source struct {
	node     *autodiff.Node
	from, to int
}

// newProblem returns the bound of data as a problem; natural says which Gaussians
// its parameters leave out.
func newProblem(b *bound, data family.Data, seed uint64, natural natgradKind) (*problem, error) {
	n, _ := data.X.Dims()
	p := &problem{bound: b, data: data, seed: seed, batches: train.NewMinibatches(seed, n, b.b), terms: make([]float64, 2)}
	b.numData = float64(n)
	if natural != none {
		p.natural = newGaussians(b.post, natural)
	}
	set, err := param.NewSet(p.collect()...)
	if err != nil {
		return nil, err
	}
	p.set, p.values = set, make([][]float64, len(p.sources))
	return p, nil
}

// collect lists the parameters, L_S block by block.
func (p *problem) collect() []*param.Parameter {
	var list []*param.Parameter
	part := func(name string, s source, transform param.Transform, shape ...int) {
		list = append(list, &param.Parameter{Name: name, Shape: shape, Transform: transform, Value: s.node.Value[s.from:s.to]})
		p.sources = append(p.sources, s)
	}
	add := func(name string, n *autodiff.Node, transform param.Transform) {
		part(name, source{n, 0, n.Len()}, transform, n.Batch, n.Rows, n.Cols)
	}
	post, positive := p.post, param.Positive{Lower: positiveFloor}
	for l, n := range post.layers {
		prefix := fmt.Sprintf("layer.%d.", l)
		add(prefix+"Z", n.z, param.Identity{})
		add(prefix+"kernel.lengthscales", n.lengthscales, positive)
		add(prefix+"kernel.variance", n.variance, positive)
		if p.natural == nil {
			add(prefix+"q_mu", n.qMu, param.Identity{})
		}
	}
	if p.natural == nil {
		for i, row := range post.rows {
			for _, j := range row {
				at := post.factorSpan(i, j)
				var transform param.Transform = param.Identity{}
				if i == j {
					transform = param.NewTriangular(at.rows, []bool{false})
				}
				part(fmt.Sprintf("q_sqrt.%d.%d", i, j), source{post.qSqrt, at.start, at.end()}, transform, at.rows, at.cols)
			}
		}
	}
	if post.arch.gaussian() {
		add("likelihood.variance", post.noise, positive)
	}
	return list
}

// Parameters implements infer.Problem.
func (p *problem) Parameters() *param.Set { return p.set }

// Draw implements infer.Problem: the minibatch and the standard normal draws.
func (p *problem) Draw(step uint64) {
	rows := p.batches.Rows(int(step))
	train.Columns(p.x.Value, p.data.X, rows)
	train.Columns(p.y.Value, p.data.Y, rows)
	stream := random.Stream(p.seed, "noise", step)
	for _, eps := range p.eps {
		random.Normals(eps.Value, stream)
	}
	if p.epsInducing != nil {
		random.Normals(p.epsInducing.Value, stream)
	}
	p.tape.Lap(partMinibatch.section(allLayers))
}

// Evaluate implements infer.Problem.
func (p *problem) Evaluate(dFree []float64) (float64, error) {
	if err := p.tape.Forward(); err != nil {
		return math.NaN(), err
	}
	value := p.elbo.Value[0]
	p.terms[0], p.terms[1] = p.expectedLogLik.Value[0], p.kl.Value[0]
	if dFree == nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return value, nil
	}
	p.tape.Backward(p.elbo)
	for k, s := range p.sources {
		p.values[k] = s.node.Grad()[s.from:s.to]
	}
	p.set.Pullback(dFree, p.values)
	return value, nil
}

// Terms implements train.Problem.
func (p *problem) Terms() []float64 { return p.terms }

// Rescues implements train.Problem.
func (p *problem) Rescues() int { return p.tape.Rescues() }

// State implements train.Problem: q(f_M), where it is not among the parameters.
func (p *problem) State() []param.Array {
	if p.natural == nil {
		return nil
	}
	var list []param.Array
	for l, n := range p.post.layers {
		list = append(list, param.Array{Name: fmt.Sprintf("layer.%d.q_mu", l), Data: n.qMu.Value})
	}
	return append(list, param.Array{Name: "q_sqrt", Data: p.post.qSqrt.Value})
}

// Gaussians implements infer.GaussianProblem.
func (p *problem) Gaussians() []int { return p.natural.dims }

// ReadGaussians implements infer.GaussianProblem.
func (p *problem) ReadGaussians(m, l, gradM, gradL []float64) {
	p.natural.exchange(m, l, values, false)
	p.natural.exchange(gradM, gradL, gradients, false)
}

// WriteGaussians implements infer.GaussianProblem.
func (p *problem) WriteGaussians(m, l []float64, halvings int) {
	if halvings > 0 {
		p.tape.CountRescues("natural-gradient step of q(f_M)", halvings)
	}
	p.natural.exchange(m, l, values, true)
}

var _ infer.GaussianProblem = (*problem)(nil)
