package dash

import (
	"io"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/panel"
)

// directPanel compares the chosen run with each other one, point by point.
type directPanel struct{ plain }

func (directPanel) Names(*Dash) (long, short string) { return "Direct", "Direct" }

func (directPanel) Title(*Dash) (title string, notes []string) { return "Direct comparison", nil }

func (directPanel) Draw(d *Dash, w, h int) []string {
	return panel.Direct(d.theme, d.panelRuns(), d.evaluateKey(), w, h)
}

func (directPanel) Shows(d *Dash, r *shown) any { return predictionsOf(d, r) }

// predicted is what panels show of a run that are about its test points.
type predicted struct {
	predictions *rundir.Predictions
	state       session.State
	chosen      bool
}

func predictionsOf(d *Dash, r *shown) any {
	return predicted{r.snap.Predictions, r.snap.State, r == d.current()}
}

// evaluateKey is the label of the key that evaluates the chosen run, "" if it cannot
// be evaluated now.
func (d *Dash) evaluateKey() string {
	r := d.current()
	if r.run == nil || r.over {
		return ""
	}
	b, _ := kit.Find(bindings, actEvaluate)
	return d.theme.Glyphs.KeyLabel(b.Label())
}

// Files has the comparisons, of several runs.
func (directPanel) Files(d *Dash) []exported {
	runs := d.panelRuns()
	if len(runs) < 2 {
		return nil
	}
	return []exported{{"direct.csv", func(w io.Writer) error { return panel.DirectCSV(w, runs) }}}
}
