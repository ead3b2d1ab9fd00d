package calibration

import (
	"math"
	"strconv"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// densityPoints is the number of points of a line over bars.
const densityPoints = 121

// Histogram returns the histogram of values with the density of a Gaussian of this mean
// and standard deviation, on the scale of the counts. The range is that of the values.
func Histogram(values []float64, bins int, mean, sd float64) Bars {
	bins = max(bins, 1)
	b := Bars{Values: make([]float64, bins), Lo: math.Inf(1), Hi: math.Inf(-1), YName: "draws"}
	for _, v := range values {
		if number.Finite(v) {
			b.Lo = min(b.Lo, v)
			b.Hi = max(b.Hi, v)
		}
	}
	n := 0
	for _, v := range values {
		if !number.Finite(v) {
			b.Left++
			continue
		}
		b.Values[min(int(number.Unit(v, b.Lo, b.Hi)*float64(bins)), bins-1)]++
		n++
	}
	if !(b.Lo < b.Hi) || !(sd > 0) || !number.Finite(mean) {
		return b
	}
	scale := float64(n) * (b.Hi - b.Lo) / float64(bins) / (sd * math.Sqrt(2*math.Pi))
	for k := range densityPoints {
		z := (b.Lo + (b.Hi-b.Lo)*float64(k)/(densityPoints-1) - mean) / sd
		b.Density = append(b.Density, scale*math.Exp(-z*z/2))
	}
	return b
}

// RankBars returns how many draws of one of several chains have ranks, among those of all,
// in equal bins. The ranks of chains that have mixed are uniform (Vehtari et al., "An
// Improved R-hat for Assessing Convergence of MCMC", 2021, arXiv:1903.08008, section 4.4).
// The band holds 95 % of the binomial distribution of each bin, for independent draws.
func RankBars(counts []int) Bars {
	b := Bars{Hi: 1, XName: "rank, as a share", XShort: "rank", YName: "draws"}
	n := 0
	for _, c := range counts {
		b.Values = append(b.Values, float64(c))
		n += c
	}
	return b.uniform(n)
}

// uniform returns bars with the line of a uniform distribution of n, and its band.
func (b Bars) uniform(n int) Bars {
	p := 1 / float64(max(len(b.Values), 1))
	b.Expected = float64(n) * p
	lo, hi, outside := binomialBand(n, p)
	b.Band = [2]float64{float64(lo), float64(hi)}
	b.Chance = float64(len(b.Values)) * outside
	return b
}

// drawDensity draws the line over bars, on their scale of heights.
func (b Bars) drawDensity(cv *canvas.Canvas, y *axes.Scale) {
	if len(b.Density) == 0 {
		return
	}
	canvas.DrawLine(cv, canvas.Ink{FG: cv.Style.Warn(), Bold: true}, func(w, h int) []int {
		rows := make([]int, w)
		for x := range rows {
			v := b.Density[x*(len(b.Density)-1)/max(w-1, 1)]
			rows[x] = -1
			if number.Finite(v) {
				rows[x] = y.RowOf(v, h)
			}
		}
		return rows
	})
}

// densityPart is the legend of the line, none without one.
func (b Bars) densityPart() (parts []canvas.Part) {
	if len(b.Density) > 0 {
		parts = append(parts, canvas.Note(1, canvas.Ink{},
			"─ Gaussian of the same mean and sd, "+strconv.Itoa(len(b.Values))+" bins", "─ Gaussian", ""))
	}
	return parts
}
