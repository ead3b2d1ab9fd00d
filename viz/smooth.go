package viz

import "math"

// Smooth returns the exponential moving average of y, corrected for its start
// (Kingma and Ba, "Adam", 2015, section 3, arXiv:1412.6980, use the same
// correction): entry i is the weighted mean of y[0..i] with weights
// strength^(i-j). Strength 0 returns a copy of y; it is limited to 0 and 0.9999.
//
// A value that is not finite gives NaN in its own place and is left out of the
// mean elsewhere.
func Smooth(y []float64, strength float64) []float64 {
	s := clampStrength(strength)
	out := make([]float64, len(y))
	mean, weight := 0.0, 0.0
	for i, v := range y {
		if !finite(v) {
			out[i] = math.NaN()
			continue
		}
		// The mean moves towards v by v's share of the total weight, in two
		// halves so that nothing overflows before the mean itself would.
		weight = s*weight + 1
		half := (v/2 - mean/2) / weight
		mean += half
		mean += half
		if s == 0 {
			mean = v
		}
		out[i] = mean
	}
	return out
}

func clampStrength(s float64) float64 {
	if math.IsNaN(s) || s < 0 {
		return 0
	}
	return math.Min(s, 0.9999)
}

func finite(v float64) bool { return v-v == 0 }
