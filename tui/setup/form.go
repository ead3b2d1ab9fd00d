package setup

import (
	"fmt"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/form"
	"dgplab/tui/report"
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

// sizeWords describes the size of the run: "full size", "within 5m" or "quick, within 1m". If the time of a
// step is known, it tells how many steps fit into the budget, and what runs with so few steps lost, where
// that was measured.
func (s *Setup) sizeWords() []string {
	budget := s.form.Value(rundir.BudgetSetting)
	if budget == "" {
		return []string{"full size"}
	}
	quick := ""
	if budget == rundir.QuickBudget {
		quick = "quick, "
	}
	unknown := []string{quick + "within " + budget}
	if s.plan.Known == nil || s.plan.Err != nil {
		return unknown
	}
	pace := s.pace()
	if pace.step == 0 || pace.least || pace.converged > 0 {
		return unknown
	}
	plan := *s.plan.Known
	plan.Steps = s.steps()
	steps, inducing := plan.Fit(pace.step.Seconds())
	words := fmt.Sprintf("%s%s steps in %s", quick, report.About(steps), budget)
	switch cost := models.CostOfSteps(s.familyName(), steps); {
	case inducing != "":
		return []string{words, inducing + " inducing points"}
	case steps == plan.Steps:
		return []string{quick + "all steps in " + budget}
	case cost == "":
		return []string{words}
	default:
		return []string{words, cost}
	}
}

// spec returns the selected family, or the zero Spec if there is none.
func (s *Setup) spec() models.Spec {
	if s.family.chosen >= len(s.family.all) {
		return models.Spec{}
	}
	return s.family.all[s.family.chosen]
}
