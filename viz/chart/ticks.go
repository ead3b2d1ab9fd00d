package chart

import (
	"math"
	"strconv"

	"dgplab/viz/canvas"
)

// Tick is a labelled position on an axis, in transformed values.
type Tick struct {
	At    float64
	Label string
}

// maxTicks limits the ticks of an axis.
const maxTicks = 64

// niceStep returns the smallest of 1, 2 or 5 times a power of ten that is at least x.
func niceStep(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 1
	}
	base := math.Pow(10, math.Floor(math.Log10(x)))
	if base == 0 {
		return x // subnormal
	}
	for _, m := range [...]float64{1, 2, 5} {
		if m*base >= x*(1-1e-9) {
			return m * base
		}
	}
	return 10 * base
}

// multiples returns the multiples of step in [lo, hi], at most maxTicks.
func multiples(lo, hi, step float64) []float64 {
	var out []float64
	first := math.Ceil(lo/step - 1e-9)
	for i := range maxTicks {
		// Rounding may place v slightly outside; the caller clamps.
		v := (first + float64(i)) * step
		if !canvas.Finite(v) || v > hi+1e-9*step {
			break
		}
		if n := len(out); n > 0 && v == out[n-1] {
			break // The step is below the resolution of the numbers.
		}
		out = append(out, v)
	}
	return out
}

// LinearTicks returns about n ticks at multiples of 1, 2 or 5 times a power of ten. least is the
// smallest step allowed; 0 allows any.
func LinearTicks(lo, hi float64, n int, least float64) []Tick {
	step := math.Max(niceStep((hi/2-lo/2)/float64(max(n, 1))*2), least)
	values := multiples(lo, hi, step)
	labels := canvas.StepLabels(values, step)
	out := make([]Tick, len(values))
	for i, v := range values {
		out[i] = Tick{v, labels[i]}
	}
	return out
}

// someTicks returns LinearTicks, with a smaller step if there would otherwise be none.
func someTicks(lo, hi float64, n int) []Tick {
	ticks := LinearTicks(lo, hi, n, 0)
	for more := n + 1; len(ticks) == 0 && more <= n+4; more++ {
		ticks = LinearTicks(lo, hi, more, 0)
	}
	return ticks
}

// timeSteps are the steps of a time axis below two days, in seconds.
var timeSteps = []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
	10800, 21600, 43200, 86400}

// timeTicks returns about n ticks at round times. lo and hi are seconds.
func timeTicks(lo, hi float64, n int) []Tick {
	want := (hi/2 - lo/2) / float64(max(n, 1)) * 2
	step := 0.0
	for _, s := range timeSteps {
		if s >= want*(1-1e-9) {
			step = s
			break
		}
	}
	switch {
	case want < 1:
		step = niceStep(want)
	case step == 0:
		step = 86400 * niceStep(want/86400)
	}
	values := multiples(lo, hi, step)
	out := make([]Tick, len(values))
	for i, v := range values {
		out[i] = Tick{v, canvas.Seconds(v)}
		if step < 1 && v != 0 {
			out[i].Label = strconv.FormatFloat(v, 'f', canvas.Decimals(step), 64) + "s"
		}
	}
	return out
}
