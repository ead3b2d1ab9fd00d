package sampling

import (
	"fmt"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// Reservoir keeps samples of a chain at even distances in time, in bounded memory: when
// there is no room it drops every second one and keeps half as many from then on. What
// it holds depends on the number of steps alone.
type Reservoir struct {
	room, size int
	samples    []float64 // [room][size]
	numbers    []float64 // count and distance in steps, part of a checkpoint
}

// What Reservoir.numbers holds.
const (
	reservoirCount = iota
	reservoirDistance
	reservoirNumbers
)

// NewReservoir returns an empty reservoir with room for so many samples of size numbers,
// which keeps every thinning-th.
func NewReservoir(room, thinning, size int) *Reservoir {
	r := &Reservoir{
		room:    room,
		size:    size,
		samples: make([]float64, room*size),
		numbers: make([]float64, reservoirNumbers),
	}
	r.numbers[reservoirDistance] = float64(thinning)
	return r
}

// Add takes the position after sampling step number step, counted from 1; it is called
// for each in turn.
func (r *Reservoir) Add(step int, position []float64) {
	if step%r.Distance() == 0 && r.count() == r.room {
		r.halve()
	}
	if step%r.Distance() != 0 {
		return
	}
	copy(r.sample(r.count()), position)
	r.numbers[reservoirCount]++
}

// halve keeps the second, the fourth and so on.
func (r *Reservoir) halve() {
	half := r.room / 2
	for k := range half {
		copy(r.sample(k), r.sample(2*k+1))
	}
	r.numbers[reservoirCount] = float64(half)
	r.numbers[reservoirDistance] *= 2
}

// Distance returns the steps between kept samples.
func (r *Reservoir) Distance() int { return int(r.numbers[reservoirDistance]) }

func (r *Reservoir) count() int { return int(r.numbers[reservoirCount]) }

// sample returns the place of sample k.
func (r *Reservoir) sample(k int) []float64 { return r.samples[k*r.size : (k+1)*r.size] }

// Samples returns what is kept, the oldest first; it aliases the reservoir.
func (r *Reservoir) Samples() [][]float64 {
	list := make([][]float64, r.count())
	for k := range list {
		list[k] = r.sample(k)
	}
	return list
}

// State names what a checkpoint must hold.
func (r *Reservoir) State() []param.Array {
	return []param.Array{{Name: "kept", Data: r.samples}, {Name: "kept.numbers", Data: r.numbers}}
}

// Restored returns an error when the arrays of State hold what no reservoir can.
func (r *Reservoir) Restored() error {
	if err := infer.CheckFinite(r.samples); err != nil {
		return fmt.Errorf("kept samples: %w", err)
	}
	if n := r.numbers[reservoirCount]; !(n >= 0 && n <= float64(r.room) &&
		r.numbers[reservoirDistance] >= 1) {
		return fmt.Errorf("%v samples are kept of %d, %v steps apart",
			n, r.room, r.numbers[reservoirDistance])
	}
	return nil
}
