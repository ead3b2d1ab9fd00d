package kernel

// functions lists the covariance functions. To add one, write its file and add it here.
var functions = []Function{
	rbf, matern12, matern32, matern52, rationalQuadratic, periodic{}, linear{}, constant{}, white{},
}

// Function is a covariance function of two points with any number of coordinates. Values are
// symmetric to the last bit: Value(x, y) equals Value(y, x).
type Function interface {
	// Describe returns the name and the formula.
	Describe() Description
	// Parameters lists the parameters.
	Parameters() []Parameter
	// Value returns k(x, y). p holds the values of the parameters in the order of Parameters: one
	// number per parameter, or one number for each coordinate.
	Value(x, y []float64, p [][]float64) float64
	// AddGradient adds w times the derivatives of k(x, y) to g.
	AddGradient(w float64, x, y []float64, p [][]float64, g Gradient)
}

// Description describes a function to users.
type Description struct {
	// Name is the name in expressions.
	Name string
	// Formula is the formula of the function in one line, and Use is its purpose in a few words.
	Formula, Use string
	// Columns is set if the function depends on columns of the inputs.
	Columns bool
	// Same is set if the function is zero except for a point and itself in the same set.
	Same bool
}

// Parameter declares a parameter of a function. Parameters named "variance" and "lengthscales"
// start at values set by the user; all others start at Start.
type Parameter struct {
	Name string
	// Each is set if the parameter has one value for each column.
	Each bool
	// Real is set if the parameter may be negative or zero.
	Real  bool
	Start float64
	// Spread is the spread of the prior of the parameter around its starting value (see Prior).
	Spread float64
}

// Gradient holds the slices to which derivatives with respect to both points and to the parameters
// are added. X and Y may be the same slice.
type Gradient struct {
	X, Y []float64
	P    [][]float64
}

// Names of the parameters whose starting values are set by the user.
const (
	variance     = "variance"
	lengthscales = "lengthscales"
)

// Parameters of most functions.
var (
	lengthscaleParameter = Parameter{Name: lengthscales, Each: true, Spread: 1}
	varianceParameter    = Parameter{Name: variance, Spread: 1}
)

// Entry describes a function and its parameters.
type Entry struct {
	Description
	Parameters []string // their names, with the priors of parameters whose starts are not set by the user
}

// Describe returns the descriptions of all functions.
func Describe() (list []Entry) {
	for _, f := range functions {
		e := Entry{Description: f.Describe()}
		for _, p := range f.Parameters() {
			name := p.Name
			if p.Name != variance && p.Name != lengthscales {
				name += " ~ " + p.prior(p.Start).String()
			}
			e.Parameters = append(e.Parameters, name)
		}
		list = append(list, e)
	}
	return list
}

// Names returns the names of the functions.
func Names() (names []string) {
	for _, f := range functions {
		names = append(names, f.Describe().Name)
	}
	return names
}
