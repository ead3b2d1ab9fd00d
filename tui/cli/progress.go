package cli

import (
	"fmt"
	"math"
	"strings"

	"dgplab/models/infer"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// plainReporter prints a training run as text: an introduction, lines of progress, the result and
// two pictures.
type plainReporter struct {
	console *console
	begun   bool
	next    float64 // training time of the next line in seconds
	last    int     // step of the last line
	phases  int     // last step whose phase was reported
	phase   string
}

func newPlainReporter(c *console) *plainReporter { return &plainReporter{console: c, last: -1} }

func (r *plainReporter) report(s *session.Snapshot) error {
	if s.Data.N == 0 || s.Parameters == 0 {
		return nil // Data or model are not ready.
	}
	var out strings.Builder
	if !r.begun {
		r.begun = true
		out.WriteString(introduction(s))
	}
	r.reportPhases(&out, s)
	if s.Step > 0 && s.Step > r.last && (s.Seconds >= r.next || !s.State.Going()) {
		if r.last < 0 {
			out.WriteString(progressHeader(s))
		}
		out.WriteString(progressLine(s))
		r.last = s.Step
		// There is a line per second at first, and later about twenty-five lines per tenfold increase of the
		// time.
		r.next = s.Seconds + max(1, s.Seconds/10)
	}
	return r.console.print(out.String())
}

// reportPhases reports new phases. The stable phase of the learning rate is the usual training.
func (r *plainReporter) reportPhases(out *strings.Builder, s *session.Snapshot) {
	for _, p := range s.Curve {
		if p.Step <= r.phases {
			continue
		}
		r.phases = p.Step
		if p.Phase != r.phase && p.Phase != "" && p.Phase != infer.StablePhase {
			fmt.Fprintf(out, "step %s: %s\n", report.Grouped(p.Step), report.Printable(p.Phase))
		}
		r.phase = p.Phase
	}
}

func (r *plainReporter) end(s *session.Snapshot) error {
	if s.Step == 0 {
		return nil
	}
	text := "\n" + r.console.result(s)
	if p := r.console.pictures(s, false); p != "" {
		text += "\n" + p
	}
	return r.console.print(text)
}

// introduction describes the run and its data.
func introduction(s *session.Snapshot) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s, %s, seed %d\n", s.Family, report.Printable(s.Dataset), s.Split, s.Seed)
	fmt.Fprintf(&b, "%s training, %s validation and %s test points; %s, %s\n",
		report.Grouped(s.Data.N), report.Grouped(s.Data.Validation), report.Grouped(s.Data.Test),
		plural(s.Data.D, "input"), plural(s.Data.P, "target"))
	if _, epochs := s.Epochs(); epochs > 0 {
		fmt.Fprintf(&b, "%s in %s of %s points\n", plural(epochs, "epoch"),
			plural(s.Steps, "step"), report.Grouped(s.Batch()))
	}
	fmt.Fprintf(&b, "%s parameters; run %s\n\n", report.Grouped(s.Parameters), s.ID)
	return b.String()
}

// lastTerm returns the last term of the objective, which is the regulariser. Its value is NaN if there are no
// terms.
func lastTerm(s *session.Snapshot) rundir.Named {
	terms := s.Last.Named(s.ObjectiveIs.Terms)
	if len(terms) == 0 {
		return rundir.Named{Value: math.NaN()}
	}
	return terms[len(terms)-1]
}

// stepWidth returns the width of the step column, which is constant during a run.
func stepWidth(s *session.Snapshot) int { return 2*len(report.Grouped(s.Steps)) + 1 }

func progressHeader(s *session.Snapshot) string {
	return fmt.Sprintf("%*s  %7s  %7s  %8s  %10s  %10s  %11s\n",
		stepWidth(s), "step", "time", "left", "steps/s", s.ObjectiveIs.Name, lastTerm(s).Name, "val LL")
}

func progressLine(s *session.Snapshot) string {
	left, rate := "", ""
	if s.Remaining > 0 {
		left = canvas.Duration(s.Remaining)
	}
	switch {
	case !s.State.Going() && s.Seconds > 0:
		rate = canvas.Number(float64(s.Step) / s.Seconds)
	case s.StepsPerSecond > 0:
		rate = canvas.Number(float64(s.StepsPerSecond))
	}
	return strings.TrimRight(fmt.Sprintf("%*s  %7s  %7s  %8s  %10s  %10s  %11s",
		stepWidth(s), report.Grouped(s.Step)+"/"+report.Grouped(s.Steps),
		report.Seconds(s.Seconds), left, rate,
		canvas.Number(s.Last.Objective), canvas.Number(lastTerm(s).Value), validationText(s)), " ") + "\n"
}

// validationText returns the newest validation log-likelihood, or "" if there is none.
func validationText(s *session.Snapshot) string {
	for i := len(s.Curve) - 1; i >= 0; i-- {
		if v := s.Curve[i].ValLogLik; !math.IsNaN(v) {
			return report.Score(v)
		}
	}
	return ""
}

// plural formats a count with its noun.
func plural(n int, noun string) string { return report.Plural(n, noun, noun+"s") }

// jsonReporter writes the report lines of a run as JSON objects. It reads them from the run directory, so
// that none is lost if the reader is slow.
type jsonReporter struct {
	console  *console
	follower *rundir.Follower
	last     int     // step of the last written line
	value    float64 // validation score of that line; 0 for the starting step
}

// newJSONReporter returns a reporter for the lines after step from.
func newJSONReporter(c *console, run *session.Run, from int) *jsonReporter {
	c.say("run %s in %s", run.ID(), run.Dir())
	return &jsonReporter{console: c, follower: rundir.Follow(run.Dir()), last: from}
}

func (r *jsonReporter) report(*session.Snapshot) error {
	points, _, err := r.follower.Next()
	if err != nil {
		r.console.say("warning: %s", oneLine(err)) // The lines can be read later.
		return nil
	}
	var text []byte
	for _, p := range points {
		completed := p.Step == r.last && math.IsNaN(r.value) && !math.IsNaN(p.ValLogLik)
		if p.Step > r.last || completed { // The last step may be validated afterwards.
			text = append(p.AppendJSON(text, "step"), '\n')
			r.last, r.value = p.Step, p.ValLogLik
		}
	}
	return r.console.put(report.PrintableJSON(string(text)))
}

func (r *jsonReporter) end(s *session.Snapshot) error {
	text, err := s.AppendJSON(nil, "summary")
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return r.console.put(report.PrintableJSON(string(text) + "\n"))
}
