package gprn

import "math"

// The bounds of the length of a leap, in sweeps.
const leastLeap, mostLeap = 0.5, 64

// leap goes on in the direction of the last sweep, by as many sweeps more as the length
// says, and stays there if the bound is higher, else where the sweep had come to: sweeps
// that move a little and always the same way are what takes long. The length grows by what
// succeeds. Precisions go on in logarithms, so that they stay positive.
//
// Salakhutdinov, Roweis, "Adaptive Overrelaxed Bound Optimization Methods", 2003, section 3,
// whose every step is one like that; here it is one before each turn of the hyperparameters.
func (e *em) leap() error {
	m, length := e.network, e.numbers[emLeap]
	if length == 0 {
		length = 1
	}
	bound := m.bound()
	copy(e.precision, m.precision)
	copy(e.linear, m.linear)
	before := e.backup[len(e.backup)-2:] // of precisions and linear terms: see newEM
	for i, v := range e.precision {
		if old := before[0][i]; v > 0 && old > 0 {
			m.precision[i] = v * math.Pow(v/old, length)
		}
	}
	for i, v := range e.linear {
		m.linear[i] = v + length*(v-before[1][i])
	}
	if err := m.refresh(); err == nil && m.bound() > bound {
		e.numbers[emLeap] = min(2*length, mostLeap)
		return nil
	}
	e.numbers[emLeap] = max(length/2, leastLeap)
	copy(m.precision, e.precision)
	copy(m.linear, e.linear)
	return m.refresh()
}
