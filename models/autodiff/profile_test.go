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

// The time of an operation that replays other tapes belongs to their sections.
func TestIncluding(t *testing.T) {
	tape, others := NewTape(), []*Tape{NewTape(), NewTape()}
	var now time.Duration
	work := func(other *Tape, section int, time time.Duration) {
		other.Section(section)
		out := other.Constant(1, 1, 1)
		other.Record(out, func() error { now += time; return nil }, nil)
	}
	work(others[0], 1, 30)
	work(others[0], 2, 10)
	work(others[1], 1, 20)
	replay := func() {
		tape.Including(others, func() {
			before := now
			for _, other := range others {
				other.Skip()
				if err := other.Forward(); err != nil {
					t.Fatal(err)
				}
			}
			now = before + 60 + 12 // 12 are not part of an operation
		})
		tape.Lap(0)
	}
	p := NewProfile(3)
	replay()
	tape.Measure(p, func() time.Duration { return now })
	replay()
	if want := []time.Duration{0, 60, 12}; !slices.Equal(p.Times, want) {
		t.Errorf("times %v, want %v", p.Times, want)
	}
	tape.Measure(nil, nil)
	replay()
	if others[0].profile != nil || p.Times[1] != 60 {
		t.Error("the other tapes are still measured")
	}
}

// A mirror shares values and has its own gradient.
func TestMirror(t *testing.T) {
	tape, other := NewTape(), NewTape()
	a, constant := tape.Variable(1, 1, 2), tape.Constant(1, 1, 1)
	m := other.Mirror(a)
	if other.Mirror(constant).Wanted() {
		t.Error("the gradient of the mirror of a constant is wanted")
	}
	sum := other.Sum(other.Square(m))
	copy(a.Value, []float64{1, 2})
	for range 2 {
		if m.Reached() {
			t.Error("there is a gradient before the first sweep")
		}
		if err := other.Forward(); err != nil || sum.Value[0] != 5 {
			t.Errorf("sum %v, error %v", sum.Value[0], err)
		}
		other.Backward(sum)
		if !m.Reached() || !slices.Equal(m.Grad(), []float64{2, 4}) || a.Reached() {
			t.Errorf("gradient %v", m.Grad())
		}
		other.BackwardFrom(other.Variable(1, 1, 1), []float64{1})
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
