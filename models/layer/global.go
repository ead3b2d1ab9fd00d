package layer

import (
	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/param"
)

// GlobalConfig configures a layer with shared inducing inputs.
type GlobalConfig struct {
	// Layer names the layer in errors, for example "layer 1".
	Layer  string
	Kernel kernel.Kernel
	// Inputs is D, Outputs is T, and Inducing is M, the number of inducing inputs Z. Orthogonal is
	// the size of a second set of inducing inputs, O (see NewGlobal).
	Inputs, Outputs, Inducing, Orthogonal int
	// ARD gives each kernel a lengthscale per input.
	ARD bool
	// LinearMean adds a learned linear mean function without a bias.
	LinearMean bool
	// Diagonal restricts q(u) of each output to a diagonal covariance.
	Diagonal bool
	// Whiten parametrises q as a distribution over L^-1 u, with L L^T = K_uu, for each set of
	// inducing inputs (Matthews, "Scalable Gaussian Process Inference Using Variational Methods",
	// 2016, section 4.1).
	Whiten bool
	// Jitter is added to the diagonal of K_uu.
	Jitter float64
}

// Global is a layer of T sparse GPs, each with its own kernel and Gaussian q(u), over shared
// inducing inputs Z, [1][M][D]. Prior and posterior are N(m(Z), K_uu) and N(q_mu, S) with S =
// diag(q_std²) or q_sqrt q_sqrt^T; with whitening, q is over L^-1 (u - m(Z)). It implements Layer.
type Global struct {
	Config  GlobalConfig
	Z       *autodiff.Node // [1][M][D]
	O       *autodiff.Node // [1][M_O][D], or nil
	Kernels *kernel.Covariance
	// MeanW holds the weights of the linear mean function, [1][D][T]. It is nil for a zero mean.
	MeanW *autodiff.Node
	// Q holds the Gaussians over the outputs at Z, followed by the Gaussians at O, if any.
	Q []Gaussian

	kernels
	inducing *autodiff.Node   // Z followed by O, [1][M+M_O][D]
	root     *autodiff.Node   // [T][M+M_O][M+M_O]
	mean     *autodiff.Node   // of the whitened inducing outputs, [1][T][M+M_O]
	factors  []*autodiff.Node // of their covariance
	kl       *autodiff.Node   // [1][1][1]
}

// Gaussian holds T Gaussians over the outputs at n inducing inputs.
type Gaussian struct {
	Mu *autodiff.Node // [1][T][n]
	// Factor is the square root of the diagonal covariance, [1][T][n], or the lower Cholesky factor
	// of the covariance, [T][n][n].
	Factor *autodiff.Node
	// KL is the divergence of each output from its prior, [1][T][1].
	KL *autodiff.Node
}

// NewGlobal returns a layer on t with default parameters: positive parameters are 1, factors are
// identity matrices, and all other parameters are 0.
//
// Inducing inputs O give the posterior of SOLVE-GP (Shi, Titsias, Mnih, "Sparse Orthogonal
// Variational Inference for Gaussian Processes", AISTATS 2020, arXiv:1910.10596): a second Gaussian
// models the part of the outputs at O that is independent of the outputs at Z. Its prior covariance
// is
//
//	C = K_OO - K_OZ K_ZZ^-1 K_ZO.
//
// The diagonal blocks of the Cholesky factor of the joint kernel matrix of Z and O are the factors
// of K_ZZ and C. The marginals therefore follow as for a single set of inducing inputs with a
// whitened covariance of two blocks.
func NewGlobal(t *autodiff.Tape, c GlobalConfig) *Global {
	g := &Global{Config: c, Z: t.Variable(1, c.Inducing, c.Inputs)}
	g.Kernels = kernel.NewCovariance(t, c.Kernel, c.Outputs, c.ARD)
	g.Kernels.Start(1, func(int) float64 { return 1 })
	g.kernels = newKernels(g.Kernels)
	if c.LinearMean {
		g.MeanW = t.Variable(1, c.Inputs, c.Outputs)
	}
	g.inducing = g.Z
	g.Q = append(g.Q, c.newGaussian(t, c.Inducing))
	if c.Orthogonal > 0 {
		g.O = t.Variable(1, c.Orthogonal, c.Inputs)
		g.inducing = t.StackRows(g.Z, g.O)
		g.Q = append(g.Q, c.newGaussian(t, c.Orthogonal))
	}
	g.root = recordRoot(t, g.kernels, g.kernels.recordPairs(t, g.inducing), c.Jitter, g.kuuName())
	g.recordPosterior(t)
	return g
}

// newGaussian returns the parameters of Gaussians over n inducing outputs.
func (c GlobalConfig) newGaussian(t *autodiff.Tape, n int) Gaussian {
	q := Gaussian{Mu: t.Variable(1, c.Outputs, n)}
	if c.Diagonal {
		q.Factor = t.Variable(1, c.Outputs, n)
		fill(q.Factor.Value, 1)
		return q
	}
	q.Factor = t.Variable(c.Outputs, n, n)
	for at := 0; at < q.Factor.Len(); at += n * n {
		for i := range n {
			q.Factor.Value[at+i*n+i] = 1
		}
	}
	return q
}

// recordPosterior records the quantities that depend on the Gaussians but not on the points.
func (g *Global) recordPosterior(t *autodiff.Tape) {
	at := 0
	var means []*autodiff.Node
	for k := range g.Q {
		q := &g.Q[k]
		mean, factor := q.Mu, q.Factor
		n := mean.Cols
		if !g.Config.Whiten {
			if g.MeanW != nil {
				mean = t.Sub(mean, t.MatMul(g.MeanW, g.Z, autodiff.TransA, autodiff.TransB))
			}
			mean = t.Reshape(recordWhitened(t, g.root, t.Reshape(mean, g.Config.Outputs, n, 1), at),
				1, g.Config.Outputs, n)
			if g.Config.Diagonal {
				factor = recordDiagonal(t, factor)
			}
			factor = recordWhitened(t, g.root, factor, at)
		}
		q.KL = recordKL(t, mean, factor)
		means = append(means, mean)
		g.factors = append(g.factors, factor)
		at += n
	}
	g.mean, g.kl = means[0], t.Sum(g.Q[0].KL)
	if len(means) == 2 {
		g.mean = t.StackCols(means...)
		g.kl = t.Add(g.kl, t.Sum(g.Q[1].KL))
		if g.Config.Diagonal && g.Config.Whiten {
			g.factors = []*autodiff.Node{t.StackCols(g.factors...)}
		}
	}
}

// Record implements Layer.
func (g *Global) Record(t *autodiff.Tape, in, _ *autodiff.Node) Moments { return g.record(t, in, nil) }

// RecordJoint is like Record, for S samples of each of B points as columns s*B + b of in. It also
// records the covariances between the samples of a point. q(u) must not be diagonal.
func (g *Global) RecordJoint(t *autodiff.Tape, in *autodiff.Node, samples int) Moments {
	return g.record(t, in, g.Kernels.RecordBlocks(t, in, samples))
}

// record records the moments at in, with covariances if blocks holds the covariances of the prior.
func (g *Global) record(t *autodiff.Tape, in, blocks *autodiff.Node) Moments {
	r, diagonal := g.kernels.recordPoints(t, g.inducing, in)
	mean, variance, blocks := recordConditional(t, g.kernels, g.root, r, diagonal, g.mean, g.factors, blocks)
	if g.MeanW != nil {
		mean = t.Add(mean, t.MatMul(g.MeanW, in, autodiff.TransA))
	}
	return Moments{Mean: mean, Var: variance, Blocks: blocks, KL: g.kl}
}

// Outputs implements Layer.
func (g *Global) Outputs() int { return g.Config.Outputs }

// Parameters implements Layer.
func (g *Global) Parameters() []Param {
	list := []Param{{"Z", g.Z, param.Identity{}}}
	if g.O != nil {
		list = append(list, Param{"O", g.O, param.Identity{}})
	}
	list = append(list, kernelParams(g.Kernels)...)
	for k, q := range g.Q {
		of := [2]string{"q", "orthogonal"}[k]
		list = append(list, Param{of + "_mu", q.Mu, param.Identity{}})
		if g.Config.Diagonal {
			list = append(list, Param{of + "_std", q.Factor, param.Positive{}})
			continue
		}
		list = append(list, Param{of + "_sqrt", q.Factor,
			param.NewTriangular(q.Mu.Cols, make([]bool, g.Config.Outputs))})
	}
	if g.MeanW != nil {
		list = append(list, Param{"mean_W", g.MeanW, param.Identity{}})
	}
	return list
}
