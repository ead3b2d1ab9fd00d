package tui

import (
	"fmt"

	"dgplab/tui/kit"
)

// runStartedMsg answers a request to start; err says why there is no run.
type runStartedMsg struct {
	asked kit.Start
	run   kit.Run
	err   error
}

// errTooMany refuses a run beside as many as may be.
var errTooMany = fmt.Errorf("%d runs are going, and no more may: stop one first", mostGoing)

// runEndedMsg says that the goroutine of a run has returned.
type runEndedMsg struct{ run kit.Run }

// workEndedMsg says that all that was going when the person quit has ended.
type workEndedMsg struct{}

// statusExpiredMsg takes away the status line of generation gen.
type statusExpiredMsg struct{ gen int }

// screenCrashedMsg brings a panic from a command to the guard.
type screenCrashedMsg struct {
	value any
	stack []byte
}

// frameDueMsg says that a period has passed since data were drawn.
type frameDueMsg struct{}
