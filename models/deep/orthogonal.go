package deep

import (
	"fmt"

	"dgplab/models/family"
)

// orthogonalFamilies returns the solve-gp family.
func orthogonalFamilies() []family.Spec {
	list := append([]family.Hyperparameter{
		{Name: "inducing", Section: family.ModelSection, First: true, Kind: family.Int, Default: "512",
			Source: Paper, AtMostHalf: true, Min: 1, Max: 4096, Help: "inducing points Z", Paper: "512"},
		{Name: "orthogonal", Section: family.ModelSection, First: true, Kind: family.Int, Default: "512",
			Source: Paper, AtMostHalf: true, Min: 0, Max: 4096,
			Help:  "orthogonal inducing points O, for the part independent of the outputs at Z; 0: none",
			Paper: "512"},
		{Name: "whiten", Section: family.InferenceSection, Kind: family.Bool, Default: "on",
			Help: "parametrise q over v with u = L v, for each set of inducing points"},
	}, Settings(Paper, family.PerGP)...)
	spec := Spec(family.Spec{
		Name: "solve-gp", Title: "Orthogonal sparse GP",
		Summary:         "one layer: a second set of inducing points models the residual of the first",
		Source:          "Shi, Titsias, Mnih 2020, Sparse Orthogonal Variational Inference",
		Group:           "sparse and exact GPs",
		Objective:       orthogonalObjective,
		Hyperparameters: list,
		Training:        family.WithoutValidation(nil, family.OneLayer),
		Scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
			{Hyperparameter: "orthogonal", Power: 2}},
	}, planOrthogonal)
	spec.Accepts = family.AnyRows
	return []family.Spec{spec}
}

var orthogonalObjective = family.MinibatchObjective("ELBO", family.Bound, family.ExpectedLogLik)

// planOrthogonal returns the plan of the single layer. It limits the points of Z and O together to
// the number of training points.
func planOrthogonal(v family.Values, n, d, p int) (*Plan, error) {
	layers, notes, err := ReadShared(v, n, d, p)
	if err != nil {
		return nil, err
	}
	requested := v.Int("orthogonal")
	layers.Orthogonal = min(requested, n-layers.Inducing[0])
	if layers.Orthogonal < requested {
		notes = append(notes,
			fmt.Sprintf("inducing and orthogonal together exceed the %d training points; using orthogonal=%d",
				n, layers.Orthogonal))
	}
	c := ReadConfig(v, orthogonalObjective)
	c.Notes = notes
	return &Plan{Layers: layers, Config: c}, nil
}
