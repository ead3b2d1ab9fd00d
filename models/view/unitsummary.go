package view

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

const (
	histogramBins = 24
	// A unit has collapsed if its samples add less than collapsedShare of variance to its mean
	// function, or have a standard deviation below collapsedSD.
	collapsedShare = 1e-4
	collapsedSD    = 1e-3
)

// Describe appends the summaries and correlations of t units, given samples f at P points, [t][P],
// and their mean functions, of the same shape.
func (u *Units) Describe(f, mean []float64, t int) {
	points := len(f) / t
	rows := make([][]float64, t)
	for k := range rows {
		rows[k] = f[k*points : (k+1)*points]
		u.Units = append(u.Units, describe(rows[k], mean[k*points:(k+1)*points]))
	}
	for k := range rows {
		u.Correlation = append(u.Correlation, correlations(rows, k))
	}
}

// describe summarises the samples of one unit relative to its mean function.
func describe(f, mean []float64) Unit {
	low := slices.Min(f)
	high := slices.Max(f)
	beyond := make([]float64, len(f))
	for k, v := range f {
		beyond[k] = v - mean[k]
	}
	center, sd := stat.PopMeanStdDev(f, nil)
	var share float64
	own := stat.PopVariance(beyond, nil)
	given := stat.PopVariance(mean, nil)
	if own+given > 0 {
		share = own / (own + given)
	}
	return Unit{
		Mean: Float(center), SD: Float(sd), Min: Float(low), Max: Float(high),
		Histogram: histogram(f, low, high), Share: Float(share),
		Collapsed: share < collapsedShare || math.Sqrt(own) < collapsedSD,
	}
}

// histogram counts values in equal bins from low to high. Values without a finite range are counted
// in the first bin.
func histogram(f []float64, low, high float64) []int {
	counts := make([]int, histogramBins)
	width := high - low
	for _, v := range f {
		bin := 0
		if width > 0 && !math.IsInf(width, 1) {
			bin = min(int((v-low)/width*histogramBins), histogramBins-1)
		}
		counts[bin]++
	}
	return counts
}

// correlations returns the correlation of row t with every row; 0 if either row is constant.
func correlations(rows [][]float64, t int) []float64 {
	out := make([]float64, len(rows))
	for u := range rows {
		if c := stat.Correlation(rows[t], rows[u], nil); !math.IsNaN(c) {
			out[u] = c
		}
	}
	out[t] = 1
	return out
}
