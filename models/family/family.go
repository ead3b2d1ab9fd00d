// Package family defines the interface between the model families and the rest of the program: the
// declaration of a family (Spec), its training data (Data), the interface of its models (Model) and
// optional interfaces such as Viewer. It does not depend on any particular family.
package family

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/infer"
	"dgplab/models/param"
	"dgplab/models/predictive"
	"dgplab/models/view"
)

// Data is the training data of a model, which may keep but must not change it.
type Data struct {
	// X holds the standardised inputs, [N, D].
	X *mat.Dense
	// Y holds the targets, [N, P]: standardised values for Regression, -1 and +1 for Binary, class
	// numbers for Multiclass, counts for Count. Missing targets are NaN; only some families accept them.
	Y *mat.Dense
	// Noise holds the known noise variances of the single target, standardised, [N]. LearnedNoise is set if
	// the noise has a learned part in addition. Noise is nil if the whole noise is learned; only families
	// that declare it in Accepts support known noise.
	Noise        []float64
	LearnedNoise bool
	// Weights holds the positive weights of the points, [N], or is nil if all are 1: the log-likelihood of a
	// point counts as often as its weight says, in the objective and its gradient. Only families that declare
	// it in Accepts support weights. N, in the scaling of minibatches, is the number of points and not the
	// sum of their weights, so the expectation over minibatches is the weighted sum over all points.
	Weights []float64
	// Task selects the likelihood.
	Task task.Task
	// Classes is the number of classes of a Multiclass task.
	Classes int
	// Inputs holds the names of the columns of X. It is nil if they have no names.
	Inputs []string
	// Columns lists the columns of the table that X encodes, in the order of X. It is nil if all
	// columns are numeric.
	Columns []view.Column
	// Steps is the maximum number of training steps, or 0 if unknown.
	Steps int
}

// Rows returns copies of the inputs and targets of some points.
func (d Data) Rows(rows []int) (x *mat.Dense, y []float64) {
	_, inputs := d.X.Dims()
	x = mat.NewDense(len(rows), inputs, nil)
	for i, row := range rows {
		copy(x.RawRowView(i), d.X.RawRowView(row))
		y = append(y, d.Y.RawRowView(row)...)
	}
	return x, y
}

// Spec declares a family. JSON contains only the fields that identify it.
type Spec struct {
	// Name is the identifier used on the command line and in files, for example "mean-field".
	Name string `json:"name"`
	// Title is the name shown to users, for example "Mean-field deep GP".
	Title string `json:"title"`
	// Summary describes the family in one line.
	Summary string `json:"summary"`
	// Source cites the paper, with the equation or section.
	Source string `json:"source"`
	// Group is the heading of the family in lists, for example "structured deep GPs".
	Group string `json:"-"`
	// Objective is the quantity that the family maximises.
	Objective Objective `json:"-"`
	// Accepts lists the kinds of targets on which the family can be trained.
	Accepts Accepts `json:"-"`
	// Hyperparameters lists the hyperparameters in the order in which forms show them.
	Hyperparameters []Hyperparameter `json:"-"`
	// Seedless is set if a model that trains on all points of its data does not depend on the seed.
	Seedless bool `json:"-"`
	// Absent explains why the family lacks hyperparameters of other families, by name.
	Absent map[string]string `json:"-"`
	// Uncontrolled explains why the parameters of the family's models cannot be held, bounded or given
	// priors. It is empty if the models are Controlled, because gradients move their hyperparameters.
	Uncontrolled string `json:"-"`
	// Training holds the family's defaults for training settings, by name.
	Training map[string]Default `json:"-"`
	// Presets are complete sets of values other than the defaults.
	Presets []Preset `json:"-"`
	// Size returns the size of a model with values v for n rows of d inputs and p latent functions
	// of the targets, without building the model. A known noise may need one parameter less.
	Size func(v Values, n, d, p int) (Size, error) `json:"-"`
	// Scaling lists the leading powers in the number of operations per step, for many points per
	// inducing point. It is nil if the source does not state them.
	Scaling []Exponent `json:"-"`
	// New builds a model. All its random numbers derive from seed.
	New func(v Values, data Data, seed uint64) (Model, error) `json:"-"`
}

// Accepts lists the kinds of targets on which a family can be trained.
type Accepts struct {
	Regression, Binary, Multiclass, Count bool
	// Outputs allows several targets.
	Outputs bool
	// Missing allows missing targets (NaN).
	Missing bool
	// Noise allows known noise variances of the points, and Weights weights of the points, for real targets
	// with a Gaussian likelihood.
	Noise, Weights bool
}

// AnyTargets accepts everything but missing targets, known noise and weights, and AnyRows also accepts these
// two.
var (
	AnyTargets = Accepts{Regression: true, Binary: true, Multiclass: true, Count: true, Outputs: true}
	AnyRows    = Accepts{Regression: true, Binary: true, Multiclass: true, Count: true, Outputs: true,
		Noise: true, Weights: true}
)

// Check returns an error if the family cannot be trained on the targets y, [N, P], of task t.
func (a Accepts) Check(t task.Task, y *mat.Dense) error {
	_, targets := y.Dims()
	return a.CheckCounts(t, targets, CountMissing(y))
}

// CheckCounts is Check for a number of targets, of which some cells are missing.
func (a Accepts) CheckCounts(t task.Task, targets, missing int) error {
	switch {
	case t == task.Binary && !a.Binary, t == task.Multiclass && !a.Binary && !a.Multiclass:
		return errors.New("it cannot be trained on classes")
	case t == task.Multiclass && !a.Multiclass:
		return errors.New("it cannot be trained on more than two classes")
	case t == task.Multiclass && targets > 1:
		return fmt.Errorf("it supports only one target with more than two classes, not %d", targets)
	case t == task.Regression && !a.Regression:
		return errors.New("it cannot be trained on real targets")
	case t == task.Count && !a.Count:
		return errors.New("it cannot be trained on counts: it has no closed form for their likelihoods; " +
			"choose another family, or treat the target as a number")
	case t == task.Count && targets > 1:
		return fmt.Errorf("it supports only one target of counts, not %d", targets)
	case targets > 1 && !a.Outputs:
		return fmt.Errorf("it supports only one target, not %d", targets)
	case missing > 0 && !a.Missing:
		return fmt.Errorf("it cannot be trained with missing targets, and %d are missing", missing)
	}
	return nil
}

// CountMissing returns the number of missing targets.
func CountMissing(y *mat.Dense) (n int) {
	rows, _ := y.Dims()
	for i := range rows {
		for _, v := range y.RawRowView(i) {
			if math.IsNaN(v) {
				n++
			}
		}
	}
	return n
}

// Size describes a model before it is built.
type Size struct {
	// Variational is the number of free entries of variational means and covariance factors.
	Variational int
	// Parameters is the number of values that the optimiser updates.
	Parameters int
	// Blocks is the number of potentially non-zero blocks of L_S, including diagonal blocks.
	Blocks int
	// StepFLOPs is the number of floating-point operations of one step, including the gradient. A
	// multiply-add counts as two. It is 0 if unknown.
	StepFLOPs float64
	// Shape is the shape of the matrix products that hold most of the operations. It is zero if there
	// are none.
	Shape Shape
	// Elementwise is the number of operations in StepFLOPs that are outside of matrix products and
	// factorisations. All operations are elementwise if Shape is zero. An exponential counts as 40.
	Elementwise float64
	// Cycle is the number of steps over which StepFLOPs is the mean, if steps differ; 0 stands for 1.
	Cycle int
	// Seconds is the approximate time of the whole training on one core, if it does not follow from the
	// steps; otherwise it is 0.
	Seconds float64
	// Memory is the approximate peak memory of training in bytes, including views and predictions.
	// It is 0 if unknown.
	Memory float64
}

// Shape is the shape of a matrix product: Rows x Inner times Inner x Cols.
type Shape struct{ Rows, Inner, Cols int }

// Exponent is the leading power of a hyperparameter, or of Rows, in the number of operations of a
// step.
type Exponent struct {
	Hyperparameter string
	Power          int
}

// Rows is the name used in an Exponent for the number of training points.
const Rows = "rows"

// Report describes one training step. Its slices are valid until the model's next step.
type Report struct {
	// Objective is the objective summed over the data; see Spec.Objective.
	Objective float64
	// Terms are the terms of the objective, and Gauges are the readings of the method, both in the
	// order of the family's Objective.
	Terms, Gauges []float64
	// Rescues is the number of jitter rescues in this step.
	Rescues int
	// Phase names the phase of training, for example "burn-in", possibly with its outcome. It is
	// empty if training has a single phase. Users are notified of every change, so it should change
	// rarely.
	Phase string
	// Converged reports whether further steps would leave the model unchanged.
	Converged bool
}

// Model is a trainable model. It must be used by one goroutine at a time.
type Model interface {
	// Step performs one unit of inference. On error (for example a
	// *linalg.NotPositiveDefiniteError, a *NonFiniteError or the error of ctx) the state is
	// unchanged.
	Step(ctx context.Context) (Report, error)
	// Predict returns the predictive distribution at X, [n, D], estimated with the given number of
	// samples, in standardised units of the training targets. The result is a predictive.Regression
	// or a predictive.Classification. Random draws depend only on seed; Predict does not affect
	// training.
	Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error)
	// State returns all arrays of a checkpoint. The slices alias the model: copying data into them
	// and calling Restored restores the model.
	State() []Array
	// Restored updates the model after the arrays of State have been overwritten.
	Restored() error
	// StepsDone returns the number of completed steps, which is part of State.
	StepsDone() int
	// Hyper returns the learned quantities of interest to users (noise variance, kernel variances,
	// lengthscales) in constrained form.
	Hyper() []Quantity
	// NumParameters returns the number of optimised values.
	NumParameters() int
}

// Evaluator is implemented by models whose steps only estimate the objective, from a minibatch or
// from random draws.
type Evaluator interface {
	// EvaluateObjective returns the objective at the current parameters over all training points.
	// Random draws depend only on seed; training is not affected. known is false if the objective
	// is not a sum over points. It returns early when ctx is cancelled.
	EvaluateObjective(ctx context.Context, seed uint64) (value float64, known bool, err error)
}

// Viewer is implemented by models that provide views of their state.
type Viewer interface {
	// Views returns the views of the current state, in slices that the model does not modify
	// afterwards. Random draws depend only on seed; training is not affected. If some views fail,
	// Views returns the others together with the joined errors.
	Views(seed uint64) (view.Views, error)
}

// FunctionPredictor is implemented by models whose posterior functions differ from their
// predictions.
type FunctionPredictor interface {
	// Functions returns the posterior functions at X, [n, D], without noise, in standardised units.
	Functions(X *mat.Dense) ([]view.Function, error)
}

// FunctionSampler is implemented by models that can draw functions from their posterior.
type FunctionSampler interface {
	// DrawFunctions returns up to count joint draws of the functions at X, [n, D], one per target
	// or class: [count][P][n], without noise, in standardised units. Models that keep a limited
	// number of samples may return fewer draws. The draws depend only on seed; training is not
	// affected.
	DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error)
}

// JointPredictor is implemented by models whose functions are Gaussian.
type JointPredictor interface {
	// JointMoments returns the means, [P][n], and the covariances, [P][n*n], of the functions at X, [n,
	// D], without noise, in standardised units. Functions with equal covariances may share one.
	JointMoments(X *mat.Dense) (mean, covariance [][]float64, err error)
}

// JointSampler is implemented by function samplers that cannot draw functions jointly for all
// values of their hyperparameters.
type JointSampler interface {
	// DrawsJointly returns an error that gives the reason if the values of a draw at several points
	// do not follow a joint posterior.
	DrawsJointly() error
}

// InducingModel is implemented by models with inducing inputs that all points share.
type InducingModel interface {
	// InducingInputs returns a copy of the inducing inputs of the first layer, [M, D],
	// standardised.
	InducingInputs() *mat.Dense
}

// StepTimer is implemented by models that can measure the time spent in each part of a step.
type StepTimer interface {
	// TimeNextStep makes the next Step read clock between its parts, for the shares of
	// view.Matrices. Other steps are not timed, so timing one step in many costs almost nothing.
	// Models read no other clock.
	TimeNextStep(clock func() time.Duration)
}

// Scheduled is implemented by models whose training may follow a learning-rate schedule.
type Scheduled interface {
	// RateSchedule returns the schedule, or nil if there is none. Its length may be changed between steps.
	// The length is not part of State.
	RateSchedule() *infer.Schedule
}

// Array is a named array of a model's state.
type Array = param.Array

// Quantity is a named learned quantity in its natural (constrained) form.
type Quantity struct {
	// Name is dotted, for example "likelihood.variance" or "layer.0.kernel.lengthscales".
	Name  string
	Value []float64
}

// Annotator is implemented by models with notes on their construction or initialisation. Notes is
// called after a model is built or restored, and when its phase changes.
type Annotator interface {
	Notes() []string
}

// NonFiniteError reports a NaN or Inf that was found before it reached a parameter.
type NonFiniteError struct {
	// Where names the quantity, for example "gradient of layer.1.Z".
	Where string
	Step  int
	// Lower names the setting that the user should lower. Empty means the learning rate.
	Lower string
}

func (e *NonFiniteError) Error() string {
	return "step " + strconv.Itoa(e.Step) + ": " + e.Where + " is not finite; lower the " +
		cmp.Or(e.Lower, "learning rate") + " or check the data"
}
