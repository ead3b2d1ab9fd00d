package dash

import (
	"fmt"
	"math"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/viz/axes"
	"dgplab/viz/curves"
)

// xAxis is what the curves are drawn over.
type xAxis int

const (
	xSteps xAxis = iota
	xEpochs
	// xTime is training time without pauses.
	xTime
	numXAxes
	// xLog marks those over which the curves are drawn on a logarithmic scale.
	xLog xAxis = 8
)

// base is the axis without its scale.
func (x xAxis) base() xAxis { return x &^ xLog }

// next is the axis that follows, on the same scale.
func (x xAxis) next() xAxis { return (x.base()+1)%numXAxes | x&xLog }

// String returns the name that the panels show.
func (x xAxis) String() string {
	name := [...]string{xSteps: "steps", xEpochs: "epochs", xTime: "time"}[x.base()]
	if x != x.base() {
		return "log " + name
	}
	return name
}

// viz returns the axis as the picture knows it.
func (x xAxis) viz() axes.Axis {
	a := [...]axes.Axis{xSteps: axes.Steps, xEpochs: axes.Epochs, xTime: axes.Seconds}[x.base()]
	if x != x.base() {
		return a.Log()
	}
	return a
}

// soonest is the least epoch or time on a logarithmic axis.
const soonest = 1e-6

// of returns where a point of a run lies on the axis.
func (x xAxis) of(s *session.Snapshot, p *rundir.Point) float64 {
	switch {
	case x != x.base():
		return math.Log10(max(x.base().of(s, p), soonest))
	case x == xTime:
		return p.Seconds
	case x == xEpochs && s.Batch > 0 && s.N > 0:
		return float64(p.Step) * float64(s.Batch) / float64(s.N)
	}
	return float64(p.Step) // A family without batches sees all points in every step.
}

// yNames are what the panels call the vertical axis. The logarithmic one is linear
// around zero, so that a negative objective can be drawn.
var yNames = [...]string{axes.Linear: "linear", axes.Log: "symmetric log", axes.Gap: "gap to best, log"}

// strengths are the steps of the smoothing keys: weights of an exponential
// moving average.
var strengths = []float64{0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995}

// curveSettings are how the user wants the curves drawn. They are remembered between starts of the
// program, and data never change them.
type curveSettings struct {
	X         xAxis     `json:"x_axis"`
	Y         axes.Kind `json:"y_axis"`
	Smoothing int       `json:"smoothing"` // index of strengths
	// Range is which values set the vertical axis.
	Range curves.Range `json:"y_range"`
	// PerPoint divides the objective by the number of training points.
	PerPoint bool `json:"per_point"`
	// Grouped draws runs that differ only in the seed as their mean with a band.
	Grouped bool `json:"grouped"`
}

// firstSettings are the settings of a dashboard that nobody has changed.
var firstSettings = curveSettings{Smoothing: 3, Range: curves.Recent}

// curveView is what the panels of curves share.
type curveView struct {
	curveSettings
	window window
	cursor curveCursor
	panels [numQuantities]*panel
}

// curveCursor is the place on the horizontal axis at which the curves are read.
type curveCursor struct {
	on bool
	x  float64
}

// rangeNames are what the panels call the ranges of the vertical axis.
var rangeNames = [...]string{
	curves.Whole:  "all values",
	curves.Inner:  "outliers clipped",
	curves.Recent: "recent values",
}

// nextRange is the one that the key goes to.
var nextRange = [...]curves.Range{
	curves.Recent: curves.Inner,
	curves.Inner:  curves.Whole,
	curves.Whole:  curves.Recent,
}

// strength returns the weight of the smoothing, 0 for none.
func (l curveSettings) strength() float64 { return strengths[l.Smoothing] }

func smoothingText(strength float64) string {
	if strength == 0 {
		return "off"
	}
	return fmt.Sprintf("%g", strength)
}

// objective names the values of the objective's panel: the sum over all training points
// is what is maximised.
func (l curveSettings) objective() string {
	if l.PerPoint {
		return "per data point"
	}
	return "sum"
}
