package cli

import (
	"fmt"
	"strings"

	"dgplab/session/metric"
	"dgplab/session/sweep"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// sweepReporter reports the progress of a sweep.
type sweepReporter interface {
	// begin is called once with the initial state.
	begin(s *sweep.State, e sweep.Estimate, jobs int) error
	// cell is called once for every run that ends.
	cell(s *sweep.State, c *sweep.CellState) error
	// progress is called periodically.
	progress(s *sweep.State)
	// end is called once with the last state.
	end(s *sweep.State) error
}

func (c *console) newSweepReporter(json bool) sweepReporter {
	if json {
		return &jsonSweepReporter{c}
	}
	return &plainSweepReporter{console: c, line: c.newStatusLine()}
}

// followSweep reports the progress of a sweep until it ends, and returns its error. The sweep does not wait
// for standard output. If writing fails, the sweep is cancelled.
func (c *console) followSweep(s *sweep.Sweep, r sweepReporter) error {
	err := reportCells(s, r)
	if err == nil {
		err = r.end(s.Wait())
	}
	if err != nil {
		s.Cancel()
		return sweepOutputLost(s.Wait(), err)
	}
	return sweepVerdict(s.Latest())
}

// reportCells reports the runs of a sweep that end and its progress, until the sweep ends or writing fails.
func reportCells(s *sweep.Sweep, r sweepReporter) error {
	told := make(map[int]bool)
	return poll(s.Done(), func() error {
		state := s.Latest()
		for i := range state.Cells {
			cell := &state.Cells[i]
			ended := cell.Status == sweep.Done || cell.Status == sweep.Failed || cell.Status == sweep.Pruned
			if !ended || told[i] {
				continue
			}
			told[i] = true
			if err := r.cell(state, cell); err != nil {
				return err
			}
		}
		r.progress(state)
		return nil
	})
}

// sweepOutputLost returns the error of a sweep that could not be reported.
func sweepOutputLost(s *sweep.State, err error) error {
	then := "to continue, run: " + sweepCommandLine(s.Name)
	if s.Complete() {
		then = "to see the results, run: dgplab sweep show " + s.Name
	}
	if withoutReader(err) != "" {
		return &interruptedError{withoutReader(err) + "; " + then}
	}
	return cannotWrite(err, then)
}

// plainSweepReporter prints the plan and the final table to standard output, and progress to
// standard error.
type plainSweepReporter struct {
	*console
	line *statusLine
	// earlier contains the keys of runs that were done at the start.
	earlier map[string]bool
	// ended is the number of reported runs.
	ended int
}

func (r *plainSweepReporter) begin(s *sweep.State, e sweep.Estimate, jobs int) error {
	r.earlier = map[string]bool{}
	for _, c := range s.Cells {
		if c.Status == sweep.Done || c.Status == sweep.Pruned {
			r.earlier[c.Key] = true
		}
	}
	remarks{}.of(r.console, e.Notes, e.Warnings)
	return r.print(sweepIntroduction(s, e, jobs))
}

// cell reports a run on standard error. On a terminal it reports only failures, because the progress line
// counts the other runs.
func (r *plainSweepReporter) cell(s *sweep.State, c *sweep.CellState) error {
	r.ended++
	if r.earlier[c.Key] || r.line.rewrite && c.Status != sweep.Failed {
		return nil
	}
	r.line.end()
	r.say("%d/%d  %s: %s", r.ended, len(s.Cells), c.Key, sweepCellText(c))
	return nil
}

func (r *plainSweepReporter) progress(s *sweep.State) { r.line.show(sweepProgress(s)) }

func (r *plainSweepReporter) end(s *sweep.State) error {
	r.line.end()
	return r.print("\n" + r.sweepResult(s))
}

// sweepCellText describes the result of a run in one line.
func sweepCellText(c *sweep.CellState) string {
	if c.Status == sweep.Failed {
		return "failed: " + oneLine(c.Err)
	}
	parts := report.Readings(metric.OfSummary(c.Summary), "log_lik")
	if c.Status == sweep.Pruned {
		parts = append([]string{fmt.Sprintf("pruned at rung %d", c.Rung)}, parts...)
	}
	return strings.Join(append(parts, plural(c.Step, "step")+" in "+report.Seconds(c.Seconds)), ", ")
}

// sweepProgress describes the progress of a sweep in one line.
func sweepProgress(s *sweep.State) string {
	text := fmt.Sprintf("%d of %s done, %d running",
		s.Count(sweep.Done), plural(len(s.Cells), "run"), s.Count(sweep.Running))
	if pruned := s.Count(sweep.Pruned); pruned > 0 {
		text += fmt.Sprintf(", %d pruned", pruned)
	}
	if failed := s.Count(sweep.Failed); failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	if s.Phase == sweep.Stopping {
		return text + ", stopping"
	}
	if left := s.Remaining(); left > 0 {
		text += ", about " + canvas.Duration(left) + " left"
	}
	return text
}

// jsonSweepReporter writes a JSON object for each finished run and one for the sweep.
type jsonSweepReporter struct{ *console }

func (r *jsonSweepReporter) begin(s *sweep.State, e sweep.Estimate, _ int) error {
	remarks{}.of(r.console, e.Notes, e.Warnings)
	plan := *s
	plan.Phase = "" // The sweep has not started.
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
