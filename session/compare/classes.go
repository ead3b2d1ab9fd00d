package compare

import (
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// CalibrationBins is the number of bins of the expected calibration error.
const CalibrationBins = predictive.CalibrationBins

// MostProbable calls visit for each point with a known class, passing the class, the most probable
// class, and its probability.
func MostProbable(p *rundir.Predictions, visit func(class, top int, probability float64)) {
	var room []float64
	for i := range p.N {
		room = p.Probabilities(room, i)
		if class, known := p.ClassOf(i); known {
			top := predictive.Top(room)
			visit(class, top, room[top])
		}
	}
}
