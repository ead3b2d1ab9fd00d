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

// otherBudget returns the time budget that actSize sets: none if there is one.
func (s *Setup) otherBudget() string {
	if s.form.Value(rundir.BudgetSetting) != "" {
		return ""
	}
	return rundir.QuickBudget
}

// sizeWord describes the size of the run: "quick, within 1m", "within 5m" or "full size".
func (s *Setup) sizeWord() string {
	switch budget := s.form.Value(rundir.BudgetSetting); budget {
	case "":
		return "full size"
	case rundir.QuickBudget:
		return "quick, within " + budget
	default:
		return "within " + budget
	}
}

// spec returns the selected family, or the zero Spec if there is none.
func (s *Setup) spec() models.Spec {
	if s.family.chosen >= len(s.family.all) {
		return models.Spec{}
	}
	return s.family.all[s.family.chosen]
}
