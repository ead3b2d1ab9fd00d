package cli

import (
	"time"

	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// sweepCellJSON is a run of a sweep in JSON.
type sweepCellJSON struct {
	Event  string       `json:"event,omitempty"`
	Key    string       `json:"key"`
	Status sweep.Status `json:"status"`
	Run    string       `json:"run,omitempty"`
	Error  string       `json:"error,omitempty"`
	rundir.Config
	Step    int             `json:"step"`
	Seconds float64         `json:"seconds"`
	Summary *rundir.Summary `json:"summary,omitempty"`
}

func sweepCellFor(c *sweep.CellState) sweepCellJSON {
	out := sweepCellJSON{
		Key: c.Key, Status: c.Status, Run: c.Run, Config: c.Config, Step: c.Step, Seconds: c.Seconds, Summary: c.Summary,
	}
	if c.Err != nil {
		out.Error = oneLine(c.Err)
	}
	return out
}

// sweepJSON is a sweep in JSON.
type sweepJSON struct {
	Event   string      `json:"event,omitempty"`
	Name    string      `json:"name"`
	Error   string      `json:"error,omitempty"`
	Dir     string      `json:"dir,omitempty"`
	Created *time.Time  `json:"created,omitempty"`
	State   sweep.Phase `json:"state,omitempty"`
	Grid    *sweep.Grid `json:"grid,omitempty"`
	// Runs counts all; Counts has how many have each status.
	Runs   int                  `json:"runs"`
	Counts map[sweep.Status]int `json:"counts,omitempty"`
	// Estimate is absent once the sweep has begun.
	Estimate *sweepEstimateJSON `json:"estimate,omitempty"`
	Rows     []sweepRowJSON     `json:"rows,omitempty"`
	Cells    []sweepCellJSON    `json:"cells,omitempty"`
}

// sweepRowJSON is a row of the table: the values of a setting and its scores.
type sweepRowJSON struct {
	Values map[string]string         `json:"values"`
	Runs   int                       `json:"runs"`
	Scores map[string]sweepScoreJSON `json:"scores"`
}

// sweepScoreJSON is a score over n splits or seeds; the standard error of one is null.
type sweepScoreJSON struct {
	Mean rundir.Number `json:"mean"`
	SE   rundir.Number `json:"se"`
	N    int           `json:"n"`
	Over compare.Over  `json:"over"`
	Runs int           `json:"runs"`
}

// sweepEstimateJSON is what is known of the runs that are left before they are trained.
type sweepEstimateJSON struct {
	Runs    int     `json:"runs"`
	Seconds float64 `json:"seconds"`
	Unknown int     `json:"unknown"`
}

// sweepFor returns a sweep with its table, and on request with its cells.
func sweepFor(s *sweep.State, cells bool) sweepJSON {
	out := sweepJSON{Name: s.Name, Dir: s.Dir, State: s.Phase, Grid: &s.Grid, Runs: len(s.Cells), Counts: map[sweep.Status]int{}}
	if !s.Created.IsZero() {
		out.Created = &s.Created
	}
	for _, status := range sweep.Statuses() {
		out.Counts[status] = s.Count(status)
	}
	axes := s.Settings()
	metrics := s.Measured()
	for _, g := range s.Groups(axes) {
		row := sweepRowJSON{Values: map[string]string{}, Runs: len(g.Cells), Scores: map[string]sweepScoreJSON{}}
		for i, name := range axes {
			row.Values[name] = g.Values[i]
		}
		for _, m := range metrics {
			if score := s.Score(g, m); score.N > 0 {
				row.Scores[m.Key] = sweepScoreJSON{rundir.Number(score.Mean), rundir.Number(score.SE), score.N, score.Over, score.Runs}
			}
		}
		out.Rows = append(out.Rows, row)
	}
	if cells {
		for i := range s.Cells {
			out.Cells = append(out.Cells, sweepCellFor(&s.Cells[i]))
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
	out := sweepFor(s, false)
	out.Event, out.State, out.Rows = "plan", "", nil
	out.Estimate = &sweepEstimateJSON{e.Runs, e.Seconds, e.Unknown}
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
