package setup

import (
	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/form"
)

// refreshForm lists the fields for the selected data, family and preset. Typed values are kept by name.
func (s *Setup) refreshForm() {
	spec := s.spec()
	known := form.Known{Families: s.family.all}
	s.form.ListPreset(spec, config.Fields(spec), func(f *form.Field) bool {
		known.SetNames(f)
		switch f.Name {
		case rundir.DatasetField, rundir.FamilyField:
			return false
		case rundir.TargetsField, rundir.ColumnsField:
			return s.isFile()
		case rundir.PresetField:
			return len(f.Choices) > 1
		}
		return true
	})
}

// spec returns the selected family, or the zero Spec if there is none.
func (s *Setup) spec() models.Spec {
	if s.family.chosen >= len(s.family.all) {
		return models.Spec{}
	}
	return s.family.all[s.family.chosen]
}
