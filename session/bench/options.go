package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/sweep"
)

// Rows is the axis that all families have: the number N of rows of the synthetic
// data.
const Rows = family.Rows

// Options describe a sweep: every family with every combination of values on the
// axes that it has, in a common setting.
type Options struct {
	Families []string
	// Axes are hyperparameters, and Rows, with their values; the first one changes
	// most often.
	Axes []sweep.Axis
	// Set holds hyperparameters that have one value each, for the families that have
	// them.
	Set map[string]string
	// Preset is that of the hyperparameters which are not listed here; "" means the
	// defaults.
	Preset string
	// Inputs is the number D of inputs, Outputs that of targets, P.
	Inputs, Outputs int
	// Seconds is how long the steps of a cell are measured; it takes longer where
	// three steps do.
	Seconds float64
}

// Defaults returns the sweep of the speed goals, for all families under the heading of the
// default one: they differ in nothing but their posteriors, so that their times tell what
// these cost.
func Defaults() Options {
	return Options{
		Families: kin(models.DefaultFamily),
		Axes: []sweep.Axis{
			{Name: "inducing", Values: []string{"32", "64", "128", "256"}}, {Name: "layers",
				Values: []string{"3"}}, {Name: "width", Values: []string{"5"}},
		},
		Set:    map[string]string{"batch": "512", "samples": "5"},
		Inputs: 9, Outputs: 1, Seconds: 2,
	}
}

// kin returns the families under the same heading as one.
func kin(name string) (names []string) {
	spec, _ := models.Lookup(name) // Without it there are none, which check refuses.
	for _, other := range models.Families() {
		if other.Group == spec.Group {
			names = append(names, other.Name)
		}
	}
	return names
}

// Limits of what the models do not limit themselves.
const (
	leastRows   = 2048 // rows of the synthetic data, where no cell needs more
	mostRows    = 10_000_000
	mostInputs  = 1000
	mostOutputs = 100
	mostSeconds = 3600
)

// check refuses what is no sweep, whatever the families are.
func (o Options) check() error {
	if len(o.Families) == 0 {
		return &models.ValueError{Name: "families", Want: "want at least one"}
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
	if o.Inputs < 1 || o.Inputs > mostInputs {
		return &models.ValueError{
			Name:  "inputs",
			Value: strconv.Itoa(o.Inputs),
			Want:  fmt.Sprintf("want a whole number from 1 to %d", mostInputs),
		}
	}
	if o.Outputs < 1 || o.Outputs > mostOutputs {
		return &models.ValueError{
			Name:  "outputs",
			Value: strconv.Itoa(o.Outputs),
			Want:  fmt.Sprintf("want a whole number from 1 to %d", mostOutputs),
		}
	}
	if math.IsNaN(o.Seconds) || o.Seconds <= 0 || o.Seconds > mostSeconds {
		return &models.ValueError{Name: "seconds", Value: strconv.FormatFloat(o.Seconds, 'g', -1, 64),
			Want: fmt.Sprintf("want a number above 0, at most %d", mostSeconds)}
	}
	return o.checkNames()
}

// shared are those axes and settings of the defaults that a family need not have:
// they are for those that do.
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

// checkNames refuses a hyperparameter that no family has, unless it is a shared one.
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
				Want: "no such hyperparameter; there are " + strings.Join(names, ", "),
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
				more = append(more, Setting{s.Family,
					append([]Value{{axis.Name, h.Canonical(v)}}, s.Values...)})
			}
		}
		list = more
	}
	return list
}

// rowsField is what a value on the axis Rows may be.
var rowsField = models.Hyperparameter{Name: Rows, Min: 1, Max: mostRows}

// find returns the hyperparameter of a family, or that which all have.
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
