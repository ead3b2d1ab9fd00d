package chart

import (
	"math"
	"slices"
	"testing"
)

func TestExtent(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		values []float64
		want   Extent
	}{
		{nil, Extent{inf, -inf, inf, -inf, 0}},
		{[]float64{3}, Extent{3, 3, inf, -inf, 1}},
		{[]float64{3, 3}, Extent{3, 3, inf, -inf, 2}},
		{[]float64{3, 5}, Extent{3, 5, 5, 3, 2}},
		{[]float64{5, 3, 3, 5}, Extent{3, 5, 5, 3, 4}},
		{[]float64{1, 9, 4, 6}, Extent{1, 9, 4, 6, 4}},
		{[]float64{9, 6, 4, 1}, Extent{1, 9, 4, 6, 4}},
		{[]float64{-2, 0, -2, -7}, Extent{-7, 0, -2, -2, 4}},
	} {
		got := NewExtent()
		for _, v := range c.values {
			got.Add(v)
		}
		if got != c.want {
			t.Errorf("extent of %v: %+v, want %+v", c.values, got, c.want)
		}
		for cut := range len(c.values) + 1 {
			whole := NewExtent()
			rest := NewExtent()
			for _, v := range c.values[:cut] {
				whole.Add(v)
			}
			for _, v := range c.values[cut:] {
				rest.Add(v)
			}
			if whole.Merge(rest); whole != c.want {
				t.Errorf("extents of %v and %v: %+v, want %+v", c.values[:cut], c.values[cut:], whole, c.want)
			}
		}
	}
}

func TestNiceSteps(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 1, -3: 1, math.Inf(1): 1, 1: 1, 1.01: 2, 2: 2, 2.1: 5, 5: 5, 5.01: 10, 9.9: 10, 10: 10,
		0.03: 0.05, 0.11: 0.2, 700: 1000,
	} {
		if got := niceStep(x); math.Abs(got-want) > 1e-12*want {
			t.Errorf("step for %g: %g, want %g", x, got, want)
		}
	}
	if got := niceStep(math.NaN()); got != 1 {
		t.Errorf("step for NaN: %g", got)
	}
}

func TestMultiples(t *testing.T) {
	for _, c := range []struct {
		lo, hi, step float64
		want         []float64
	}{
		{0, 2, 1, []float64{0, 1, 2}},
		{0.1, 1.9, 1, []float64{1}},
		{-1, 1, 0.5, []float64{-1, -0.5, 0, 0.5, 1}},
		{0.3, 0.6, 0.1, []float64{3 * 0.1, 0.4, 0.5, 6 * 0.1}},
		{1.1, 1.9, 1, nil},
		{3, 2, 1, nil},
		{1e17, 1e17, 1, []float64{1e17}},
		{1e308, math.Inf(1), 1e308, []float64{1e308}},
	} {
		got := multiples(c.lo, c.hi, c.step)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*c.step }) {
			t.Errorf("multiples of %g from %g to %g: %v, want %v", c.step, c.lo, c.hi, got, c.want)
		}
	}
	if got := multiples(0, 1e6, 1); len(got) != maxTicks || got[maxTicks-1] != maxTicks-1 {
		t.Errorf("%d multiples, want %d", len(got), maxTicks)
	}
}

func TestPowersOfTen(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{1, 1000, 3, []float64{1, 10, 100, 1000}},
		{1, 100, 3, []float64{1, 2, 5, 10, 20, 50, 100}},
		{1, 100, 2, []float64{1, 10, 100}},
		{2, 60, 9, []float64{2, 5, 10, 20, 50}},
		{0.5, 5, 9, []float64{0.5, 1, 2, 5}},
		{1, 1e6, 3, []float64{1, 100, 1e4, 1e6}},
		{0, 10, 3, nil},
		{-1, 10, 3, nil},
		{10, 1, 3, nil},
		{1, math.Inf(1), 3, nil},
		{1, 1000, 0, []float64{1, 1000}},
	} {
		got := powersOfTen(c.lo, c.hi, c.n)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b }) {
			t.Errorf("about %d powers from %g to %g: %v, want %v", c.n, c.lo, c.hi, got, c.want)
		}
	}
}
