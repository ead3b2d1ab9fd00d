package view

import "dgplab/models/number"

// Matrices is what a model says about its arithmetic at one step.
type Matrices struct {
	// Matrices holds the matrices whose factors a step needs, in the order of the
	// layers. Their Rescues add up to all that training has counted since the model
	// was built or restored.
	Matrices []Matrix `json:"matrices"`
	// KLByLayer splits the divergence from the prior, to which its entries add up.
	// Where the posterior couples layers, that of a layer is conditional on the
	// layers below it, in expectation over them: the chain rule of the divergence.
	// Nil for a model that has no such divergence.
	KLByLayer []number.Float `json:"kl_by_layer,omitempty"`
	// Parts names what the entries of KLByLayer are of in a model that has other parts
	// than layers; nil where they are layers.
	Parts []string `json:"parts,omitempty"`
	// Effective holds, for each layer, the mean over its GPs of M - tr(S), with S
	// the posterior covariance of a GP's inducing outputs relative to their prior
	// (whitened): the number of well-determined parameters of a GP, out of M. It
	// is M where the posterior has contracted to a point; 0 where it is the prior;
	// negative where it is wider. NaN for a layer that was contracted from the start,
	// which says nothing of the data. Nil for a model without inducing outputs.
	//
	// MacKay, "Bayesian Interpolation", Neural Computation 4(3), 1992, section 4.
	Effective []number.Float `json:"effective,omitempty"`
	// Shares says where the time of a step goes: shares that add up to 1, in the
	// order of a step. It is empty before the first timed step.
	Shares []TimeShare `json:"shares,omitempty"`
	// ShareByLayer is the share of what belongs to one layer alone; what is missing
	// to 1 belongs to none or to several.
	ShareByLayer []number.Float `json:"share_by_layer,omitempty"`
	// TimedSteps is the number of steps behind the shares: the last that were timed.
	TimedSteps int `json:"timed_steps,omitempty"`
}

// MatrixKind says what a matrix is, and so what its condition means.
type MatrixKind string

const (
	// PriorMatrix is a covariance of the prior, with its jitter: solutions lose as
	// many digits as its condition number has.
	PriorMatrix MatrixKind = "prior"
	// PosteriorMatrix is a whitened covariance of inducing outputs. It is given by
	// its factor, so that an astronomical condition, as in a hidden layer that
	// starts contracted, does no harm, except to natural gradients, which invert it.
	PosteriorMatrix MatrixKind = "posterior"
	// PointMatrix is the covariance of the function values of one point.
	PointMatrix MatrixKind = "points"
	// NoMatrix is another place where rescues are counted.
	NoMatrix MatrixKind = ""
)

// Matrix says how far a symmetric positive definite matrix is from having no
// Cholesky factor. What is not known is NaN.
type Matrix struct {
	// Name is that of errors, for example "K_MM of layer 1".
	Name string     `json:"name"`
	Kind MatrixKind `json:"kind"`
	// Layer and GP (its position in the layer) count from 0; -1 means all.
	Layer int `json:"layer"`
	GP    int `json:"gp"`
	// Condition estimates the condition number in the 1-norm (a lower bound, nearly
	// always within a factor of 3). Of several matrices it is the worst, perhaps
	// among a sample of them.
	Condition number.Float `json:"condition"`
	// SmallestPivot is the least square of the diagonal of the Cholesky factor.
	SmallestPivot number.Float `json:"smallest_pivot"`
	// Jitter is what is added to the diagonal at present, in the matrix's own units.
	Jitter number.Float `json:"jitter"`
	// Rescues counts the rungs of the jitter ladder that training had to climb.
	Rescues int `json:"rescues"`
}

// TimeShare is a part of a step and its share of the time.
type TimeShare struct {
	Name  string       `json:"name"`
	Share number.Float `json:"share"`
}
