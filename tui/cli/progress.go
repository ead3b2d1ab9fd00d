package cli

import (
	"fmt"
	"math"
	"strings"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/viz/number"
)

// plainReporter writes what a person wants to read: what is trained, a line of
// progress now and then, the result and two small pictures.
type plainReporter struct {
	console *console
	begun   bool
	next    float64 // training seconds at which the next line is due
	last    int     // step of the last line
	phases  int     // the last step whose phase was told
	phase   string
}

func newPlainReporter(c *console) *plainReporter { return &plainReporter{console: c, last: -1} }

func (r *plainReporter) report(s *session.Snapshot) error {
	if s.N == 0 || s.Parameters == 0 {
		return nil // Data or model are not there yet.
	}
	var out strings.Builder
	if !r.begun {
		r.begun = true
		out.WriteString(introduction(s))
	}
	r.tellPhases(&out, s)
	if s.Step > 0 && s.Step > r.last && (s.Seconds >= r.next || s.State == session.Ended) {
		if r.last < 0 {
			out.WriteString(progressHeader(s))
		}
		out.WriteString(progressLine(s))
		r.last = s.Step
		// A line a second at first, then ever fewer: about twenty-five in each
		// tenfold of the time.
		r.next = s.Seconds + max(1, s.Seconds/10)
	}
	if out.Len() == 0 {
		return nil
	}
	return r.console.print(out.String())
}

// tellPhases tells of the phases that have begun.
func (r *plainReporter) tellPhases(out *strings.Builder, s *session.Snapshot) {
	for _, p := range s.Curve {
		if p.Step <= r.phases {
			continue
		}
		r.phases = p.Step
		if p.Phase != r.phase && p.Phase != "" {
			fmt.Fprintf(out, "step %s: %s\n", kit.Grouped(p.Step), printable.Text(p.Phase))
		}
		r.phase = p.Phase
	}
}

func (r *plainReporter) end(s *session.Snapshot) error {
	if err := r.report(s); err != nil {
		return err
	}
	if s.Step == 0 {
		return nil
	}
	text := "\n" + r.console.result(s)
	if p := r.console.pictures(s, false); p != "" {
		text += "\n" + p
	}
	return r.console.print(text)
}

// introduction says what is trained, on what.
func introduction(s *session.Snapshot) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s, %s, seed %d\n", s.Family, printable.Text(s.Dataset), s.Split, s.Seed)
	fmt.Fprintf(&b, "%s training, %s validation and %s test points; %s, %s\n",
		kit.Grouped(s.N), kit.Grouped(s.NumValidation), kit.Grouped(s.NumTest),
		plural(s.D, "input"), plural(s.P, "target"))
	if _, epochs := s.Epochs(); epochs > 0 {
		fmt.Fprintf(&b, "%s in %s of %s points\n", plural(epochs, "epoch"),
			plural(s.Steps, "step"), kit.Grouped(s.Batch))
	}
	fmt.Fprintf(&b, "%s parameters; run %s\n\n", kit.Grouped(s.Parameters), s.ID)
	return b.String()
}

// lastTerm returns the last part of the objective, the one that keeps the model
// simple; nothing where there are no parts.
func lastTerm(s *session.Snapshot) rundir.Named {
	terms := s.Last.Named(s.Objective.Terms)
	if len(terms) == 0 {
		return rundir.Named{Value: math.NaN()}
	}
	return terms[len(terms)-1]
}

// stepWidth is the width of the column of steps, which does not change in a run.
func stepWidth(s *session.Snapshot) int { return 2*len(kit.Grouped(s.Steps)) + 1 }

func progressHeader(s *session.Snapshot) string {
	return fmt.Sprintf("%*s  %7s  %7s  %8s  %10s  %10s  %11s\n",
		stepWidth(s), "step", "time", "left", "steps/s", s.Objective.Name, lastTerm(s).Name, "val LL")
}

func progressLine(s *session.Snapshot) string {
	left, rate := "", ""
	if s.Remaining > 0 {
		left = number.Duration(s.Remaining)
	}
	switch {
	case s.State == session.Ended && s.Seconds > 0:
		rate = number.Short(float64(s.Step) / s.Seconds)
	case s.StepsPerSecond > 0:
		rate = number.Short(s.StepsPerSecond)
	}
	return strings.TrimRight(fmt.Sprintf("%*s  %7s  %7s  %8s  %10s  %10s  %11s",
		stepWidth(s), kit.Grouped(s.Step)+"/"+kit.Grouped(s.Steps), kit.Seconds(s.Seconds), left, rate,
		number.Short(s.Last.Objective), number.Short(lastTerm(s).Value), validationText(s)), " ") + "\n"
}

// validationText returns the newest validation log-likelihood, "" if there is none.
func validationText(s *session.Snapshot) string {
	for i := len(s.Curve) - 1; i >= 0; i-- {
		if v := s.Curve[i].ValLogLik; !math.IsNaN(v) {
			return kit.Score(v)
		}
	}
	return ""
}

// plural writes a count and its noun.
func plural(n int, noun string) string { return kit.Plural(n, noun, noun+"s") }

// jsonReporter writes the report lines of a run as JSON objects. It reads them
// from the run directory, so that none is lost however slowly they are taken.
type jsonReporter struct {
	console  *console
	follower *rundir.Follower
	last     int     // the step of the last line written
	value    float64 // its validation; a number for the step that the lines begin behind
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
		completed := p.Step == r.last && math.IsNaN(r.value) && !math.IsNaN(p.ValLogLik)
		if p.Step > r.last || completed { // The last step is validated in the end.
			text = append(p.AppendJSON(text, "step"), '\n')
			r.last, r.value = p.Step, p.ValLogLik
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
