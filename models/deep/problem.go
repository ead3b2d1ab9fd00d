package deep

import (
	"fmt"
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/random"
	"dgplab/models/train"
)

// positiveFloor is the lower bound of the noise variance.
const positiveFloor = 1e-6

// problem is the objective of a model's minibatches: a train.Problem.
type problem struct {
	*objective
	stack   *stack
	data    family.Data
	seed    uint64
	batches *train.Minibatches

	set    *param.Set
	nodes  []*autodiff.Node // behind the parameters of set
	values [][]float64      // their gradients
	terms  []float64
}

// newProblem returns the objective of data as a problem, in minibatches of b.
func newProblem(st *stack, c Config, data family.Data, b int, seed uint64) (*problem, error) {
	n, _ := data.X.Dims()
	p := &problem{
		stack: st, objective: newObjective(st, c, n, b, c.Samples),
		data: data, seed: seed, batches: train.NewMinibatches(seed, n, b), terms: make([]float64, 2),
	}
	set, err := param.NewSet(p.collect()...)
	p.set, p.values = set, make([][]float64, len(p.nodes))
	return p, err
}

// collect lists the parameters.
func (p *problem) collect() (list []*param.Parameter) {
	add := func(name string, n *autodiff.Node, transform param.Transform) {
		list = append(list, &param.Parameter{Name: name, Shape: []int{n.Batch, n.Rows, n.Cols}, Transform: transform, Value: n.Value})
		p.nodes = append(p.nodes, n)
	}
	for l, of := range p.stack.layers {
		for _, q := range of.Parameters() {
			add(fmt.Sprintf("layer.%d.%s", l, q.Name), q.Node, q.Transform)
		}
	}
	if q := p.stack.quadrature; q != nil {
		for l, points := range q.points {
			add(fmt.Sprintf("quadrature.points.%d", l), points, param.Identity{})
		}
		add("quadrature.logits", q.logits, param.Identity{})
	}
	if p.stack.noise != nil {
		add("likelihood.variance", p.stack.noise, param.Positive{Lower: positiveFloor})
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
}

// Evaluate implements infer.Problem.
func (p *problem) Evaluate(dFree []float64) (float64, error) {
	if err := p.stack.tape.Forward(); err != nil {
		return math.NaN(), err
	}
	value := p.value.Value[0]
	p.terms[0], p.terms[1] = p.scaled.Value[0], p.kl.Value[0]
	if dFree == nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return value, nil
	}
	p.stack.tape.Backward(p.value)
	for k, n := range p.nodes {
		p.values[k] = n.Grad()
	}
	p.set.Pullback(dFree, p.values)
	return value, nil
}

// Terms implements train.Problem.
func (p *problem) Terms() []float64 { return p.terms }

// Rescues implements train.Problem.
func (p *problem) Rescues() int { return p.stack.tape.Rescues() }

// State implements train.Problem: the parameters are all that training changes.
func (p *problem) State() []param.Array { return nil }
