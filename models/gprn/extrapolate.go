package gprn

import "math"

// Limits of the length of an extrapolation, in sweeps.
const minLength, maxLength = 0.5, 64

// extrapolate continues in the direction of the last sweep by length times its change. If the bound
// increases it keeps the result, otherwise it restores the result of the sweep. This accelerates
// long series of small sweeps in the same direction. The length grows after a success and shrinks
// after a failure. The logarithms of precisions are extrapolated, which keeps the precisions
// positive.
//
// Salakhutdinov, Roweis, "Adaptive Overrelaxed Bound Optimization Methods", 2003, section 3, which
// extrapolates at every step instead of once before each update of the hyperparameters.
func (e *em) extrapolate() error {
	m, length := e.network, e.numbers[emLength]
	if length == 0 {
		length = 1
	}
	bound := m.bound()
	copy(e.precision, m.precision)
	copy(e.linear, m.linear)
	before := e.backup[len(e.backup)-2:] // of precisions and linear terms, see newEM
	for i, v := range e.precision {
		if old := before[0][i]; v > 0 && old > 0 {
			m.precision[i] = v * math.Pow(v/old, length)
		}
	}
	for i, v := range e.linear {
		m.linear[i] = v + length*(v-before[1][i])
	}
	if err := m.refresh(); err == nil && m.bound() > bound {
		e.numbers[emLength] = min(2*length, maxLength)
		return nil
	}
	e.numbers[emLength] = max(length/2, minLength)
	copy(m.precision, e.precision)
	copy(m.linear, e.linear)
	return m.refresh()
}
