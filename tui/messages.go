package tui

import (
	"fmt"

	"dgplab/tui/kit"
)

// runStartedMsg is the answer to a start request: a run or an error.
type runStartedMsg struct {
	asked kit.Start
	run   kit.Run
	err   error
}

// errTooMany is the error of a start request while the maximum number of runs is training.
var errTooMany = fmt.Errorf("at most %d runs can train at once; stop one first", maxGoing)

// runEndedMsg is sent when the goroutine of a run has returned.
type runEndedMsg struct{ run kit.Run }

// workEndedMsg is sent when all work has ended after a request to quit.
type workEndedMsg struct{}

// statusExpiredMsg removes the status line of generation gen.
type statusExpiredMsg struct{ gen int }

// screenCrashedMsg passes a panic in a command to the guard.
type screenCrashedMsg struct {
	value any
	stack []byte
}

// frameDueMsg ends the period after new data were drawn.
type frameDueMsg struct{}
