package chart

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestScalesRise(t *testing.T) {
	values := []float64{-1e6, -3000, -10, -0.5, 0, 0.1, 2, 700, 1e5}
	for _, kind := range []Kind{Linear, Log, Gap} {
		e := NewExtent()
		for _, v := range values {
			e.Add(v)
		}
		s := Fit(kind, e, false)
		for i := 1; i < len(values); i++ {
			a := s.Forward(values[i-1])
			b := s.Forward(values[i])
			if !(a < b) && kind != Gap || a > b {
				t.Errorf("%v: %g is at %g, but %g at %g", kind, values[i-1], a, values[i], b)
			}
		}
		if kind == Log {
			for _, v := range values {
				if back := s.inverse(s.Forward(v)); math.Abs(back-v) > 1e-9*math.Max(1, math.Abs(v)) {
					t.Errorf("inverse of %g is %g", v, back)
				}
			}
		}
	}
	e := NewExtent()
	e.Add(2)
	e.Add(1)
	e.Add(8)
	if s := Fit(Gap, e, true); s.Forward(1) != s.Hi || s.Forward(0) <= s.Hi || s.Forward(8) != s.Lo ||
		s.Forward(9) >= s.Lo {
		t.Errorf("values outside do not lie beside the gap axis %+v", s)
	}
	if s := Fit(Gap, e, true); s.best != 1 || s.floor != 1 || s.Forward(1) < s.Forward(2) {
		t.Errorf("gap above the least value: %+v", s)
	}
}

func TestTicks(t *testing.T) {
	labels := func(ticks []Tick) string {
		var out []string
		for _, t := range ticks {
			out = append(out, t.Label)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		n      int
		want   string
	}{
		{Steps, 0, 20000, 4, "0 5k 10k 15k 20k"}, {Steps, 0, 3, 10, "0 1 2 3"}, {Steps, 5, 5, 4, "5"},
		{Seconds, 0, 250, 5, "0 1m 2m 3m 4m"}, {Seconds, 0, 2.2, 4, "0 1s 2s"},
		{Seconds, 0, 1e6, 4, "0 5d 10d"},
		{Plain, -1, 1, 4, "-1.0 -0.5 0 0.5 1.0"}, {Plain, 1e-7, 4e-7, 3, "1e-07 2e-07 3e-07 4e-07"},
	} {
		if got := labels(c.axis.Ticks(c.lo, c.hi, c.n)); got != c.want {
			t.Errorf("ticks of %v from %g to %g: %s, want %s", c.axis, c.lo, c.hi, got, c.want)
		}
	}
	if got := labels(LinearTicks(-12345.6, -12344.2, 4, 0)); got != "-12345.5 -12345.0 -12344.5" {
		t.Errorf("ticks far from zero: %s", got)
	}
}

// The range lies between two multiples of the step for the wanted number of ticks.
func TestAnAxisHasALabel(t *testing.T) {
	if few := LinearTicks(-4100, -20, 2, 0); len(few) != 0 {
		t.Fatalf("ticks %v", few)
	}
	e := NewExtent()
	e.Add(-4100)
	e.Add(-20)
	s := Fit(Linear, e, false)
	if got := s.Ticks(2); len(got) != 2 || got[0].Label != "-4000" || got[1].Label != "-2000" {
		t.Errorf("ticks %v", got)
	}
}

// Labels at powers of ten are thinned evenly if there is no room for all.
func TestPowersOfTenAreThinnedEvenly(t *testing.T) {
	e := NewExtent()
	e.Add(3e-8)
	e.Add(2)
	s := Fit(Log, e, false)
	for h := 6; h < 40; h++ {
		labels, _ := (&Plane{Y: s}).yLabels(60, h)
		last, step := math.NaN(), 0.0
		for y := range h {
			if labels[y] == "" {
				continue
			}
			v, err := strconv.ParseFloat(labels[y], 64)
			if err != nil {
				t.Fatal(err)
			}
			at := math.Log10(v)
			switch {
			case math.IsNaN(last):
			case step == 0:
				step = last - at
			case math.Abs(last-at-step) > 1e-9:
				t.Errorf("in %d rows: %v", h, labels)
			}
			last = math.Log10(v)
		}
		if step == 0 {
			t.Errorf("in %d rows: %v", h, labels)
		}
	}
}
