package view

// Matrices describes the conditioning and the cost of the computations in one step of a model.
type Matrices struct {
	// Matrices lists the matrices factorised in a step, in the order of the layers. The sum of their
	// Rescues is the number of rescues in training since the model was built or restored.
	Matrices []Matrix `json:"matrices"`
	// KLByLayer splits the KL divergence from the prior into contributions of layers. If the
	// posterior couples layers, the contribution of a layer is the expected divergence conditional
	// on the layers below it (chain rule). It is nil for models without a KL.
	KLByLayer []Float `json:"kl_by_layer,omitempty"`
	// Parts names the entries of KLByLayer if they are not layers. Otherwise it is nil.
	Parts []string `json:"parts,omitempty"`
	// Effective holds, for each layer, the mean over its GPs of M - tr(S), where S is the whitened
	// posterior covariance of the inducing outputs of a GP. This is the number of well-determined
	// parameters of a GP, out of M. It is M if the posterior has contracted to a point, 0 if it
	// equals the prior, negative if it is wider, and NaN for layers with a contracted start, for
	// which the number is not informative. It is nil for models without inducing outputs.
	//
	// MacKay, "Bayesian Interpolation", Neural Computation 4(3), 1992, section 4.
	Effective []Float `json:"effective,omitempty"`
	// Shares lists the shares of the parts of a step in its time, in the order of execution. They
	// add up to 1. Shares is empty before the first timed step.
	Shares []TimeShare `json:"shares,omitempty"`
	// ShareByLayer lists the share of time spent in each layer. The remainder belongs to no single
	// layer.
	ShareByLayer []Float `json:"share_by_layer,omitempty"`
	// TimedSteps is the number of timed steps over which the shares average.
	TimedSteps int `json:"timed_steps,omitempty"`
}

// MatrixKind classifies a matrix, which determines the meaning of its condition.
type MatrixKind string

const (
	// PriorMatrix is a prior covariance including jitter. Solutions lose as many digits as its
	// condition number has.
	PriorMatrix MatrixKind = "prior"
	// PosteriorMatrix is a whitened covariance of inducing outputs. The model stores its factor, so
	// a huge condition number, as in hidden layers with a contracted start, is harmless except for
	// natural gradients, which invert the matrix.
	PosteriorMatrix MatrixKind = "posterior"
	// PointMatrix is the covariance of the function values of one point.
	PointMatrix MatrixKind = "points"
	// NoMatrix marks a source of rescues that is not a matrix.
	NoMatrix MatrixKind = ""
)

// Matrix describes the conditioning of a symmetric positive definite matrix. Unknown values are
// NaN.
type Matrix struct {
	// Name is the name used in errors, for example "K_MM of layer 1".
	Name string     `json:"name"`
	Kind MatrixKind `json:"kind"`
	// Layer and GP (the position in the layer) count from 0; -1 means all.
	Layer int `json:"layer"`
	GP    int `json:"gp"`
	// Condition estimates the condition number in the 1-norm (a lower bound, nearly always within a
	// factor of 3). For a group of matrices it is the largest estimate, possibly over a sample of
	// them.
	Condition Float `json:"condition"`
	// SmallestPivot is the smallest squared diagonal entry of the Cholesky factor.
	SmallestPivot Float `json:"smallest_pivot"`
	// Jitter is the value currently added to the diagonal, in the units of the matrix.
	Jitter Float `json:"jitter"`
	// Rescues is the number of jitter increases needed during training.
	Rescues int `json:"rescues"`
}

// TimeShare is the share of one part of a step in the time of the step.
type TimeShare struct {
	Name  string `json:"name"`
	Share Float  `json:"share"`
}
