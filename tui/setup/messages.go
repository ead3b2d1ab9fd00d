package setup

import (
	"dgplab/session"
)

// inspectDueMsg ends the wait after the last change of the configuration.
type inspectDueMsg struct{ gen int }

// planInspectedMsg answers an inspection of the configuration of generation gen.
type planInspectedMsg struct {
	gen  int
	plan session.Preview
	err  error
}

// fetchTickedMsg asks to show how far a download has come.
type fetchTickedMsg struct{ gen int }

// fetchDoneMsg says that a download is complete, or why it is not.
type fetchDoneMsg struct {
	gen  int
	name string
	err  error
}
