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

// sweepOpenedMsg is the state of a sweep, read from its files.
type sweepOpenedMsg struct {
	gen   int
	state *sweeps.State
	err   error
}

// sweepPlacedMsg holds the places of the cells of a submitted sweep. took is the time to ask for them.
type sweepPlacedMsg struct {
	gen    int
	placed *sweeps.Placements
	err    error
	took   time.Duration
}

// tasksChangedMsg is the answer to a request to Slurm.
type tasksChangedMsg struct {
	gen  int
	text string
	err  error
}

// logReadMsg holds the last lines of the log of a task.
type logReadMsg struct {
	log   string
	lines []string
}

// stateTakenMsg requests the state of the sweep of generation gen.
type stateTakenMsg struct{ gen int }

// sweepComparedMsg is the result of a comparison.
type sweepComparedMsg = kit.PreviewedMsg[*compare.Report]

// methodsPairedMsg is the result of a direct comparison.
type methodsPairedMsg = kit.PreviewedMsg[direct]

// sweepEndedMsg is sent when the goroutine of a sweep of this program has returned.
type sweepEndedMsg struct{ sweep kit.SweepRun }
