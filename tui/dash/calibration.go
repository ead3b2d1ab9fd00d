package dash

import (
	"fmt"

	"dgplab/datasets/task"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/panel"
	"dgplab/tui/printable"
)

// calibrationPanel is one of the pictures of how predictions and their variances
// hold on the test points.
type calibrationPanel struct {
	plain
	long, short, title string
	// classes says that there is something to draw of classes, too.
	classes bool
	draw    func(th *kit.Theme, runs []panel.Run, target, w, h int) []string
}

var (
	errorsPanel   = &calibrationPanel{long: "Errors", short: "Err", title: "Errors against variance", draw: panel.ErrorVariance}
	distancePanel = &calibrationPanel{long: "Distance", short: "Dist", title: "Variance against distance", draw: panel.VarianceDistance}
	pitPanel      = &calibrationPanel{long: "PIT", short: "PIT", title: "PIT", draw: panel.PIT}
	coveragePanel = &calibrationPanel{long: "Coverage", short: "Cover", title: "Coverage", draw: panel.Coverage, classes: true}
)

func (p *calibrationPanel) Names(*Dash) (long, short string) { return p.long, p.short }

// Applies reports whether a run has targets of the kind; one that has not read its
// data may have.
func (p *calibrationPanel) Applies(d *Dash) bool {
	classes := d.count(func(s *session.Snapshot) bool { return s.Task != task.Regression })
	return p.classes || len(d.runs) == 0 || classes < len(d.runs)
}

func (p *calibrationPanel) Title(d *Dash) (title string, notes []string) {
	name, note := d.targetNote()
	if name == "" {
		return p.title, nil
	}
	return p.title + ": " + name, []string{note}
}

func (p *calibrationPanel) Draw(d *Dash, w, h int) []string {
	return p.draw(d.theme, d.panelRuns(), d.look.target, w, h)
}

func (p *calibrationPanel) Shows(d *Dash, r *shown) any { return predictionsOf(d, r) }

// Arrow goes to another target.
func (p *calibrationPanel) Arrow(d *Dash, across, down int) string {
	if names := panel.Targets(d.panelRuns()); len(names) > 1 {
		d.look.target = (d.look.target%len(names) + across + down + len(names)) % len(names)
	}
	name, note := d.targetNote()
	if note == "" {
		return name
	}
	return name + ", " + note
}

// targetNote names the target that the calibration is of, where models have several, and
// says which of those tested it is, where those are several.
func (d *Dash) targetNote() (name, note string) {
	runs := d.panelRuns()
	names := panel.Targets(runs)
	if len(names) == 0 || !panel.HasSeveral(runs) {
		return "", ""
	}
	k := d.look.target % len(names)
	if len(names) > 1 {
		note = fmt.Sprintf("target %d of %d", k+1, len(names))
	}
	return printable.Text(names[k]), note
}
