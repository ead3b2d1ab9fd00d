package layer

import (
	"fmt"
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/param"
	"dgplab/models/stats"
)

// Inference selects how inducing points and their q are computed.
type Inference int

const (
	// ByMaps uses an affine map for each inducing point, one perceptron for the means and one for
	// the spread (Meng, Zhang, 2024, section 4.1).
	ByMaps Inference = iota
	// ByNetwork uses one perceptron for inducing points, means and spread (Jafrasteh,
	// Villacampa-Calvo, Hernandez-Lobato, "Input Dependent Sparse Gaussian Processes", ICML 2022,
	// section 3, arXiv:2107.07281).
	ByNetwork
)

// LocalConfig configures a local layer.
type LocalConfig struct {
	// Inputs is D, Outputs is T, and Inducing is M.
	Inputs, Outputs, Inducing int
	Kernel                    kernel.Kernel
	// ARD uses a lengthscale per input instead of a common one.
	ARD       bool
	Inference Inference
	// Full gives the inducing outputs of each output a full covariance instead of a diagonal one.
	Full bool
	// Hidden is the number of hidden layers of the perceptrons. Width is their width; 0 selects the
	// smaller of inputs and outputs.
	Hidden, Width int
	// Whiten parametrises q as a distribution over whitened inducing outputs.
	Whiten bool
	// LinearMean uses a learned linear mean function instead of zero.
	LinearMean bool
	Jitter     float64
	// Index is the index of the layer, from 0. It is used in the names of matrices and identifies
	// random streams.
	Index int
}

// Local is a layer with inference functions that compute, for every input column, inducing points
// and a Gaussian q over their outputs. All outputs share the inducing points; each output has its
// own kernel.
//
// Its parameters are named affine.W and affine.b, mean_net.* and std_net.*, or net.*; mean_W;
// kernel.variance and kernel.lengthscale.
type Local struct {
	config     LocalConfig
	inference  inference
	meanW      *autodiff.Node // [1][D][T], or nil for a zero mean
	covariance *kernel.Covariance
}

// Start holds the starting values of the parameters of a Local.
type Start struct {
	Variance, Lengthscale float64
	// Spread is the standard deviation of q, and Noise is the standard deviation of the inducing
	// points around the input.
	Spread, Noise float64
	// ZeroMean makes the means of q zero everywhere.
	ZeroMean bool
	Seed     uint64
}

// NewLocal returns a layer whose parameters are variables of t with the starting values of s. The
// affine maps start at the identity with random offsets. The perceptrons initially give all
// inducing points of an output the same mean and spread (Meng, Zhang, 2024, section 4.5).
func NewLocal(t *autodiff.Tape, c LocalConfig, s Start) *Local {
	l := &Local{
		config:     c,
		covariance: kernel.NewCovariance(t, c.Kernel, c.Outputs, c.ARD),
	}
	l.covariance.Start(s.Variance, func(int) float64 { return s.Lengthscale })
	if c.LinearMean {
		l.meanW = t.Variable(1, c.Inputs, c.Outputs)
		stream := stats.Stream(s.Seed, "mean function", uint64(c.Index))
		stats.Normals(l.meanW.Value, stream)
		for i := range l.meanW.Value {
			l.meanW.Value[i] /= math.Sqrt(float64(c.Inputs))
		}
	}
	l.inference = newInference(t, c)
	l.inference.start(s)
	return l
}

// spreads returns the number of spread entries per output.
func (c LocalConfig) spreads() int {
	if c.Full {
		return triangle(c.Inducing)
	}
	return c.Inducing
}

// Outputs implements Layer.
func (l *Local) Outputs() int { return l.config.Outputs }

// InferenceParameters lists the parameters of the inference functions.
func (l *Local) InferenceParameters() (list []Param) {
	l.inference.each(func(name string, n *autodiff.Node) {
		list = append(list, Param{name, n, param.Identity{}})
	})
	return list
}

// Parameters implements Layer.
func (l *Local) Parameters() []Param {
	list := l.InferenceParameters()
	if l.meanW != nil {
		list = append(list, Param{"mean_W", l.meanW, param.Identity{}})
	}
	return append(list, kernelParams(l.covariance)...)
}

// Record implements Layer.
func (l *Local) Record(t *autodiff.Tape, in, seen *autodiff.Node) Moments {
	c := l.config
	q := l.inference.record(t, seen)
	delta := q.Mean
	if l.meanW != nil && !c.Whiten {
		points := t.Reshape(q.Z, c.Inducing, c.Inputs, q.Z.Cols)
		delta = recordExcess(t, q.Mean, t.MatMul(l.meanW, points, autodiff.TransA))
	}
	form, lengthscales, variance, _ := l.covariance.Simple()
	op := localConditional{
		Inputs: c.Inputs, Outputs: c.Outputs, Inducing: c.Inducing,
		Form: form.Form(), Full: c.Full, Whiten: c.Whiten,
		Jitter: c.Jitter, Matrix: l.kuuName(),
		In: in, Z: q.Z, Delta: delta, Spread: q.Spread, Lengthscales: lengthscales, Variance: variance,
	}
	m := Moments{Inferred: q}
	m.Mean, m.Var, m.KL = op.record(t)
	if l.meanW != nil {
		m.Mean = t.Add(m.Mean, t.MatMul(l.meanW, in, autodiff.TransA))
	}
	return m
}

// kuuName names the covariances of the inducing points.
func (l *Local) kuuName() string { return fmt.Sprintf("K_uu of layer %d", l.config.Index+1) }
