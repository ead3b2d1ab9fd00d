package predictive

import "math"

// CalibrationBins is the number of equal bins of the largest class probability in the expected
// calibration error (Guo, Pleiss, Sun, Weinberger, "On Calibration of Modern Neural Networks",
// 2017, section 2, https://arxiv.org/abs/1706.04599).
const CalibrationBins = 15

// Top returns the class with the largest probability, or the last of several such classes.
func Top(probabilities []float64) (class int) {
	for k, q := range probabilities {
		if q >= probabilities[class] {
			class = k
		}
	}
	return class
}

// Bin returns the index of the bin that contains a probability, for the given number of equal bins.
// Bins include their upper end.
func Bin(probability float64, bins int) int {
	return max(0, min(int(math.Ceil(probability*float64(bins)))-1, bins-1))
}

// classTally accumulates the scores of class predictions.
type classTally struct {
	points, wrong int
	brier         float64
	// For each bin of confidence, the sum over points of confidence minus accuracy.
	excess [CalibrationBins]float64
}

// add adds the points of a prediction.
func (t *classTally) add(m Classification, y []float64) {
	classes := m.Classes()
	all := make([]float64, len(y)*classes)
	m.Probabilities(all)
	for n, target := range y {
		if math.IsNaN(target) {
			continue
		}
		row, class := all[n*classes:(n+1)*classes], classOf(target, classes)
		top := Top(row)
		t.points++
		right := 1.0
		if top != class {
			t.wrong++
			right = 0
		}
		t.excess[Bin(row[top], CalibrationBins)] += row[top] - right
		for k, q := range row {
			if k == class {
				q--
			}
			t.brier += q * q
		}
	}
}

// score sets the averages.
func (t *classTally) score(s *Scores) {
	n := float64(t.points) // if it is 0, all averages are NaN
	s.ErrorRate, s.Brier = float64(t.wrong)/n, t.brier/n
	s.Accuracy = 1 - s.ErrorRate
	var sum float64
	for _, excess := range t.excess {
		sum += math.Abs(excess)
	}
	s.ECE = sum / n
}
