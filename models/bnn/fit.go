package bnn

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/likelihood"
	"dgplab/models/param"
	"dgplab/models/train"
)

// positiveFloor is the lower bound of the noise variance.
const positiveFloor = 1e-6

// Names of the noise variance and the prior variance of the weights.
const (
	noiseName = "likelihood.variance"
	priorName = "prior.variance"
)

// config configures a network and its training.
type config struct {
	sizes []int // of the layers, inputs first
	// batch and samples are the numbers of points B and of sampled networks S in a step.
	batch, samples int
	noise          float64 // initial variance
	noiseTransform param.Transform
	priorVariance  float64 // of weights and biases
	spread         float64 // initial standard deviation of weights and biases
	keep           float64 // probability that an input is not dropped
	lengthscale    float64 // of the prior of the weights, 1/sd
	likelihood     likelihood.Likelihood
}

// fit is the log-likelihood of a minibatch of B out of N points, averaged over S functions, minus a
// penalty. Types that embed fit record the functions and the penalty.
type fit struct {
	train.Leaves
	config
	tape    *autodiff.Tape
	data    family.Data
	batches *train.Minibatches

	x, y  *autodiff.Node // [1][D][B] and [1][P][B]
	noise *autodiff.Node // noise variance, [1][1][1]; nil for classes

	// logLik is the log-likelihood of each point, [1][1][B]. scaled is its sum scaled to all
	// points, and value is scaled minus penalty, all [1][1][1].
	logLik, scaled, penalty, value *autodiff.Node
	terms                          [2]float64
}

// newFit starts the recording of the log-likelihood. The noise is fixed if it has no transform.
func newFit(c config, data family.Data, seed uint64) fit {
	t := autodiff.NewTape()
	n, d := data.X.Dims()
	_, p := data.Y.Dims()
	f := fit{config: c, tape: t, data: data, batches: train.NewMinibatches(seed, n, c.batch),
		x: t.Constant(1, d, c.batch), y: t.Constant(1, p, c.batch)}
	if len(c.likelihood.Parameters()) > 0 {
		f.noise = t.Constant(1, 1, 1)
		if c.noiseTransform != nil {
			f.noise = t.Variable(1, 1, 1)
		}
		f.noise.Value[0] = c.noise
	}
	return f
}

// finish records the objective for functions, [1][P][S*B], sample by sample, and lists the noise as
// the last parameter.
func (f *fit) finish(functions, penalty *autodiff.Node) error {
	t := f.tape
	n, _ := f.data.X.Dims()
	logWeights := t.Constant(1, 1, f.samples)
	for s := range logWeights.Value {
		logWeights.Value[s] = -math.Log(float64(f.samples))
	}
	exact := t.Constant(1, functions.Rows, functions.Cols) // the functions have zero variance
	f.logLik = likelihood.RecordMixture(t, f.likelihood, likelihood.ExpectedLog, f.y, functions,
		exact, f.noise, logWeights, likelihood.Rows{})
	f.scaled = t.Scale(t.Sum(f.logLik), float64(n)/float64(f.batch))
	f.penalty = penalty
	f.value = t.Sub(f.scaled, penalty)
	if f.noise != nil && f.noiseTransform != nil {
		f.Add(noiseName, f.noise, f.noiseTransform)
	}
	return f.Close()
}

// addWeights lists the weights and biases of a perceptron as parameters.
func (f *fit) addWeights(prefix string, net *autodiff.Perceptron, transform param.Transform) {
	net.Each(func(name string, n *autodiff.Node) { f.Add(prefix+name, n, transform) })
}

// drawRows selects the minibatch of a step.
func (f *fit) drawRows(step uint64) {
	f.take(f.batches.Rows(int(step)))
}

// everything selects all points in order as the minibatch.
func (f *fit) everything() {
	rows := make([]int, f.batch)
	for i := range rows {
		rows[i] = i
	}
	f.take(rows)
}

// take copies the given rows into the minibatch.
func (f *fit) take(rows []int) {
	train.Columns(f.x.Value, f.data.X, rows)
	train.Columns(f.y.Value, f.data.Y, rows)
}

// Points implements train.WindowedProblem.
func (f *fit) Points() (n, window int) {
	n, _ = f.data.X.Dims()
	return n, f.batch
}

// window implements the part of Window in train.WindowedProblem that follows the drawing of
// functions.
func (f *fit) window(start, end int) (sum, remainder float64, err error) {
	train.Window(f.x.Value, f.data.X, start)
	train.Window(f.y.Value, f.data.Y, start)
	_, err = f.Evaluate(nil)
	if err != nil {
		return 0, 0, err
	}
	return train.SumOfWindow(f.logLik.Value, f.batch, end-start), -f.penalty.Value[0], nil
}

// Evaluate implements infer.Problem.
func (f *fit) Evaluate(dFree []float64) (float64, error) {
	value, err := f.EvaluateTape(f.tape, f.value, dFree)
	f.terms = [2]float64{f.scaled.Value[0], f.penalty.Value[0]}
	return value, err
}

// Terms implements train.Problem.
func (f *fit) Terms() []float64 { return f.terms[:] }

// Rescues implements train.Problem. Nothing is factorised.
func (f *fit) Rescues() int { return 0 }

// State implements train.Problem. There is no state other than the parameters.
func (f *fit) State() []param.Array { return nil }

// training implements networks.
func (f *fit) training() family.Data { return f.data }

// noiseVariance returns the noise variance of the targets, or 0 for classes.
func (f *fit) noiseVariance() float64 {
	if f.noise == nil {
		return 0
	}
	return f.noise.Value[0]
}

// rootMeanSquares returns the root mean square of the weights of each layer, without biases, as a
// quantity of the given name.
func rootMeanSquares(name string, net *autodiff.Perceptron) family.Quantity {
	q := family.Quantity{Name: name}
	for _, w := range net.W {
		q.Value = append(q.Value, math.Sqrt(squares(w.Value)/float64(w.Len())))
	}
	return q
}

// squares returns the sum of squares of v.
func squares(v []float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}
