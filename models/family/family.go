// Package family is the contract between the registry and the families: what a
// family declares (its name and hyperparameters), what it is given (data, a
// seed), what its models must do (Model), and what they may show beyond that
// (JointCovariance, LayerSampler, Health). It knows no family, no run and no screen.
package family

import (
	"strconv"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/param"
	"dgplab/models/predictive"
)

// Task is what the targets of a data set are.
type Task int

const (
	// Regression has real targets.
	Regression Task = iota
	// Binary has targets in {-1, +1}.
	Binary
)

// String returns "regression" or "binary".
func (t Task) String() string {
	if t == Binary {
		return "binary"
	}
	return "regression"
}

// Data is what a model is trained on.
type Data struct {
	// X holds the standardised inputs, [N, D].
	X *mat.Dense
	// Y holds the targets, [N, P]: standardised, or -1 and +1 for Binary.
	Y *mat.Dense
	// Task says which likelihood the targets ask for.
	Task Task
}

// Spec declares a family.
type Spec struct {
	// Name is what the command line and files say, for example "mean-field".
	Name string
	// Title is what a person reads, for example "Mean-field deep GP".
	Title string
	// Summary is one line that says what the family is.
	Summary string
	// Source is the paper, with equation or section.
	Source string
	// Group is the heading that the family stands under in lists, for example
	// "structured deep GPs".
	Group string
	// Objective is what the family maximises.
	Objective Objective
	// Accepts says which targets the family can be trained on.
	Accepts Accepts
	// Hyperparameters lists what can be set, in the order of the form.
	Hyperparameters []Hyperparameter
	// Training holds this family's own defaults of the settings of training, by name.
	Training map[string]Default
	// Presets are complete sets of values beside the defaults.
	Presets []Preset
	// Size returns what a model of these values on n rows of d inputs and p
	// targets would hold, without allocating it.
	Size func(v Values, n, d, p int) (Size, error)
	// Scaling says how the operations of a step grow; nil when the source does not.
	Scaling *Scaling
	// New builds a model. All its random numbers derive from seed.
	New func(v Values, data Data, seed uint64) (Model, error)
}

// Accepts says which targets a family can be trained on.
type Accepts struct {
	Regression, Binary bool
	// Outputs says that there may be several targets.
	Outputs bool
}

// Size is what is known of a model before it is built.
type Size struct {
	// Variational counts the free entries of means and covariance factors.
	Variational int
	// Parameters counts every number that the optimiser moves.
	Parameters int
	// Blocks counts the M x M blocks of L_S that may be non-zero (diagonal ones included).
	Blocks int
	// StepFLOPs is the count of floating-point operations of one step (a
	// multiply-add is two), bound and gradient; 0 when not known.
	StepFLOPs float64
	// Memory is about the most bytes that training takes, looking into the model and
	// predictions included; 0 when not known.
	Memory float64
}

// Scaling holds the exponents with which the operations of a step grow when
// there are many points per inducing point: those of the leading term.
type Scaling struct {
	Inducing, Layers, Width int
}

// Report is what one step of inference says.
type Report struct {
	// Objective is what is maximised: for these families the ELBO, summed over
	// data, estimated on the step's minibatch.
	Objective float64
	// ExpectedLogLik is the expected log-likelihood, scaled by N/B.
	ExpectedLogLik float64
	// KL is the divergence of q(f_M) from its prior.
	KL float64
	// LearningRate is the rate of this step.
	LearningRate float64
	// GradientNorm is the Euclidean norm over the unconstrained parameters.
	GradientNorm float64
	// Rescues counts the jitter rescues of this step.
	Rescues int
}

// Model is anything that can take a step. A model belongs to one goroutine.
type Model interface {
	// Step does one unit of inference. After an error (for example a
	// *linalg.NotPositiveDefiniteError or a *NonFiniteError) the parameters are
	// those before the step.
	Step() (Report, error)
	// Predict returns the predictive distribution at X [n, D] with the given number
	// of samples, in the standardised units of the training targets: a
	// predictive.Regression or predictive.Classification. The draws depend on seed
	// alone: training is not disturbed.
	Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error)
	// State names every array that a checkpoint must hold. The slices alias the
	// model: copying into them and calling Restored restores the model.
	State() []Array
	// Restored is called after the arrays of State were overwritten.
	Restored() error
	// StepsDone returns the number of steps taken so far (part of State).
	StepsDone() int
	// Hyper lists the learned quantities a person wants to see (noise variance,
	// kernel variances, lengthscales), constrained.
	Hyper() []Quantity
	// NumParameters returns the number of optimised numbers.
	NumParameters() int
}

// Array is one named array of a model's state.
type Array = param.Array

// Quantity is one named learned quantity, in its natural (constrained) form.
type Quantity struct {
	// Name is dotted, for example "likelihood.variance" or "layer.0.kernel.lengthscales".
	Name  string
	Value []float64
}

// JointCovariance is implemented by models whose posterior over inducing
// outputs is one joint Gaussian.
type JointCovariance interface {
	// Covariance returns the block map of S_M, unwhitened. Each M x M block is
	// max-pooled so that the whole map has at most about maxCells cells a side.
	Covariance(maxCells int) (*BlockMap, error)
}

// BlockMap is log10|S_M|, max-pooled within blocks.
type BlockMap struct {
	// GPs holds the number of GPs of each layer, T_l; T is their sum.
	GPs []int
	// M is the number of inducing points, the true side of a block.
	M int
	// Cells is the side of a block in this map; each cell is the maximum over
	// about (M/Cells)^2 entries.
	Cells int
	// Log10 holds [T*Cells][T*Cells] values, row-major; -Inf where S_M is zero by
	// construction.
	Log10 []float64
}

// LayerSampler is implemented by models that have layers to look into.
type LayerSampler interface {
	// SampleLayers draws function samples through all layers and summarises each.
	// The draws depend on seed alone.
	SampleLayers(seed uint64) ([]LayerSamples, error)
}

// LayerSamples says what the samples do in one layer.
type LayerSamples struct {
	// Lengthscales and Variance are of the layer's shared kernel.
	Lengthscales []float64
	Variance     float64
	// Grid is the first input direction, in standardised units, [G].
	Grid []float64
	// GPs has one entry per GP of the layer.
	GPs []GPSamples
	// Correlation is [T][T], over data points and samples.
	Correlation [][]float64
}

// GPSamples says what the samples of one GP do, over training inputs.
type GPSamples struct {
	Mean, SD, Min, Max float64
	// Histogram counts the samples in equal bins from Min to Max.
	Histogram []int
	// Share is the part of the variance over data and samples that is not the
	// mean function's, from 0 to 1.
	Share float64
	// Collapsed marks a GP whose samples do nothing beyond its mean function, or
	// nothing at all.
	Collapsed bool
	// Curves holds a few joint function draws along Grid, [C][G].
	Curves [][]float64
}

// Noter is implemented by models that have something to say about how they were
// built, to be shown as warnings.
type Noter interface {
	Notes() []string
}

// NonFiniteError reports a NaN or Inf that was kept from reaching a parameter.
type NonFiniteError struct {
	// Where names the quantity, for example "gradient of layer.1.Z".
	Where string
	Step  int
}

func (e *NonFiniteError) Error() string {
	return "step " + strconv.Itoa(e.Step) + ": " + e.Where + " is not finite; lower the learning rate or check the data"
}
