package bench

import (
	"math"
	"testing"

	"dgplab/models/linalg"
)

// parts returns parts with the given durations in seconds and no tasks within.
func parts(seconds ...float64) (list []linalg.Span) {
	for _, s := range seconds {
		list = append(list, linalg.Span{Seconds: s})
	}
	return list
}

// What is serial stays, and the independent parts of loops and products are divided among the cores. Products
// within loops stay on one core, and loops within outer loops have a share of the cores.
func TestPrediction(t *testing.T) {
	product := linalg.Task{Name: "product", Parts: parts(1, 1, 1, 1)}
	loop := linalg.Task{Name: "loop", Loop: true, Parts: parts(2, 2, 2, 2)}
	within := linalg.Task{Loop: true, Parts: []linalg.Span{{Seconds: 5, Tasks: []linalg.Task{product}},
		{Seconds: 5, Tasks: []linalg.Task{product}}}}
	half := linalg.Span{Seconds: 13, Tasks: []linalg.Task{loop, product}}
	outer := linalg.Task{Loop: true, Outer: true, Parts: []linalg.Span{half, half}}
	step := func(seconds float64, tasks ...linalg.Task) linalg.Span {
		return linalg.Span{Seconds: seconds, Tasks: tasks}
	}
	beside := linalg.Task{Name: "beside", Beside: true, Parts: parts(4)}
	for name, c := range map[string]struct {
		step linalg.Span
		want map[int]float64 // by the number of cores
	}{
		"serial":                 {step(3), map[int]float64{1: 3, 8: 3}},
		"a product":              {step(6, product), map[int]float64{1: 6, 2: 4, 3: 4, 4: 3, 8: 3}},
		"a product in a loop":    {step(10, within), map[int]float64{1: 10, 2: 5, 8: 5}},
		"a loop in outer parts":  {step(26, outer), map[int]float64{1: 26, 2: 13, 4: 9, 8: 7}},
		"in the background":      {step(8, beside), map[int]float64{1: 8, 2: 6, 4: 5}},
		"a loop after a product": {step(12, product, loop), map[int]float64{1: 12, 4: 3}},
	} {
		p := &Prediction{Step: c.step}
		for cores, want := range c.want {
			if got := p.Seconds(cores); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s on %d cores: %v s, want %v s", name, cores, got, want)
			}
		}
	}
	p := &Prediction{linalg.Span{Seconds: 4, Tasks: []linalg.Task{product}}, 0.5}
	if got := p.Seconds(4); got != 2 { // 1 s of a part, and twice the time to hand over to a second core
		t.Errorf("with a cost of handing over: %v s, want 2 s", got)
	}
}

// Workers take the parts of their own sections first and then help others.
func TestMakespan(t *testing.T) {
	for _, c := range []struct {
		times   []float64
		workers int
		want    float64
	}{
		{[]float64{1, 1, 1, 1, 1}, 2, 3},
		{[]float64{1, 1, 1, 5}, 2, 6},          // the second worker reaches the long part last
		{[]float64{5, 1, 1, 1}, 2, 5},          // the second worker takes all others
		{[]float64{1, 2, 3}, 3, 3},             // a part each
		{[]float64{3, 1, 1, 1, 1, 1, 1}, 3, 3}, // no worker waits
	} {
		if got := makespan(c.times, c.workers); got != c.want {
			t.Errorf("%v on %d cores: %v, want %v", c.times, c.workers, got, c.want)
		}
	}
}

// Of several traces of equal steps, the shortest time of each part counts.
func TestKeepShortest(t *testing.T) {
	step := func(rest, first, second float64) linalg.Span {
		return linalg.Span{Seconds: rest + first + second,
			Tasks: []linalg.Task{{Name: "loop", Parts: parts(first, second)}}}
	}
	best := step(3, 1, 5)
	if !keepShortest(&best, step(1, 2, 2)) {
		t.Fatal("equal steps are taken to differ")
	}
	if best.Seconds != 4 || best.Tasks[0].Parts[0].Seconds != 1 || best.Tasks[0].Parts[1].Seconds != 2 {
		t.Errorf("got %+v, want 1 s outside and parts of 1 s and 2 s", best)
	}
	if keepShortest(&best, linalg.Span{Seconds: 1}) {
		t.Error("a step without the loop is taken to be equal")
	}
}

// Loops of the same name count together, the time outside of loops is serial, and what takes longest on
// sixteen cores comes first.
func TestLoops(t *testing.T) {
	p := &Prediction{Step: linalg.Span{Seconds: 10, Tasks: []linalg.Task{
		{Name: "b", Loop: true, Parts: parts(1, 1)}, {Name: "a", Loop: true, Parts: parts(2, 2, 2)},
		{Name: "b", Loop: true, Parts: parts(1, 0)}}}}
	want := []LoopCost{{"a", 1, 3, 6000, nil}, {"b", 2, 2, 3000, nil}, {Serial, 1, 1, 1000, nil}}
	onSixteen := []Measure{2000, 2000, 1000}
	got := p.Loops()
	if len(got) != len(want) {
		t.Fatalf("%d loops, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		g := got[i]
		if g.Name != w.Name || g.Runs != w.Runs || g.Parts != w.Parts ||
			math.Abs(float64(g.Milliseconds-w.Milliseconds)) > 1e-9 ||
			math.Abs(float64(g.Predicted[2]-onSixteen[i])) > 1e-9 {
			t.Errorf("got %+v, want %+v and %v ms on 16 cores", g, w, onSixteen[i])
		}
	}
}
