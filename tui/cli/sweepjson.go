package cli

import "dgplab/session/sweep"

// sweepCellJSON is a run of a sweep in JSON.
type sweepCellJSON struct {
	Event string `json:"event,omitempty"`
	*sweep.CellState
	Error string `json:"error,omitempty"`
}

func sweepCellFor(c *sweep.CellState) sweepCellJSON {
	return sweepCellJSON{CellState: c, Error: oneLine(c.Err)}
}

// sweepJSON is a sweep in JSON.
type sweepJSON struct {
	Event string `json:"event,omitempty"`
	*sweep.State
	Error string `json:"error,omitempty"`
	// Runs counts all; Counts has how many have each status.
	Runs   int                  `json:"runs"`
	Counts map[sweep.Status]int `json:"counts,omitempty"`
	// Estimate is absent once the sweep has begun.
	Estimate *sweep.Estimate `json:"estimate,omitempty"`
	Rows     []sweep.Row     `json:"rows,omitempty"`
	Cells    []sweepCellJSON `json:"cells,omitempty"`
}

// sweepFor returns a sweep with its table, and on request with its cells.
func sweepFor(s *sweep.State, cells bool) sweepJSON {
	out := sweepJSON{State: s, Runs: len(s.Cells), Counts: map[sweep.Status]int{}, Rows: s.Rows()}
	for _, status := range sweep.Statuses() {
		out.Counts[status] = s.Count(status)
	}
	if cells {
		for i := range s.Cells {
			out.Cells = append(out.Cells, sweepCellFor(&s.Cells[i]))
		}
	}
	return out
}

// sweepsFor returns sweeps with their tables; of one that cannot be read, why.
func sweepsFor(list []sweep.Entry) []sweepJSON {
	out := []sweepJSON{}
	for _, e := range list {
		if e.Err != nil {
			out = append(out, sweepJSON{State: &sweep.State{Name: e.Name}, Error: oneLine(e.Err)})
		} else {
			out = append(out, sweepFor(e.State, false))
		}
	}
	return out
}

// jsonSweepReporter writes a JSON object for every run that ends, and one for the
// sweep.
type jsonSweepReporter struct{ *console }

func (r *jsonSweepReporter) begin(s *sweep.State, e sweep.Estimate, _ int) error {
	for _, w := range e.Warnings {
		r.say("warning: %s", w)
	}
	plan := *s
	plan.Phase = "" // It has not begun.
	out := sweepFor(&plan, false)
	out.Event, out.Rows, out.Estimate = "plan", nil, &e
	return r.json(out)
}

func (r *jsonSweepReporter) cell(_ *sweep.State, c *sweep.CellState) error {
	out := sweepCellFor(c)
	out.Event = "run"
	return r.json(out)
}

func (r *jsonSweepReporter) progress(*sweep.State) {}

func (r *jsonSweepReporter) end(s *sweep.State) error {
	out := sweepFor(s, false)
	out.Event = "sweep"
	return r.json(out)
}
