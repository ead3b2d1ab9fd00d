package sampling

import (
	"fmt"

	"dgplab/models/param"
)

// Reservoir keeps evenly spaced samples of a chain in bounded memory. When it is full, it drops
// every second sample and doubles the distance between samples. Which samples it keeps depends only
// on the number of steps.
type Reservoir struct {
	room, size int
	samples    []float64 // [room][size]
	numbers    []float64 // count, and distance in steps; part of a checkpoint
}

// Indices of Reservoir.numbers.
const (
	reservoirCount = iota
	reservoirDistance
	reservoirNumbers
)

// NewReservoir returns an empty reservoir with room for the given number of samples of size numbers
// each. Initially it keeps every thinning-th sample.
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

// Add adds the position after a sampling step, counted from 1, if this step is kept. It must be
// called for every step in order.
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

// halve keeps every second sample, starting with the second.
func (r *Reservoir) halve() {
	half := r.room / 2
	for k := range half {
		copy(r.sample(k), r.sample(2*k+1))
	}
	r.numbers[reservoirCount] = float64(half)
	r.numbers[reservoirDistance] *= 2
}

// Distance returns the number of steps between kept samples.
func (r *Reservoir) Distance() int { return int(r.numbers[reservoirDistance]) }

func (r *Reservoir) count() int { return int(r.numbers[reservoirCount]) }

// sample returns the storage of sample k.
func (r *Reservoir) sample(k int) []float64 { return r.samples[k*r.size : (k+1)*r.size] }

// Samples returns the kept samples, oldest first. They alias the reservoir.
func (r *Reservoir) Samples() [][]float64 {
	list := make([][]float64, r.count())
	for k := range list {
		list[k] = r.sample(k)
	}
	return list
}

// State returns the arrays of a checkpoint.
func (r *Reservoir) State() []param.Array {
	return []param.Array{{Name: "kept", Data: r.samples}, {Name: "kept.numbers", Data: r.numbers}}
}

// Restored returns an error if the counts in State are invalid.
func (r *Reservoir) Restored() error {
	if n := r.numbers[reservoirCount]; !(n >= 0 && n <= float64(r.room) &&
		r.numbers[reservoirDistance] >= 1) {
		return fmt.Errorf("%v of %d samples are kept, %v steps apart",
			n, r.room, r.numbers[reservoirDistance])
	}
	return nil
}
