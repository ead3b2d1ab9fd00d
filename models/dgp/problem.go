package dgp

import (
	"fmt"
	"math"
	"math/rand/v2"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg/vec"
	"dgplab/models/param"
	"dgplab/models/stats"
	"dgplab/models/train"
)

// positiveFloor is the lower bound of variances and lengthscales.
const positiveFloor = 1e-6

// problem is the bound on the minibatches of a data set. It is a train.Problem, and an
// infer.GaussianProblem if q(f_M) is not among its parameters.
type problem struct {
	*bound
	train.Leaves
	data    family.Data
	seed    uint64
	batches *train.Minibatches
	natural *gaussians // q(f_M), if natural gradients optimise it
	terms   []float64
	noise   *rand.Rand // the stream of the noise
	// noiseOf is the step whose noise has been drawn or is being drawn, and next is the step whose noise may
	// be drawn as soon as the current noise is not needed. Both may be noStep.
	noiseOf, next uint64
}

// noStep is not the number of a step.
const noStep = math.MaxUint64

// newProblem returns the bound on data as a problem. natural selects the Gaussians to exclude from its
// parameters because natural gradients update them. couplingRate is the learning rate of off-diagonal blocks
// relative to other parameters.
func newProblem(
	b *bound, data family.Data, seed uint64, natural natgradKind, couplingRate float64,
) (*problem, error) {
	n, _ := data.X.Dims()
	p := &problem{
		bound:   b,
		data:    data,
		seed:    seed,
		batches: train.NewMinibatches(seed, n, b.b),
		terms:   make([]float64, 2),
		noiseOf: noStep,
		next:    noStep,
	}
	b.numData = float64(n)
	p.drawing.Body = p.drawNoise
	p.differentiated = p.startEarly
	if natural != none {
		p.natural = newGaussians(b.post, natural)
	}
	p.collect(couplingRate)
	return p, p.Close()
}

// collect adds the parameters, with L_S block by block. A row has many more off-diagonal entries than
// diagonal ones, and Adam changes each of them by its rate. At the full rate, the posterior of the row's GP
// would therefore change mainly through the couplings (models/RESULTS.md).
func (p *problem) collect(couplingRate float64) {
	post := p.post
	for l, n := range post.layers {
		post.addPrior(&p.Leaves, l)
		if p.natural == nil {
			p.Add(meanName(l), n.qMu, param.Identity{})
		}
	}
	if p.natural == nil {
		post.eachBlock(func(i, j int, at span) {
			var transform param.Transform = param.Scaled{Factor: couplingRate}
			if i == j {
				transform = param.NewTriangular(at.rows, []bool{false})
			}
			p.AddPart(blockName(i, j), post.qSqrt, at.start, at.end(), transform, at.rows, at.cols)
		})
	}
	p.AddLikelihood(post.arch.Likelihood, post.observation)
}

// addPrior adds the inducing inputs and the kernel of layer l to the parameters.
func (p *posterior) addPrior(to *train.Leaves, l int) {
	n := p.layers[l]
	prefix := fmt.Sprintf("layer.%d.", l)
	positive := param.Positive{Lower: positiveFloor}
	to.Add(prefix+"Z", n.z, param.Identity{})
	for _, parameter := range n.kernel.Parameters(positive) {
		to.Add(prefix+"kernel."+parameter.Name, parameter.Node, parameter.Transform)
	}
}

// meanName and blockName return the names of the parameters of q(f_M).
func meanName(l int) string     { return fmt.Sprintf("layer.%d.q_mu", l) }
func blockName(i, j int) string { return fmt.Sprintf("q_sqrt.%d.%d", i, j) }

// AuxiliaryParameters implements train.AuxiliaryProblem. It returns the parameters of q(f_M) if
// natural gradients update them.
func (p *problem) AuxiliaryParameters() (list []*param.Parameter) {
	if p.natural == nil {
		return nil
	}
	add := func(name string, value []float64, shape ...int) {
		list = append(list, &param.Parameter{
			Name:      name,
			Shape:     shape,
			Transform: param.Identity{},
			Value:     value,
		})
	}
	for l, n := range p.post.layers {
		add(meanName(l), n.qMu.Value, n.qMu.Batch, n.qMu.Rows, n.qMu.Cols)
	}
	p.post.eachBlock(func(i, j int, at span) {
		add(blockName(i, j), p.post.qSqrt.Value[at.start:at.end()], at.rows, at.cols)
	})
	return list
}

// Draw implements infer.Problem. It draws the minibatch, and starts to draw the standard normal noise unless
// Prepare did.
func (p *problem) Draw(step uint64) {
	rows := p.batches.Rows(int(step))
	train.Columns(p.x.Value, p.data.X, rows)
	train.Columns(p.y.Value, p.data.Y, rows)
	p.rows.Gather(p.data.Noise, p.data.Weights, rows)
	if p.noiseOf != step {
		p.startNoise(step)
	}
	p.next = noStep
	p.tape.Lap(partMinibatch.section(allLayers))
}

// Prepare implements infer.Preparer.
func (p *problem) Prepare(step uint64) { p.next = step }

// startEarly starts to draw the noise of the next step if it was announced. It is called when the gradients
// of all points have been computed and most of the remaining work is for one processor.
func (p *problem) startEarly() {
	if p.next != noStep {
		p.startNoise(p.next)
		p.next = noStep
	}
}

// startNoise starts to draw the noise of a step.
func (p *problem) startNoise(step uint64) {
	p.drawing.Wait() // An evaluation that failed may not have waited for it.
	p.noise = stats.Stream(p.seed, "noise", step)
	p.noiseOf = step
	p.drawing.Start()
}

// drawNoise sets the standard normal noise.
func (p *problem) drawNoise() {
	for _, eps := range p.eps {
		p.drawInto(eps.Value)
	}
	if p.epsInducing != nil {
		p.drawInto(p.epsInducing.Value)
	}
}

// drawInto sets dst to standard normal draws. Other processors have read the old ones.
func (p *problem) drawInto(dst []float64) {
	const section = 256
	for len(dst) > 0 {
		draws := dst[:min(section, len(dst))]
		dst = dst[len(draws):]
		vec.PrefetchWrite(dst[:min(section, len(dst))])
		stats.Normals(draws, p.noise)
	}
}

// Points implements train.WindowedProblem.
func (p *problem) Points() (n, window int) { return int(p.numData), p.b }

// Window implements train.WindowedProblem.
func (p *problem) Window(start, end int, draws *rand.Rand) (sum, beside float64, err error) {
	train.Window(p.x.Value, p.data.X, start)
	train.Window(p.y.Value, p.data.Y, start)
	p.rows.Window(p.data.Noise, p.data.Weights, start)
	p.drawing.Wait()
	p.noiseOf = noStep
	p.noise = draws
	p.drawNoise()
	_, err = p.Evaluate(nil)
	if err != nil {
		return 0, 0, err
	}
	samples := len(p.bound.terms) / p.b
	return train.SumOfWindow(p.bound.terms, p.b, end-start) / float64(samples), -p.penalty.Value[0], nil
}

// Evaluate implements infer.Problem.
func (p *problem) Evaluate(dFree []float64) (float64, error) {
	value, err := p.EvaluateTape(p.tape, p.value, dFree)
	if err == nil {
		p.terms[0], p.terms[1] = p.logLik.Value[0], p.penalty.Value[0]
	}
	return value, err
}

// Terms implements train.Problem.
func (p *problem) Terms() []float64 { return p.terms }

// Rescues implements train.Problem.
func (p *problem) Rescues() int { return p.tape.Rescues() }

// State implements train.Problem. It returns q(f_M) if it is not among the parameters.
func (p *problem) State() []param.Array {
	if p.natural == nil {
		return nil
	}
	var list []param.Array
	for l, n := range p.post.layers {
		list = append(list, param.Array{Name: meanName(l), Data: n.qMu.Value})
	}
	return append(list, param.Array{Name: "q_sqrt", Data: p.post.qSqrt.Value})
}

// Gaussians implements infer.GaussianProblem.
func (p *problem) Gaussians() []int { return p.natural.dims }

// ReadGaussians implements infer.GaussianProblem.
func (p *problem) ReadGaussians(m, l, gradM, gradL []float64) {
	p.natural.copyValues(m, l, values, false)
	p.natural.copyValues(gradM, gradL, gradients, false)
}

// WriteGaussians implements infer.GaussianProblem.
func (p *problem) WriteGaussians(m, l []float64, halvings int) {
	if halvings > 0 {
		p.tape.CountRescues("natural-gradient step of q(f_M)", halvings)
	}
	p.natural.copyValues(m, l, values, true)
}

var _ infer.GaussianProblem = (*problem)(nil)
