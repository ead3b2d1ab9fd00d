package form

import (
	"slices"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/rundir"
)

// Known holds the known values of fields.
type Known struct {
	Families []models.Spec
	Data     []datasets.Info
	// Runs holds the names of runs that a warm start accepts.
	Runs []string
}

// FamilyNames returns the names of the families.
func (k Known) FamilyNames() []string {
	names := make([]string, len(k.Families))
	for i, spec := range k.Families {
		names[i] = spec.Name
	}
	return names
}

// SetNames sets the choices and the names that tab completes in a field.
func (k Known) SetNames(f *Field) {
	switch f.Name {
	case rundir.DatasetField:
		for _, d := range k.Data {
			f.Names = append(f.Names, d.Name)
		}
	case rundir.WarmStartSetting:
		f.Names = slices.Concat(k.FamilyNames(), k.Runs)
	}
}
