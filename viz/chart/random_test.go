package chart

import (
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// anyRange returns the ends of a random range of any size, of which some are round.
func anyRange(r *rand.Rand) (lo, hi float64) {
	span := math.Pow(10, 12*r.Float64()-4)
	if r.IntN(3) == 0 {
		span = math.Pow(10, float64(r.IntN(12)-4)) * float64(1+r.IntN(9))
	}
	lo = span * math.Round(20*r.NormFloat64()) / []float64{1, 3, 10}[r.IntN(3)]
	switch r.IntN(12) {
	case 0:
		lo = 0
	case 1:
		span = 0
	case 2:
		lo *= 1e9
	case 3:
		lo, span = -math.MaxFloat64, math.MaxFloat64
	}
	return lo, lo + span
}

// writeTicks writes ticks without the last digits of their positions.
func writeTicks(out io.Writer, list []Tick) {
	for _, t := range list {
		fmt.Fprintf(out, "%.8g %s\n", t.At, t.Label)
	}
}

// random holds functions that write random results of this package.
var random = map[string]func(out io.Writer, r *rand.Rand){
	"axes": func(out io.Writer, r *rand.Rand) {
		a := Axis(r.IntN(int(Lags) + 1))
		lo, hi := anyRange(r)
		if r.IntN(4) == 0 {
			a, lo, hi = a.Log(), 6*r.Float64()-1, 7*r.Float64()
			lo, hi = min(lo, hi), max(lo, hi)
		}
		n := 1 + r.IntN(12)
		writeTicks(out, a.Ticks(lo, hi, n))
		writeTicks(out, LinearTicks(lo, hi, n, float64(r.IntN(3))))
		fmt.Fprintf(out, "%s %s %s %.8g %.8g\n", a.Name(), a.Text(lo), a.Text(math.Round(hi)), a.Value(lo),
			a.Place(math.Abs(hi)))
	},
	"dates": func(out io.Writer, r *rand.Rand) {
		unit := []float64{1, 60, 3600, 86400, 31557600, 0.001}[r.IntN(6)]
		seconds := math.Pow(10, 12*r.Float64()-1)
		lo := (r.Float64() - 0.2) * 3e9 / unit
		writeTicks(out, dateTicks(lo, lo+seconds/unit, unit, r.IntN(140)))
	},
	"scales": func(out io.Writer, r *rand.Rand) {
		e := NewExtent()
		lo, hi := anyRange(r)
		if r.IntN(2) == 0 {
			lo, hi = math.Abs(lo), math.Abs(hi)
		}
		parts := [2]Extent{NewExtent(), NewExtent()}
		for range 1 + r.IntN(5) {
			parts[r.IntN(2)].Add(lo + (hi-lo)*float64(r.IntN(5))/4)
		}
		e.Merge(parts[0])
		e.Merge(parts[1])
		s := Fit(Kind(r.IntN(3)), e, r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			s.Pad(0.1 * r.Float64())
		}
		fmt.Fprintf(out, "%.6g %.6g %d %.6g %.6g %s\n", s.Lo, s.Hi, e.N, e.Lo2, e.Hi2, s.Note())
		writeTicks(out, s.Ticks(1+r.IntN(9)))
		for k := range 5 {
			fmt.Fprintf(out, "%.6g\n", s.Forward(e.Lo+(e.Hi-e.Lo)*float64(k)/4))
		}
		fitted, ok := FitValues([][]float64{{lo, hi, math.NaN()}, {r.NormFloat64()}}, r.IntN(2) == 0)
		fmt.Fprintf(out, "%.6g %.6g %t\n", fitted.Lo, fitted.Hi, ok)
	},
	"colours": func(out io.Writer, r *rand.Rand) {
		style := golden.Styles[r.IntN(len(golden.Styles))]
		c := []Color{Ink, Soft, Faint, Warn, Good, Run(r.IntN(12))}[r.IntN(6)]
		if r.IntN(2) == 0 {
			c = c.Fade(r.Float64(), uint8(r.IntN(256)))
		}
		n := 1 + r.IntN(4)
		look, glyph := RangeLook(style, c, r.IntN(n), n)
		fmt.Fprintln(out, c.Text(style), c, look, string(glyph))
		cv := canvas.New(style, 60, 1)
		canvas.DrawLegend(cv, 0, 0, 60, LeftOut(style, r.IntN(3), r.IntN(3)))
		fmt.Fprintln(out, cv, LegendRows(r.IntN(12)))
	},
}

// TestRandomResultsAreUnchanged makes ticks, scales and colours for random ranges. Each group of functions
// has a checksum.
func TestRandomResultsAreUnchanged(t *testing.T) {
	var sums golden.Sums
	for _, group := range slices.Sorted(maps.Keys(random)) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			random[group](sums.Group(group), r)
		}
	}
	sums.Check(t, "random")
}
