package dash

import (
	"fmt"

	"dgplab/datasets/task"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/panel"
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
	return p.title, []string{d.targetNote()}
}

func (p *calibrationPanel) Draw(d *Dash, w, h int) []string {
	return p.draw(d.theme, d.panelRuns(), d.look.target, w, h)
}

func (p *calibrationPanel) Shows(d *Dash, r *shown) any { return predictionsOf(d, r) }

// Arrow goes to another target.
func (p *calibrationPanel) Arrow(d *Dash, across, down int) string {
	n := d.targets()
	d.look.target = (d.look.target%n + across + down + n) % n
	return d.targetNote()
}

// targets returns how many targets the runs have at most.
func (d *Dash) targets() int {
	n := 1
	for _, r := range d.runs {
		if r.snap != nil {
			n = max(n, r.snap.P)
		}
	}
	return n
}

// targetNote names the target that the calibration is of, where there are several.
func (d *Dash) targetNote() string {
	if n := d.targets(); n > 1 {
		return fmt.Sprintf("target %d of %d", d.look.target%n+1, n)
	}
	return ""
}
