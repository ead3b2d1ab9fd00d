package dash

import (
	"fmt"

	"dgplab/datasets/task"
	"dgplab/session"
	"dgplab/session/rundir"
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
	return p.title, []string{d.targetNote()}
}

func (p *calibrationPanel) Draw(d *Dash, w, h int) []string {
	return p.draw(d.theme, d.panelRuns(), d.look.target, w, h)
}

func (p *calibrationPanel) Shows(d *Dash, r *shown) any { return predictionsOf(d, r) }

// Arrow goes to another target.
func (p *calibrationPanel) Arrow(d *Dash, across, down int) string {
	n, _ := d.targets()
	d.look.target = (d.look.target%n + across + down + n) % n
	return d.targetNote()
}

// targets returns how many tested targets the runs have at most, and predictions that
// have so many; nil before there are any.
func (d *Dash) targets() (n int, of *rundir.Predictions) {
	n = 1
	for _, r := range d.runs {
		if r.snap == nil || r.snap.Predictions == nil {
			continue
		}
		if p := r.snap.Predictions; of == nil || len(p.Tested()) > n {
			n, of = len(p.Tested()), p
		}
	}
	return n, of
}

// targetNote names the target that the calibration is of, where there are several.
func (d *Dash) targetNote() string {
	n, of := d.targets()
	if of == nil || of.P < 2 {
		return ""
	}
	k := d.look.target % n
	return fmt.Sprintf("%s, target %d of %d", printable.Text(of.Name(of.Tested()[k])), k+1, n)
}
