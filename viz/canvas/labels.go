package canvas

import (
	"math"
	"strconv"
)

// StepLabels formats evenly stepped values with the decimals that the step needs, in full or with
// an SI prefix, whichever is shorter.
func StepLabels(values []float64, step float64) []string {
	most := 0.0
	for _, v := range values {
		most = math.Max(most, math.Abs(v))
	}
	out := make([]string, len(values))
	size, suffix := 1.0, ""
	for _, u := range siUnits {
		if most >= u.size*10 && Decimals(step/u.size) < Decimals(step)+3 {
			size, suffix = u.size, u.name
			break
		}
	}
	for i, v := range values {
		switch {
		case v == 0:
			out[i] = "0"
		case most >= 1e16 || most < 1e-4 || Decimals(step/size) > 7:
			out[i] = scientific(v)
		default:
			out[i] = strconv.FormatFloat(v/size, 'f', Decimals(step/size), 64) + suffix
		}
	}
	return out
}

// Decimals returns the number of decimals of a step of 1, 2 or 5 times a power of ten.
func Decimals(step float64) int {
	if !(step > 0) {
		return 0
	}
	return max(0, int(-math.Floor(math.Log10(step)+1e-9)))
}
