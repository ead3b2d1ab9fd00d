package dash

import (
	"fmt"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/panel"
	"dgplab/viz/axes"
)

// xAxis is what the curves are drawn over.
type xAxis int

const (
	xSteps xAxis = iota
	xEpochs
	// xTime is training time without pauses.
	xTime
	numXAxes
)

// String returns the name that the panels show.
func (x xAxis) String() string {
	return [...]string{xSteps: "steps", xEpochs: "epochs", xTime: "time"}[x]
}

// viz returns the axis as the picture knows it.
func (x xAxis) viz() axes.Axis {
	return [...]axes.Axis{xSteps: axes.Steps, xEpochs: axes.Epochs, xTime: axes.Seconds}[x]
}

// of returns where a point of a run lies on the axis.
func (x xAxis) of(s *session.Snapshot, p *rundir.Point) float64 {
	switch {
	case x == xTime:
		return p.Seconds
	case x == xEpochs && s.Batch > 0 && s.N > 0:
		return float64(p.Step) * float64(s.Batch) / float64(s.N)
	}
	return float64(p.Step) // A family without batches sees all points in every step.
}

// yAxis is how the curves' values are drawn.
type yAxis int

const (
	yLinear yAxis = iota
	// ySymlog is linear around zero and logarithmic beyond, so that a negative
	// objective can be drawn.
	ySymlog
	// yGap is the distance to the best value so far, on a log axis.
	yGap
	numYAxes
)

// String returns the name that the panels show.
func (y yAxis) String() string {
	return [...]string{yLinear: "linear", ySymlog: "symmetric log", yGap: "gap to best, log"}[y]
}

// viz returns the scale as the picture knows it.
func (y yAxis) viz() axes.Kind {
	return [...]axes.Kind{yLinear: axes.Linear, ySymlog: axes.Log, yGap: axes.Gap}[y]
}

// strengths are the steps of the smoothing keys: weights of an exponential
// moving average.
var strengths = []float64{0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995}

// look is how a person wants the panels drawn. It is theirs: data never changes it.
type look struct {
	x         xAxis
	y         yAxis
	smoothing int // index of strengths
	// clip leaves outliers out of the range of the vertical axis.
	clip bool
	// perPoint divides the objective by the number of training points.
	perPoint bool
	// grouped draws runs that differ in the seed alone as their mean with a band.
	grouped   bool
	layer, gp int
	sort      panel.Sort
	target    int // of the pictures of calibration
	top       int // first line of the health
	// field is what is shown of the plane, counted on beyond those that there are.
	field int
	// input is the one whose inducing points are shown, counted on likewise.
	input int
}

// firstLook is the look of a dashboard that nobody has changed.
var firstLook = look{smoothing: 3}

// strength returns the weight of the smoothing, 0 for none.
func (l look) strength() float64 { return strengths[l.smoothing] }

func smoothingText(strength float64) string {
	if strength == 0 {
		return "off"
	}
	return fmt.Sprintf("%g", strength)
}

// objective names the values of the objective's panel: the sum over all training points
// is what is maximised.
func (l look) objective() string {
	if l.perPoint {
		return "per data point"
	}
	return "sum"
}
