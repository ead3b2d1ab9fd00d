package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/wording"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// Rows is the axis that all families have: the number N of rows of the synthetic data.
const Rows = family.Rows

// Options describes a sweep: each family with every combination of values on its axes.
type Options struct {
	Families []string
	// Axes lists hyperparameters, and Rows, with their values. The first axis varies fastest.
	Axes []sweep.Axis
	// Set holds fixed hyperparameter values, which apply to the families that have them.
	Set map[string]string
	// Preset is the preset for all other hyperparameters; "" means the defaults.
	Preset string
	// Inputs is the number of inputs D, and Outputs is the number of targets P.
	Inputs, Outputs int
	// UsualRows selects the number of rows by family: few for families whose steps factorise many N x N
	// matrices, as in practice, and even if batches are larger.
	UsualRows bool
	// Seconds is the measuring time per cell. At least three steps are measured even if they take
	// longer.
	Seconds float64
	// Cores lists the numbers of cores for the times of each cell. Those that the machine has are measured,
	// and the others are predicted.
	Cores []int
}

// Defaults returns the sweep used for the speed goals. It compares the families in the group of the
// default family, which differ only in their posteriors.
func Defaults() Options {
	return Options{
		Families: sameGroup(models.DefaultFamily),
		Axes: []sweep.Axis{
			{Name: "inducing", Values: []string{"32", "64", "128", "256"}}, {Name: "layers",
				Values: []string{"3"}}, {Name: "width", Values: []string{"5"}},
		},
		Set:    map[string]string{"batch": "512", "samples": "5"},
		Inputs: 9, Outputs: 1, Seconds: 2,
	}
}

// All returns the comparison of all families at the sizes that people use: with their defaults. It leaves
// out the baseline, which is fitted in closed form.
func All() Options {
	o := Defaults()
	o.Families, o.Axes, o.Set = nil, nil, nil
	for _, spec := range models.Families() {
		if spec.Name != models.BaselineFamily {
			o.Families = append(o.Families, spec.Name)
		}
	}
	o.Preset, o.UsualRows = rundir.DefaultPreset, true
	return o
}

// fewRows is the number of rows of families whose steps factorise many N x N matrices.
var fewRows = map[string]int{"dgp-ess": 256, "gprn": 256, "gprn-npv": 256}

// sameGroup returns the families in the same group as the named one.
func sameGroup(name string) (names []string) {
	spec, _ := models.Lookup(name) // If the lookup fails there are no families, which check rejects.
	for _, other := range models.Families() {
		if other.Group == spec.Group {
			names = append(names, other.Name)
		}
	}
	return names
}

// Limits of quantities that models do not limit.
const (
	defaultRows = 2048 // rows of the synthetic data, unless a cell needs more
	maxRows     = 10_000_000
	maxInputs   = 1000
	maxOutputs  = 100
	maxSeconds  = 3600
)

// check validates the options that do not depend on the families.
func (o Options) check() error {
	if len(o.Families) == 0 {
		return &models.ValueError{Name: "family", Want: "want at least one"}
	}
	seen := map[string]bool{}
	for _, axis := range o.Axes {
		_, set := o.Set[axis.Name]
		switch {
		case len(axis.Values) == 0:
			return &models.ValueError{Name: axis.Name, Want: "want at least one"}
		case set || seen[axis.Name]:
			return &models.ValueError{Name: axis.Name, Want: "given twice"}
		}
		seen[axis.Name] = true
	}
	if o.Inputs < 1 || o.Inputs > maxInputs {
		return &models.ValueError{
			Name:  "inputs",
			Value: strconv.Itoa(o.Inputs),
			Want:  fmt.Sprintf("want a whole number from 1 to %d", maxInputs),
		}
	}
	if o.Outputs < 1 || o.Outputs > maxOutputs {
		return &models.ValueError{
			Name:  "outputs",
			Value: strconv.Itoa(o.Outputs),
			Want:  fmt.Sprintf("want a whole number from 1 to %d", maxOutputs),
		}
	}
	if math.IsNaN(o.Seconds) || o.Seconds <= 0 || o.Seconds > maxSeconds {
		return &models.ValueError{Name: "seconds", Value: strconv.FormatFloat(o.Seconds, 'g', -1, 64),
			Want: fmt.Sprintf("want a number above 0, at most %d", maxSeconds)}
	}
	return o.checkNames()
}

// shared returns the axes and settings of the defaults, which are ignored for families that do not have them.
func shared() map[string]bool {
	o, names := Defaults(), map[string]bool{Rows: true}
	for _, axis := range o.Axes {
		names[axis.Name] = true
	}
	for name := range o.Set {
		names[name] = true
	}
	return names
}

// checkNames rejects axes that none of the families has, unless they are shared.
func (o Options) checkNames() error {
	known := shared()
	var names []string
	for _, name := range o.Families {
		spec, err := models.Lookup(name)
		if err != nil {
			return err
		}
		for _, h := range spec.Hyperparameters {
			if !slices.Contains(names, h.Name) {
				names = append(names, h.Name)
			}
			known[h.Name] = true
		}
	}
	for _, axis := range o.Axes {
		if !known[axis.Name] {
			return &models.ValueError{
				Name: axis.Name,
				Want: "unknown hyperparameter" + wording.DidYouMeanOr(axis.Name, names,
					"known ones are "+strings.Join(names, ", ")),
			}
		}
	}
	return nil
}

// settings returns every combination of the values on the axes that a family has.
func (o Options) settings(spec models.Spec) []Setting {
	list := []Setting{{Family: spec.Name}}
	for _, axis := range slices.Backward(o.Axes) {
		h, ok := find(spec, axis.Name)
		if !ok {
			continue
		}
		var more []Setting
		for _, s := range list {
			for _, v := range axis.Values {
				more = append(more,
					Setting{s.Family, append([]Value{{axis.Name, h.Canonical(v)}}, s.Values...)})
			}
		}
		list = more
	}
	return list
}

// rowsField validates values on the Rows axis.
var rowsField = models.Hyperparameter{Name: Rows, Min: 1, Max: maxRows}

// find returns a hyperparameter of a family, or rowsField for Rows.
func find(spec models.Spec, name string) (models.Hyperparameter, bool) {
	if name == Rows {
		return rowsField, true
	}
	i := slices.IndexFunc(spec.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == name })
	if i < 0 {
		return models.Hyperparameter{}, false
	}
	return spec.Hyperparameters[i], true
}
