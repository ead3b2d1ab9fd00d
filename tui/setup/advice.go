package setup

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/tui/kit"
)

// advise asks which families suit the data, or shows all families again.
func (s *Setup) advise() tea.Cmd {
	if s.family.advice != nil {
		s.family.advise(nil)
		return nil
	}
	c, e := s.config(), s.engine
	s.advisedOn = c.Dataset
	return s.advice.Start(s.host.Context(), func(ctx context.Context) ([]models.Advice, error) {
		return e.Advise(ctx, c)
	})
}

// dropAdvice shows all families if another data set is selected.
func (s *Setup) dropAdvice() {
	if s.family.advice != nil && s.advisedOn != s.dataset() {
		s.family.advise(nil)
	}
}

// adviceObstacle returns the reason why there is no advice, or "".
func (s *Setup) adviceObstacle() string {
	switch {
	case s.dataset() == "":
		return "no data"
	case s.isAbsent():
		return s.absentText()
	}
	return ""
}

// advised shows the advice in the list of families.
func (s *Setup) advised(msg kit.PreviewedMsg[[]models.Advice]) tea.Cmd {
	if !s.advice.Take(msg) || s.advisedOn != s.dataset() {
		return nil
	}
	if s.advice.Err != nil {
		return s.host.Say(kit.Bad, s.words(s.advice.Err))
	}
	s.family.advise(*s.advice.Known)
	s.section = sectionFamily
	s.refreshForm()
	s.syncTyping()
	return s.plan.Schedule()
}

// compared returns the families to compare, if the advice is shown.
func (s *Setup) compared() []string {
	if s.family.advice == nil {
		return nil
	}
	var families []string
	for _, a := range models.Compared(*s.advice.Known) {
		families = append(families, a.Family)
	}
	return families
}
