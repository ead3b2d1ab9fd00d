// Package models is the registry of model families: it lists what there is and
// builds a model from a name and hyperparameters. The families live in the
// packages below; what they must offer is in models/family.
package models

import (
	"fmt"
	"strings"

	"dgplab/models/amortized"
	"dgplab/models/bnn"
	"dgplab/models/dgp"
	"dgplab/models/ep"
	"dgplab/models/family"
	"dgplab/models/gp"
	"dgplab/models/gprn"
	"dgplab/models/linalg"
	"dgplab/models/linear"
	"dgplab/models/orthogonal"
	"dgplab/models/sigmapoint"
)

// These names are the vocabulary of models/family, for callers outside models.
type (
	Model          = family.Model
	Data           = family.Data
	Spec           = family.Spec
	Size           = family.Size
	Report         = family.Report
	Array          = family.Array
	Quantity       = family.Quantity
	Hyperparameter = family.Hyperparameter
	Values         = family.Values
	ValueError     = family.ValueError
	Annotator          = family.Annotator
	NonFiniteError = family.NonFiniteError
	NaNError       = linalg.NaNError
)

// Resolve fills in defaults and validates; see family.Resolve.
func Resolve(list []Hyperparameter, set map[string]string) (Values, error) {
	return family.Resolve(list, set)
}

// registry holds one line per kind of posterior.
var registry = [][]family.Spec{
	dgp.Families(),
	gp.Families(),
	amortized.Families(),
	orthogonal.Families(),
	sigmapoint.Families(),
	gprn.Families(),
	ep.Families(),
	bnn.Families(),
	linear.Families(),
}

// DefaultFamily is trained when none is named: the paper's own proposal.
const DefaultFamily = "star"

// BaselineFamily is what every other family has to beat: it is trained in no time, so that
// no comparison needs to be without it.
const BaselineFamily = "linear"

// Families returns every family, in the order of the set-up screen.
func Families() []Spec {
	var all []Spec
	for _, specs := range registry {
		all = append(all, specs...)
	}
	return all
}

// Lookup returns the family of that name, or an error that lists the names.
func Lookup(name string) (Spec, error) {
	var names []string
	for _, s := range Families() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Spec{}, fmt.Errorf("no family %q; there are %s", name, strings.Join(names, ", "))
}

// Kernels returns the name of the instruction set that the matrix products of
// all families use; see linalg.Kernels.
func Kernels() string { return linalg.Kernels() }
