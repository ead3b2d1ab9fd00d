package ep

import (
	"fmt"
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/train"
)

// positiveFloor is the lower bound of variances, lengthscales and noise.
const positiveFloor = 1e-6

// problem is the energy of a model's minibatches: a train.Problem.
type problem struct {
	*energy
	data    family.Data
	batches *train.Minibatches

	set    *param.Set
	nodes  []*autodiff.Node // behind the parameters of set
	values [][]float64      // their gradients
	terms  []float64
	state  []param.Array
}

// newProblem returns the energy of data as a problem of the hyperparameters and of what
// else is learned, by GP; kept is what training changes beside them.
func newProblem(e *energy, factors [][]leaf, kept []param.Array, data family.Data, seed uint64) (*problem, error) {
	n, _ := data.X.Dims()
	p := &problem{energy: e, data: data, batches: train.NewMinibatches(seed, n, e.y.Cols), terms: make([]float64, 2), state: kept}
	set, err := param.NewSet(p.collect(factors)...)
	p.set, p.values = set, make([][]float64, len(p.nodes))
	return p, err
}

// collect lists the parameters. Variances, lengthscales and noise move by factors: those
// of inputs that do not matter grow by orders of magnitude.
func (p *problem) collect(factors [][]leaf) (list []*param.Parameter) {
	add := func(prefix string, leaves ...leaf) {
		for _, f := range leaves {
			n := f.node
			list = append(list, &param.Parameter{Name: prefix + f.name, Shape: []int{n.Rows, n.Cols}, Transform: f.transform, Value: n.Value})
			p.nodes = append(p.nodes, n)
		}
	}
	positive := param.Exponential{Lower: positiveFloor}
	at := 0
	p.eachGP(func(l, k int, g *gp) {
		prefix := fmt.Sprintf("layer.%d.gp.%d.", l, k)
		add(prefix, leaf{"Z", g.Z, param.Identity{}},
			leaf{"kernel.lengthscales", g.Lengthscales, positive}, leaf{"kernel.variance", g.Variance, positive})
		if factors != nil {
			add(prefix, factors[at]...)
		}
		at++
	})
	for l, of := range p.layers {
		if of.noise != nil {
			add("", leaf{noiseName(l, len(p.layers)), of.noise, positive})
		}
	}
	return list
}

// noiseName is what the noise of a layer is called: that of the last is the likelihood's.
func noiseName(l, layers int) string {
	if l == layers-1 {
		return "likelihood.variance"
	}
	return fmt.Sprintf("layer.%d.noise", l)
}

// Parameters implements infer.Problem.
func (p *problem) Parameters() *param.Set { return p.set }

// Draw implements infer.Problem: the minibatch; nothing else is random.
func (p *problem) Draw(step uint64) {
	rows := p.batches.Rows(int(step))
	train.Columns(p.pass.x.Value, p.data.X, rows)
	train.Columns(p.y.Value, p.data.Y, rows)
}

// Evaluate implements infer.Problem.
func (p *problem) Evaluate(dFree []float64) (float64, error) {
	if err := p.tape.Forward(); err != nil {
		return math.NaN(), err
	}
	value := p.value.Value[0]
	p.terms[0], p.terms[1] = p.scaled.Value[0], p.factors.Value[0]
	if dFree == nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return value, nil
	}
	p.tape.Backward(p.value)
	for k, n := range p.nodes {
		p.values[k] = n.Grad()
	}
	p.set.Pullback(dFree, p.values)
	return value, nil
}

// Terms implements train.Problem.
func (p *problem) Terms() []float64 { return p.terms }

// Rescues implements train.Problem.
func (p *problem) Rescues() int { return p.tape.Rescues() }

// State implements train.Problem.
func (p *problem) State() []param.Array { return p.state }
