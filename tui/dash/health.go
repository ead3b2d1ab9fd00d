package dash

import (
	"io"

	"dgplab/tui/panel"
)

// healthPanel says how sound the arithmetic of the chosen run is.
type healthPanel struct{ plain }

func (healthPanel) Names(*Dash) (long, short string) { return "Health", "Health" }

func (healthPanel) Title(d *Dash) (title string, notes []string) {
	return "Health", []string{d.ofWhich()}
}

func (healthPanel) Draw(d *Dash, w, h int) []string {
	lines, top := panel.Health(d.theme, d.fewRuns(), d.look.top, w, h)
	d.look.top = top // Within bounds, which only the picture knows.
	return lines
}

func (healthPanel) Shows(d *Dash, r *shown) any { return wholeRun{r.snap, r == d.current()} }

// Arrow scrolls, or chooses another run.
func (healthPanel) Arrow(d *Dash, across, down int) string {
	d.look.top = max(d.look.top+down, 0)
	if across != 0 {
		return d.choose(across)
	}
	return ""
}

func (healthPanel) Mouse(d *Dash, _ placed, _, wheel int) { d.look.top = max(d.look.top+wheel, 0) }

// Files has the matrices of the chosen run.
func (healthPanel) Files(d *Dash) []exported {
	if m := d.views().Matrices; m == nil || len(m.Matrices) == 0 {
		return nil
	}
	runs := d.fewRuns()
	return []exported{{"matrices.csv", func(w io.Writer) error { return panel.HealthCSV(w, runs) }}}
}
