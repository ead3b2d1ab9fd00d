package setup

import (
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/form"
)

// refreshForm lists what can be set for the chosen data, family and preset. What was
// typed before stays where the name is the same.
func (s *Setup) refreshForm() {
	spec := s.spec()
	known := form.Known{Families: s.family.all}
	s.form.ListPreset(spec, session.Fields(spec), func(f *form.Field) bool {
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

// spec returns the chosen family, the zero one if there is none.
func (s *Setup) spec() models.Spec {
	if s.family.chosen >= len(s.family.all) {
		return models.Spec{}
	}
	return s.family.all[s.family.chosen]
}
