package dgp

import (
	"errors"
	"fmt"
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/param"
)

// positiveFloor is the lower bound of variances, lengthscales and noise.
const positiveFloor = 1e-6

// optimiser moves a model's parameters after the tape has been differentiated:
// all of them by Adam, or q(f_M) by natural gradients and the rest by Adam.
type optimiser struct {
	set     *param.Set
	sources []source // behind the parameters of set
	adam    *infer.Adam
	grad    []float64
	// values are the gradients of the sources, in order.
	values  [][]float64
	natural *natural
}

// source is where the values of a parameter are: a part of a leaf.
type source struct {
	node     *autodiff.Node
	from, to int
}

// optimise gives the model its optimiser.
func (m *Model) optimise(mem member, v family.Values) error {
	m.step = make([]float64, 1)
	o := &optimiser{}
	if mem.natgrad != none && v.Text("optimizer") == "natgrad" {
		o.natural = newNatural(m.bound.post, mem.natgrad, v.Float("natgrad_step"))
	}
	set, err := param.NewSet(o.collect(m.bound.post)...)
	if err != nil {
		return err
	}
	o.set = set
	o.grad = make([]float64, set.Size())
	o.values = make([][]float64, len(o.sources))
	o.adam = infer.NewAdam(set.Size(), infer.Staircase{
		Rate: v.Float("learning_rate"), Decay: v.Float("decay_rate"), Every: v.Int("decay_steps")})
	m.optimiser = o
	// Values are what the free numbers say to the last bit, as after a restart.
	return o.restored()
}

// collect lists the parameters that Adam moves, L_S block by block.
func (o *optimiser) collect(p *posterior) []*param.Parameter {
	var list []*param.Parameter
	part := func(name string, s source, transform param.Transform, shape ...int) {
		list = append(list, &param.Parameter{Name: name, Shape: shape, Transform: transform, Value: s.node.Value[s.from:s.to]})
		o.sources = append(o.sources, s)
	}
	add := func(name string, n *autodiff.Node, transform param.Transform) {
		part(name, source{n, 0, n.Len()}, transform, n.Batch, n.Rows, n.Cols)
	}
	positive := param.Positive{Lower: positiveFloor}
	for l, n := range p.layers {
		prefix := fmt.Sprintf("layer.%d.", l)
		add(prefix+"Z", n.z, param.Identity{})
		add(prefix+"kernel.lengthscales", n.lengthscales, positive)
		add(prefix+"kernel.variance", n.variance, positive)
		if o.natural == nil {
			add(prefix+"q_mu", n.qMu, param.Identity{})
		}
	}
	if o.natural == nil {
		m := p.arch.M
		for i, row := range p.rows {
			for _, j := range row {
				at := p.blockOf(i, j) * m * m
				part(fmt.Sprintf("q_sqrt.%d.%d", i, j), source{p.qSqrt, at, at + m*m}, param.NewTriangular(m, []bool{i != j}), m, m)
			}
		}
	}
	if p.arch.Likelihood == Gaussian {
		add("likelihood.variance", p.noise, positive)
	}
	return list
}

// move takes one step uphill. Either all parameters move or, with an error, none.
func (o *optimiser) move(step int) (norm, rate float64, err error) {
	for k, s := range o.sources {
		o.values[k] = s.node.Grad()[s.from:s.to]
	}
	o.set.Pullback(o.grad, o.values)
	if o.natural != nil {
		if err := o.named(infer.CheckFinite(o.grad), step); err != nil {
			return 0, 0, err
		}
		if err := o.natural.move(); err != nil {
			return 0, 0, fmt.Errorf("step %d: %w; lower natgrad_step", step, err)
		}
	}
	rate = o.adam.Rate()
	if err := o.adam.Maximise(o.set.Free, o.grad); err != nil {
		return 0, 0, o.named(err, step)
	}
	o.set.Forward()
	return math.Sqrt(sumSquares(o.grad)), rate, nil
}

// named says of an error about the gradient which parameter's it is.
func (o *optimiser) named(err error, step int) error {
	var bad *infer.NonFiniteError
	if errors.As(err, &bad) {
		return &family.NonFiniteError{Where: "the gradient of " + o.set.NameAt(bad.Index), Step: step}
	}
	return err
}

// size returns the number of parameters.
func (o *optimiser) size() int {
	if o.natural == nil {
		return o.set.Size()
	}
	return o.set.Size() + o.natural.size()
}

// state names what a checkpoint holds.
func (o *optimiser) state() []family.Array {
	list := []family.Array{
		{Name: "parameters", Data: o.set.Free},
		{Name: "adam.first", Data: o.adam.First},
		{Name: "adam.second", Data: o.adam.Second},
		{Name: "adam.count", Data: o.adam.Count},
	}
	if o.natural != nil {
		for l, n := range o.natural.post.layers {
			list = append(list, family.Array{Name: fmt.Sprintf("layer.%d.q_mu", l), Data: n.qMu.Value})
		}
		list = append(list, family.Array{Name: "q_sqrt", Data: o.natural.post.qSqrt.Value})
	}
	return list
}

// restored makes the values those of the free numbers.
func (o *optimiser) restored() error {
	for _, v := range [][]float64{o.set.Free, o.adam.First, o.adam.Second} {
		if err := infer.CheckFinite(v); err != nil {
			return fmt.Errorf("the checkpoint is damaged: %w", err)
		}
	}
	o.set.Forward()
	return nil
}
