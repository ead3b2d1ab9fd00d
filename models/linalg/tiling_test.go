package linalg

import (
	"slices"
	"testing"
)

func TestTilingVisitsEveryPointOnce(t *testing.T) {
	var all []Tiling
	for _, points := range []int{1, 5, 255, 256, 257, 409, 512, 2045, 2560, 5000} {
		all = append(all, NewTiling(points))
	}
	for _, period := range []int{1, 7, 255, 300, 600} {
		all = append(all, NewPeriodicTiling(5*period, period), NewPackedTiling(5*period, period, 8))
	}
	for _, tiles := range all {
		points := tiles.Points
		seen := make([]int, points)
		for c := range tiles.Chains {
			tiles.Each(c, func(start, end int) {
				if end-start > tiles.Width || tiles.Width > min(wideTile, tiles.Period) || start >= end ||
					start/tiles.Period != (end-1)/tiles.Period {
					t.Fatalf("%d points: tile from %d to %d", points, start, end)
				}
				for n := start; n < end; n++ {
					seen[n]++
				}
			})
		}
		for n, times := range seen {
			if times != 1 {
				t.Fatalf("%d points: point %d is visited %d times", points, n, times)
			}
		}
	}
}

func TestSumChains(t *testing.T) {
	if got := SumChains([]float64{1, 2, 10, 20, 100, 200}, 2); !slices.Equal(got, []float64{111, 222}) {
		t.Errorf("sum %v", got)
	}
}

// The tiles of a period do not depend on the number of repeats: operations on two layers pair them.
func TestTilesOfPeriodsAreEqual(t *testing.T) {
	for _, period := range []int{1, 7, 100, 512, 1000, 5000} {
		single := NewTiling(period)
		for _, repeats := range []int{2, 5, 100} {
			many := NewPeriodicTiling(repeats*period, period)
			if many.Width != single.Width || many.Count() != repeats*single.Count() {
				t.Errorf("%d points, %d times: %d tiles of %d points, want %d of %d", period, repeats,
					many.Count(), many.Width, repeats*single.Count(), single.Width)
			}
		}
	}
}
