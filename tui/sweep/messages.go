package sweep

import (
	"time"

	"dgplab/session/compare"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
)

// sweepStartedMsg is the answer to a request to start or resume a sweep.
type sweepStartedMsg struct {
	sweep kit.SweepRun // nil if err is set
	err   error
}

// sweepOpenedMsg is the state of a sweep, read from its files. tasks is nil if it was not submitted to Slurm,
// and took is the time of reading.
type sweepOpenedMsg struct {
	gen   int
	state *sweeps.State
	tasks *sweeps.Tasks
	err   error
	took  time.Duration
}

// tasksChangedMsg is the answer to a request to Slurm.
type tasksChangedMsg struct {
	gen  int
	text string
	err  error
}

// stateTakenMsg requests the state of the sweep of generation gen.
type stateTakenMsg struct{ gen int }

// sweepComparedMsg is the result of a comparison.
type sweepComparedMsg = kit.PreviewedMsg[*compare.Report]

// methodsPairedMsg is the result of a direct comparison.
type methodsPairedMsg = kit.PreviewedMsg[direct]

// sweepEndedMsg is sent when the goroutine of a sweep of this program has returned.
type sweepEndedMsg struct{ sweep kit.SweepRun }
