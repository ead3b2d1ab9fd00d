package board

import (
	"fmt"
	"math"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
)

// xAxis is the horizontal axis of the curves.
type xAxis int

const (
	xSteps xAxis = iota
	xEpochs
	// xTime is the training time without pauses.
	xTime
	numXAxes
	// xLog is added to the axes with a logarithmic scale.
	xLog xAxis = 8
)

// base returns the axis without its scale.
func (x xAxis) base() xAxis { return x &^ xLog }

// next returns the following axis with the same scale.
func (x xAxis) next() xAxis { return (x.base()+1)%numXAxes | x&xLog }

// String returns the name of the axis on the screen.
func (x xAxis) String() string {
	name := [...]string{xSteps: "steps", xEpochs: "epochs", xTime: "time"}[x.base()]
	if x != x.base() {
		return "log " + name
	}
	return name
}

// viz returns the axis of a picture.
func (x xAxis) viz() chart.Axis {
	a := [...]chart.Axis{xSteps: chart.Steps, xEpochs: chart.Epochs, xTime: chart.Seconds}[x.base()]
	if x != x.base() {
		return a.Log()
	}
	return a
}

// leastPosition is the smallest epoch or time on a logarithmic axis.
const leastPosition = 1e-6

// of returns the position of a point of a run on the axis.
func (x xAxis) of(s *session.Snapshot, p *rundir.Point) float64 {
	switch {
	case x != x.base():
		return math.Log10(max(x.base().of(s, p), leastPosition))
	case x == xTime:
		return p.Seconds
	case x == xEpochs && s.Batch() > 0 && s.Data.N > 0:
		return float64(p.Step) * float64(s.Batch()) / float64(s.Data.N)
	}
	return float64(p.Step) // A family without batches uses all points in every step.
}

// yNames holds the names of the vertical axes on the screen. The logarithmic axis is linear around zero,
// because objectives may be negative.
var yNames = [...]string{chart.Linear: "linear", chart.Log: "symmetric log", chart.Gap: "gap to best, log"}

// strengths holds the strengths of smoothing: weights of an exponential moving average.
var strengths = []float64{0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995}

// curveSettings holds the user's settings for the curves. They are kept across restarts of the program, and
// new data never change them. When other runs are opened, they are reset to firstSettings.
type curveSettings struct {
	X xAxis `json:"x_axis"`
	// Kept is set once the user has chosen the horizontal axis; see Board.chooseXAxis.
	Kept      bool       `json:"x_axis_kept,omitempty"`
	Y         chart.Kind `json:"y_axis"`
	Smoothing int        `json:"smoothing"` // index into strengths
	// Range selects the values that determine the range of the vertical axis.
	Range curves.Range `json:"y_range"`
	// PerPoint divides the objective by the number of training points.
	PerPoint bool `json:"per_point"`
	// Grouped draws runs that differ only in the seed as their mean with a band.
	Grouped bool `json:"grouped"`
}

// firstSettings holds the default settings.
var firstSettings = curveSettings{Smoothing: 3, Range: curves.Recent}

// curveView is the state that the panels of curves share.
type curveView struct {
	curveSettings
	window window
	cursor curveCursor
	panels [numQuantities]*Panel
}

// curveCursor is the position on the horizontal axis at which values are shown.
type curveCursor struct {
	on bool
	x  float64
}

// rangeNames holds the names of the ranges of the vertical axis on the screen.
var rangeNames = [...]string{
	curves.Whole:  "all values",
	curves.Inner:  "outliers clipped",
	curves.Recent: "recent values",
}

// nextRange maps each range to the next one.
var nextRange = [...]curves.Range{
	curves.Recent: curves.Inner,
	curves.Inner:  curves.Whole,
	curves.Whole:  curves.Recent,
}

// strength returns the weight of the smoothing, or 0 for none.
func (l curveSettings) strength() float64 { return strengths[l.Smoothing] }

func smoothingText(strength float64) string {
	if strength == 0 {
		return "off"
	}
	return fmt.Sprintf("%g", strength)
}

// objective returns the unit of the objective: the maximised sum over all training points, or the mean per
// point.
func (l curveSettings) objective() string {
	if l.PerPoint {
		return "per data point"
	}
	return "sum"
}
