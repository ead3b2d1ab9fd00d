package deep

import (
	"fmt"
	"math/rand/v2"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/stats"
	"dgplab/models/train"
)

// problem is the objective on the minibatches of a data set: a train.Problem.
type problem struct {
	*objective
	train.Leaves
	stack   *stack
	data    family.Data
	seed    uint64
	batches *train.Minibatches
	terms   []float64
}

// newProblem returns the objective on data as a problem with minibatches of b points.
func newProblem(st *stack, c Config, data family.Data, b int, seed uint64) (*problem, error) {
	n, _ := data.X.Dims()
	p := &problem{
		stack: st, objective: newObjective(st, c, n, b, c.Samples),
		data: data, seed: seed, batches: train.NewMinibatches(seed, n, b), terms: make([]float64, 2),
	}
	p.collect()
	return p, p.Close()
}

// collect adds the parameters of the layers, the quadrature and the noise.
func (p *problem) collect() {
	for l, current := range p.stack.layers {
		for _, q := range current.Parameters() {
			p.Add(fmt.Sprintf("layer.%d.%s", l, q.Name), q.Node, q.Transform)
		}
	}
	if q := p.stack.quadrature; q != nil {
		for l, points := range q.points {
			p.Add(fmt.Sprintf("quadrature.points.%d", l), points, param.Identity{})
		}
		p.Add("quadrature.logits", q.logits, param.Identity{})
	}
	if e := p.stack.encoder; e != nil {
		e.net.Each(func(name string, n *autodiff.Node) { p.Add("encoder."+name, n, param.Identity{}) })
	}
	p.AddLikelihood(p.likelihood, p.stack.observation)
}

// Draw implements infer.Problem. It draws the minibatch and the standard normal noise.
func (p *problem) Draw(step uint64) {
	rows := p.batches.Rows(int(step))
	train.Columns(p.x.Value, p.data.X, rows)
	train.Columns(p.y.Value, p.data.Y, rows)
	p.rows.Gather(p.data.Noise, p.data.Weights, rows)
	stream := stats.Stream(p.seed, "noise", step)
	for _, eps := range p.eps {
		stats.Normals(eps.Value, stream)
	}
}

// Points implements train.WindowedProblem.
func (p *problem) Points() (n, window int) {
	n, _ = p.data.X.Dims()
	return n, p.b
}

// Window implements train.WindowedProblem. For layers with inducing outputs per point, it uses the
// KL of the points in the window.
func (p *problem) Window(start, end int, draws *rand.Rand) (sum, beside float64, err error) {
	train.Window(p.x.Value, p.data.X, start)
	train.Window(p.y.Value, p.data.Y, start)
	p.rows.Window(p.data.Noise, p.data.Weights, start)
	for _, eps := range p.eps {
		stats.Normals(eps.Value, draws)
	}
	_, err = p.Evaluate(nil)
	if err != nil {
		return 0, 0, err
	}
	count := end - start
	for _, m := range p.moments {
		kl := m.KL.Value[0]
		if m.KL.Cols > 1 {
			kl = train.SumOfWindow(m.KL.Value, p.b, count) * float64(p.b) / float64(m.KL.Cols*count)
		}
		beside -= p.beta * kl
	}
	return train.SumOfWindow(p.logLik.Value, p.b, count), beside, nil
}

// Evaluate implements infer.Problem.
func (p *problem) Evaluate(dFree []float64) (float64, error) {
	value, err := p.EvaluateTape(p.stack.tape, p.value, dFree)
	if err == nil {
		p.terms[0], p.terms[1] = p.scaled.Value[0], p.kl.Value[0]
	}
	return value, err
}

// Terms implements train.Problem.
func (p *problem) Terms() []float64 { return p.terms }

// Rescues implements train.Problem.
func (p *problem) Rescues() int { return p.stack.tape.Rescues() }

// State implements train.Problem. Training changes only the parameters; the trend is included to
// make checkpoints self-contained.
func (p *problem) State() []param.Array {
	if p.stack.trend == nil {
		return nil
	}
	return []param.Array{{Name: "trend", Data: p.stack.trend.weights}}
}
