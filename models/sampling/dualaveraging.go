package sampling

import "math"

// Constants of dual averaging from Hoffman, Gelman 2014, section 3.2.1.
const (
	averagingGamma  = 0.05
	averagingDelay  = 10
	averagingKappa  = 0.75
	averagingShrink = 10 // steps shrink towards this multiple of the initial size
)

// dualAveraging adapts a step size to reach a target mean acceptance probability: Hoffman, Gelman
// 2014, eq. 6 and algorithm 5, after Nesterov 2009.
type dualAveraging struct {
	target  float64
	numbers [averagingNumbers]float64
}

// Indices of dualAveraging.numbers.
const (
	averagingCount  = iota // m
	averagingCentre        // mu
	averagingError         // H-bar
	averagingMean          // log of epsilon-bar
	averagingNumbers
)

// begin sets the initial step size.
func (d *dualAveraging) begin(size float64) {
	d.numbers = [averagingNumbers]float64{averagingCentre: math.Log(averagingShrink * size)}
}

// next records an acceptance probability and returns the next step size. After the last adaptation
// step it returns the averaged step size.
func (d *dualAveraging) next(probability float64, last bool) float64 {
	d.numbers[averagingCount]++
	m := d.numbers[averagingCount]
	share := 1 / (m + averagingDelay)
	d.numbers[averagingError] += share * (d.target - probability - d.numbers[averagingError])
	log := d.numbers[averagingCentre] - math.Sqrt(m)/averagingGamma*d.numbers[averagingError]
	forget := math.Pow(m, -averagingKappa)
	d.numbers[averagingMean] += forget * (log - d.numbers[averagingMean])
	if last {
		log = d.numbers[averagingMean]
	}
	return math.Exp(log)
}
