package setup

import (
	"cmp"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/form"
)

// refreshForm lists what can be set for the chosen data, family and preset. What was
// typed before stays where the name is the same.
func (s *Setup) refreshForm() {
	spec, preset, baseWord := s.spec(), s.form.Typed(rundir.PresetField), "default"
	values, err := session.PresetValues(spec, preset)
	if err != nil { // Another family's.
		preset = ""
		values, _ = session.PresetValues(spec, "") // Defaults are values.
	}
	if preset != "" {
		baseWord = preset
	}
	var fields []*form.Field
	for _, h := range session.Fields(spec) {
		base, ok := values[h.Name]
		switch {
		case h.Name == rundir.DatasetField, h.Name == rundir.FamilyField, h.Name == rundir.TargetsField && !s.onPath(),
			h.Name == rundir.PresetField && len(h.Choices) < 2:
			continue
		case !ok:
			base = h.Default
		}
		if h.Name == rundir.PresetField {
			h.Help = cmp.Or(session.PresetHelp(spec, preset), h.Help)
		}
		fields = append(fields, form.NewField(h, base))
	}
	s.form.List(fields, baseWord, values)
}

// spec returns the chosen family, the zero one if there is none.
func (s *Setup) spec() models.Spec {
	if s.family.chosen >= len(s.family.all) {
		return models.Spec{}
	}
	return s.family.all[s.family.chosen]
}
