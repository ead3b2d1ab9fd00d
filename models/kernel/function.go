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
	// Value returns k(x, y). p holds the values of the parameters, in the order of Parameters: one
	// number each, or one for each coordinate.
	Value(x, y []float64, p [][]float64) float64
	// AddGradient adds w times the derivatives of k(x, y) to g.
	AddGradient(w float64, x, y []float64, p [][]float64, g Gradient)
}

// Description describes a function to people.
type Description struct {
	// Name is the name in expressions.
	Name string
	// Formula is the value as a formula of one line, and Use says in a few words what it is for.
	Formula, Use string
	// Columns is set if the function depends on columns of the inputs.
	Columns bool
	// Same is set if the function is zero unless both points are the same point of the same set.
	Same bool
}

// Parameter declares a parameter of a function. Parameters named "variance" and "lengthscales" start
// at values that the user sets; all others start at Start.
type Parameter struct {
	Name string
	// Each is set if there is one value for each column.
	Each bool
	// Real is set if values may be negative or zero.
	Real  bool
	Start float64
}

// Gradient holds the destinations of the derivatives with respect to both points and to the
// parameters. X and Y may be the same slice.
type Gradient struct {
	X, Y []float64
	P    [][]float64
}

// Names of parameters that start at values that the user sets.
const (
	variance     = "variance"
	lengthscales = "lengthscales"
)

// Entry describes a function of the list.
type Entry struct {
	Description
	Parameters []string // their names
}

// Describe returns the descriptions of all functions.
func Describe() (list []Entry) {
	for _, f := range functions {
		e := Entry{Description: f.Describe()}
		for _, p := range f.Parameters() {
			e.Parameters = append(e.Parameters, p.Name)
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
