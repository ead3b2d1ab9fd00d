package chart

import (
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
)

func TestFitScale(t *testing.T) {
	for name, c := range map[string]struct {
		kind   Kind
		values []float64
		down   bool
		want   Scale
		note   string
		ticks  string
	}{
		"linear": {Linear, []float64{2, 10}, false, Scale{Lo: 2, Hi: 10}, "",
			"2 4 6 8 10"},
		"one value": {Linear, []float64{-20}, false, Scale{Lo: -21, Hi: -19}, "",
			"-21.0 -20.5 -20.0 -19.5 -19.0"},
		"only zero": {Linear, []float64{0}, false, Scale{Lo: -1, Hi: 1}, "",
			"-1.0 -0.5 0 0.5 1.0"},
		"log of zeros": {Log, []float64{0}, false, Scale{symmetric: true, Lo: -1, Hi: 1}, "",
			"-1.0 -0.5 0 0.5 1.0"},
		"log": {Log, []float64{1, 1000}, false, Scale{Kind: Log, bend: 1, Hi: 3}, "log axis", "1 10 100 1k"},
		"symmetric": {Log, []float64{0, 999}, false,
			Scale{Kind: Log, symmetric: true, bend: 0.1, Hi: math.Log10(9991)}, "symlog axis",
			"0 0.1 1 10 100"},
		"gap, higher better": {Gap, []float64{0, 9, 10}, false,
			Scale{Kind: Gap, best: 10, floor: 1, Lo: -1, Hi: 0.3}, "gap to best, log", "1 2 5 10"},
		"gap, lower better": {Gap, []float64{0, 1, 10}, true,
			Scale{Kind: Gap, floor: 1, down: true, Lo: -1, Hi: 0.3}, "gap to best, log", "1 2 5 10"},
		"gap of one value": {Gap, []float64{4}, true, Scale{best: 4, down: true, Lo: 3.8, Hi: 4.2}, "",
			"3.8 3.9 4.0 4.1 4.2"},
		"small gaps": {Gap, []float64{0, 1e-9, 1}, true,
			Scale{Kind: Gap, floor: 1e-6, down: true, Lo: 0, Hi: 6.3}, "gap to best, log",
			"1e-06 1e-05 1e-04 0.001 0.01 0.1 1"},
	} {
		e := NewExtent()
		for _, v := range c.values {
			e.Add(v)
		}
		got := Fit(c.kind, e, c.down)
		var ticks []string
		for _, tick := range got.Ticks(4) {
			ticks = append(ticks, tick.Label)
		}
		near := math.Abs(got.Lo-c.want.Lo) < 1e-9 && math.Abs(got.Hi-c.want.Hi) < 1e-9
		got.Lo, got.Hi = c.want.Lo, c.want.Hi
		text := strings.Join(ticks, " ")
		if !near || got != c.want || got.Note() != c.note || text != c.ticks {
			t.Errorf("%s: %+v, %q, %q; want %+v, %q, %q", name, got, got.Note(), text, c.want, c.note,
				c.ticks)
		}
	}
}

func TestPlaces(t *testing.T) {
	s := Scale{Lo: 0, Hi: 10}
	for _, c := range []struct {
		v           float64
		of5, of11   int
		edge, edge4 int
	}{
		{0, 0, 0, 4, 1}, {1, 0, 1, 6, 3}, {2, 1, 2, 7, 5}, {5, 2, 5, 12, 12}, {10, 4, 10, 20, 23},
		{-5, 0, 0, 4, 1}, {15, 4, 10, 20, 23},
	} {
		edge := s.edgeOf(c.v, 3, canvas.Style{})
		edge4 := s.edgeOf(c.v, 3, canvas.Style{Braille: true})
		if s.position(c.v, 5) != c.of5 || s.position(c.v, 11) != c.of11 ||
			edge != c.edge || edge4 != c.edge4 {
			t.Errorf("%g is at %d of 5, %d of 11, with edges at %d and %d; want %+v", c.v, s.position(c.v, 5),
				s.position(c.v, 11), edge, edge4, c)
		}
	}
}

func TestPads(t *testing.T) {
	below, both := Scale{Lo: 2, Hi: 6}, Scale{Lo: 2, Hi: 6}
	below.padBelow(0.5)
	both.Pad(0.25)
	if below != (Scale{Lo: 0, Hi: 6}) || both != (Scale{Lo: 1, Hi: 7}) {
		t.Errorf("padded below %+v, at both ends %+v", below, both)
	}
	most := Scale{Lo: -math.MaxFloat64, Hi: math.MaxFloat64}
	wide := most
	if wide.padBelow(0.5); wide != most {
		t.Errorf("all numbers padded below: %+v", wide)
	}
	if wide.Pad(0.5); wide != most {
		t.Errorf("all numbers padded: %+v", wide)
	}
}
