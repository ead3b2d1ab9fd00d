package view

// Matrices describes the numerical condition and cost of a model's computations at one step.
type Matrices struct {
	// Matrices lists the matrices factorised in a step, in the order of the layers. The sum of their
	// Rescues is the number of rescues in training since the model was built or restored.
	Matrices []Matrix `json:"matrices"`
	// KLByLayer splits the KL divergence from the prior into contributions of layers. If the
	// posterior couples layers, the contribution of a layer is the expected divergence conditional
	// on the layers below it (chain rule). It is nil for a model without such a divergence.
	KLByLayer []Float `json:"kl_by_layer,omitempty"`
	// Parts names the entries of KLByLayer if they are not layers, otherwise it is nil.
	Parts []string `json:"parts,omitempty"`
	// Effective holds, for each layer, the mean over its GPs of M - tr(S), with S the posterior
	// covariance of a GP's inducing outputs relative to their prior (whitened): the number of
	// well-determined parameters of a GP, out of M. It is M if the posterior has contracted to a
	// point, 0 if it equals the prior, negative if it is wider, and NaN for a layer that was
	// initialised contracted, for which the number is not informative. It is nil for a model
	// without inducing outputs.
	//
	// MacKay, "Bayesian Interpolation", Neural Computation 4(3), 1992, section 4.
	Effective []Float `json:"effective,omitempty"`
	// Shares gives the distribution of a step's time over its parts, in the order of a step, adding
	// up to 1. It is empty before the first timed step.
	Shares []TimeShare `json:"shares,omitempty"`
	// ShareByLayer is the share of time spent in each layer. The remainder to 1 is spent in no
	// single layer.
	ShareByLayer []Float `json:"share_by_layer,omitempty"`
	// TimedSteps is the number of timed steps that the shares average over.
	TimedSteps int `json:"timed_steps,omitempty"`
}

// MatrixKind classifies a matrix, which determines the meaning of its condition.
type MatrixKind string

const (
	// PriorMatrix is a prior covariance, with its jitter. Solutions lose the number of digits of
	// its condition number.
	PriorMatrix MatrixKind = "prior"
	// PosteriorMatrix is a whitened covariance of inducing outputs. It is given by its factor, so a
	// huge condition number, as in a hidden layer that is initialised contracted, is harmless
	// except to natural gradients, which invert it.
	PosteriorMatrix MatrixKind = "posterior"
	// PointMatrix is the covariance of the function values of one point.
	PointMatrix MatrixKind = "points"
	// NoMatrix marks a source of rescues that is not a matrix.
	NoMatrix MatrixKind = ""
)

// Matrix describes how close a symmetric positive definite matrix is to having no Cholesky factor.
// Unknown values are NaN.
type Matrix struct {
	// Name is the name used in errors, for example "K_MM of layer 1".
	Name string     `json:"name"`
	Kind MatrixKind `json:"kind"`
	// Layer and GP (the position in the layer) count from 0; -1 means all.
	Layer int `json:"layer"`
	GP    int `json:"gp"`
	// Condition estimates the condition number in the 1-norm (a lower bound, nearly always within a
	// factor of 3). For a group of matrices it is the largest, possibly among a sample of them.
	Condition Float `json:"condition"`
	// SmallestPivot is the smallest squared diagonal entry of the Cholesky factor.
	SmallestPivot Float `json:"smallest_pivot"`
	// Jitter is the value currently added to the diagonal, in the units of the matrix.
	Jitter Float `json:"jitter"`
	// Rescues is the number of jitter increases needed during training.
	Rescues int `json:"rescues"`
}

// TimeShare is the share of time of one part of a step.
type TimeShare struct {
	Name  string `json:"name"`
	Share Float  `json:"share"`
}
