package ep

import (
	"fmt"
	"math/rand/v2"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/train"
)

// positiveFloor is the lower bound of variances, lengthscales and noise.
const positiveFloor = 1e-6

// problem is the energy on the minibatches of a data set: a train.Problem.
type problem struct {
	*energy
	train.Leaves
	data    family.Data
	batches *train.Minibatches
	terms   []float64
	state   []param.Array
	counted []*autodiff.Tape // tapes with counted rescues
	// contracted is set if hidden layers start narrower than their prior.
	contracted bool
}

// newProblem returns the energy of data as a problem. Its parameters are the hyperparameters and
// factors, the leaves of each GP. kept holds further state that training changes.
func newProblem(
	e *energy, factors [][]leaf, kept []param.Array, data family.Data, seed uint64,
) (*problem, error) {
	n, _ := data.X.Dims()
	p := &problem{energy: e, data: data, batches: train.NewMinibatches(seed, n, e.y.Cols),
		terms: make([]float64, 2), state: kept,
		counted: []*autodiff.Tape{e.tape}}
	p.collect(factors)
	return p, p.Close()
}

// collect adds the parameters. Variances, lengthscales and noise use an exponential transform,
// because the lengthscales of irrelevant inputs grow by orders of magnitude.
func (p *problem) collect(factors [][]leaf) {
	positive := param.Exponential{Lower: positiveFloor}
	at := 0
	p.eachGP(func(l, k int, g *gp) {
		prefix := fmt.Sprintf("layer.%d.gp.%d.", l, k)
		p.Add(prefix+"Z", g.Z, param.Identity{})
		p.Add(prefix+"kernel.lengthscales", g.Lengthscales, positive)
		p.Add(prefix+"kernel.variance", g.Variance, positive)
		if factors != nil {
			for _, f := range factors[at] {
				p.Add(prefix+f.name, f.node, f.transform)
			}
		}
		at++
	})
	for l, current := range p.layers {
		if current.noise != nil {
			p.Add(noiseName(l, len(p.layers)), current.noise, positive)
		}
	}
}

// noiseName returns the parameter name of the noise of a layer. The noise of the last layer belongs
// to the likelihood.
func noiseName(l, layers int) string {
	if l == layers-1 {
		return "likelihood.variance"
	}
	return fmt.Sprintf("layer.%d.noise", l)
}

// Draw implements infer.Problem. Only the minibatch is random.
func (p *problem) Draw(step uint64) {
	rows := p.batches.Rows(int(step))
	train.Columns(p.pass.x.Value, p.data.X, rows)
	train.Columns(p.y.Value, p.data.Y, rows)
}

// Points implements train.WindowedProblem.
func (p *problem) Points() (n, window int) {
	n, _ = p.data.X.Dims()
	return n, p.y.Cols
}

// Window implements train.WindowedProblem. It needs no draws.
func (p *problem) Window(start, end int, _ *rand.Rand) (sum, beside float64, err error) {
	train.Window(p.pass.x.Value, p.data.X, start)
	train.Window(p.y.Value, p.data.Y, start)
	_, err = p.Evaluate(nil)
	if err != nil {
		return 0, 0, err
	}
	return train.SumOfWindow(p.logZ.Value, p.y.Cols, end-start), p.factors.Value[0], nil
}

// Evaluate implements infer.Problem.
func (p *problem) Evaluate(dFree []float64) (float64, error) {
	value, err := p.EvaluateTape(p.tape, p.value, dFree)
	if err == nil {
		p.terms[0], p.terms[1] = p.scaled.Value[0], p.factors.Value[0]
	}
	return value, err
}

// Terms implements train.Problem.
func (p *problem) Terms() []float64 { return p.terms }

// Rescues implements train.Problem.
func (p *problem) Rescues() (all int) {
	for _, t := range p.counted {
		all += t.Rescues()
	}
	return all
}

// rescuesByMatrix returns the number of rescues by matrix.
func (p *problem) rescuesByMatrix() map[string]int {
	all := map[string]int{}
	for _, t := range p.counted {
		for matrix, n := range t.RescuesByMatrix() {
			all[matrix] += n
		}
	}
	return all
}

// State implements train.Problem.
func (p *problem) State() []param.Array { return p.state }
