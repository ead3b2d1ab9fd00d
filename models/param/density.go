package param

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Density is the density of a prior over the values of a parameter. It is a density of the values, not of
// their free entries: the transform of a parameter does not change its most probable value.
type Density struct {
	kind *densityKind
	args [2]float64
}

// densityKind is a family of densities.
type densityKind struct {
	name string
	args []string
	// real is the number of leading arguments that may be zero or negative.
	real int
	// positive is set if the density is zero up to 0.
	positive bool
	// at returns the log density at x and its derivative.
	at func(x, a, b float64) (value, slope float64)
}

var densityKinds = []densityKind{
	{name: "lognormal", args: []string{"mean of the logarithm", "its standard deviation"}, real: 1,
		positive: true, at: logNormal},
	{name: "gamma", args: []string{"shape", "rate"}, positive: true, at: gamma},
	{name: "inversegamma", args: []string{"shape", "scale"}, positive: true, at: inverseGamma},
	{name: "normal", args: []string{"mean", "standard deviation"}, real: 1, at: normal},
	{name: "halfnormal", args: []string{"standard deviation"}, positive: true, at: halfNormal},
}

// DensityForms lists the densities that ParseDensity accepts, with their arguments.
func DensityForms() (list []string) {
	for _, k := range densityKinds {
		list = append(list, k.name+"("+strings.Join(k.args, ", ")+")")
	}
	return list
}

// ParseDensity returns the density of a text such as "gamma(2, 1)".
func ParseDensity(text string) (Density, error) {
	name, rest, open := strings.Cut(strings.TrimSpace(text), "(")
	rest, closed := strings.CutSuffix(rest, ")")
	for i := range densityKinds {
		k := &densityKinds[i]
		if k.name != strings.TrimSpace(name) {
			continue
		}
		texts := strings.Split(rest, ",")
		if !open || !closed || len(texts) != len(k.args) {
			return Density{}, fmt.Errorf("want %s(%s)", k.name, strings.Join(k.args, ", "))
		}
		d := Density{kind: k}
		for j, arg := range texts {
			x, err := strconv.ParseFloat(strings.TrimSpace(arg), 64)
			if err != nil || x-x != 0 || j >= k.real && !(x > 0) {
				want := "a number"
				if j >= k.real {
					want = "a number above 0"
				}
				return Density{}, fmt.Errorf("want %s as the %s of %s", want, k.args[j], k.name)
			}
			d.args[j] = x
		}
		return d, nil
	}
	return Density{}, fmt.Errorf("want a prior: %s", strings.Join(DensityForms(), "; "))
}

// String returns the density as users write it, for example "gamma(2,1)".
func (d Density) String() string {
	var texts []string
	for i := range d.kind.args {
		texts = append(texts, strconv.FormatFloat(d.args[i], 'g', -1, 64))
	}
	return d.kind.name + "(" + strings.Join(texts, ",") + ")"
}

// LogDensity returns the logarithm of the density at x and its derivative. Outside of the support, these are
// -Inf and 0.
func (d Density) LogDensity(x float64) (value, slope float64) {
	if d.kind.positive && !(x > 0) {
		return math.Inf(-1), 0
	}
	return d.kind.at(x, d.args[0], d.args[1])
}

var logRoot2Pi = 0.5 * math.Log(2*math.Pi)

func normal(x, mean, sd float64) (value, slope float64) {
	z := (x - mean) / sd
	return -0.5*z*z - math.Log(sd) - logRoot2Pi, -z / sd
}

func halfNormal(x, sd, _ float64) (value, slope float64) {
	value, slope = normal(x, 0, sd)
	return value + math.Ln2, slope
}

func logNormal(x, mean, sd float64) (value, slope float64) {
	l := math.Log(x)
	value, slope = normal(l, mean, sd)
	return value - l, (slope - 1) / x
}

func gamma(x, shape, rate float64) (value, slope float64) {
	norm, _ := math.Lgamma(shape)
	return shape*math.Log(rate) - norm + (shape-1)*math.Log(x) - rate*x, (shape-1)/x - rate
}

func inverseGamma(x, shape, scale float64) (value, slope float64) {
	norm, _ := math.Lgamma(shape)
	return shape*math.Log(scale) - norm - (shape+1)*math.Log(x) - scale/x, (scale/x - shape - 1) / x
}
