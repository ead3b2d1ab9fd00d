// Package models is the registry of model families: it lists the families and builds a model from a
// name and hyperparameters. The families are in subpackages; package models/family defines their
// interface.
package models

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/datasets/wording"
	"dgplab/models/bnn"
	"dgplab/models/deep"
	"dgplab/models/dgp"
	"dgplab/models/ep"
	"dgplab/models/family"
	"dgplab/models/gibbs"
	"dgplab/models/gp"
	"dgplab/models/gprn"
	"dgplab/models/linalg"
	"dgplab/models/linear"
)

// Aliases of the types of models/family for callers outside models.
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
	Annotator      = family.Annotator
	NonFiniteError = family.NonFiniteError
	NaNError       = linalg.NaNError
)

// Resolve fills in defaults and validates values; see family.Resolve.
func Resolve(list []Hyperparameter, set map[string]string) (Values, error) {
	return family.Resolve(list, set)
}

// families holds all families, by package.
var families = listed(
	dgp.Families(),
	gp.Families(),
	deep.Families(),
	gprn.Families(),
	ep.Families(),
	gibbs.Families(),
	bnn.Families(),
	linear.Families(),
)

func listed(packages ...[]Spec) (all []Spec) {
	for _, spec := range slices.Concat(packages...) {
		all = append(all, family.WithControls(spec))
	}
	return all
}

// DefaultFamily is the family trained by default: the model proposed by Lindinger et al. 2020.
const DefaultFamily = "star"

// BaselineFamily is the baseline for all other families. It trains within milliseconds, so every
// comparison can include it.
const BaselineFamily = "linear"

// Families returns all families in the order of the set-up screen. Callers may reorder the list, but not
// change what its elements refer to.
func Families() []Spec { return slices.Clone(families) }

// Lookup returns the family with the given name. If there is none, the error lists the names.
func Lookup(name string) (Spec, error) {
	var names []string
	for _, s := range families {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Spec{}, fmt.Errorf("unknown family %q%s", name,
		wording.DidYouMeanOr(name, names, "known ones are "+strings.Join(names, ", ")))
}

// Kernels returns the name of the instruction set used for matrix products; see linalg.Kernels.
func Kernels() string { return linalg.Kernels() }
