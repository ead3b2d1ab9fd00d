package autodiff

import (
	"slices"
	"testing"
	"time"
)

func TestProfileAddsTimesToSections(t *testing.T) {
	tape := NewTape()
	var now time.Duration
	// work records an operation whose forward and backward passes take the given times.
	work := func(in *Node, forward, backward time.Duration) *Node {
		out := tape.Output(1, 1, 1, in)
		return tape.Record(out, func() error { now += forward; return nil }, func() {
			now += backward
			in.Grad()[0] += out.Grad()[0]
		})
	}
	a := tape.Variable(1, 1, 1)
	tape.Section(1)
	b := work(a, 1, 10)
	tape.Section(2)
	c := work(b, 2, 20)
	tape.Section(1)
	d := work(c, 3, 30)
	work(a, 4, 40) // receives no gradient

	run := func() {
		now += 100 // time of the caller
		tape.Lap(0)
		if err := tape.Forward(); err != nil {
			t.Fatal(err)
		}
		tape.Backward(d)
	}
	p := NewProfile(3)
	run()
	tape.Measure(p, func() time.Duration { return now })
	run()
	tape.Measure(nil, nil)
	run()
	if want := []time.Duration{100, 1 + 3 + 4 + 10 + 30, 2 + 20}; !slices.Equal(p.Times, want) {
		t.Errorf("times %v, want %v, of the measured replay alone", p.Times, want)
	}
}

func TestWithoutRescues(t *testing.T) {
	tape := NewTape()
	a := tape.Variable(1, 2, 2)
	tape.Cholesky(a, "K")
	copy(a.Value, []float64{1, 1, 1, 1 - 1e-8})
	if err := tape.WithoutRescues(tape.Forward); err != nil || tape.Rescues() != 0 {
		t.Errorf("%d rescues, error %v", tape.Rescues(), err)
	}
	if err := tape.Forward(); err != nil || tape.Rescues() != 1 {
		t.Errorf("%d rescues after a replay that counts, error %v", tape.Rescues(), err)
	}
}
