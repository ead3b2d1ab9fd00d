// Package family is the contract between the registry and the families: what a
// family declares (its name, objective and hyperparameters), what it is given
// (data, a seed), what its models must do (Model), and what they may show beyond
// that (Viewer). It knows no family, no run and no screen.
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
	"dgplab/models/param"
	"dgplab/models/predictive"
	"dgplab/models/view"
)

// Data is what a model is trained on.
type Data struct {
	// X holds the standardised inputs, [N, D].
	X *mat.Dense
	// Y holds the targets, [N, P]: standardised, or -1 and +1 for Binary, or numbers of
	// classes for Multiclass; NaN where one was not observed, for families that accept that.
	Y *mat.Dense
	// Task says which likelihood the targets ask for.
	Task task.Task
	// Classes is the number of classes of Multiclass.
	Classes int
	// Steps is the number of steps that the run is to have at most, 0 if that is not known.
	Steps int
}

// Spec declares a family. JSON has what tells it from others.
type Spec struct {
	// Name is what the command line and files say, for example "mean-field".
	Name string `json:"name"`
	// Title is what a person reads, for example "Mean-field deep GP".
	Title string `json:"title"`
	// Summary is one line that says what the family is.
	Summary string `json:"summary"`
	// Source is the paper, with equation or section.
	Source string `json:"source"`
	// Group is the heading that the family stands under in lists, for example
	// "structured deep GPs".
	Group string `json:"-"`
	// Objective is what the family maximises.
	Objective Objective `json:"-"`
	// Accepts says which targets the family can be trained on.
	Accepts Accepts `json:"-"`
	// Hyperparameters lists what can be set, in the order of the form.
	Hyperparameters []Hyperparameter `json:"-"`
	// Training holds this family's own defaults of the settings of training, by name.
	Training map[string]Default `json:"-"`
	// Presets are complete sets of values beside the defaults.
	Presets []Preset `json:"-"`
	// Size returns what a model of these values on n rows of d inputs and p
	// targets, or p classes of a target, would hold, without allocating it.
	Size func(v Values, n, d, p int) (Size, error) `json:"-"`
	// Scaling says how the operations of a step grow with hyperparameters and the number
	// of points, where there are many points per inducing point; nil when the source
	// does not say.
	Scaling []Exponent `json:"-"`
	// New builds a model. All its random numbers derive from seed.
	New func(v Values, data Data, seed uint64) (Model, error) `json:"-"`
}

// Accepts says which targets a family can be trained on.
type Accepts struct {
	Regression, Binary, Multiclass bool
	// Outputs says that there may be several targets.
	Outputs bool
	// Missing says that targets may be NaN, which means that they were not observed.
	Missing bool
}

// Check returns an error that says why a family cannot be trained on the targets
// y [N, P] of a task, nil if it can.
func (a Accepts) Check(t task.Task, y *mat.Dense) error {
	_, targets := y.Dims()
	missing := countMissing(y)
	switch {
	case t == task.Binary && !a.Binary, t == task.Multiclass && !a.Binary && !a.Multiclass:
		return errors.New("it cannot be trained on classes")
	case t == task.Multiclass && !a.Multiclass:
		return errors.New("it cannot be trained on more than two classes")
	case t == task.Multiclass && targets > 1:
		return fmt.Errorf("it takes one target of more than two classes, not %d", targets)
	case t == task.Regression && !a.Regression:
		return errors.New("it cannot be trained on real targets")
	case targets > 1 && !a.Outputs:
		return fmt.Errorf("it takes one target, not %d", targets)
	case missing > 0 && !a.Missing:
		return fmt.Errorf("it cannot be trained with missing targets, and %d are missing", missing)
	}
	return nil
}

// countMissing returns the number of targets that were not observed.
func countMissing(y *mat.Dense) (n int) {
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

// Size is what is known of a model before it is built.
type Size struct {
	// Variational counts the free entries of means and covariance factors.
	Variational int
	// Parameters counts every number that the optimiser moves.
	Parameters int
	// Blocks counts the blocks of L_S that may be non-zero (diagonal ones included).
	Blocks int
	// StepFLOPs is the count of floating-point operations of one step (a
	// multiply-add is two), bound and gradient; 0 when not known.
	StepFLOPs float64
	// Memory is about the most bytes that training takes, looking into the model and
	// predictions included; 0 when not known.
	Memory float64
}

// Exponent is the power with which the operations of a step grow with a
// hyperparameter, or with Rows: that of the leading term.
type Exponent struct {
	Hyperparameter string
	Power          int
}

// Rows stands in an Exponent for the number of points that a model is trained on.
const Rows = "rows"

// Report is what one step of inference says. Its slices are valid until the next
// step of the model.
type Report struct {
	// Objective is what is maximised, summed over data; see Objective.
	Objective float64
	// Terms are its parts and Gauges readings of the method, in the order of the
	// family's Objective.
	Terms, Gauges []float64
	// Rescues counts the jitter rescues of this step.
	Rescues int
	// Phase says what the step was part of, for example "burn-in", and perhaps what came
	// of it; "" where there is only one. People are told of it when it changes, so that it
	// does not change all the time.
	Phase string
	// Converged says that no further step would change the model.
	Converged bool
}

// Model is anything that can take a step. A model belongs to one goroutine.
type Model interface {
	// Step does one unit of inference. After an error (for example a
	// *linalg.NotPositiveDefiniteError, a *NonFiniteError or that of ctx) the state
	// is that before the step.
	Step(ctx context.Context) (Report, error)
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

// Evaluator is implemented by models whose objective a step only estimates, from a
// minibatch or from draws.
type Evaluator interface {
	// EvaluateObjective returns the objective at the present parameters over all training
	// points, estimated from draws that depend on seed alone: training is not disturbed. It
	// is not known of objectives that are no sum over points. It stops when ctx ends.
	EvaluateObjective(ctx context.Context, seed uint64) (value float64, known bool, err error)
}

// Viewer is implemented by models that can be looked into.
type Viewer interface {
	// Views returns what there is to see of the present state, in slices that the
	// model does not write again. The draws depend on seed alone: training is not disturbed. With
	// an error, joined of one for each part that could not be made, the other parts are there.
	Views(seed uint64) (view.Views, error)
}

// FunctionPredictor is implemented by models that have functions of their own to be looked at
// anywhere, which are not what they predict.
type FunctionPredictor interface {
	// Functions returns the functions of the posterior at X [n, D], without noise, in
	// standardised units.
	Functions(X *mat.Dense) ([]view.Function, error)
}

// FunctionSampler is implemented by models that draw functions of their posterior.
type FunctionSampler interface {
	// DrawFunctions returns so many draws of the functions at X [n, D], of each target or
	// class one, [count][P][n]: each is one function at all points, without noise, in
	// standardised units. There may be fewer where a model has kept fewer. The draws depend
	// on seed alone: training is not disturbed.
	DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error)
}

// InducingModel is implemented by models with inducing inputs that are the same for all points.
type InducingModel interface {
	// InducingInputs returns those of the first layer, [M, D], standardised: a copy.
	InducingInputs() *mat.Dense
}

// StepTimer is implemented by models that can say where the time of a step goes.
type StepTimer interface {
	// TimeNextStep asks the next Step to read the clock between its parts, for the
	// shares of view.Matrices. Other steps read no clock, so that nothing is lost
	// when only one step in many is timed. A model has no clock of its own.
	TimeNextStep(clock func() time.Duration)
}

// Array is one named array of a model's state.
type Array = param.Array

// Quantity is one named learned quantity, in its natural (constrained) form.
type Quantity struct {
	// Name is dotted, for example "likelihood.variance" or "layer.0.kernel.lengthscales".
	Name  string
	Value []float64
}

// Annotator is implemented by models that have something to say about how they were
// built, or how they began, to be shown as notes. They are asked when they are built or
// restored, and when their phase changes.
type Annotator interface {
	Notes() []string
}

// NonFiniteError reports a NaN or Inf that was kept from reaching a parameter.
type NonFiniteError struct {
	// Where names the quantity, for example "gradient of layer.1.Z".
	Where string
	Step  int
	// Lower names what had better be lower, "" for the learning rate.
	Lower string
}

func (e *NonFiniteError) Error() string {
	return "step " + strconv.Itoa(e.Step) + ": " + e.Where + " is not finite; lower the " +
		cmp.Or(e.Lower, "learning rate") + " or check the data"
}
