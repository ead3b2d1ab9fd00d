package cli

import (
	"fmt"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/printable"
)

// jsonReporter writes the report lines of a run as JSON objects. It reads them
// from the run directory, so that none is lost however slowly they are taken.
type jsonReporter struct {
	console  *console
	follower *rundir.Follower
	last     int // the step of the last line written
}

// newJSONReporter writes the lines behind step from.
func newJSONReporter(c *console, run *session.Run, from int) *jsonReporter {
	c.say("run %s in %s", run.ID(), run.Dir())
	return &jsonReporter{console: c, follower: rundir.Follow(run.Dir()), last: from}
}

func (r *jsonReporter) report(*session.Snapshot) error {
	points, _, err := r.follower.Next()
	if err != nil {
		r.console.say("warning: %s", oneLine(err)) // The lines may be read again later.
		return nil
	}
	var text []byte
	for _, p := range points {
		if p.Step > r.last {
			text = append(p.AppendJSON(text, "step"), '\n')
			r.last = p.Step
		}
	}
	return r.console.put(printable.JSON(string(text)))
}

func (r *jsonReporter) end(s *session.Snapshot) error {
	if err := r.report(s); err != nil {
		return err
	}
	text, err := s.Summary.AppendJSON(nil, "summary")
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return r.console.put(printable.JSON(string(text) + "\n"))
}
